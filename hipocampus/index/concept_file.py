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
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress
from pathlib import Path
from typing import Any, NamedTuple

from hipocampus.errors import DamagedConcepts
from hipocampus.index.document import Document, document_of_row

FORMAT = "4"
"""Changes with the layout or with what is computed; a file of another format is made anew."""
_DOCUMENT = "name, source, first, last, heading, type, day, topic, tokens, notes, terms, state, session"
# SQLite takes at least so many values in one statement, whatever it was built with.
_AT_ONCE = 500
# Bytes that are read where the system keeps them: to copy so many scattered pages costs a prompt more than to ask them.
_MAPPED = 1 << 30
_RAISED = bytes((value + 128) % 256 for value in range(256))
FULL = 255
"""A list's score of 1 as one byte."""


class Vector(NamedTuple):
    """Whole numbers from -127 to 127, one a byte, that stand for themselves times `scale`."""

    scale: float
    numbers: bytes

    @property
    def values(self) -> memoryview:
        """The numbers."""
        return memoryview(self.numbers).cast("b")

    @property
    def raised(self) -> tuple[int, ...]:
        """The numbers and 128: bytes become a tuple faster than anything else does."""
        return tuple(self.numbers.translate(_RAISED))


class NearChunk(NamedTuple):
    """A chunk by its number, and how near it is, 0 to 1."""

    chunk: int
    score: float


class Neighbour(NamedTuple):
    """Another anchor, and its cosine."""

    term: str
    score: float


class Anchor(NamedTuple):
    """A concept: a term, or terms with blanks between them; `df` is the number of chunks that hold it."""

    term: str
    label: str
    df: int
    vector: Vector
    chunks: tuple[NearChunk, ...]
    neighbours: tuple[Neighbour, ...]


class VectorChunk(NamedTuple):
    """A chunk that has a vector: its document's number and the key of its text."""

    document: int
    key: str
    vector: Vector


class SeenSource(NamedTuple):
    """A file as it was when it was read: bytes and time of its last change."""

    size: int
    mtime_ns: int


class ConceptFile:
    """
    A concept index that is there to be read.

    Raises DamagedConcepts, at opening or later, when the file is missing, damaged or of another format.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        if not path.is_file():
            message = f"{path} is missing"
            raise DamagedConcepts(message, hint="`hipocampus sleep` makes it")
        with self.translated():
            self._base = sqlite3.connect(f"file:{_quoted(path)}?mode=ro&immutable=1", uri=True)
            self._base.execute(f"PRAGMA mmap_size={_MAPPED}")
            self.meta: Mapping[str, str] = dict(self._base.execute("SELECT key, value FROM meta"))
        if self.meta.get("format") != FORMAT:
            self.close()
            message = f"{path} was made by another version"
            raise DamagedConcepts(message, hint="`hipocampus sleep` makes it anew")

    def close(self) -> None:
        """Let the file go."""
        self._base.close()

    @property
    def chunk_count(self) -> int:
        """How many chunks were counted for `df`."""
        with self.translated():
            return int(self.meta["chunks"])

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the texts, the most frequent first."""
        with self.translated():
            return tuple(json.loads(self.meta["languages"]))

    def anchors(self, terms: Iterable[str]) -> list[Anchor]:
        """Those of the terms that are anchors, in their order; without their neighbours, which no prompt asks for."""
        wanted = list(dict.fromkeys(terms))
        rows = self._rows("SELECT term, label, df, scale, vector, chunks, scores FROM anchors WHERE term IN", wanted)
        found = {row[0]: row for row in rows}
        with self.translated():
            return [_anchor(found[term]) for term in wanted if term in found]

    def frequencies(self, terms: Iterable[str]) -> dict[str, int]:
        """The df of those of the terms that are anchors."""
        return dict(self._rows("SELECT term, df FROM anchors WHERE term IN", sorted(set(terms))))

    def neighbours(self, term: str) -> tuple[Neighbour, ...]:
        """The anchors nearest to one."""
        rows = list(self._rows("SELECT neighbours FROM anchors WHERE term IN", [term]))
        with self.translated():
            return tuple(Neighbour(*pair) for (held,) in rows for pair in json.loads(held))

    def labels(self) -> list[tuple[str, str, int]]:
        """Term, label and df of each anchor, by term."""
        with self.translated():
            return list(self._base.execute("SELECT term, label, df FROM anchors ORDER BY term"))

    def chunks(self, numbers: Iterable[int]) -> dict[int, VectorChunk]:
        """Chunks by their numbers."""
        rows = self._rows("SELECT * FROM chunks WHERE number IN", sorted(set(numbers)))
        with self.translated():
            return {row[0]: _chunk(row) for row in rows}

    def chunks_of(self, documents: Iterable[int]) -> dict[int, VectorChunk]:
        """The chunks of documents."""
        rows = self._rows("SELECT * FROM chunks WHERE document IN", sorted(set(documents)))
        with self.translated():
            return {row[0]: _chunk(row) for row in rows}

    def numbers(self, names: Iterable[str]) -> dict[str, int]:
        """The numbers of documents by their names."""
        rows = self._rows("SELECT name, number FROM documents WHERE name IN", sorted({text_of(name) for name in names}))
        return {row[0]: row[1] for row in rows}

    def named_by_hash(self, hashes: Iterable[int]) -> dict[int, str]:
        """The names of documents by what the word index calls them, `rows.number_of`."""
        return dict(self._rows("SELECT hash, name FROM documents WHERE hash IN", sorted(set(hashes))))

    def names(self, numbers: Iterable[int]) -> dict[int, str]:
        """The names of documents by their numbers."""
        return dict(self._rows("SELECT number, name FROM documents WHERE number IN", sorted(set(numbers))))

    def headed(self, headings: Iterable[str]) -> list[tuple[str, str, str]]:
        """Heading, day and name of each document under one of some headings."""
        wanted = sorted({text_of(heading) for heading in headings})
        return list(self._rows("SELECT heading, day, name FROM documents WHERE heading IN", wanted))

    def documents(self, numbers: Iterable[int]) -> dict[int, Document]:
        """Documents by their numbers."""
        rows = self._rows(f"SELECT number, {_DOCUMENT} FROM documents WHERE number IN", sorted(set(numbers)))  # noqa: S608
        with self.translated():
            return {row[0]: _document(row[1:]) for row in rows}

    def holding(self, terms: Sequence[str]) -> dict[str, frozenset[str]]:
        """Which of at most 500 terms each document holds, by its name; documents that hold none are left out."""
        if not terms:
            return {}
        flags = ", ".join(["instr(said, ?)"] * len(terms))
        query = f"SELECT name, {flags} FROM (SELECT name, ' ' || terms || ' ' AS said FROM documents)"  # noqa: S608
        with self.translated():
            rows = self._base.execute(query, [f" {term} " for term in terms])
            held = ((name, frozenset(compress(terms, places))) for name, *places in rows)
            return {name: found for name, found in held if found}

    def documents_of(self, source: str) -> list[Document]:
        """The documents of a source, in order."""
        with self.translated():
            query = f"SELECT {_DOCUMENT} FROM documents WHERE source = ? ORDER BY first, number"  # noqa: S608
            return [_document(row) for row in self._base.execute(query, (text_of(source),))]

    def sources(self, names: Iterable[str] | None = None) -> dict[str, SeenSource]:
        """The sources of some names, or all, as they were when they were read."""
        query = "SELECT name, size, mtime FROM sources"
        if names is None:
            with self.translated():
                rows = list(self._base.execute(query))
        else:
            rows = list(self._rows(f"{query} WHERE name IN", sorted({text_of(name) for name in names})))
        return {name: SeenSource(size, mtime) for name, size, mtime in rows}

    def counts(self) -> dict[str, int]:
        """Rows of each table."""
        with self.translated():
            tables = ("sources", "documents", "chunks", "anchors")
            return {name: self._base.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables}  # noqa: S608

    def _rows(self, query: str, values: Sequence[object]) -> Iterator[tuple[Any, ...]]:
        with self.translated():
            for first in range(0, len(values), _AT_ONCE):
                part = values[first : first + _AT_ONCE]
                yield from self._base.execute(f"{query} ({', '.join('?' * len(part))})", tuple(part))

    def check(self) -> None:
        """Read all of it once, as far as it can tell whether something is wrong."""
        with self.translated():
            (told,) = self._base.execute("PRAGMA quick_check(1)").fetchone()
            if told != "ok":
                raise ValueError(told)
            for row in self._base.execute(f"SELECT {_DOCUMENT} FROM documents"):  # noqa: S608
                _document(row)
            for row in self._base.execute("SELECT term, label, df, scale, vector, chunks, scores FROM anchors"):
                _anchor(row)

    @contextlib.contextmanager
    def translated(self) -> Iterator[None]:
        """What goes wrong with what was read from it raises DamagedConcepts."""
        try:
            yield
        except (sqlite3.Error, ValueError, TypeError, KeyError, IndexError, OverflowError) as error:
            message = f"{self._path} can't be read: {error}"
            raise DamagedConcepts(message, hint="`hipocampus sleep` makes it anew") from error


def _anchor(row: Sequence[Any]) -> Anchor:
    term, label, df, scale, vector, numbers, scores = row
    near = zip(memoryview(numbers).cast("I"), scores, strict=True)
    chunks = tuple(NearChunk(number, score / FULL) for number, score in near)
    return Anchor(term, label, df, Vector(scale, vector), chunks, ())


def _chunk(row: Sequence[Any]) -> VectorChunk:
    _, document, key, scale, vector = row
    return VectorChunk(document, key.hex(), Vector(scale, vector))


def text_of(text: str) -> str:
    """A text that SQLite takes: names of files may hold lone surrogates."""
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace") if not text.isascii() else text


def _quoted(path: Path) -> str:
    from urllib.parse import quote

    return quote(path.resolve().as_posix())


def _document(row: Sequence[Any]) -> Document:
    name, source, first, last, *said, notes, terms, state, session = row
    return document_of_row([name, source, (first, last), *said, json.loads(notes), terms, state, bool(session)])
