"""A ROOT.md that another program or a person wrote: kept as a source, its lines live on in ours."""

from __future__ import annotations

import re
from datetime import date, timedelta

from hipocampus.log.entry import EntryType
from hipocampus.tree import body as bodies
from hipocampus.tree import node
from hipocampus.tree.body import KEPT_TYPES, Section
from hipocampus.tree.facts import Fact
from hipocampus.tree.lines import line_facts
from hipocampus.tree.root import HISTORICAL_DAYS, RootSources

NAME = "memory/summaries/imported-root.md"
_LABEL = re.compile(r"- (?P<title>.+?) \[(?P<type>user|feedback|project|reference)(?:, (?P<age>\d+)d)?\??\](?:: (?P<rest>.*))?$")
_HISTORICAL_WEIGHT = 0.1


def sources(text: str, today: date) -> RootSources:
    """Its rules, the lines of its Active Context (pinned while they are recent) and all its other lines as facts."""
    front, body = node.split(text)
    day = _last_updated(front) or today
    rules: list[Section] = []
    facts: list[Fact] = []
    pinned: list[Fact] = []
    for section in bodies.parse(body):
        for line in section.lines:
            match = _LABEL.match(line)
            if match and match["type"] in KEPT_TYPES:
                rules.append(_rule(match))
                continue
            found = [_fact(fact, section.title, day, match) for fact in line_facts(line)]
            active = section.title.startswith("Active") and (today - day).days <= HISTORICAL_DAYS
            (pinned if active else facts).extend(found)
    return RootSources(rules=rules, facts=facts, pinned=pinned)


def _last_updated(front: str) -> date | None:
    try:
        return date.fromisoformat(str(node.fields_of(front).get("last-updated")))
    except ValueError:
        return None


def _rule(match: re.Match[str]) -> Section:
    kind: EntryType = match["type"]  # type: ignore[assignment]
    return Section(match["title"], kind, NAME, (match["rest"],) if match["rest"] else ())


def _fact(fact: Fact, heading: str, day: date, label: re.Match[str] | None) -> Fact:
    age = int(label["age"]) if label and label["age"] else 0
    historical = heading.startswith("Historical")
    return Fact(
        text=fact.text,
        topic=fact.topic,
        type=fact.type,
        day=fact.day or day - timedelta(days=min(age, 10_000)),
        pointer=fact.pointer or NAME,
        weight=fact.weight * (_HISTORICAL_WEIGHT if historical else 1.0),
    )
