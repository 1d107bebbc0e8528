"""
How a concept index follows what was taken back, before `sleep` makes it anew.

Documents of what changed are replaced, and chunks and anchors of what is not said any more go; vectors and lists of
the others stay as they are. The file is a copy with zeros where something was, put into place in one step.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hipocampus import files
from hipocampus.errors import DamagedConcepts, StoreNotWritable
from hipocampus.index.concept_file import ConceptFile, SeenSource, text_of
from hipocampus.index.concept_writer import insert_documents
from hipocampus.index.document import Document


@dataclass(frozen=True, slots=True)
class Edit:
    """
    A source that changed in some `lines`, or in all where none are given.

    `documents` are those that stand around these lines now, `holders` the documents of the keys of their texts.
    """

    source: str
    seen: SeenSource
    lines: Collection[int]
    documents: Sequence[Document]
    holders: Mapping[str, str]


def apply(path: Path, edits: Iterable[Edit], said: Collection[str], is_written: Callable[[str], bool]) -> None:
    """
    Let an index follow; anchors among the terms in `said` go where nobody writes their label any more.

    Raises DamagedConcepts for a file that can't be read, StoreNotWritable.
    """
    ConceptFile(path).close()
    with _replaced(path) as base:
        for edit in edits:
            _follow(base, edit)
        _drop_anchors(base, said, is_written)
        base.execute("UPDATE meta SET value = '' WHERE key = 'made from'")


@contextlib.contextmanager
def _replaced(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        with files.draft(path) as draft:
            shutil.copyfile(path, draft)
            with contextlib.closing(sqlite3.connect(draft, isolation_level=None)) as base:
                base.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA secure_delete=ON; BEGIN")
                yield base
                base.execute("COMMIT")
    except sqlite3.Error as error:
        message = f"{path} can't be changed: {error}"
        raise DamagedConcepts(message, hint="`hipocampus sleep` makes it anew") from error
    except OSError as error:
        message = f"can't write {path}: {error}"
        raise StoreNotWritable(message, hint="check permissions and free space") from error


def _follow(base: sqlite3.Connection, edit: Edit) -> None:
    name = text_of(edit.source)
    if base.execute("SELECT 1 FROM sources WHERE name = ?", (name,)).fetchone() is None:
        return  # newer than the index
    held = base.execute("SELECT number, first, last FROM documents WHERE source = ?", (name,)).fetchall()
    old = [n for n, first, last in held if not edit.lines or any(first <= line <= last for line in edit.lines)]
    base.executemany("DELETE FROM documents WHERE number = ?", ((number,) for number in old))
    (last,) = base.execute("SELECT coalesce(max(number), 0) FROM documents").fetchone()
    numbers = {one.name: number for number, one in enumerate(edit.documents, last + len(old) + 1)}
    insert_documents(base, ((numbers[one.name], one) for one in edit.documents))
    for number in old:
        _move_chunks(base, number, edit.holders, numbers)
    base.execute("UPDATE sources SET size = ?, mtime = ? WHERE name = ?", (*edit.seen, name))


def _move_chunks(base: sqlite3.Connection, old: int, holders: Mapping[str, str], numbers: Mapping[str, int]) -> None:
    """Chunks whose text is still there go to the document that holds it now, the others go."""
    for number, key in base.execute("SELECT number, key FROM chunks WHERE document = ?", (old,)).fetchall():
        document = numbers.get(holders.get(key.hex(), ""))
        if document is None:
            base.execute("DELETE FROM chunks WHERE number = ?", (number,))
        else:
            base.execute("UPDATE chunks SET document = ? WHERE number = ?", (document, number))


def _drop_anchors(base: sqlite3.Connection, said: Collection[str], is_written: Callable[[str], bool]) -> None:
    marks = ", ".join("?" * len(said))
    rows = base.execute(f"SELECT term, label FROM anchors WHERE term IN ({marks})", tuple(said)).fetchall()  # noqa: S608
    rows += [
        row
        for row in base.execute("SELECT term, label FROM anchors WHERE instr(term, ' ')").fetchall()
        if set(row[0].split()) <= set(said)
    ]
    for term in [term for term, label in rows if not is_written(label)]:
        base.execute("DELETE FROM anchors WHERE term = ?", (term,))
        near = base.execute("SELECT term, neighbours FROM anchors WHERE instr(neighbours, ?)", (json.dumps(term),))
        for other, neighbours in near.fetchall():
            kept = [pair for pair in json.loads(neighbours) if pair[0] != term]
            text = json.dumps(kept, separators=(",", ":"))
            base.execute("UPDATE anchors SET neighbours = ? WHERE term = ?", (text, other))
