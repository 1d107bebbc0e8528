"""The embedded engine: tantivy for words and a file of vectors, in one folder, without a server."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hipocampus.index.engine import EngineStats, Filter, Hit, Indexed, Query
from hipocampus.index.home import VECTORS
from hipocampus.index.lexical import LexicalIndex

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hipocampus.index.encoders import Encoder
    from hipocampus.index.vectors import VectorStore

# A document is as near as its nearest chunk, so more chunks than documents have to be looked at.
_CHUNKS_A_DOCUMENT = 4
# How much further a search looks each time its filter took too many of the nearest chunks away.
_WIDER = 8


class EmbeddedEngine:
    """
    An `Engine` of files in `folder`, or in memory without one; `encoder` is whose vectors it keeps.

    Without an encoder it finds by words alone. Whoever changes it holds the lock of the index.
    """

    def __init__(self, folder: Path | None, encoder: Encoder | None = None) -> None:
        self._folder = folder
        self.encoder = encoder
        self._lexical = LexicalIndex(folder)
        self._vectors = _vector_store(folder, encoder)

    def upsert(self, sources: Iterable[tuple[str, Sequence[Indexed]]]) -> None:
        """As `Engine.upsert`."""
        self._lexical.replace(sources)

    def delete(self, sources: Iterable[str]) -> None:
        """As `Engine.delete`."""
        self._lexical.replace((name, ()) for name in sources)

    def counted(self, source: str) -> dict[str, int]:
        """As `Engine.counted`."""
        return self._lexical.counted(source)

    def search(self, query: Query) -> list[Hit]:
        """As `Engine.search`."""
        hits = {hit.chunk.id: hit for hit in self._lexical.find(query.terms, query.where, query.limit)}
        contexts = {hit.document: hit.context for hit in hits.values()}
        for hit in self._near(query):
            known = hits.get(hit.chunk.id) or hit._replace(context=contexts.get(hit.document, 0.0))
            hits[hit.chunk.id] = known._replace(similarity=hit.similarity)
        for hit in self._meant(query):
            known = hits.get(hit.chunk.id) or hit._replace(context=contexts.get(hit.document, 0.0))
            hits[hit.chunk.id] = known._replace(concept=hit.concept)
        return list(hits.values())

    @property
    def chunks(self) -> int:
        """As `Engine.chunks`."""
        return self._lexical.chunks

    @property
    def documents(self) -> int:
        """As `Engine.documents`."""
        return self._lexical.documents

    def stats(self) -> EngineStats:
        """As `Engine.stats`."""
        vectors = self._vectors.stats() if self._vectors else None
        return EngineStats(
            self.chunks,
            self.documents,
            vectors.rows if vectors else 0,
            vectors.encoder if vectors else "",
            _size(self._folder) if self._folder else 0,
        )

    def missing(self, keys: Sequence[str]) -> list[str]:
        """As `Engine.missing`; without an encoder nothing is missing."""
        return self._vectors.missing(keys) if self._vectors else []

    def add_vectors(self, keys: Sequence[str], vectors: npt.NDArray[np.float32]) -> None:
        """As `Engine.add_vectors`."""
        if self._vectors:
            self._vectors.append(keys, vectors)

    def vectors(self, keys: Sequence[str]) -> npt.NDArray[np.float32]:
        """As `Engine.vectors`; rows have no width without an encoder."""
        import numpy as np

        return self._vectors.vectors(keys) if self._vectors else np.zeros((len(keys), 0), dtype=np.float32)

    def keep_vectors(self, keys: Collection[str]) -> None:
        """As `Engine.keep_vectors`."""
        if self._vectors:
            self._vectors.keep_only(keys)

    def _near(self, query: Query) -> list[Hit]:
        """The nearest chunks, with their similarity."""
        if query.vector is None or not self._vectors:
            return []
        wanted = query.limit * _CHUNKS_A_DOCUMENT
        held = self._vectors.stats().rows
        looked = wanted if query.where == Filter() else wanted * _WIDER
        while True:
            near = dict(self._vectors.search(query.vector, looked))
            hits = self._lexical.with_keys([key for key, score in near.items() if score > 0], query.where)
            if len(hits) >= wanted or looked >= held:
                break
            looked *= _WIDER
        hits = [hit._replace(similarity=near[hit.chunk.key]) for hit in hits]
        return sorted(hits, key=lambda hit: -hit.similarity)[:wanted]

    def _meant(self, query: Query) -> list[Hit]:
        """The chunks that concepts lead to, the best of them."""
        best = sorted(query.concepts, key=lambda key: -query.concepts[key])[: query.limit * _CHUNKS_A_DOCUMENT]
        hits = self._lexical.with_keys(best, query.where) if best else []
        return [hit._replace(concept=query.concepts[hit.chunk.key]) for hit in hits]


def _vector_store(folder: Path | None, encoder: Encoder | None) -> VectorStore | None:
    if folder is None or encoder is None:
        return None
    from hipocampus.index.vectors import VectorStore

    return VectorStore(folder / VECTORS, encoder.id, encoder.dims)


def _size(folder: Path) -> int:
    """Bytes of the files in a folder; another process may be taking some away."""
    size = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                size += Path(place, name).lstat().st_size
    return size
