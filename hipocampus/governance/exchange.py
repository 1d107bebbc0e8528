"""Entries as lines of JSON, to be moved from one memory to another."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from hipocampus.clock import parse_day
from hipocampus.errors import UsageError
from hipocampus.governance import ledger, redaction
from hipocampus.governance.gate import Draft
from hipocampus.layout import Workspace
from hipocampus.log import daylog
from hipocampus.log.entry import ENTRY_TYPES

_EXAMPLE = '{"date": "2026-03-15", "title": "Rate limits", "type": "project", "body": "token bucket"}'


@dataclass(frozen=True, slots=True)
class Row:
    """An entry on its way: its day, what it says, and the memory and entry it came from."""

    day: date
    draft: Draft
    origin: str


def exported(workspace: Workspace, today: date) -> Iterator[dict[str, str]]:
    """Every entry as readers see it, oldest first: no secrets, nothing private, nothing that was taken back."""
    name = origin_name(workspace)
    for day, path in daylog.list_days(workspace, today).days:
        for entry in redaction.read_day(path, day):
            yield {
                "date": day.isoformat(),
                "id": entry.id,
                "type": entry.type,
                "title": entry.title,
                "body": entry.body,
                "actor": entry.meta.get("actor", ""),
                "at": entry.meta.get("at", ""),
                "origin": entry.meta.get("origin") or f"{name}:{entry.pointer}",
            }


def origin_name(workspace: Workspace) -> str:
    """What a memory is called in the entries that others took from it: the name of its first chain, or "memory"."""
    return next((record.id for record in ledger.load(workspace).records if record.kind == "begin"), "memory")


def rows(text: str) -> list[Row]:
    """The entries in an export. Raises UsageError for a line that is none; then none is taken."""
    return [_row(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]


def _row(number: int, line: str) -> Row:
    try:
        fields: Mapping[str, Any] = json.loads(line)
        kind = fields.get("type", "project")
        texts = [fields.get(name, "") for name in ("title", "body", "origin")]
        if kind not in ENTRY_TYPES or not all(isinstance(text, str) for text in texts):
            raise ValueError(kind)
        origin = "".join(texts[2].split())[:80]
        return Row(parse_day(str(fields["date"])), Draft(texts[0], texts[1], kind), origin)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, UsageError) as error:
        message = f"line {number} is no entry of an export"
        raise UsageError(message, hint=f"each line is like {_EXAMPLE}") from error


def by_day(found: Iterable[Row]) -> dict[date, list[Row]]:
    """Rows by their day, oldest day first."""
    days: dict[date, list[Row]] = {}
    for row in sorted(found, key=lambda row: row.day):
        days.setdefault(row.day, []).append(row)
    return days
