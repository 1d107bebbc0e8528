"""
The concept index on disk: one SQLite file that a hook reads with the standard library alone.

`anchors`: a term with its vector, its nearest chunks with scores, and its nearest anchors. `chunks`: a vector each,
under the key of its text. `documents`: entries and files with their notes and terms. `sources`: the files they are
from, as they were. Vectors are int8 with a scale. The file is written whole and put into place in one step; the same
content gives the same bytes.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hipocampus import files
from hipocampus.errors import DamagedIndex, StoreNotWritable

FORMAT = "1"
"""Changes with the layout or with what is computed; a file of another format is made anew."""
_SCHEMA = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE sources(name TEXT PRIMARY KEY, size INTEGER, mtime INTEGER) WITHOUT ROWID;
CREATE TABLE documents(number INTEGER PRIMARY KEY, name TEXT UNIQUE, source TEXT, first INTEGER, last INTEGER,
    heading TEXT, type TEXT, day TEXT, topic TEXT, notes TEXT, terms TEXT);
CREATE TABLE chunks(number INTEGER PRIMARY KEY, document INTEGER, key BLOB, scale REAL, vector BLOB);
CREATE TABLE anchors(term TEXT PRIMARY KEY, label TEXT, df INTEGER, scale REAL, vector BLOB,
    chunks BLOB, scores BLOB, neighbours TEXT);
CREATE INDEX chunks_of ON chunks(document);
"""
_DOCUMENT = "name, source, first, last, heading, type, day, topic, notes, terms"
# SQLite takes at least so many values in one statement, whatever it was built with.
_AT_ONCE = 500
# A list's score as one byte.
_FULL = 255


@dataclass(frozen=True, slots=True)
class Note:
    """One condensed statement; `weight` says how much it tells, `tokens` what it costs in a line."""

    text: str
    weight: float
    tokens: int


@dataclass(frozen=True, slots=True)
class Document:
    """An entry or a file: where it is, what it is about, its notes, and the distinct terms of all its text."""

    name: str
    source: str
    lines: tuple[int, int]
    heading: str
    type: str
    day: str
    topic: str
    notes: tuple[Note, ...]
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Vector:
    """Whole numbers from -127 to 127, one a byte, that stand for themselves times `scale`."""

    scale: float
    numbers: bytes

    @property
    def values(self) -> memoryview:
        """The numbers."""
        return memoryview(self.numbers).cast("b")


@dataclass(frozen=True, slots=True)
class NearChunk:
    """A chunk by its number, and how near it is, 0 to 1."""

    chunk: int
    score: float


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Another anchor, and its cosine."""

    term: str
    score: float


@dataclass(frozen=True, slots=True)
class Anchor:
    """A concept: a term, or terms with blanks between them; `df` is the number of chunks that hold it."""

    term: str
    label: str
    df: int
    vector: Vector
    chunks: tuple[NearChunk, ...]
    neighbours: tuple[Neighbour, ...]


@dataclass(frozen=True, slots=True)
class VectorChunk:
    """A chunk that has a vector: its document's number and the key of its text."""

    document: int
    key: str
    vector: Vector


@dataclass(frozen=True, slots=True)
class SeenSource:
    """A file as it was when it was read: bytes and time of its last change."""

    size: int
    mtime_ns: int


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
    draft = path.with_name(f"{files.TEMPORARY_PREFIX}{os.getpid()}-{path.name}")
    try:
        draft.unlink(missing_ok=True)
        with contextlib.closing(sqlite3.connect(draft)) as base:
            _fill(base, content)
        draft.replace(path)
    except (OSError, sqlite3.Error) as error:
        message = f"can't write {path}: {error}"
        raise StoreNotWritable(message, hint="check permissions and free space") from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


def _fill(base: sqlite3.Connection, content: Content) -> None:
    base.executescript(f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN; {_SCHEMA}")
    meta = {**content.meta, "format": FORMAT}
    base.executemany("INSERT INTO meta VALUES (?, ?)", sorted(meta.items()))
    seen = ((_text(name), one.size, one.mtime_ns) for name, one in sorted(content.sources.items()))
    base.executemany("INSERT INTO sources VALUES (?, ?, ?)", seen)
    rows = ((number, *_document_row(one)) for number, one in enumerate(content.documents))
    base.executemany("INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    chunks = (
        (number, one.document, bytes.fromhex(one.key), one.vector.scale, one.vector.numbers)
        for number, one in enumerate(content.chunks)
    )
    base.executemany("INSERT INTO chunks VALUES (?, ?, ?, ?, ?)", chunks)
    base.executemany("INSERT INTO anchors VALUES (?, ?, ?, ?, ?, ?, ?, ?)", map(_anchor_row, content.anchors))
    base.commit()
    base.execute("PRAGMA synchronous=FULL")


class ConceptFile:
    """
    A concept index that is there to be read.

    Raises DamagedIndex, at opening or later, when the file is missing, damaged or of another format.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        if not path.is_file():
            message = f"{path} is missing"
            raise DamagedIndex(message, hint="`hipocampus sleep` makes it")
        with self._translated():
            self._base = sqlite3.connect(f"file:{_quoted(path)}?mode=ro&immutable=1", uri=True)
            self.meta: Mapping[str, str] = dict(self._base.execute("SELECT key, value FROM meta"))
        if self.meta.get("format") != FORMAT:
            self.close()
            message = f"{path} was made by another version"
            raise DamagedIndex(message, hint="`hipocampus sleep` makes it anew")

    def close(self) -> None:
        """Let the file go."""
        self._base.close()

    @property
    def chunk_count(self) -> int:
        """How many chunks were counted for `df`."""
        return int(self.meta["chunks"])

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the texts, the most frequent first."""
        return tuple(json.loads(self.meta["languages"]))

    def anchors(self, terms: Iterable[str]) -> list[Anchor]:
        """Those of the terms that are anchors, in their order."""
        wanted = list(dict.fromkeys(terms))
        rows = self._rows("SELECT * FROM anchors WHERE term IN", wanted)
        found = {row[0]: row for row in rows}
        return [_anchor(found[term]) for term in wanted if term in found]

    def labels(self) -> list[tuple[str, str, int]]:
        """Term, label and df of each anchor, by term."""
        with self._translated():
            return list(self._base.execute("SELECT term, label, df FROM anchors ORDER BY term"))

    def chunks(self, numbers: Iterable[int]) -> dict[int, VectorChunk]:
        """Chunks by their numbers."""
        rows = self._rows("SELECT * FROM chunks WHERE number IN", sorted(set(numbers)))
        return {row[0]: _chunk(row) for row in rows}

    def chunks_of(self, documents: Iterable[int]) -> dict[int, VectorChunk]:
        """The chunks of documents."""
        rows = self._rows("SELECT * FROM chunks WHERE document IN", sorted(set(documents)))
        return {row[0]: _chunk(row) for row in rows}

    def numbers(self, names: Iterable[str]) -> dict[str, int]:
        """The numbers of documents by their names."""
        rows = self._rows("SELECT name, number FROM documents WHERE name IN", sorted({_text(name) for name in names}))
        return {row[0]: row[1] for row in rows}

    def names(self, numbers: Iterable[int]) -> dict[int, str]:
        """The names of documents by their numbers."""
        return dict(self._rows("SELECT number, name FROM documents WHERE number IN", sorted(set(numbers))))

    def documents(self, numbers: Iterable[int]) -> dict[int, Document]:
        """Documents by their numbers."""
        rows = self._rows(f"SELECT number, {_DOCUMENT} FROM documents WHERE number IN", sorted(set(numbers)))  # noqa: S608
        return {row[0]: _document(row[1:]) for row in rows}

    def documents_of(self, source: str) -> list[Document]:
        """The documents of a source, in order."""
        with self._translated():
            query = f"SELECT {_DOCUMENT} FROM documents WHERE source = ? ORDER BY number"  # noqa: S608
            return [_document(row) for row in self._base.execute(query, (_text(source),))]

    def sources(self, names: Iterable[str] | None = None) -> dict[str, SeenSource]:
        """The sources of some names, or all, as they were when they were read."""
        query = "SELECT name, size, mtime FROM sources"
        if names is None:
            with self._translated():
                rows = list(self._base.execute(query))
        else:
            rows = list(self._rows(f"{query} WHERE name IN", sorted({_text(name) for name in names})))
        return {name: SeenSource(size, mtime) for name, size, mtime in rows}

    def counts(self) -> dict[str, int]:
        """Rows of each table."""
        with self._translated():
            tables = ("sources", "documents", "chunks", "anchors")
            return {name: self._base.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables}  # noqa: S608

    def _rows(self, query: str, values: Sequence[object]) -> Iterator[tuple[Any, ...]]:
        with self._translated():
            for first in range(0, len(values), _AT_ONCE):
                part = values[first : first + _AT_ONCE]
                yield from self._base.execute(f"{query} ({', '.join('?' * len(part))})", tuple(part))

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, ValueError, TypeError, KeyError, IndexError) as error:
            message = f"{self._path} can't be read: {error}"
            raise DamagedIndex(message, hint="`hipocampus sleep` makes it anew") from error


def _document_row(one: Document) -> tuple[object, ...]:
    notes = [(note.text, note.weight, note.tokens) for note in one.notes]
    said = (_text(value) for value in (one.heading, one.type, one.day, one.topic))
    shown = json.dumps(notes, separators=(",", ":"))
    return (_text(one.name), _text(one.source), *one.lines, *said, shown, " ".join(one.terms))


def _document(row: Sequence[Any]) -> Document:
    name, source, first, last, heading, kind, day, topic, notes, terms = row
    held = tuple(Note(*note) for note in json.loads(notes))
    return Document(name, source, (first, last), heading, kind, day, topic, held, tuple(terms.split()))


def _anchor_row(one: Anchor) -> tuple[object, ...]:
    numbers = array("I", (near.chunk for near in one.chunks)).tobytes()
    scores = bytes(round(_FULL * min(1.0, max(0.0, near.score))) for near in one.chunks)
    neighbours = json.dumps([(near.term, near.score) for near in one.neighbours], separators=(",", ":"))
    return one.term, one.label, one.df, one.vector.scale, one.vector.numbers, numbers, scores, neighbours


def _anchor(row: Sequence[Any]) -> Anchor:
    term, label, df, scale, vector, numbers, scores, neighbours = row
    near = zip(memoryview(numbers).cast("I"), scores, strict=True)
    chunks = tuple(NearChunk(number, score / _FULL) for number, score in near)
    held = tuple(Neighbour(*pair) for pair in json.loads(neighbours))
    return Anchor(term, label, df, Vector(scale, vector), chunks, held)


def _chunk(row: Sequence[Any]) -> VectorChunk:
    _, document, key, scale, vector = row
    return VectorChunk(document, key.hex(), Vector(scale, vector))


def _text(text: str) -> str:
    """A text that SQLite takes: names of files may hold lone surrogates."""
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace") if not text.isascii() else text


def _quoted(path: Path) -> str:
    from urllib.parse import quote

    return quote(path.resolve().as_posix())
