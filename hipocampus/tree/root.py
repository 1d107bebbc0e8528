"""
What ROOT.md says: rules first, then the most telling facts of all nodes, in four sections.

Active Context is the last seven days, Recent Patterns are topics of at least three weeks, Historical
Summary is what nobody mentioned for ninety days, Topics Index all else. Facts that share no topic with
others stand together by week, with one pointer to that week.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal, NamedTuple

from hipocampus.log.pointer import ARROW
from hipocampus.tree.body import Section
from hipocampus.tree.builder import kept_sections
from hipocampus.tree.calendar import week_of
from hipocampus.tree.facts import Fact
from hipocampus.tree.fitting import largest_fitting
from hipocampus.tree.grouping import Line, chronological, grouped
from hipocampus.tree.packing import LONGEST_LINE, TOKENS_A_FACT, Style, ranked, render
from hipocampus.tree.statements import clipped

Count = Callable[[str], int]
Part = Literal["active", "patterns", "historical", "index"]
Parts = dict[Part, list[str]]

ACTIVE_DAYS = 7
HISTORICAL_DAYS = 90
REFERENCE_DAYS = 30
PATTERN_WEEKS = 3
RULES_SHARE = 0.35
CURATED_SHARE = 0.2
LONGEST_FACT = 110
# Facts that share a word become a topic of their own when they are this many.
_FEWEST_FOR_A_TOPIC = 3
_HEADINGS: dict[Part, str] = {
    "active": "## Active Context (recent ~7 days)",
    "patterns": "## Recent Patterns",
    "historical": "## Historical Summary",
    "index": "## Topics Index",
}
# Importance fades slowly with age, so that years of history compete with this month on what they say.
_ACTIVE_BOOST = 1.25
_HALF_AGE_DAYS = 365.0
_LEAST_TOKENS_A_FACT = 6
_MOST_CURATED_FACTS = 4


class Offer(NamedTuple):
    """A fact that may be wanted: what decides its rank, and the fact itself when it is asked for."""

    weight: float
    day: date | None
    fact: Callable[[], Fact]


def offered(fact: Fact) -> Offer:
    """A fact that is at hand."""
    return Offer(fact.weight, fact.day, lambda: fact)


@dataclass(frozen=True, slots=True)
class RootSources:
    """What ROOT.md is made of; `pinned` facts come before all others of their section."""

    rules: Sequence[Section]
    facts: Sequence[Offer]
    curated: Sequence[Fact] = ()
    pinned: Sequence[Fact] = ()


def root_body(sources: RootSources, today: date, room: int, count: Count) -> str:
    """The four sections, in at most `room` tokens."""
    room -= count(_text({}))
    rules = _rules(sources.rules, int(room * RULES_SHARE), count)
    room -= count("\n".join(rules))
    curated = _curated(sources.curated, int(room * CURATED_SHARE), count)
    room -= count("\n".join(curated))
    pinned = _fitting(_lines(sources.pinned, today), room, count)
    room = max(0, room - count("\n".join(pinned)) - 3)
    parts = _fill(_best(sources.facts, room // _LEAST_TOKENS_A_FACT, today), today, room, count)
    parts["active"] = [*pinned, *parts.get("active", [])]
    parts["index"] = [*rules, *curated, *parts.get("index", [])]
    return _text(parts)


def _fill(facts: Sequence[Fact], today: date, room: int, count: Count) -> Parts:
    """The lines, by section, of as many of the first facts as fit."""

    def size(parts: Parts) -> int:
        return count("\n".join(line for lines in parts.values() for line in lines))

    return largest_fitting(len(facts), lambda n: _parts(facts[:n], today), size, room, room // TOKENS_A_FACT)


def _parts(facts: Sequence[Fact], today: date) -> Parts:
    last_seen: dict[str, date] = {}
    for fact in facts:
        if fact.day:
            last_seen[fact.topic] = max(fact.day, last_seen.get(fact.topic, fact.day))
    buckets: defaultdict[Part, list[Fact]] = defaultdict(list)
    for fact in facts:
        buckets[_part(fact, last_seen.get(fact.topic), today)].append(fact)
    parts: Parts = defaultdict(list)
    for part, chosen in buckets.items():
        for home, text in _part_lines(part, chosen, today):
            parts[home].append(text)
    return dict(parts)


def _part(fact: Fact, last_seen: date | None, today: date) -> Part:
    if fact.day is None or last_seen is None:
        return "index"
    if (today - fact.day).days <= ACTIVE_DAYS:
        return "active"
    if fact.type == "project" and (today - last_seen).days > HISTORICAL_DAYS:
        return "historical"
    return "index"


def _part_lines(part: Part, facts: Sequence[Fact], today: date) -> Iterator[tuple[Part, str]]:
    """Titled entries by title, shared topics, then the rest by week."""
    style = _style(today)
    titled = _by_title([fact for fact in facts if fact.titled])
    topics, rest = grouped([fact for fact in facts if not fact.titled], _FEWEST_FOR_A_TOPIC)
    for line in (*titled, *sorted(topics, key=lambda line: line.topic.lower())):
        home: Part = "patterns" if part == "index" and _weeks(line) >= PATTERN_WEEKS else part
        yield from ((home, text) for text in render(line, style))
    yield from ((part, text) for text in _week_lines(rest))


def _style(today: date) -> Style:
    """How lines of ROOT.md are written: pointers at the end, by day, and ages."""
    return Style(inline=False, ids=False, today=today, reference_days=REFERENCE_DAYS)


def _by_title(facts: Sequence[Fact]) -> list[Line]:
    titles: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        titles[fact.topic].append(fact)
    lines = [Line(title, tuple(chronological(found))) for title, found in titles.items()]
    return sorted(lines, key=lambda line: (str(line.facts[-1].day or ""), line.topic), reverse=True)


def _week_lines(facts: Sequence[Fact]) -> Iterator[str]:
    """`- week of May 15: fact; fact → 2023-W20`, in pieces of at most 400 characters."""
    weeks: defaultdict[str, list[Fact]] = defaultdict(list)
    for fact in chronological(facts):
        weeks[week_of(fact.day).name if fact.day else ""].append(fact)
    for name, found in sorted(weeks.items()):
        monday = week_of(found[0].day).first if found[0].day else None
        head = f"- week of {monday:%b} {monday.day}: " if monday else "- undated: "
        tail = f"{ARROW}{name}" if name else f"{ARROW}{found[0].pointer}"
        yield from _wrapped(head, [fact.text for fact in found], tail)


def _wrapped(head: str, texts: Iterable[str], tail: str) -> Iterator[str]:
    held: list[str] = []
    for text in texts:
        if held and len(head) + len("; ".join([*held, text])) + len(tail) > LONGEST_LINE:
            yield head + "; ".join(held) + tail
            held = []
        held.append(text)
    if held:
        yield head + "; ".join(held) + tail


def _weeks(line: Line) -> int:
    return len({fact.day.isocalendar()[:2] for fact in line.facts if fact.day})


def _best(offers: Sequence[Offer], most: int, today: date) -> list[Fact]:
    """The facts that come first, as they stand in a line."""
    fading = {day: _fading(day, today) for day in {offer.day for offer in offers}}
    weights = [offer.weight * boost / fade for offer in offers for boost, fade in [fading[offer.day]]]

    def clipped_fact(at: int) -> Fact:
        fact = offers[at].fact()
        return replace(fact, text=clipped(fact.text, LONGEST_FACT), weight=weights[at])

    return ranked(weights, clipped_fact, most)


def _fading(day: date | None, today: date) -> tuple[float, float]:
    """By what the weight of a day's facts is multiplied and divided."""
    age = max(0, (today - day).days) if day else 0
    return _ACTIVE_BOOST if day and age <= ACTIVE_DAYS else 1.0, (1 + age / _HALF_AGE_DAYS) ** 0.5


def _rules(sections: Sequence[Section], room: int, count: Count) -> list[str]:
    """`user` and `feedback` entries word for word, newest first; where room ends, a line that points to each."""
    kept = kept_sections(sections, room, count)
    return [_rule(section) for section in reversed(kept)]


def _rule(section: Section) -> str:
    said = "; ".join(line.strip().removeprefix("- ") for line in section.lines if line.strip())
    pointer = f"{ARROW}{section.pointer}" if section.pointer else ""
    return f"- {section.title} [{section.type}]{': ' if said else ''}{said}{pointer}"


def _curated(facts: Iterable[Fact], room: int, count: Count) -> list[str]:
    """One line a file with as many facts as leave a line for each; where even titles are too many, those that fit."""
    found = _by_source(facts)
    for most in range(_MOST_CURATED_FACTS, -1, -1):
        lines = [_file_line(*source, [f.text for f in told[:most] if f.text]) for source, told in found.items()]
        if count("\n".join(lines)) <= room:
            return lines
    return _fitting(lines, room, count) if found else []


def _file_line(topic: str, pointer: str, texts: Sequence[str]) -> str:
    said = "; ".join(clipped(text, LONGEST_FACT).rstrip(".") for text in texts)
    return f"- {topic}{': ' if said else ''}{said}{ARROW}{pointer}"


def _lines(facts: Iterable[Fact], today: date) -> list[str]:
    """One line a topic and source, in the order the topics come."""
    style = _style(today)
    lines = (Line(topic, tuple(found)) for (topic, _), found in _by_source(facts).items())
    return [text for line in lines for text in render(line, style)[:1]]


def _by_source(facts: Iterable[Fact]) -> dict[tuple[str, str], list[Fact]]:
    topics: dict[tuple[str, str], list[Fact]] = {}
    for fact in facts:
        topics.setdefault((fact.topic, fact.pointer), []).append(fact)
    return topics


def _fitting(lines: Sequence[str], room: int, count: Count) -> list[str]:
    kept: list[str] = []
    for line in lines:
        room -= count(f"{line}\n")
        if room >= 0:
            kept.append(line)
    return kept


def _text(parts: Parts) -> str:
    return "\n".join("\n".join([heading, *parts.get(part, []), ""]) for part, heading in _HEADINGS.items())
