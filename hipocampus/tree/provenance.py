"""Why a memory says something: the entry, who wrote it, what was made from it, and what was done with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from hipocampus import files
from hipocampus.errors import NotFound
from hipocampus.governance import ledger, marks, states
from hipocampus.layout import LEVELS, Workspace
from hipocampus.log import entry as grammar
from hipocampus.log.daylog import list_days
from hipocampus.log.entry import Entry
from hipocampus.tree.pointers import resolve


@dataclass(frozen=True, slots=True)
class Provenance:
    """
    An entry with its origin: `cited_by` are the files that point to it, `mutations` what touched its file.

    `lines` are the first and the last of `source`, counted from 1.
    """

    pointer: str
    source: str
    lines: tuple[int, int]
    title: str
    state: str
    actor: str
    via: str
    at: str
    cited_by: tuple[str, ...]
    mutations: tuple[str, ...]


def provenance(workspace: Workspace, pointer: str, today: date) -> Provenance:
    """Where an entry comes from, named by its pointer or its id. Raises NotFound, OSError."""
    passage = resolve(workspace, pointer)
    found = _entry_at(workspace, passage.source, passage.first, today)
    if found is None:
        message = f"{pointer!r} is no entry"
        raise NotFound(message, hint="name an entry like 2026-03-15#3f9ac2; `search` and nodes show the pointers")
    entry, text = found
    book = ledger.load(workspace)
    touched = (r for r in book.records if passage.source in r.where and r.kind != "done")
    return Provenance(
        entry.pointer,
        passage.source,
        (entry.first_line, entry.last_line),
        marks.shown(entry.title).strip(),
        states.state_of(text, entry.meta),
        entry.meta.get("actor", ""),
        entry.meta.get("via", ""),
        entry.meta.get("at", ""),
        tuple(_citing(workspace, entry.pointer)),
        tuple(f"{record.kind} {record.id} by {record.actor} at {record.at}" for record in touched),
    )


def _entry_at(workspace: Workspace, source: str, line: int, today: date) -> tuple[Entry, str] | None:
    """The entry in a line of a raw log, and what it says in the file."""
    for day, path in list_days(workspace, today).days:
        if workspace.relative(path) == source:
            for entry in grammar.parse(files.read_text(path).text, day):
                if entry.first_line <= line <= entry.last_line:
                    return entry, f"{entry.title}\n{entry.body}"
    return None


def _citing(workspace: Workspace, pointer: str) -> Iterator[str]:
    """The nodes that point to an entry; ROOT.md may leave the year out."""
    short = pointer[5:]
    for path in _nodes(workspace):
        text = files.read_text(path).text
        if pointer in text or (path == workspace.root_node and short in text):
            yield workspace.relative(path)


def _nodes(workspace: Workspace) -> Iterator[Path]:
    yield from (path for path in [workspace.root_node] if path.is_file())
    for level in reversed(LEVELS):
        yield from sorted((workspace.memory / level).glob("*.md"))
