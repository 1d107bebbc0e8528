"""Bring an index up to date with the files: read what changed, forget what is gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from hipocampus.index import manifest as manifests
from hipocampus.index.chunk import Chunk
from hipocampus.index.engine import Engine, Indexed
from hipocampus.index.manifest import UNREADABLE, Changes, Manifest, Seen
from hipocampus.index.sources import Source, read_source
from hipocampus.text import languages, terms

# So many bytes of sources are one change of the index: what a kill can cost, and what memory holds.
_BATCH_BYTES = 64_000_000

Progress = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done and how much there is."""


def no_progress(_what: str, _done: int, _total: int) -> None:
    """Nobody is watching."""


@dataclass(slots=True)
class Updater:
    """Writes one index; whoever uses it holds the index's lock. `path` is that of the manifest, None in memory."""

    engine: Engine
    manifest: Manifest
    path: Path | None
    count: Callable[[str], int]
    progress: Progress = no_progress
    warnings: list[str] = field(default_factory=list)

    def apply(self, changes: Changes, looked: int) -> None:
        """Make the index what the files are; a kill costs one batch at most. Raises StoreNotWritable."""
        total, done = len(changes.changed), 0
        gone: tuple[str, ...] = changes.gone
        for batch in list(_batches(changes.changed)) or ([[]] if changes.gone else []):
            seen: dict[str, Seen] = {}
            self.engine.upsert(self._read(batch, gone, seen, done, total))
            self.manifest.record(seen, gone)
            done, gone = done + len(batch), ()
            if done < total:
                self.keep()
        self.progress("indexing", total, total)
        self.manifest.looked = looked
        self.keep()

    def _read(
        self, batch: Iterable[Source], gone: Iterable[str], seen: dict[str, Seen], done: int, total: int
    ) -> Iterator[tuple[str, Sequence[Indexed]]]:
        """Each source with its chunks; `seen` learns of it."""
        yield from ((name, ()) for name in gone)
        for number, source in enumerate(batch):
            self.progress("indexing", done + number, total)
            digest = manifests.sha256_of(source)
            try:
                chunks = read_source(source)
            except OSError as error:
                self.warnings.append(f"{source.name} was left out: {error.strerror}")
                seen[source.name] = Seen(source.size, source.mtime_ns, UNREADABLE)
                yield source.name, ()
                continue
            detected = [languages.detect(chunk.text) for chunk in chunks]
            seen[source.name] = Seen(
                source.size,
                source.mtime_ns,
                digest,
                len(chunks),
                sum(chunk.is_embedded for chunk in chunks),
                Counter(detected),
                self._encoder_of(source.name, digest),
            )
            counted = self.engine.counted(source.name) if source.name in self.manifest.sources else {}
            spoken = zip(chunks, detected, strict=True)
            yield source.name, [self._indexed(chunk, language, counted) for chunk, language in spoken]

    def _encoder_of(self, name: str, digest: str) -> str:
        """Whose vectors a source has that says what it said."""
        known = self.manifest.sources.get(name)
        return known.encoder if known and known.sha256 == digest else ""

    def _indexed(self, chunk: Chunk, language: str, counted: Mapping[str, int]) -> Indexed:
        heading = [term for text in chunk.headings for term in terms.index_terms(text, language)]
        tokens = counted.get(chunk.text) or self.count(chunk.text)
        return Indexed(chunk, tokens, _Terms(chunk.text, language), tuple(heading))

    def keep(self) -> None:
        """Write the manifest. Raises StoreNotWritable."""
        if self.path:
            manifests.save(self.path, self.manifest)


class _Terms:
    """The terms of a text, as often as they are asked for."""

    def __init__(self, text: str, language: str) -> None:
        self._text = text
        self._language = language

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    @cached_property
    def _found(self) -> list[str]:
        return terms.index_terms(self._text, self._language)


def _batches(sources: Sequence[Source]) -> Iterator[list[Source]]:
    """The sources in batches of a bounded size."""
    batch: list[Source] = []
    size = 0
    for source in sources:
        batch.append(source)
        size += source.size
        if size >= _BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
