"""The body of a node: its sections word for word while they fit, else the rules and the best of the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date
from itertools import accumulate

from hipocampus.tree import body as bodies
from hipocampus.tree import exclusion
from hipocampus.tree.body import Body, Section
from hipocampus.tree.calendar import Level
from hipocampus.tree.digest import DAILY, MONTHLY, WEEKLY, digest
from hipocampus.tree.facts import Fact, session_facts
from hipocampus.tree.lines import line_facts
from hipocampus.tree.statements import entry_facts, falling

Count = Callable[[str], int]
STYLES = {"daily": DAILY, "weekly": WEEKLY, "monthly": MONTHLY}
MOST_TOPICS = 40
# No text of natural language has more characters to a token; above it, counting would only confirm the digest.
_CHARACTERS_PER_TOKEN = 16
_MOST_HEADINGS_SHARE = 0.5


def node_body(level: Level, title: str, sections: Sequence[Section], room: int, count: Count) -> Body:
    """The body of a node of at most `room` tokens: verbatim where it fits, else rules word for word and a digest."""
    verbatim = bodies.render(title, sections)
    if len(verbatim) <= room * _CHARACTERS_PER_TOKEN and count(verbatim) <= room:
        return Body(verbatim, "verbatim", topics_of(sections))
    rules = kept_sections([s for s in sections if s.is_kept], room - count(f"# {title}\n\n"), count)
    left = room - count(bodies.render(title, [_lines_section([" "]), *rules]))
    facts = section_facts(section for section in sections if not section.is_kept)
    lines = digest(facts, left, count, STYLES[level]).splitlines() if left > 0 else []
    chosen = [_lines_section(lines), *rules] if lines else rules
    return Body(bodies.render(title, chosen), "extract", topics_of(chosen))


def kept_sections(sections: Sequence[Section], room: int, count: Count) -> list[Section]:
    """
    `user` and `feedback` sections word for word, the same words once, oldest first.

    Where they exceed `room` tokens the newest stay in full and each other one becomes a heading that
    points to it; headings of the oldest go when even these fill half of the room.
    """
    unique = {(s.title, s.type, s.lines): s for s in sections}
    newest = sorted(unique.values(), key=lambda s: s.day or date.min)[::-1]
    sizes = [count(f"\n{section.text()}") for section in newest]
    if sum(sizes) <= room:
        return newest[::-1]
    headings = [replace(section, lines=()) for section in newest]
    heading_sizes = [count(f"\n{section.text()}") for section in headings]
    listed = _how_many_fit(heading_sizes, int(room * _MOST_HEADINGS_SHARE))
    in_full = _how_many_fit(sizes, room - sum(heading_sizes[:listed]))
    return [*newest[:in_full], *headings[in_full:listed]][::-1]


def section_facts(sections: Iterable[Section]) -> list[Fact]:
    """
    The facts of sections: transcripts, entries, and the lines of digests below.

    Digest lines give the facts of an entry with the most telling first, and so they keep counting less.
    """
    told: Counter[tuple[str, str]] = Counter()
    found: list[Fact] = []
    for fact in (fact for section in sections for fact in _facts(section)):
        key = (fact.topic, fact.pointer)
        found.append(replace(fact, weight=fact.weight * falling(told[key])) if fact.titled else fact)
        told[key] += 1
    return found


def topics_of(sections: Iterable[Section]) -> tuple[str, ...]:
    """What a body is about: titles of entries and labels of digest lines, each once, in order."""
    names: dict[str, None] = {}
    for section in sections:
        if section.pointer and not section.is_session:
            names[section.title] = None
        elif not section.pointer:
            names.update((fact.topic, None) for line in section.lines for fact in line_facts(line) if fact.topic)
    return tuple(names)[:MOST_TOPICS]


def _facts(section: Section) -> list[Fact]:
    prose = exclusion.prose_lines(list(section.lines))
    if section.is_session:
        return session_facts(section.title, "\n".join(prose), section.day, section.pointer)
    if section.pointer:
        return entry_facts(section.title, section.type, "\n".join(prose), section.day, section.pointer)
    return [fact for line in prose for fact in line_facts(line)]


def _lines_section(lines: Sequence[str]) -> Section:
    return Section("", "project", "", tuple(lines))


def _how_many_fit(sizes: Sequence[int], room: int) -> int:
    """How many of the first sizes stay within `room` together."""
    return sum(total <= room for total in accumulate(sizes))
