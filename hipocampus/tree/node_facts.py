"""
What a node adds to ROOT.md: its rules and facts, parsed once and kept beside the state.

ROOT.md is made of the days of the last quarter and of the months before, unless an agent wrote a better
week or month. Years of nodes take part in every change, so what a node holds is kept as lines in order of
weight, of which an old month gives only the first ones, and a line is read when its fact is wanted:

    [1.4075, "2023-04-01", "redeemed a gift card", "Trendy Wear", "project", "2023-04-01#98fcf0", false]
"""

from __future__ import annotations

import json
from datetime import date
from functools import partial
from pathlib import Path

from hipocampus.tree import body as bodies
from hipocampus.tree.body import Section
from hipocampus.tree.builder import section_facts
from hipocampus.tree.calendar import Period
from hipocampus.tree.facts import Fact
from hipocampus.tree.root import Offer
from hipocampus.tree.walk import DIGEST_VERSION, Planned, TreeWalk, finest

# Facts that a month may offer when it is new; a month that is three months old offers half of them.
MOST_FACTS = 600
_HALVED_AFTER_MONTHS = 3
_FEWEST_FACTS = 24
# Raise it when the lines change.
_FORMAT = 2


def collect(walk: TreeWalk) -> tuple[list[Section], list[Offer]]:
    """The rules and the most telling facts of a walk's nodes."""
    rules: list[Section] = []
    facts: list[Offer] = []
    for node in finest(walk.months, walk.today):
        lines = _lines(walk, node)
        rules += (_section(row) for row in json.loads(lines[0])["rules"])
        facts += map(_offer, lines[1 : 1 + _most(node.period, walk.today)])
    return rules, facts


def _most(period: Period, today: date) -> int:
    age = max(0, (today - period.last).days // 30)
    return max(_FEWEST_FACTS, MOST_FACTS * _HALVED_AFTER_MONTHS // (_HALVED_AFTER_MONTHS + age))


def _lines(walk: TreeWalk, node: Planned) -> list[str]:
    path = walk.workspace.facts / f"{node.period.name}.jsonl"
    head: dict[str, object] = {"version": [DIGEST_VERSION, _FORMAT], "sha256": node.sha256}
    kept = _kept(path, head)
    if kept:
        walk.derived[path] = None
        return kept
    sections = bodies.parse(walk.body(node))
    rules = [[s.title, s.type, s.pointer, s.lines] for s in sections if s.is_kept]
    facts = section_facts(section for section in sections if not section.is_kept)
    rows = sorted(map(_row, facts), key=lambda row: (-row[0], row[2:5], row[1], row[5]))
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


def _row(fact: Fact) -> tuple[float, str, str, str, str, str, bool]:
    day = fact.day.isoformat() if fact.day else ""
    return fact.weight, day, fact.text, fact.topic, fact.type, fact.pointer, fact.titled


def _offer(line: str) -> Offer:
    weight, day, _ = line.split(", ", 2)
    return Offer(float(weight[1:]), date.fromisoformat(day[1:-1]) if day != '""' else None, partial(_fact, line))


def _fact(line: str) -> Fact:
    weight, day, text, topic, kind, pointer, titled = json.loads(line)
    return Fact(text, topic, kind, date.fromisoformat(day) if day else None, pointer, weight, titled)
