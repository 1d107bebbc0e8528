"""
The seam between search and what holds the index.

Everything above asks an `Engine`; the embedded one keeps files below `memory/.hipocampus`, a server engine can take
its place. `tests/index/engine_conformance.py` says what each has to do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol

from hipocampus.index.chunk import Chunk

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Filter(NamedTuple):
    """Which chunks may be found; what is empty or None lets all pass. Days include both ends."""

    types: frozenset[str] = frozenset()
    since: date | None = None
    until: date | None = None
    areas: frozenset[str] = frozenset()
    tenant: str | None = None


class Query(NamedTuple):
    """
    What to look for: index terms, a unit vector, and texts that concepts lead to, by their keys with a score each.

    `limit` is the number of documents to rank in each.
    """

    terms: tuple[str, ...] = ()
    vector: npt.NDArray[np.float32] | None = None
    where: Filter = Filter()
    limit: int = 50
    concepts: Mapping[str, float] = MappingProxyType({})


class Indexed(NamedTuple):
    """
    A chunk as it is put into an index: with its tokens, and the terms of its text and of its headings.

    `terms` may be worked out when they are asked for: of a chunk that an index has as it is, it need not ask.
    """

    chunk: Chunk
    tokens: int
    terms: Iterable[str]
    heading_terms: tuple[str, ...]


class Hit(NamedTuple):
    """
    A chunk that was found. `document` names the entry or file it belongs to.

    `lexical` is the BM25 score of the chunk alone, `context` that of its document; `similarity` is the cosine to the
    query's vector, `concept` what concepts say of the chunk. What was not asked for, or not among the best, is 0.
    """

    chunk: Chunk
    document: str
    tokens: int
    lexical: float = 0.0
    context: float = 0.0
    similarity: float = 0.0
    concept: float = 0.0


@dataclass(frozen=True, slots=True)
class EngineStats:
    """How much an engine holds; `model` is the id of the encoder its vectors are from, "" without any."""

    chunks: int
    documents: int
    vectors: int
    model: str
    bytes: int


class Engine(Protocol):
    """
    Holds chunks by source and finds them by terms, by vector, or by both.

    A change is whole or did not happen, and is seen by the next search. All methods may raise StoreNotWritable, and
    DamagedIndex where nothing can be read any more: then the index has to be made anew.
    """

    def upsert(self, sources: Iterable[tuple[str, Sequence[Indexed]]]) -> None:
        """Replace all that is held of each source, in one change."""

    def delete(self, sources: Iterable[str]) -> None:
        """Forget sources; unknown ones don't matter."""

    def counted(self, source: str) -> dict[str, int]:
        """The tokens of each text that a source holds, so that what stayed as it was is not counted again."""

    def search(self, query: Query) -> list[Hit]:
        """Chunks of the best documents, in no particular order; see `ranking.ranked`."""

    @property
    def chunks(self) -> int:
        """How many chunks can be found; each search asks, and nothing is read for it."""

    @property
    def documents(self) -> int:
        """How many documents can be found, as cheaply."""

    def stats(self) -> EngineStats:
        """Counts and sizes."""

    def missing(self, keys: Sequence[str]) -> list[str]:
        """Those of the keys that have no vector, in order, each once."""

    def add_vectors(self, keys: Sequence[str], vectors: npt.NDArray[np.float32]) -> None:
        """Keep vectors under the keys of the texts they stand for."""

    def vectors(self, keys: Sequence[str]) -> npt.NDArray[np.float32]:
        """A row for each key, as it was added but for rounding; zeros for a key without a vector."""

    def keep_vectors(self, keys: Collection[str]) -> None:
        """Drop the vectors of all other keys."""
