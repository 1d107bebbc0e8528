"""Make the concept index of a workspace: read the files, count, compute, put it into place."""

from __future__ import annotations

import contextlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from hipocampus.errors import DamagedConcepts, EncoderUnavailable
from hipocampus.governance import redaction
from hipocampus.index import concept_build as build
from hipocampus.index import concept_writer
from hipocampus.index.concept_file import Anchor, ConceptFile, SeenSource, VectorChunk
from hipocampus.index.concept_writer import Content
from hipocampus.index.home import CONCEPTS, index_home
from hipocampus.index.rows import document_of
from hipocampus.index.sources import Source
from hipocampus.index.updater import Progress, no_progress
from hipocampus.layout import Workspace
from hipocampus.sleep.concept_vectors import ConceptVectors
from hipocampus.sleep.notes import Page, Said, read_page
from hipocampus.text import terms

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hipocampus.index.encoders import Encoder
    from hipocampus.index.engine import Engine

    Floats = npt.NDArray[np.float32]

_WORD = re.compile(r"[^\W_]\S{0,40}")
_FRAME = ".,;:!?)]}\"'*`"
# Terms of a heading that is a concept as a whole.
_LONGEST_HEADING = 3
_BY_WORDS = "words"


@dataclass(frozen=True, slots=True)
class Built:
    """A concept index: how much it holds, its bytes, what its vectors are from, and whether it was made just now."""

    anchors: int
    chunks: int
    documents: int
    size: int
    encoder: str
    changed: bool
    notes: tuple[str, ...]


@dataclass(slots=True)
class ConceptBuilder:
    """
    Makes the concept index of one workspace.

    `engine` holds the vectors of chunks where searches use the same `encoder`; those of another one are kept beside it,
    and without any they are made from words. `languages` are those that prompts are stemmed in.
    """

    workspace: Workspace
    sources: Sequence[Source]
    engine: Engine
    encoder: Encoder | None
    languages: Sequence[str]
    count: Callable[[str], int]
    progress: Progress = no_progress
    _notes: list[str] = field(default_factory=list)

    def run(self) -> Built | None:
        """Make the index where something changed; None where no disk takes it. Raises StoreNotWritable."""
        home = index_home(self.workspace)
        if home is None:
            return None
        path = home / CONCEPTS
        with contextlib.ExitStack() as stack:
            try:
                content = self._changed(_opened(path, stack))
            except DamagedConcepts:
                content = self._content(None)
        if content:
            concept_writer.write(path, content)
        with contextlib.closing(ConceptFile(path)) as file:
            counts = file.counts()
            shown = counts["anchors"], counts["chunks"], counts["documents"]
            return Built(*shown, path.stat().st_size, file.meta["encoder"], content is not None, tuple(self._notes))

    @property
    def _spoken(self) -> list[Source]:
        """The sources that say something of their own; nodes repeat what theirs say."""
        return [source for source in self.sources if source.layer != "node"]

    def _changed(self, old: ConceptFile | None) -> Content | None:
        """What belongs into the file; None where that is what it holds. Raises DamagedConcepts."""
        if old is None or not self._is_current(old):
            return self._content(old)
        old.check()
        return None

    def _is_current(self, old: ConceptFile) -> bool:
        now = {source.name: _seen(source) for source in self._spoken}
        return old.sources() == now and old.meta["made from"] == self._made_from()

    def _made_from(self) -> str:
        encoder = self.encoder.id if self.encoder else _BY_WORDS
        return json.dumps([encoder, terms.fingerprint(), sorted(curated_anchors(self.workspace).items())])

    def _content(self, old: ConceptFile | None) -> Content:
        pages = dict(self._pages(old))
        documents = [document for page in pages.values() for document in page.documents]
        said = [one for page in pages.values() for one in page.said]
        words = _vocabulary(said, curated_anchors(self.workspace))
        number = {document.name: at for at, document in enumerate(documents)}
        embedded = [one for one in said if one.chunk.is_embedded and document_of(one.chunk) in number]
        chunks, anchors, encoder = self._computed(embedded, words, number) if embedded else ([], [], _BY_WORDS)
        meta = {
            "chunks": str(len(said)),
            "languages": json.dumps(list(self.languages)),
            "made from": self._made_from(),
            "encoder": encoder,
        }
        return Content(meta, {source.name: _seen(source) for source in pages}, documents, chunks, anchors)

    def _computed(
        self, said: list[Said], words: build.Vocabulary, number: Mapping[str, int]
    ) -> tuple[list[VectorChunk], list[Anchor], str]:
        """Chunks with their vectors, anchors, and what the vectors are from."""
        said, vectors, own, encoder = self._vectors(said, words)
        self.progress("finding concepts", 0, 1)
        anchors = list(build.anchors(words, own, vectors, _holdings(said, words)))
        self.progress("finding concepts", 1, 1)
        placed = zip(said, build.vectors_of(build.centred(vectors)), strict=True)
        return (
            [VectorChunk(number[document_of(one.chunk)], one.chunk.key, row) for one, row in placed],
            anchors,
            encoder,
        )

    def _pages(self, old: ConceptFile | None) -> Iterator[tuple[Source, Page]]:
        """Each source as it is now; documents of one that did not change are taken from the old index."""
        before = old.sources() if old else {}
        total = len(self._spoken)
        for at, source in enumerate(self._spoken):
            self.progress("reading", at, total)
            is_same = before.get(source.name) == _seen(source)
            try:
                yield source, read_page(source, self.count, old.documents_of(source.name) if old and is_same else None)
            except OSError as error:
                self._notes.append(f"{source.name} was left out: {error.strerror}")
        self.progress("reading", total, total)

    def _vectors(self, said: list[Said], words: build.Vocabulary) -> tuple[list[Said], Floats, Floats, str]:
        """The chunks that have a vector, their vectors, those of the anchors' own words, and where they are from."""
        if self.encoder:
            try:
                vectors = self._vectors_of(said, self.encoder)
                own = self.encoder.encode(words.labels) if words.labels else vectors[:0]
            except EncoderUnavailable as error:
                self._notes.append(f"concepts come from words that occur together: {error}; {error.hint}")
            else:
                return *_there(said, vectors), own, self.encoder.id
        made = build.WordVectors.of([one.terms for one in said])
        vectors = made.of_terms([one.terms for one in said])
        return *_there(said, vectors), made.of_terms([term.split() for term in words.terms]), _BY_WORDS

    def _vectors_of(self, said: Sequence[Said], encoder: Encoder) -> Floats:
        home = index_home(self.workspace)
        if home is None or self.engine.stats().model == encoder.id:
            return self.engine.vectors([one.chunk.key for one in said])
        return ConceptVectors(home, encoder, self.progress).of([one.chunk for one in said])


def curated_anchors(workspace: Workspace) -> dict[str, str]:
    """What `memory/anchors.txt` names, a concept a line: its terms, and how it was written. `#` begins a remark."""
    try:
        lines = redaction.read_text(workspace.anchors).split("\n")
    except OSError:
        return {}
    said = (line.partition("#")[0].strip() for line in lines)
    found = ((" ".join(terms.index_terms(line, "")), line) for line in said)
    return {phrase: line for phrase, line in found if phrase}


def _vocabulary(said: Sequence[Said], curated: Mapping[str, str]) -> build.Vocabulary:
    df = Counter(term for one in said for term in set(one.terms))
    phrases = {**_headings(said), **curated}
    long = _by_first([phrase for phrase in phrases if " " in phrase])
    df.update(phrase for one in said for phrase in _phrases_in(one.terms, long))
    return build.vocabulary(df, _labels(said, df), phrases)


def _headings(said: Sequence[Said]) -> dict[str, str]:
    """Headings that somebody chose, as concepts of several terms."""
    titles = {one.chunk.headings[-1] for one in said if one.chunk.headings and not one.chunk.voice}
    found = {" ".join(terms.index_terms(title, "")): title for title in sorted(titles)}
    return {phrase: title for phrase, title in found.items() if 1 < len(phrase.split()) <= _LONGEST_HEADING}


def _labels(said: Sequence[Said], df: Mapping[str, int]) -> dict[str, str]:
    """How people write each term most often."""
    written = Counter(word.rstrip(_FRAME).casefold() for one in said for word in _WORD.findall(one.chunk.text))
    best: dict[str, tuple[int, str]] = {}
    for word, times in written.items():
        for term in terms.index_terms(word, "")[:1]:
            if df.get(term, 0) >= build.FEWEST_CHUNKS:
                best[term] = max(best.get(term, (0, "")), (times, word))
    return {term: word for term, (_, word) in best.items()}


def _holdings(said: Sequence[Said], words: build.Vocabulary) -> list[list[str]]:
    """The terms and phrases that each chunk holds."""
    long = _by_first([term for term in words.terms if " " in term])
    return [[*one.terms, *_phrases_in(one.terms, long)] for one in said]


def _by_first(phrases: Sequence[str]) -> dict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for phrase in phrases:
        found[phrase.partition(" ")[0]].append(phrase)
    return found


def _phrases_in(held: tuple[str, ...], by_first: Mapping[str, list[str]]) -> set[str]:
    """The phrases whose terms stand side by side."""
    wanted = [phrase for term in set(held) & set(by_first) for phrase in by_first[term]]
    text = f" {' '.join(held)} " if wanted else ""
    return {phrase for phrase in wanted if f" {phrase} " in text}


def _there(said: list[Said], vectors: Floats) -> tuple[list[Said], Floats]:
    """Those that have a vector."""
    rows = [row for row, vector in enumerate(vectors) if vector.any()]
    return [said[row] for row in rows], vectors[rows]


def _seen(source: Source) -> SeenSource:
    return SeenSource(source.size, source.mtime_ns)


def _opened(path: Path, stack: contextlib.ExitStack) -> ConceptFile | None:
    try:
        return stack.enter_context(contextlib.closing(ConceptFile(path)))
    except DamagedConcepts:
        return None
