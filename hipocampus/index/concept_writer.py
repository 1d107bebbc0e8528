"""How a concept index is written: whole, and put into place in one step. The same content gives the same bytes."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hipocampus import files
from hipocampus.errors import StoreNotWritable
from hipocampus.index.concept_file import FORMAT, FULL, Anchor, SeenSource, VectorChunk, text_of
from hipocampus.index.document import Document
from hipocampus.index.rows import number_of

_SCHEMA = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE sources(name TEXT PRIMARY KEY, size INTEGER, mtime INTEGER) WITHOUT ROWID;
CREATE TABLE documents(number INTEGER PRIMARY KEY, name TEXT UNIQUE, source TEXT, first INTEGER, last INTEGER,
    heading TEXT, type TEXT, day TEXT, topic TEXT,
    tokens INTEGER, notes TEXT, terms TEXT, state TEXT, session INTEGER, hash INTEGER);
CREATE TABLE chunks(number INTEGER PRIMARY KEY, document INTEGER, key BLOB, scale REAL, vector BLOB);
CREATE TABLE anchors(term TEXT PRIMARY KEY, label TEXT, df INTEGER, scale REAL, vector BLOB,
    chunks BLOB, scores BLOB, neighbours TEXT);
CREATE INDEX chunks_of ON chunks(document);
CREATE INDEX hashes ON documents(hash);
CREATE INDEX headings ON documents(heading);
"""


@dataclass(frozen=True, slots=True)
class Content:
    """All that goes into a file. Chunks and documents are numbered from 0 in the order given."""

    meta: Mapping[str, str]
    sources: Mapping[str, SeenSource]
    documents: Sequence[Document]
    chunks: Sequence[VectorChunk]
    anchors: Iterable[Anchor]


def write(path: Path, content: Content) -> None:
    """Put a file with this content into place; a kill leaves the old one or the new one. Raises StoreNotWritable."""
    files.make_folder(path.parent)
    try:
        with files.draft(path) as draft, contextlib.closing(sqlite3.connect(draft)) as base:
            _fill(base, content)
    except (OSError, sqlite3.Error) as error:
        message = f"can't write {path}: {error}"
        raise StoreNotWritable(message, hint="check permissions and free space") from error


def _fill(base: sqlite3.Connection, content: Content) -> None:
    base.executescript(f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN; {_SCHEMA}")
    meta = {**content.meta, "format": FORMAT}
    base.executemany("INSERT INTO meta VALUES (?, ?)", sorted(meta.items()))
    seen = ((text_of(name), one.size, one.mtime_ns) for name, one in sorted(content.sources.items()))
    base.executemany("INSERT INTO sources VALUES (?, ?, ?)", seen)
    insert_documents(base, enumerate(content.documents))
    chunks = (
        (number, one.document, bytes.fromhex(one.key), one.vector.scale, one.vector.numbers)
        for number, one in enumerate(content.chunks)
    )
    base.executemany("INSERT INTO chunks VALUES (?, ?, ?, ?, ?)", chunks)
    base.executemany("INSERT INTO anchors VALUES (?, ?, ?, ?, ?, ?, ?, ?)", map(_anchor_row, content.anchors))
    base.commit()
    base.execute("PRAGMA synchronous=FULL")


def insert_documents(base: sqlite3.Connection, numbered: Iterable[tuple[int, Document]]) -> None:
    """Add documents under their numbers."""
    rows = ((number, *_document_row(one)) for number, one in numbered)
    base.executemany("INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)


def _document_row(one: Document) -> tuple[object, ...]:
    said = map(text_of, (one.heading, one.type, one.day, one.topic))
    notes = json.dumps(list(map(list, one.notes)), separators=(",", ":"))
    kept = one.tokens, notes, one.terms, one.state, one.is_session
    return text_of(one.name), text_of(one.source), *one.lines, *said, *kept, number_of(one.name)


def _anchor_row(one: Anchor) -> tuple[object, ...]:
    numbers = array("I", (near.chunk for near in one.chunks)).tobytes()
    scores = bytes(round(FULL * min(1.0, max(0.0, near.score))) for near in one.chunks)
    neighbours = json.dumps([(near.term, near.score) for near in one.neighbours], separators=(",", ":"))
    return one.term, one.label, one.df, one.vector.scale, one.vector.numbers, numbers, scores, neighbours
