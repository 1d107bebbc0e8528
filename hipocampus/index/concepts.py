"""
Concepts looked up: from the words of a prompt to chunks and documents, without a model and without numpy.

The lists of the prompt's anchors name the candidates; each is then scored by the stored vectors. A list alone knows
nothing of what lies just beyond its end, and the sum of fifteen short lists is a poor measure of nearness: measured on
the MemAware questions, lists of 50 with stored vectors find more than lists of 800 without.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from operator import mul
from types import MappingProxyType
from typing import NamedTuple

from hipocampus.index.concept_file import Anchor, ConceptFile, Vector

# Chunks of the lists that are scored.
_MOST_CANDIDATES = 400
_LONGEST_PHRASE = 3
_NONE: Mapping[str, float] = MappingProxyType({})
# About the length of a stored vector in its own steps: of points as far off as each other the distance tells most.
_REACH = 900.0


class Cause(NamedTuple):
    """An anchor that led to a chunk, and its share of what the lists say of it."""

    term: str
    share: float


class Near(NamedTuple):
    """
    A chunk that lies near the concepts of a prompt.

    `score` is the cosine of its vector and the prompt's, or what the lists say of it where that is more; `shares` is
    what the list of each anchor says: nothing of a chunk that was asked for by its document.
    """

    document: int
    key: str
    score: float
    shares: Mapping[str, float]

    @property
    def causes(self) -> tuple[Cause, ...]:
        """The anchors whose lists hold it, strongest first."""
        return tuple(sorted((Cause(term, round(share, 4)) for term, share in self.shares.items()), key=_strongest))


def look_up(file: ConceptFile, terms: Sequence[str], documents: Iterable[int] = ()) -> list[Near]:
    """
    The chunks near the terms of a prompt, best first: those in the lists of its anchors, and all of `documents`.

    None where no term is an anchor. Raises DamagedConcepts.
    """
    with file.translated():
        return _near(file, terms, documents)


def anchors_of(file: ConceptFile, terms: Sequence[str]) -> list[Anchor]:
    """The anchors among the terms, phrases of up to three neighbours before single terms."""
    runs = range(_LONGEST_PHRASE, 0, -1)
    phrases = [" ".join(terms[at : at + size]) for size in runs for at in range(len(terms) - size + 1)]
    return file.anchors(phrases)


def _near(file: ConceptFile, terms: Sequence[str], documents: Iterable[int]) -> list[Near]:
    found = anchors_of(file, terms)
    weights = {anchor.term: weight_of(anchor.df, file.chunk_count) for anchor in found}
    direction = _sum(found, weights)
    length = math.sqrt(sum(map(mul, direction, direction)))
    if not length:
        return []
    listed = _listed(found, weights, length)
    best = sorted(listed, key=lambda number: (-sum(listed[number].values()), number))[:_MOST_CANDIDATES]
    chunks = {**file.chunks(best), **file.chunks_of(documents)}
    cosine = _Cosine([value / length for value in direction])
    near = []
    for number, chunk in sorted(chunks.items()):
        shares = listed.get(number, _NONE)
        near.append(Near(chunk.document, chunk.key, max(cosine.of(chunk.vector), sum(shares.values())), shares))
    return sorted(near, key=lambda one: -one.score)


def weight_of(df: int, chunks: int) -> float:
    """The squared rarity of a term that `df` of `chunks` hold."""
    return rarity(df, chunks) ** 2


def rarity(df: int, chunks: int) -> float:
    """The inverse document frequency, log(1 + chunks / df); a term that nothing holds counts as held once."""
    return math.log(1 + chunks / max(1, df))


def _sum(found: Sequence[Anchor], weights: Mapping[str, float]) -> list[float]:
    total: list[float] = []
    for anchor in found:
        factor = weights[anchor.term] * anchor.vector.scale
        part = [factor * value for value in anchor.vector.values]
        total = [a + b for a, b in zip(total, part, strict=True)] if total else part
    return total


def _listed(found: Sequence[Anchor], weights: Mapping[str, float], length: float) -> dict[int, dict[str, float]]:
    """What the list of each anchor says of each chunk."""
    listed: defaultdict[int, dict[str, float]] = defaultdict(dict)
    for anchor in found:
        weight = weights[anchor.term] / length
        for near in anchor.chunks:
            listed[near.chunk][anchor.term] = weight * near.score
    return listed


class _Cosine:
    """
    The cosine of one direction of length 1 and stored vectors.

    By the law of cosines, from the distance of both: `math.dist` takes a quarter of the time that a sum of products
    takes in Python.
    """

    def __init__(self, direction: Sequence[float]) -> None:
        self._point = tuple(_REACH * value + 128 for value in direction)

    def of(self, vector: Vector) -> float:
        if not vector.scale:
            return 0.0
        distance, length = math.dist(self._point, vector.raised), 1 / vector.scale
        return (_REACH * _REACH + length * length - distance * distance) / (2 * _REACH * length)


def _strongest(cause: Cause) -> tuple[float, str]:
    return -cause.share, cause.term
