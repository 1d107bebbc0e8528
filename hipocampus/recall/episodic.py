"""
The second tier: what was written since the last `sleep`, described at once.

Only what changes from hour to hour is looked at: the logs of these days, curated and hot files. Their documents are
kept beside the index, so that a file is described once for each change.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import NamedTuple

from hipocampus import files
from hipocampus.errors import StoreNotWritable
from hipocampus.index.concept_file import SeenSource
from hipocampus.index.document import Document, document_of_row
from hipocampus.index.sources import Source, recent_sources
from hipocampus.layout import Workspace

NAME = "episodic.json"
_FORMAT = 4


class Episodic(NamedTuple):
    """New documents, and the names of the sources whose documents in the semantic tier no longer count."""

    documents: tuple[Document, ...]
    sources: frozenset[str]


def take_in(
    workspace: Workspace,
    home: Path | None,
    today: date,
    count: Callable[[str], int],
    known: Callable[[list[str]], Mapping[str, SeenSource]],
) -> Episodic:
    """
    The documents of what changed since the last `sleep`; `known` says how it saw sources. Kept where the disk allows.

    A file that can't be read has none.
    """
    recent = {source.name: source for source in recent_sources(workspace, today)}
    before = known(list(recent))
    changed = [source for name, source in recent.items() if before.get(name) != _seen(source)]
    kept, waiting = _load(home), unsettled(workspace)
    held = {source.name: None if source.name in waiting else kept.get(_key(source)) for source in changed}
    missing = [source for source in changed if held[source.name] is None]
    for source in missing:
        held[source.name] = _described(source, count)
    if home and missing:
        _save(home, {_key(source): held[source.name] or () for source in changed})
    gone = frozenset(before) - frozenset(recent)
    documents = tuple(document for found in held.values() for document in found or ())
    return Episodic(documents, frozenset(held) | gone)


def unsettled(workspace: Workspace) -> frozenset[str]:
    """The sources that a mutation under way still has to change; none costs a look at a folder."""
    if not any(workspace.pending.glob("*.json")):
        return frozenset()
    from hipocampus.governance import returned

    return returned.unsettled(workspace)


def _described(source: Source, count: Callable[[str], int]) -> tuple[Document, ...]:
    from hipocampus.sleep.notes import read_documents

    try:
        return read_documents(source, count)
    except OSError:
        return ()


def _seen(source: Source) -> SeenSource:
    return SeenSource(source.size, source.mtime_ns)


def _key(source: Source) -> str:
    return f"{source.name}\0{source.size}\0{source.mtime_ns}"


def _load(home: Path | None) -> dict[str, tuple[Document, ...]]:
    if home is None:
        return {}
    try:
        kept = json.loads((home / NAME).read_text("utf-8"))
        rows = kept["sources"].items() if kept["format"] == _FORMAT else ()
        return {key: tuple(map(document_of_row, held)) for key, held in rows}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def _save(home: Path, held: Mapping[str, tuple[Document, ...]]) -> None:
    rows = {key: [document.row() for document in documents] for key, documents in held.items()}
    with contextlib.suppress(StoreNotWritable):  # only speed is lost
        files.write_atomic(home / NAME, json.dumps({"format": _FORMAT, "sources": rows}), durable=False)
