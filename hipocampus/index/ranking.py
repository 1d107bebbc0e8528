"""
The order of what was found: words, vectors and concepts fused by rank, documents first, then the chunks of each.

Scores of BM25 and cosines can't be added, ranks can: a document gets `weight / (RANK_OFFSET + rank)` from each side
(reciprocal rank fusion, Cormack, Clarke and Büttcher, SIGIR 2009). Chunks of one document follow each other by as
much as each repeats of it, so that one long session can't fill a page.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from hipocampus.index.document_scores import CHUNK_SHARE, RANK_OFFSET
from hipocampus.index.engine import Hit

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
    lexical = _ranks(documents, lambda hit: CHUNK_SHARE * hit.lexical + hit.context)
    vector = _ranks(documents, lambda hit: hit.similarity)
    concept = _ranks(documents, lambda hit: hit.concept)
    found = []
    for name, chunks in documents.items():
        ranks = lexical.get(name, 0), vector.get(name, 0), concept.get(name, 0)
        sides = zip((weights.lexical, weights.vector, weights.concept), ranks, strict=True)
        score = sum(weight / (RANK_OFFSET + rank) for weight, rank in sides if rank)
        for place, hit in enumerate(_by_merit(chunks, weights)):
            found.append(Ranked(hit, score * FURTHER_CHUNK**place, *ranks))
    return sorted(found, key=_order)


def _order(found: Ranked) -> tuple[float, int, str, int]:
    day = found.hit.chunk.day or date.min
    return -found.score, -day.toordinal(), found.hit.chunk.source, found.hit.chunk.first_line


def _ranks(documents: dict[str, list[Hit]], value: Callable[[Hit], float]) -> dict[str, int]:
    """The rank of each document that has a value, from 1."""
    best = {name: max(value(hit) for hit in chunks) for name, chunks in documents.items()}
    names = sorted((name for name in best if best[name] > 0), key=lambda name: (-best[name], name))
    return {name: rank for rank, name in enumerate(names, 1)}


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
