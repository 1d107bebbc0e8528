"""
From a prompt to documents: words and concepts fused by rank, new documents beside them.

Nothing here loads numpy or a model, unless the caller brings an encoder.
"""

from __future__ import annotations

import contextlib
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from datetime import date
from typing import TYPE_CHECKING, Literal, NamedTuple

from hipocampus.errors import DamagedConcepts, DamagedIndex, EncoderUnavailable, StoreNotWritable
from hipocampus.index.concept_file import ConceptFile, SeenSource
from hipocampus.index.concepts import Near, look_up, rarity
from hipocampus.index.document import Document
from hipocampus.index.document_scores import CHUNK_SHARE, DocumentScores
from hipocampus.index.fusion import ABSENT, VALUE_SHARE, Place, fused, shared_places
from hipocampus.index.home import CONCEPTS, index_home
from hipocampus.index.tantivy_files import is_made
from hipocampus.layout import Workspace
from hipocampus.recall import versions
from hipocampus.recall.episodic import Episodic, take_in, unsettled
from hipocampus.recall.gate import Coverage
from hipocampus.recall.versions import Version
from hipocampus.text import terms

if TYPE_CHECKING:
    from hipocampus.index.encoders import Encoder
    from hipocampus.index.engine import Hit

Tier = Literal["semantic", "episodic", "fallthrough"]
_DOCUMENTS = 50
# Three sides agree on more documents than two do.
_DOCUMENTS_OF_THREE = 100
_MOST_TERMS = 32
# What fills 3,000 tokens.
_MOST_FOUND = 50
# Candidates whose titles are looked at for a newer entry.
_VERSIONED = 20
# What a user or feedback entry counts beside others.
_KEPT_FACTOR = 1.5
# What was written down to be remembered beside what was only said: sessions are long, and hold most words some time.
_WRITTEN_FACTOR = 2.0
# What a person wrote, and what came from elsewhere, beside what agents and hosts wrote: less than a place at the top,
# so that it decides between what fits alike and lifts nothing over what fits better.
_TRUST = {"verified": 1.2, "candidate": 0.85}
# What words, vectors and concepts count: what to show is more often near a prompt than said in its words, and concepts
# say again what vectors say. Measured on the MemAware questions, with both halves and all neighbours within a point.
_WITH_VECTORS = (0.7, 1.0, 0.5)
_WITHOUT_VECTORS = (1.0, 0.0, 1.2)
_KEPT_TYPES = ("user", "feedback")


class Candidate(NamedTuple):
    """
    A document that a prompt may bring to mind.

    `tier` says how it was found: by concepts, among what is new, or by its words alone; `anchors` are the concepts that
    led to it. Ranks count from 1; 0 where that side did not find it. `rarity` is that of the prompt's terms.
    """

    document: Document
    score: float
    tier: Tier
    lexical_rank: int
    concept_rank: int
    anchors: tuple[str, ...]
    rarity: Mapping[str, float]

    @property
    def coverage(self) -> Coverage:
        """How much of the prompt the document holds; worked out when asked, for few candidates are."""
        mass = _mass(self.document, self.rarity)
        return Coverage(mass / (sum(self.rarity.values()) or 1.0), mass)


class Found(NamedTuple):
    """The candidates, best first, the weight of each term of the prompt, and what one should know."""

    candidates: list[Candidate]
    rarity: Mapping[str, float]
    notes: tuple[str, ...]


class Lookup:
    """The look-up of one workspace on one day."""

    def __init__(
        self, workspace: Workspace, today: date, count: Callable[[str], int], encoder: Encoder | None = None
    ) -> None:
        self.workspace = workspace
        self.today = today
        self.count = count
        self.encoder = encoder
        self._notes: list[str] = []
        self._nearest: Mapping[str, str] = {}
        self._home = index_home(workspace)

    def find(self, text: str) -> Found:
        """The documents that a prompt may bring to mind."""
        try:
            with contextlib.closing(ConceptFile((self._home or self.workspace.index) / CONCEPTS)) as file:
                return self._find(text, file)
        except DamagedConcepts as error:
            self._notes.append(f"found by words alone: {error}; {error.hint}")
            return self._find(text, None)

    def _find(self, text: str, file: ConceptFile | None) -> Found:
        said = terms.query_terms(text, file.languages if file else ("en",))
        rare = _rarity(file, said)
        new = take_in(self.workspace, self._home, self.today, self.count, file.sources if file else _nothing_known)
        ranks = self._ranks(file, text, said, new, rare)
        found = self._candidates(file, ranks, new, rare)
        return Found(found, rare, tuple(self._notes))

    def _ranks(
        self, file: ConceptFile | None, text: str, said: Sequence[str], new: Episodic, rare: Mapping[str, float]
    ) -> _Ranks:
        matched = _best((document.name, _mass(document, rare)) for document in new.documents)
        ranks = _Ranks(*self._found(file, text, said, rare), shared_places(matched, _DOCUMENTS))
        if file:
            numbers = file.numbers(ranks.lexical)
            near = [one for one in look_up(file, said, numbers.values()) if one.score > 0]
            names = file.names(_first(near))
            known = [one for one in near if one.document in names]
            ranks.concept = shared_places(_best((names[one.document], one.score) for one in known), _DOCUMENTS)
            for one in known:
                name = names[one.document]
                if name not in ranks.causes and one.shares:
                    ranks.causes[name] = tuple(cause.term for cause in one.causes[:3])
        return ranks

    def _found(
        self, file: ConceptFile | None, text: str, said: Sequence[str], rare: Mapping[str, float]
    ) -> tuple[Mapping[str, Place], Mapping[str, Place]]:
        """Where words and where vectors place documents."""
        if file and self._home and not is_made(self._home / "chunks"):
            return shared_places(self._holding(file, rare), _DOCUMENTS), {}
        try:
            if file and self._home and not self.encoder:
                scores = DocumentScores(self._home).best(said, _DOCUMENTS)
                names = file.named_by_hash(scores)
                found = {names[number]: score for number, score in scores.items() if number in names}
                return shared_places(found, _DOCUMENTS), {}
            hits = [hit for hit in self._hits(text, said) if hit.chunk.layer != "node"]
        except DamagedConcepts:
            raise
        except EncoderUnavailable as error:  # it was loaded, and does not run
            self._notes.append(f"no encoder reads the prompt: {error}; {error.hint}")
            self.encoder = None
            return self._found(file, text, said, rare)
        except (DamagedIndex, StoreNotWritable) as error:
            self._notes.append(f"not ranked by how often words occur: {error}; {error.hint}")
            return shared_places(self._holding(file, rare), _DOCUMENTS), {}
        from hipocampus.recall.nearest import near_documents, nearest_turns

        lexical = _best((hit.document, CHUNK_SHARE * hit.lexical + hit.context) for hit in hits)
        self._nearest = nearest_turns(hits)
        return shared_places(lexical, _DOCUMENTS_OF_THREE), shared_places(near_documents(hits), _DOCUMENTS_OF_THREE)

    def _holding(self, file: ConceptFile | None, rare: Mapping[str, float]) -> dict[str, float]:
        """What the rarest words say of documents where the word index is missing, as after a `forget`."""
        rarest = sorted(rare, key=lambda term: (-rare[term], term))[:_MOST_TERMS]
        held = file.holding(rarest) if file else {}
        return {name: sum(rare[term] for term in terms) for name, terms in held.items()}

    def _hits(self, text: str, said: Sequence[str]) -> list[Hit]:
        """What the engine finds in the index as it is: nobody waits for one to be made."""
        if self._home is None or not is_made(self._home / "chunks"):
            return []
        from hipocampus.index.embedded import EmbeddedEngine
        from hipocampus.index.engine import Query

        vector = self.encoder.encode([text])[0] if self.encoder else None
        return EmbeddedEngine(self._home, self.encoder).search(Query(tuple(said), vector, limit=_DOCUMENTS_OF_THREE))

    def _candidates(
        self, file: ConceptFile | None, ranks: _Ranks, new: Episodic, rare: Mapping[str, float]
    ) -> list[Candidate]:
        fresh = {document.name: document for document in new.documents}
        scores = ranks.scores()
        best = sorted(scores, key=lambda name: (-scores[name], name))[:_MOST_FOUND]
        held = {**self._held(file, best, new), **fresh}
        found = []
        for name in best:
            if document := held.get(name):
                causes = ranks.causes.get(name, ())
                tier: Tier = "episodic" if name in fresh else "semantic" if causes else "fallthrough"
                sides = ranks.lexical.get(name, ABSENT).rank, ranks.concept.get(name, ABSENT).rank
                score = round(_worth(document) * scores[name], 6)
                found.append(Candidate(document, score, tier, *sides, causes, rare))
        return self._with_newest(sorted(found, key=lambda one: -one.score), file, new)

    def _with_newest(self, found: list[Candidate], file: ConceptFile | None, new: Episodic) -> list[Candidate]:
        """The candidates, and behind an entry that somebody wrote the newest one under its title."""
        titles = {one.document.heading for one in found[:_VERSIONED] if not one.document.is_session}
        newest = self._newest(titles, file, new) if titles else {}
        there = {one.document.name for one in found}
        result = []
        for one in found:
            result.append(one)
            document = newest.get(one.document.heading)
            if document and document.name not in there and document.day > one.document.day > "":
                there.add(document.name)
                result.append(one._replace(document=document, lexical_rank=0))
        return result

    def _newest(self, titles: Set[str], file: ConceptFile | None, new: Episodic) -> dict[str, Document]:
        """The newest entry under each of some titles, as its file says it now."""
        known = map(Version._make, file.headed(titles) if file else ())
        fresh = {document.name: document for document in new.documents if document.heading in titles}
        newest = versions.newest((*known, *map(_version, fresh.values())))
        held = {**self._held(file, [version.name for version in newest.values()], new), **fresh}
        return {title: held[version.name] for title, version in newest.items() if version.name in held}

    def _held(self, file: ConceptFile | None, names: Sequence[str], new: Episodic) -> dict[str, Document]:
        """The documents of these names as their files say them now."""
        known = file.documents(file.numbers(names).values()).values() if file else ()
        held = {one.name: self._weighed(one) for one in known if one.source not in new.sources}
        sources = {name.partition("#")[0] if name.startswith("memory/") else name for name in names} - new.sources
        before = file.sources(sources) if file else {}
        waiting = unsettled(self.workspace)
        for source in sorted(sources):
            now = self._now(source)
            if now is None or before.get(source) != now or source in waiting:  # edited by hand, or by `forget`
                held = {name: document for name, document in held.items() if document.source != source}
                held |= {document.name: document for document in self._described(source)} if now else {}
        return held

    def _weighed(self, document: Document) -> Document:
        turn = self._nearest.get(document.name)
        if turn is None:
            return document
        from hipocampus.recall.nearest import weighed

        return weighed(document, turn, self.count)

    def _now(self, source: str) -> SeenSource | None:
        try:
            status = (self.workspace.root / source).stat()
        except (OSError, ValueError):
            return None
        return SeenSource(status.st_size, status.st_mtime_ns)

    def _described(self, name: str) -> tuple[Document, ...]:
        from hipocampus.index.sources import source_named
        from hipocampus.sleep.notes import read_documents

        source = source_named(self.workspace, name)
        try:
            return read_documents(source, self.count) if source else ()
        except OSError:
            return ()


class _Ranks:
    """The place of each document on each side, and the concepts that led to it."""

    def __init__(self, lexical: Mapping[str, Place], vector: Mapping[str, Place], new: Mapping[str, Place]) -> None:
        self.lexical = lexical
        self.vector = vector
        self.new = new
        self.concept: Mapping[str, Place] = {}
        self.causes: dict[str, tuple[str, ...]] = {}

    def scores(self) -> dict[str, float]:
        """All sides fused; what is new has one side that counts for both."""
        weights, share = (_WITH_VECTORS, VALUE_SHARE) if self.vector else (_WITHOUT_VECTORS, 0.0)
        sides = (self.lexical, self.vector, self.concept)
        found = {
            name: fused(zip(weights, (side.get(name, ABSENT) for side in sides), strict=True), share)
            for name in {*self.lexical, *self.vector, *self.concept}
        }
        return found | {name: fused([(2.0, place)], share) for name, place in self.new.items()}


def _worth(document: Document) -> float:
    """What a document counts beside others that fit alike, by type, origin and trust."""
    kept = _KEPT_FACTOR if document.type in _KEPT_TYPES else 1.0
    return kept * (1.0 if document.is_session else _WRITTEN_FACTOR) * _TRUST.get(document.state, 1.0)


def _version(document: Document) -> Version:
    return Version(document.heading, document.day, document.name)


def _nothing_known(_names: Iterable[str]) -> dict[str, SeenSource]:
    return {}


def _first(near: Iterable[Near]) -> list[int]:
    """The documents of the best chunks."""
    return list(dict.fromkeys(one.document for one in near))[:_DOCUMENTS]


def _best(values: Iterable[tuple[str, float]]) -> dict[str, float]:
    best: defaultdict[str, float] = defaultdict(float)
    for name, value in values:
        best[name] = max(best[name], value)
    return best


def _rarity(file: ConceptFile | None, said: Sequence[str]) -> dict[str, float]:
    """How much each term tells, 1 for one that a single chunk holds."""
    chunks = file.chunk_count if file else 1
    df = file.frequencies(said) if file else {}
    return {term: rarity(df.get(term, 1), chunks) / math.log(1 + max(1, chunks)) for term in said}


def _mass(document: Document, rare: Mapping[str, float]) -> float:
    return sum(rare[term] for term in rare.keys() & document.terms.split())
