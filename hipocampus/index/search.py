"""Search as the façade offers it: settings and files in, items out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from hipocampus.config import Config
from hipocampus.errors import DamagedIndex, EncoderUnavailable, StoreBusy, StoreNotWritable, UsageError
from hipocampus.index.encoders import EMBEDDED_NAMES, NO_ENCODER, Encoder, load_encoder
from hipocampus.index.home import encoder_cache
from hipocampus.index.item import Item, item_of
from hipocampus.index.question import VECTORS, Mode, Question, answers
from hipocampus.index.ranking import Weights
from hipocampus.index.search_index import SEARCH_WAITS, IndexState, SearchIndex
from hipocampus.index.updater import Progress, no_progress
from hipocampus.layout import Workspace

# A search embeds so many new chunks itself; more are left to `index update`.
_EMBEDDED_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Found:
    """What a search gave: `mode` is how it was really done, `notes` what one should know about it."""

    mode: Mode
    items: tuple[Item, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Updated:
    """An index after an update."""

    state: IndexState
    notes: tuple[str, ...]


@dataclass(slots=True)
class Search:
    """
    The search of one workspace on one day. Every method raises UsageError where the settings switch it off.

    `kept` holds the index between searches of one process: to open it takes longer than many a question. One with
    which anything was wrong is not kept.
    """

    workspace: Workspace
    config: Config
    today: date
    count: Callable[[str], int]
    progress: Progress = no_progress
    kept: list[SearchIndex] = field(default_factory=list)
    _notes: list[str] = field(default_factory=list)

    @property
    def notes(self) -> tuple[str, ...]:
        """What one should know of all that was asked so far."""
        return tuple(self._notes)

    def find(self, question: Question) -> Found:
        """Bring the index up to date and ask it; only a vector search without vectors fails. Raises UsageError."""
        self._check(question.mode)
        index = self._kept_index()
        index.refresh()
        if question.mode in VECTORS:
            index.encoder = self._encoder(offline=True) if self._may_embed(index) else None
            if index.encoder:
                self._embed_new(index)
            question = question if index.encoder else replace(question, mode="fast")
        question = _without_concepts(question, index)
        try:
            items = self._items(index, question)
        except EncoderUnavailable as error:  # it was loaded, and does not run
            self._notes.append(_without(error))
            question = _without_concepts(replace(question, mode="fast"), index)
            items = self._items(index, question)
        if not self._notes:
            self.kept.append(index)
        return Found(question.mode, items, self.notes)

    def update(self, *, rebuild: bool = False) -> Updated:
        """Index and embed all that waits; `rebuild` makes the words' index anew. Raises StoreBusy, StoreNotWritable."""
        self._check("bm25")
        index = self._index()
        index.encoder = self._encoder(offline=False) if self.config["search.vector"] else None
        if rebuild:
            index.rebuild()
        else:
            index.update()
        index.embed()
        if rebuild and index.encoder:
            index.sweep()
        return Updated(index.state(), self.notes)

    def state(self) -> Updated:
        """What the index holds and what waits; changes nothing."""
        return Updated(self.opened().state(), self.notes)

    def opened(self) -> SearchIndex:
        """The index as it is, with the encoder of the settings."""
        self._check("bm25")
        index = self._index()
        index.encoder = self._encoder(offline=True) if self.config["search.vector"] else None
        return index

    def concept_encoder(self) -> Encoder | None:
        """
        The encoder that finds concepts: the embedded one, whatever encoder searches use; None where none is wanted.

        Two encoders that read differently find more than one of them asked twice.
        """
        wanted = self.config["search.vector"] and self.config["search.embedModel"] != NO_ENCODER
        return self._encoder(offline=True, name=EMBEDDED_NAMES[0]) if wanted else None

    def similar(self, text: str, others: Sequence[str]) -> list[float]:
        """Cosines of a text to others; zeros where the settings or the machine have no encoder."""
        wanted = others and self.config["search.enabled"] and self.config["search.vector"]
        encoder = self._encoder(offline=True) if wanted else None
        if encoder is None:
            return [0.0] * len(others)
        rows = encoder.encode([text, *others])
        return [float(rows[0] @ row) for row in rows[1:]]

    def _items(self, index: SearchIndex, question: Question) -> tuple[Item, ...]:
        weights = Weights(self.config["search.lexicalWeight"], self.config["search.vectorWeight"])
        return tuple(item_of(found) for found in answers(index, question, weights))

    def _index(self) -> SearchIndex:
        return SearchIndex(self.workspace, self.today, self.count, progress=self.progress, notes=self._notes)

    def _kept_index(self) -> SearchIndex:
        if not self.kept:
            return self._index()
        index = self.kept.pop()
        index.renew(self.today, self.progress, self._notes)
        return index

    def _check(self, mode: Mode) -> None:
        if not self.config["search.enabled"]:
            message = "search is switched off in this workspace"
            raise UsageError(message, hint="`hipocampus config set search.enabled true` switches it on")
        if mode == "vector" and not self.config["search.vector"]:
            message = "vectors are switched off in this workspace"
            raise UsageError(message, hint="`hipocampus config set search.vector true` switches them on")

    def _may_embed(self, index: SearchIndex) -> bool:
        """Whether loading the encoder can lead to anything; a large store without vectors waits for `index update`."""
        if not self.config["search.vector"]:
            return False
        if not index.keeps_vectors:
            self._notes.append("searched by words alone: no disk takes vectors")
            return False
        if index.has_vectors or index.embeddable <= _EMBEDDED_AT_ONCE:
            return True
        self._notes.append(f"searched by words alone: {_update_hint(index.embeddable)}")
        return False

    def _encoder(self, *, offline: bool, name: str = "") -> Encoder | None:
        wanted = name or self.config["search.embedModel"]
        try:
            return load_encoder(wanted, cache=encoder_cache(self.workspace), offline=offline, say=self._notes.append)
        except EncoderUnavailable as error:
            self._notes.append(_without(error))
            return None

    def _embed_new(self, index: SearchIndex) -> None:
        """Embed what was added since the last time, if it is little."""
        try:
            waiting = index.embed(most=_EMBEDDED_AT_ONCE, wait=SEARCH_WAITS)
        except (StoreBusy, StoreNotWritable, DamagedIndex, EncoderUnavailable) as error:
            self._notes.append(f"new entries have no vectors yet: {error}")
            return
        if waiting:
            self._notes.append(_update_hint(waiting))


def _without_concepts(question: Question, index: SearchIndex) -> Question:
    """The question as it can be answered: by words alone before a `sleep` has found concepts."""
    needs = question.mode in ("fast", "concept")
    return replace(question, mode="bm25") if needs and not index.has_concepts else question


def _without(error: EncoderUnavailable) -> str:
    return f"searched by words alone: {error}; {error.hint}"


def _update_hint(waiting: int) -> str:
    return f"{waiting:,} chunks have no vector yet, `hipocampus index update` computes them"
