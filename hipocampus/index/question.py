"""A question to the index and its answer: what is asked, in which mode, and what was found, one fact once."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal, get_args

from hipocampus.index import duplicates
from hipocampus.index.engine import Filter, Query
from hipocampus.index.ranking import Ranked, Weights, ranked
from hipocampus.index.search_index import SearchIndex
from hipocampus.text import terms

Mode = Literal["hybrid", "bm25", "vector", "concept", "fast"]
MODES: tuple[Mode, ...] = get_args(Mode)
WORDS = frozenset({"hybrid", "bm25", "fast"})
VECTORS = frozenset({"hybrid", "vector"})
CONCEPTS = frozenset({"hybrid", "concept", "fast"})
"""Which modes look at words, at vectors, at concepts."""
# Documents that each side of the search ranks at least; more where more answers are wanted. Three sides agree on more
# documents than two do.
_DOCUMENTS = 50
_DOCUMENTS_OF_THREE = 100
# How much further a search looks when too many hits say the same, and up to where.
_FURTHER = 8
_MOST_DOCUMENTS = 3000


@dataclass(frozen=True, slots=True)
class Question:
    """What to look for: any text, how many answers, by words, by meaning or both, and among which chunks."""

    text: str
    limit: int = 10
    mode: Mode = "hybrid"
    where: Filter = field(default_factory=Filter)


def answers(index: SearchIndex, question: Question, weights: Weights) -> list[Ranked]:
    """The best chunks, at most `question.limit`, each fact once."""
    query = _query(index, question)
    if not query.terms and query.vector is None and not query.concepts:
        return []
    while True:
        hits = index.search(query)
        source_of = partial(_source_of, index, question.where)
        found = duplicates.distinct(ranked(hits, weights), question.limit, source_of)
        if len(found) == question.limit or len(hits) < query.limit or query.limit >= _MOST_DOCUMENTS:
            return found
        query = query._replace(limit=query.limit * _FURTHER)  # copies of one fact took the places of others


def _query(index: SearchIndex, question: Question) -> Query:
    by_meaning = question.mode in VECTORS and index.encoder is not None and question.text.strip()
    said = tuple(terms.query_terms(question.text, index.languages))
    return Query(
        said if question.mode in WORDS else (),
        index.encoder.encode([question.text])[0] if by_meaning and index.encoder else None,
        question.where,
        max(_DOCUMENTS_OF_THREE if by_meaning else _DOCUMENTS, 2 * question.limit),
        index.meant(said) if question.mode in CONCEPTS else {},
    )


def _source_of(index: SearchIndex, where: Filter, found: Ranked) -> Ranked | None:
    """The raw chunk that a hit in a node was made from; None where its day holds it no more, or the filter forbids."""
    chunk = found.hit.chunk
    if chunk.day is None or (where.areas and "raw" not in where.areas):
        return None
    its_day = where._replace(since=chunk.day, until=chunk.day, areas=frozenset({"raw"}))
    query = Query(tuple(terms.query_terms(chunk.text, index.languages)), where=its_day, limit=2)
    for hit in index.search(query):
        if duplicates.covers(hit.chunk, chunk):
            return replace(found, hit=hit._replace(lexical=found.hit.lexical, context=found.hit.context))
    return None
