"""The index of a workspace: brought up to date at every question, made anew when it is damaged, never in the way."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import NamedTuple

from hipocampus import files
from hipocampus.errors import DamagedIndex, StoreBusy, StoreNotWritable
from hipocampus.index import manifest as manifests
from hipocampus.index.embedded import EmbeddedEngine
from hipocampus.index.encoders import Encoder
from hipocampus.index.engine import Engine, EngineStats, Hit, Query
from hipocampus.index.home import CONCEPTS, MANIFEST, VECTOR_LOCK, index_home
from hipocampus.index.manifest import Changes, Manifest
from hipocampus.index.sources import Source, Sources, list_sources
from hipocampus.index.updater import Progress, Updater, no_progress
from hipocampus.layout import Workspace
from hipocampus.text import terms

UPDATE_WAITS = 600.0
"""Seconds that an update waits for another process that indexes."""
SEARCH_WAITS = 5.0
"""Seconds that a search waits for it; then it answers from what there is."""
_LOCK = "index.lock"


@dataclass(frozen=True, slots=True)
class IndexState:
    """What an index holds, and what waits: sources to be read or forgotten, chunks to be embedded."""

    folder: str
    sources: int
    engine: EngineStats
    languages: tuple[str, ...]
    stale_sources: int
    chunks_without_vector: int


class _Look(NamedTuple):
    """The files as they were at a time (nanoseconds since 1970), and what had to be done about them."""

    at: int
    sources: tuple[Source, ...]
    changes: Changes


@dataclass(slots=True)
class SearchIndex:
    """
    The index of one workspace on one day; without an encoder it finds by words alone.

    `notes` gathers what a user should know, a line each. What goes wrong with the index keeps no search from answering:
    where no disk takes an index, it is made in memory.
    """

    workspace: Workspace
    today: date
    count: Callable[[str], int]
    encoder: Encoder | None = None
    progress: Progress = no_progress
    notes: list[str] = field(default_factory=list)
    _home: Path | None = field(init=False)
    _engine: EmbeddedEngine | None = field(init=False, default=None)
    _manifest: Manifest = field(init=False)
    _stamp: tuple[int, ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        self._home = index_home(self.workspace)
        self._manifest = self._read_manifest()

    def renew(self, today: date, progress: Progress, notes: list[str]) -> None:
        """Be there for another search: what another process has written since the last one is read anew."""
        self.today, self.progress, self.notes = today, progress, notes
        if self._stamp != self._manifest_stamp():
            self._engine, self._manifest = None, self._read_manifest()

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that the index holds, the most frequent first."""
        return self._manifest.languages

    @property
    def keeps_vectors(self) -> bool:
        """Whether there is a disk for vectors; in memory they would be computed for one question."""
        return self._home is not None

    @property
    def has_concepts(self) -> bool:
        """Whether a `sleep` has made a concept index."""
        return self._home is not None and (self._home / CONCEPTS).is_file()

    @property
    def embeddable(self) -> int:
        """How many chunks are to have a vector."""
        return sum(seen.embeddable for seen in self._manifest.sources.values())

    @property
    def has_vectors(self) -> bool:
        """Whether any source was ever embedded."""
        return any(seen.encoder for seen in self._manifest.sources.values())

    def update(self, *, wait: float = UPDATE_WAITS) -> None:
        """Take in what changed on disk. Raises StoreBusy, StoreNotWritable."""
        look = self._look()
        if look.changes.pending or not self._is_whole():
            with self._locked(_LOCK, wait):
                self._take_in(look if self._stamp == self._manifest_stamp() else None)

    def refresh(self) -> None:
        """As `update`, for a search: it waits for a moment only, and what goes wrong becomes a note."""
        try:
            self.update(wait=SEARCH_WAITS)
        except StoreBusy:
            self.notes.append("another process is indexing: what changed last may be missing")
        except (StoreNotWritable, DamagedIndex) as error:
            self.notes.append(f"the index was not brought up to date: {error}")
            if not self._manifest.sources:
                self._move_to_memory()

    def rebuild(self, *, wait: float = UPDATE_WAITS) -> None:
        """Make the index anew; vectors of texts that are still there stay. Raises StoreBusy, StoreNotWritable."""
        with self._locked(_LOCK, wait):
            self._wipe()
            self._take_in()

    def embed(self, *, most: int | None = None, wait: float = UPDATE_WAITS) -> int:
        """
        Compute the vectors that are missing, unless they are more than `most`; says how many chunks still wait.

        Other processes may index and search meanwhile. Raises StoreBusy, StoreNotWritable.
        """
        from hipocampus.index.embedding import Embedder

        waiting = self._without_vector()
        if not self.encoder or not self.keeps_vectors or not waiting or (most is not None and waiting > most):
            return waiting
        with self._locked(VECTOR_LOCK, wait):
            self._engine = None  # what another process added before we had the lock
            embedder = Embedder(self.engine, self.encoder, self.progress)
            for finished in embedder.run(self._manifest.without_vectors(self.encoder.id), self._list().found):
                with self._locked(_LOCK, wait):
                    self._manifest = self._read_manifest()
                    self._manifest.mark(finished, self.encoder.id)
                    self._updater().keep()
        return self._without_vector()

    def sweep(self, *, wait: float = UPDATE_WAITS) -> None:
        """Drop the vectors of texts that no source holds any more. Raises StoreBusy, StoreNotWritable."""
        from hipocampus.index.embedding import texts_of

        with self._locked(VECTOR_LOCK, wait):
            self._engine = None
            self.engine.keep_vectors({key for source in self._list().found for key in texts_of(source)})

    def search(self, query: Query) -> list[Hit]:
        """What the engine finds; an index that can't be read is made anew first."""
        with contextlib.suppress(DamagedIndex):
            return self.engine.search(query)
        self._engine = None
        try:
            return self.engine.search(query)  # unless another process has made it anew meanwhile
        except DamagedIndex as error:
            self.notes.append(f"{error}; it is made anew")
        try:
            self.rebuild(wait=SEARCH_WAITS)
        except StoreBusy as error:
            self.notes.append(f"the index was not made anew: {error}")
            return []
        except (StoreNotWritable, DamagedIndex) as error:
            self.notes.append(f"the index was not made anew: {error}")
            self._move_to_memory()
        return self.engine.search(query)

    def meant(self, said: Sequence[str]) -> dict[str, float]:
        """The keys of the texts that the concepts among some terms lead to, with scores; none before `sleep` ran."""
        from hipocampus.index.concept_file import ConceptFile
        from hipocampus.index.concepts import look_up

        if self._home is None:
            return {}
        try:
            with contextlib.closing(ConceptFile(self._home / CONCEPTS)) as file:
                return {near.key: near.score for near in look_up(file, said) if near.score > 0}
        except DamagedIndex:
            return {}

    def state(self) -> IndexState:
        """Look, and change nothing. Raises DamagedIndex."""
        changes = self._manifest.changes(self._list().found)
        return IndexState(
            str(self._home or ""),
            len(self._manifest.sources),
            self.engine.stats() if self._manifest.sources else EngineStats(0, 0, 0, "", 0),
            self.languages,
            len(changes.changed) + len(changes.gone),
            self._without_vector(),
        )

    @property
    def engine(self) -> Engine:
        """The engine, opened at the first use. Raises DamagedIndex, StoreNotWritable."""
        if self._engine is None or self._engine.encoder is not self.encoder:
            self._engine = EmbeddedEngine(self._home, self.encoder)
        return self._engine

    def _list(self) -> Sources:
        sources = list_sources(self.workspace, self.today)
        self.notes += [text for text in sources.warnings if text not in self.notes]
        return sources

    def _is_whole(self) -> bool:
        """Whether the engine holds as many chunks as were put into it, and their documents."""
        try:
            has_documents = self.engine.documents > 0
            return self.engine.chunks == self._manifest.chunks and has_documents == self._manifest.has_documents
        except DamagedIndex:
            return False

    def _look(self) -> _Look:
        at = time.time_ns()
        sources = self._list().found
        return _Look(at, sources, self._manifest.changes(sources))

    def _take_in(self, look: _Look | None = None) -> None:
        """
        Under the lock: bring manifest and engine up to date with the files, anew where they don't agree.

        `look` is what the files were, where no other process has indexed since.
        """
        if look is None:
            if self._home:
                self._engine, self._manifest = None, self._read_manifest()
            look = self._look()
        if self._home == self.workspace.index:
            files.make_folder(self.workspace.cache)  # for the table that tokens are counted with
        try:
            self._updater().apply(look.changes, look.at)
            whole = self._is_whole()
        except DamagedIndex:
            whole = False
        if not whole:
            self._wipe()
            self._updater().apply(self._manifest.changes(look.sources), look.at)

    def _move_to_memory(self) -> None:
        self._home = self.encoder = None
        self._wipe()
        self._take_in()

    def _updater(self) -> Updater:
        path = self._home / MANIFEST if self._home else None
        return Updater(self.engine, self._manifest, path, self.count, self.progress, self.notes)

    def _wipe(self) -> None:
        """Forget words and manifest; vectors are kept, they check themselves."""
        import shutil

        self._engine = None
        if self._home:
            for name in ("chunks", "documents"):
                shutil.rmtree(self._home / name, ignore_errors=True)
            files.remove(self._home / MANIFEST)
        self._manifest = Manifest(terms.fingerprint())

    def _read_manifest(self) -> Manifest:
        self._stamp = self._manifest_stamp()
        if self._home is None:
            return Manifest(terms.fingerprint())
        return manifests.load(self._home / MANIFEST, terms.fingerprint())

    def _manifest_stamp(self) -> tuple[int, ...]:
        """What differs once another process has written the manifest; () where there is none."""
        try:
            status = (self._home / MANIFEST).stat() if self._home else None
        except OSError:
            return ()
        return (status.st_ino, status.st_size, status.st_mtime_ns) if status else ()

    def _without_vector(self) -> int:
        waiting = self._manifest.without_vectors(self.encoder.id if self.encoder else "")
        return sum(seen.embeddable for seen in waiting.values())

    @contextlib.contextmanager
    def _locked(self, name: str, wait: float) -> Iterator[None]:
        if self._home is None:
            yield
            return
        with files.lock(self._home / name, timeout=wait):
            yield
            if name == _LOCK:
                self._stamp = self._manifest_stamp()
