"""
What ROOT.md says: rules first, then the most telling facts of all months, in four sections.

Active Context is the last seven days, Recent Patterns are topics of at least three weeks, Historical
Summary is what nobody mentioned for ninety days, Topics Index all else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from hipocampus.tree.body import ARROW, Section
from hipocampus.tree.builder import kept_sections
from hipocampus.tree.facts import Fact
from hipocampus.tree.fitting import largest_fitting
from hipocampus.tree.grouping import Line
from hipocampus.tree.packing import Style, merged, ranked, render

Count = Callable[[str], int]
Part = Literal["active", "patterns", "historical", "index"]

ACTIVE_DAYS = 7
HISTORICAL_DAYS = 90
REFERENCE_DAYS = 30
PATTERN_WEEKS = 3
RULES_SHARE = 0.4
CURATED_SHARE = 0.25
_HEADINGS: dict[Part, str] = {
    "active": "## Active Context (recent ~7 days)",
    "patterns": "## Recent Patterns",
    "historical": "## Historical Summary",
    "index": "## Topics Index",
}
# Importance fades slowly with age, so that years of history compete with this month on what they say.
_ACTIVE_BOOST = 1.25
_HALF_AGE_DAYS = 365.0
_TOKENS_A_FACT = 15


@dataclass(frozen=True, slots=True)
class RootSources:
    """What ROOT.md is made of; `pinned` facts come before all others of their section."""

    rules: Sequence[Section]
    facts: Sequence[Fact]
    curated: Sequence[Fact] = ()
    pinned: Sequence[Fact] = ()


def root_body(sources: RootSources, today: date, room: int, count: Count) -> str:
    """The four sections, in at most `room` tokens."""
    room -= count(_text({}))
    rules = _rules(sources.rules, int(room * RULES_SHARE), count)
    room -= count("\n".join(rules))
    curated = _fitting(_lines(sources.curated, today), int(room * CURATED_SHARE), count)
    room -= count("\n".join(curated))
    pinned = _fitting(_lines(sources.pinned, today), room, count)
    room -= count("\n".join(pinned)) + 3
    ordered = ranked([_aged(fact, today) for fact in sources.facts])
    parts = _fill(ordered, today, max(0, room), count)
    parts["active"] = [*pinned, *parts.get("active", [])]
    parts["index"] = [*rules, *curated, *parts.get("index", [])]
    return _text(parts)


def _fill(facts: Sequence[Fact], today: date, room: int, count: Count) -> dict[Part, list[str]]:
    """The lines, by section, of as many of the first facts as fit."""

    def size(parts: dict[Part, list[str]]) -> int:
        return count("\n".join(line for lines in parts.values() for line in lines))

    guess = room // _TOKENS_A_FACT
    return largest_fitting(len(facts), lambda n: _parts(facts[:n], today), size, room, guess)


def _parts(facts: Sequence[Fact], today: date) -> dict[Part, list[str]]:
    last_seen: dict[str, date] = {}
    for fact in facts:
        if fact.day:
            last_seen[fact.topic] = max(fact.day, last_seen.get(fact.topic, fact.day))
    buckets: defaultdict[Part, list[Fact]] = defaultdict(list)
    for fact in facts:
        buckets[_part(fact, last_seen.get(fact.topic), today)].append(fact)
    style = Style(inline=False, ids=False, today=today, merge=True)
    parts: dict[Part, list[str]] = {}
    for part, chosen in buckets.items():
        for line in merged(chosen):
            home: Part = "patterns" if part == "index" and _weeks(line) >= PATTERN_WEEKS else part
            parts.setdefault(home, []).extend(render(line, style))
    return parts


def _part(fact: Fact, last_seen: date | None, today: date) -> Part:
    if fact.day is None or last_seen is None:
        return "index"
    if (today - fact.day).days <= ACTIVE_DAYS:
        return "active"
    if fact.type == "project" and (today - last_seen).days > HISTORICAL_DAYS:
        return "historical"
    return "index"


def _weeks(line: Line) -> int:
    return len({fact.day.isocalendar()[:2] for fact in line.facts if fact.day})


def _aged(fact: Fact, today: date) -> Fact:
    age = max(0, (today - fact.day).days) if fact.day else 0
    boost = _ACTIVE_BOOST if fact.day and age <= ACTIVE_DAYS else 1.0
    return replace(fact, weight=fact.weight * boost / (1 + age / _HALF_AGE_DAYS) ** 0.5)


def _rules(sections: Sequence[Section], room: int, count: Count) -> list[str]:
    """`user` and `feedback` entries word for word, newest first; where room ends, a line that points to each."""
    kept = kept_sections(sections, room, count)
    return [_rule(section) for section in reversed(kept)]


def _rule(section: Section) -> str:
    said = "; ".join(line.strip().removeprefix("- ") for line in section.lines if line.strip())
    pointer = f"{ARROW}{section.pointer}" if section.pointer else ""
    return f"- {section.title} [{section.type}]{': ' if said else ''}{said}{pointer}"


def _lines(facts: Iterable[Fact], today: date) -> list[str]:
    """One line a topic, in the order the topics come."""
    topics: dict[tuple[str, str], list[Fact]] = {}
    for fact in facts:
        topics.setdefault((fact.topic, fact.pointer), []).append(fact)
    style = Style(inline=False, ids=False, today=today)
    return [text for (topic, _), found in topics.items() for text in render(Line(topic, tuple(found)), style)[:1]]


def _fitting(lines: Sequence[str], room: int, count: Count) -> list[str]:
    kept: list[str] = []
    for line in lines:
        room -= count(f"{line}\n")
        if room >= 0:
            kept.append(line)
    return kept


def _text(parts: dict[Part, list[str]]) -> str:
    return "\n".join("\n".join([heading, *parts.get(part, []), ""]) for part, heading in _HEADINGS.items())
