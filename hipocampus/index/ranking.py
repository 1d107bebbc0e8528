"""
The order of what was found: words, vectors and concepts fused by rank, documents first, then the chunks of each.

Chunks of one document follow each other by as much as each repeats of it, so that one long session can't fill a page.

The constants were chosen on the MemAware questions, where both halves of those agreed and their neighbours did as well.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from heapq import nlargest

from hipocampus.index.document_scores import CHUNK_SHARE
from hipocampus.index.engine import Hit
from hipocampus.index.fusion import ABSENT, fused, places

SECOND_CHUNK = 0.25
"""How much the nearness of a document's second chunk counts beside that of its first."""
FURTHER_CHUNK = 0.5
"""What a document's second chunk is worth beside its first, its third beside its second, and so on."""


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each side of the fusion counts."""

    lexical: float = 1.0
    vector: float = 1.0
    concept: float = 1.0


@dataclass(frozen=True, slots=True)
class Ranked:
    """A hit in its place; ranks are those of its document, from 1, and 0 where that side did not find it."""

    hit: Hit
    score: float
    lexical_rank: int
    vector_rank: int
    concept_rank: int = 0


def ranked(hits: Iterable[Hit], weights: Weights) -> list[Ranked]:
    """The hits, best first; of equals the newer and then the earlier in its file."""
    documents: defaultdict[str, list[Hit]] = defaultdict(list)
    for hit in hits:
        documents[hit.document].append(hit)
    sides = [places(value) for value in _values(documents)]
    counts = weights.lexical, weights.vector, weights.concept
    found = []
    for name, chunks in documents.items():
        held = [side.get(name, ABSENT) for side in sides]
        score = fused(zip(counts, held, strict=True))
        lexical, vector, concept = (place.rank for place in held)
        for number, hit in enumerate(_by_merit(chunks, weights)):
            found.append(Ranked(hit, score * FURTHER_CHUNK**number, lexical, vector, concept))
    return sorted(found, key=_order)


def nearness(similarities: Iterable[float]) -> float:
    """How near a document is, by the cosines of its chunks."""
    first, second = [*nlargest(2, similarities), 0.0, 0.0][:2]
    return first + SECOND_CHUNK * max(0.0, second)


def _order(found: Ranked) -> tuple[float, int, str, int]:
    day = found.hit.chunk.day or date.min
    return -found.score, -day.toordinal(), found.hit.chunk.source, found.hit.chunk.first_line


def _values(documents: Mapping[str, Sequence[Hit]]) -> Iterator[dict[str, float]]:
    """What words, vectors and concepts say of each document."""
    yield {name: max(CHUNK_SHARE * hit.lexical + hit.context for hit in hits) for name, hits in documents.items()}
    yield {name: nearness(hit.similarity for hit in hits) for name, hits in documents.items()}
    yield {name: max(hit.concept for hit in hits) for name, hits in documents.items()}


def _by_merit(chunks: Sequence[Hit], weights: Weights) -> list[Hit]:
    """The chunks of a document, the one that answers best first; each side counts by the share of its best."""
    lexical = max(hit.lexical for hit in chunks) or 1.0
    vector = max(hit.similarity for hit in chunks) or 1.0
    concept = max(hit.concept for hit in chunks) or 1.0

    def merit(hit: Hit) -> tuple[float, int]:
        share = weights.lexical * hit.lexical / lexical + weights.vector * max(0.0, hit.similarity) / vector
        share += weights.concept * max(0.0, hit.concept) / concept
        return -share, hit.chunk.first_line

    return sorted(chunks, key=merit)
