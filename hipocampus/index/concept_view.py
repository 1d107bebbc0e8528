"""The concept index for people: what it knows, what a term leads to, and why a prompt leads where it does."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from pathlib import Path

from hipocampus.errors import NotFound
from hipocampus.index.concept_file import ConceptFile, Neighbour, SeenSource
from hipocampus.index.concepts import anchors_of, look_up
from hipocampus.index.document import Document
from hipocampus.index.sources import Source
from hipocampus.text import terms

_MOST_PLACES = 20


@dataclass(frozen=True, slots=True)
class Concept:
    """A concept as people write it, and how many chunks hold it."""

    label: str
    df: int


@dataclass(frozen=True, slots=True)
class Place:
    """An entry or file that something leads to: how near it is, and by which terms."""

    source: str
    lines: tuple[int, int]
    topic: str
    score: float
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """What a concept leads to."""

    label: str
    df: int
    neighbours: tuple[Neighbour, ...]
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Reason:
    """The concepts of a prompt, and what they lead to."""

    anchors: tuple[Concept, ...]
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class ConceptState:
    """
    What a concept index holds, its bytes, what its vectors are from, and when it was built.

    `stale_sources` counts files that changed, came or went since: recall reads those anew.
    """

    anchors: int
    chunks: int
    documents: int
    size: int
    encoder: str
    built: datetime
    stale_sources: int


@dataclass(frozen=True, slots=True)
class ConceptView:
    """Questions to one concept index. Every method raises DamagedConcepts where there is none to be read."""

    path: Path

    def listed(self) -> list[Concept]:
        """The concepts, those that most chunks hold first."""
        with self._opened() as file:
            return [Concept(label, df) for _, label, df in sorted(file.labels(), key=lambda row: (-row[2], row[0]))]

    def shown(self, text: str) -> Shown:
        """What a term leads to. Raises NotFound for a term that is no concept."""
        with self._opened() as file:
            phrase = " ".join(terms.index_terms(text, ""))
            found = file.anchors([phrase])
            if not found:
                message = f"{text!r} is no concept of this memory"
                raise NotFound(message, hint="`hipocampus concepts list` shows them; a search finds every word")
            anchor = found[0]
            chunks = file.chunks(near.chunk for near in anchor.chunks)
            near = ((chunks[one.chunk].document, one.score, ()) for one in anchor.chunks if one.chunk in chunks)
            return Shown(anchor.label, anchor.df, file.neighbours(anchor.term), tuple(_places(file, near)))

    def why(self, prompt: str) -> Reason:
        """Which concepts a prompt holds, and what they lead to."""
        with self._opened() as file:
            said = terms.query_terms(prompt, file.languages)
            anchors = tuple(Concept(anchor.label, anchor.df) for anchor in anchors_of(file, said))
            near = ((one.document, one.score, tuple(cause.term for cause in one.causes)) for one in look_up(file, said))
            return Reason(anchors, tuple(_places(file, near)))

    def state(self, sources: Iterable[Source], zone: tzinfo | None) -> ConceptState:
        """How it stands to the files as they are now; `built` is in a zone, that of the system for None."""
        with self._opened() as file:
            held, status = file.counts(), self.path.stat()
            now = {
                source.name: SeenSource(source.size, source.mtime_ns) for source in sources if source.layer != "node"
            }
            stale = {name for name, _ in now.items() ^ file.sources().items()}
            built = datetime.fromtimestamp(int(status.st_mtime), UTC).astimezone(zone)
            shown = held["anchors"], held["chunks"], held["documents"], status.st_size, file.meta["encoder"]
            return ConceptState(*shown, built, len(stale))

    @contextlib.contextmanager
    def _opened(self) -> Iterator[ConceptFile]:
        with contextlib.closing(ConceptFile(self.path)) as file:
            yield file


def _places(file: ConceptFile, near: Iterable[tuple[int, float, tuple[str, ...]]]) -> Iterator[Place]:
    """The documents of the best chunks, each once."""
    best: dict[int, tuple[float, tuple[str, ...]]] = {}
    for number, score, causes in near:
        best.setdefault(number, (score, causes))
        if len(best) > _MOST_PLACES:
            break
    documents = file.documents(best)
    for number, (score, causes) in list(best.items())[:_MOST_PLACES]:
        if number in documents:
            yield _place(documents[number], score, causes)


def _place(document: Document, score: float, causes: tuple[str, ...]) -> Place:
    return Place(document.source, document.lines, document.topic, round(score, 4), causes)
