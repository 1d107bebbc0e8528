"""A chunk as search and recall hand it out."""

from __future__ import annotations

from dataclasses import dataclass

from hipocampus.index.ranking import Ranked


@dataclass(frozen=True, slots=True)
class Explanation:
    """
    Where a score comes from.

    The ranks are those of the chunk's document, from 1, 0 where that side did not find it; `lexical` and `context` are
    the BM25 scores of chunk and document, `similarity` is the cosine to the query, `concept` what concepts say.
    """

    lexical_rank: int
    vector_rank: int
    concept_rank: int
    lexical: float
    context: float
    similarity: float
    concept: float


@dataclass(frozen=True, slots=True)
class Item:
    """A found chunk: `lines` are the first and the last of `source`, counted from 1; `date` is "" without a day."""

    id: str
    source: str
    lines: tuple[int, int]
    heading: str
    type: str
    date: str
    score: float
    tokens: int
    text: str
    explain: Explanation


def item_of(found: Ranked) -> Item:
    """A hit as an item."""
    hit, chunk = found.hit, found.hit.chunk
    return Item(
        chunk.id,
        chunk.source,
        (chunk.first_line, chunk.last_line),
        " › ".join(chunk.headings),
        chunk.type,
        chunk.day.isoformat() if chunk.day else "",
        round(found.score, 6),
        hit.tokens,
        chunk.text,
        Explanation(
            found.lexical_rank,
            found.vector_rank,
            found.concept_rank,
            round(hit.lexical, 4),
            round(hit.context, 4),
            round(hit.similarity, 4),
            round(hit.concept, 4),
        ),
    )
