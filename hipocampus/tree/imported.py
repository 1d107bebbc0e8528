"""A ROOT.md that another program or a person wrote: kept as a source, its lines live on in ours."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta

from hipocampus.log.entry import KEPT_TYPES, EntryType
from hipocampus.text import front_matter
from hipocampus.tree import body as bodies
from hipocampus.tree.body import Section
from hipocampus.tree.facts import Fact
from hipocampus.tree.lines import line_facts
from hipocampus.tree.root import HISTORICAL_DAYS, RootSources, offered

_POINTER = "memory/summaries/imported-root.md"
_LABEL = re.compile(
    r"- (?P<title>.+?) \[(?P<type>user|feedback|project|reference)(?:, (?P<age>\d+)d)?\??\](?:: (?P<rest>.*))?$"
)
_HISTORICAL_WEIGHT = 0.1
# Lines without a label of their own.
_TOPIC = "earlier notes"
_MONTH = re.compile(r"\b([12]\d{3})-(0[1-9]|1[0-2])\b")
_OLDEST_AGE = 10_000


def sources(text: str, today: date) -> RootSources:
    """Its rules, the lines of its Active Context (pinned while they are recent) and all its other lines as facts."""
    front, body = front_matter.split(text)
    day = _last_updated(front) or today
    rules: list[Section] = []
    facts: list[Fact] = []
    pinned: list[Fact] = []
    for section in bodies.parse(body):
        is_active = section.title.startswith("Active")
        target = pinned if is_active and (today - day).days <= HISTORICAL_DAYS else facts
        for line in section.lines:
            match = _LABEL.match(line)
            if match and match["type"] in KEPT_TYPES:
                rules.append(_rule(match))
            else:
                dated = _day_of(line, section.title, day, match)
                target.extend(_fact(fact, section.title, dated) for fact in line_facts(line, _TOPIC))
    return RootSources(rules=rules, facts=[offered(fact) for fact in facts], pinned=pinned)


def _last_updated(front: str) -> date | None:
    try:
        return date.fromisoformat(str(front_matter.fields_of(front).get("last-updated")))
    except ValueError:
        return None


def _rule(match: re.Match[str]) -> Section:
    kind: EntryType = match["type"]  # type: ignore[assignment]
    return Section(match["title"], kind, _POINTER, (match["rest"],) if match["rest"] else ())


def _day_of(line: str, heading: str, updated: date, label: re.Match[str] | None) -> date | None:
    """When a line was true, as far as it says so: by its age, its date, or that it was active or history by then."""
    if label and label["age"]:
        return updated - timedelta(days=min(int(label["age"]), _OLDEST_AGE))
    if heading.startswith("Active"):
        return updated
    if not heading.startswith("Historical"):
        return None
    found = _MONTH.search(line)
    old = updated - timedelta(days=HISTORICAL_DAYS + 1)
    return min(old, date(int(found[1]), int(found[2]), 1)) if found else old


def _fact(fact: Fact, heading: str, day: date | None) -> Fact:
    weight = _HISTORICAL_WEIGHT if heading.startswith("Historical") else 1.0
    return replace(fact, day=fact.day or day, pointer=fact.pointer or _POINTER, weight=fact.weight * weight)
