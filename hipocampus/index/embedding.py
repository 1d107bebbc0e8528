"""Compute the vectors that are missing, source by source, so that a run can be stopped and started again."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hipocampus.index.encoders import Encoder
from hipocampus.index.engine import Engine
from hipocampus.index.manifest import Seen
from hipocampus.index.sources import Source, read_source
from hipocampus.index.updater import Progress

# Texts that go to the encoder at once, and seconds after which finished sources are handed over.
_BATCH_TEXTS = 512
_KEEP_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Embedder:
    """Writes the vectors of one index; whoever uses it holds the lock of the vectors."""

    engine: Engine
    encoder: Encoder
    progress: Progress

    def run(self, waiting: Mapping[str, Seen], sources: Sequence[Source]) -> Iterator[dict[str, Seen]]:
        """
        Embed the chunks of the sources in `waiting`; gives the finished ones now and then, as they were waiting.

        Raises StoreNotWritable.
        """
        total, done = sum(seen.embeddable for seen in waiting.values()), 0
        finished: dict[str, Seen] = {}
        kept = time.monotonic()
        for source in sources:
            seen = waiting.get(source.name)
            if seen is None:
                continue
            self.progress("embedding", done, total)
            self._embed(texts_of(source))
            done += seen.embeddable
            finished[source.name] = seen
            if time.monotonic() - kept > _KEEP_SECONDS:
                yield finished
                finished, kept = {}, time.monotonic()
        self.progress("embedding", total, total)
        yield finished

    def _embed(self, texts: Mapping[str, str]) -> None:
        keys = self.engine.missing(list(texts))
        for first in range(0, len(keys), _BATCH_TEXTS):
            batch = keys[first : first + _BATCH_TEXTS]
            self.engine.add_vectors(batch, self.encoder.encode([texts[key] for key in batch]))


def texts_of(source: Source) -> dict[str, str]:
    """The texts of a source that get a vector, by key; none of a file that is gone."""
    try:
        return {chunk.key: chunk.statement for chunk in read_source(source) if chunk.is_embedded}
    except OSError:
        return {}
