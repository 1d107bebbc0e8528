"""Mutations under way: a note each, so that the next command can do what a kill cut off."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from hipocampus import files
from hipocampus.governance.ledger import Record
from hipocampus.governance.tombstones import STATE_OF
from hipocampus.layout import Workspace


@dataclass(frozen=True, slots=True)
class Pending:
    """
    A mutation under way: its record and the text that is still to be written, with the day of the correction.

    `lines` are those of each file that it takes something from, `keys` the vectors of the texts around them before.
    """

    record: Record
    new: str
    title: str
    day: str
    lines: Mapping[str, Sequence[int]] = field(default_factory=dict)
    keys: tuple[str, ...] = ()


def read(workspace: Workspace) -> list[Pending]:
    """Mutations that were begun and not closed; a note that makes no sense is none. Raises OSError."""
    found = (_pending(path.read_bytes()) for path in sorted(workspace.pending.glob("*.json")))
    return [one for one in found if one]


def write(workspace: Workspace, one: Pending) -> None:
    """Note that a mutation begins. Raises StoreNotWritable."""
    files.write_atomic(workspace.pending / f"{one.record.id}.json", json.dumps(asdict(one)))


def remove(workspace: Workspace, ident: str) -> None:
    """Note that a mutation is done. Raises StoreNotWritable."""
    files.remove(workspace.pending / f"{ident}.json")


def sweep(workspace: Workspace) -> None:
    """Remove notes that make no sense. Raises StoreNotWritable."""
    for path in workspace.pending.glob("*.json"):
        if _pending(path.read_bytes()) is None:
            files.remove(path)


def _pending(data: bytes) -> Pending | None:
    try:
        raw: dict[str, Any] = json.loads(data)
        record = Record(**{**raw["record"], "where": tuple(raw["record"]["where"])})
        said = raw["new"], raw["title"], raw["day"], raw["lines"], tuple(raw["keys"])
        return Pending(record, *said) if record.kind in STATE_OF else None
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
