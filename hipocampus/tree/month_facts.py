"""
What a month adds to ROOT.md: its rules and facts, parsed once and kept beside the index of the store.

Years of months are read at every change, so each month is kept as lines in order of weight, of which an old
month gives only the first ones.
"""

from __future__ import annotations

import json
from dataclasses import astuple
from datetime import date
from pathlib import Path

from hipocampus.tree import body as bodies
from hipocampus.tree.body import Section
from hipocampus.tree.builder import section_facts
from hipocampus.tree.calendar import Period
from hipocampus.tree.facts import Fact
from hipocampus.tree.walk import DIGEST_VERSION, Planned, TreeWalk

# Facts that this month may offer; a month that is three months old offers half of them.
MOST_FACTS = 600
_HALVED_AFTER_MONTHS = 3
_FEWEST_FACTS = 24


def collect(walk: TreeWalk) -> tuple[list[Section], list[Fact]]:
    """The rules and the most telling facts of all months of a walk."""
    rules: list[Section] = []
    facts: list[Fact] = []
    for month in walk.months:
        of_month = _lines(walk, month)
        rules += (_section(row) for row in json.loads(of_month[0])["rules"])
        facts += (_fact(json.loads(line)) for line in of_month[1 : 1 + _most(month.period, walk.today)])
    return rules, facts


def _most(month: Period, today: date) -> int:
    age = max(0, (today.year - month.first.year) * 12 + today.month - month.first.month)
    return max(_FEWEST_FACTS, MOST_FACTS * _HALVED_AFTER_MONTHS // (_HALVED_AFTER_MONTHS + age))


def _lines(walk: TreeWalk, month: Planned) -> list[str]:
    path = walk.workspace.state / "months" / f"{month.period.name}.jsonl"
    head: dict[str, object] = {"version": DIGEST_VERSION, "sha256": month.sha256}
    kept = _kept(path, head)
    if kept:
        return kept
    sections = bodies.parse(walk.body(month))
    rules = [astuple(section) for section in sections if section.is_kept]
    facts = section_facts(section for section in sections if not section.is_kept)
    rows = [[f.text, f.topic, f.type, f.day and f.day.isoformat(), f.pointer, f.weight] for f in facts]
    rows.sort(key=lambda row: (-float(row[5] or 0), row))
    lines = [json.dumps(row) for row in ({**head, "rules": rules}, *rows)]
    walk.derived[path] = "\n".join(lines) + "\n"
    return lines


def _kept(path: Path, head: dict[str, object]) -> list[str]:
    try:
        lines = path.read_text(encoding="ascii").splitlines()
        found = json.loads(lines[0])
        return lines if all(found.get(key) == value for key, value in head.items()) else []
    except (OSError, ValueError, LookupError, AttributeError):
        return []


def _section(row: list[object]) -> Section:
    title, kind, pointer, lines, *_ = row
    return Section(str(title), kind, str(pointer), tuple(lines))  # type: ignore[arg-type]


def _fact(row: list[str]) -> Fact:
    text, topic, kind, day, pointer, weight = row
    return Fact(text, topic, kind, date.fromisoformat(day) if day else None, pointer, float(weight))
