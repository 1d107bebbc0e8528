"""Vectors that only concepts are made of: those of the embedded encoder, where searches use another one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hipocampus import files
from hipocampus.index.chunk import Chunk
from hipocampus.index.home import CONCEPT_VECTORS, VECTOR_LOCK
from hipocampus.index.search_index import UPDATE_WAITS
from hipocampus.index.updater import Progress

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hipocampus.index.encoders import Encoder

# Texts that go to the encoder at once.
_BATCH_TEXTS = 512


@dataclass(frozen=True, slots=True)
class ConceptVectors:
    """The vectors of one encoder beside the index in `home`, each computed once."""

    home: Path
    encoder: Encoder
    progress: Progress

    def of(self, chunks: Sequence[Chunk]) -> npt.NDArray[np.float32]:
        """A row for each chunk; those of texts that no chunk holds any more go. Raises StoreBusy, StoreNotWritable."""
        from hipocampus.index.vectors import VectorStore

        texts = {chunk.key: chunk.statement for chunk in chunks}
        with files.lock(self.home / VECTOR_LOCK, timeout=UPDATE_WAITS):
            store = VectorStore(self.home / CONCEPT_VECTORS, self.encoder.id, self.encoder.dims)
            fresh = store.missing(texts)
            for first in range(0, len(fresh), _BATCH_TEXTS):
                self.progress("embedding for concepts", first, len(fresh))
                batch = fresh[first : first + _BATCH_TEXTS]
                store.append(batch, self.encoder.encode([texts[key] for key in batch]))
            store.keep_only(texts)
        self.progress("embedding for concepts", len(fresh), len(fresh))
        return store.vectors([chunk.key for chunk in chunks])
