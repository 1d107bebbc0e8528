"""
What a node adds to ROOT.md: its rules and facts, parsed once and kept beside the state.

ROOT.md is made of the days of the last quarter and of the months before, unless an agent wrote a better
week or month. Years of nodes take part in every change, so what a node holds is kept as lines in order of
weight, of which an old month gives only the first ones.
"""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

from hipocampus.tree import body as bodies
from hipocampus.tree.body import Section
from hipocampus.tree.builder import section_facts
from hipocampus.tree.calendar import Period
from hipocampus.tree.facts import Fact
from hipocampus.tree.walk import DIGEST_VERSION, Planned, TreeWalk, finest

# Facts that a month may offer when it is new; a month that is three months old offers half of them.
MOST_FACTS = 600
_HALVED_AFTER_MONTHS = 3
_FEWEST_FACTS = 24


def collect(walk: TreeWalk) -> tuple[list[Section], list[Fact]]:
    """The rules and the most telling facts of a walk's nodes."""
    rules: list[Section] = []
    facts: list[Fact] = []
    for node in finest(walk.months, walk.today):
        lines = _lines(walk, node)
        rules += (_section(row) for row in json.loads(lines[0])["rules"])
        facts += (_fact(json.loads(line)) for line in lines[1 : 1 + _most(node.period, walk.today)])
    return rules, facts


def _most(period: Period, today: date) -> int:
    age = max(0, (today - period.last).days // 30)
    return max(_FEWEST_FACTS, MOST_FACTS * _HALVED_AFTER_MONTHS // (_HALVED_AFTER_MONTHS + age))


def _lines(walk: TreeWalk, node: Planned) -> list[str]:
    path = walk.workspace.facts / f"{node.period.name}.jsonl"
    head: dict[str, object] = {"version": DIGEST_VERSION, "sha256": node.sha256}
    kept = _kept(path, head)
    if kept:
        walk.derived[path] = None
        return kept
    sections = bodies.parse(walk.body(node))
    rules = [[s.title, s.type, s.pointer, s.lines] for s in sections if s.is_kept]
    facts = section_facts(section for section in sections if not section.is_kept)
    rows = [(f.text, f.topic, f.type, f.day.isoformat() if f.day else "", f.pointer, f.weight, f.titled) for f in facts]
    rows.sort(key=lambda row: (-row[5], row[:5]))
    top: dict[str, object] = {**head, "rules": rules, "facts": len(rows)}
    lines = [json.dumps(row) for row in (top, *rows)]
    walk.derived[path] = "\n".join(lines) + "\n"
    return lines


def _kept(path: Path, head: dict[str, object]) -> list[str]:
    """The lines of an earlier run; none where they are of another node or not all there."""
    try:
        *lines, rest = path.read_text(encoding="ascii").split("\n")
        found = json.loads(lines[0])
        whole = not rest and found["facts"] == len(lines) - 1
        return lines if whole and all(found[key] == value for key, value in head.items()) else []
    except (OSError, ValueError, LookupError, TypeError):
        return []


def _section(row: list[object]) -> Section:
    title, kind, pointer, lines = row
    return Section(str(title), kind, str(pointer), tuple(lines))  # type: ignore[arg-type]


def _fact(row: list[str]) -> Fact:
    text, topic, kind, day, pointer, weight, titled = row
    return Fact(text, topic, kind, date.fromisoformat(day) if day else None, pointer, float(weight), bool(titled))
