"""
Sides of a search fused by rank: what search and recall share.

Scores of BM25 and cosines can't be added, ranks can: a document gets `weight / (RANK_OFFSET + rank)` from each side
(reciprocal rank fusion, Cormack, Clarke and Büttcher, SIGIR 2009), and a little for how near it comes to the best of
that side, which ranks don't tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

RANK_OFFSET = 3
"""Small, so that what one side is sure of counts; measured on the MemAware questions."""
VALUE_SHARE = 0.1
"""What a document gets from a side, beside that for its rank, for a value as high as that of the best."""


class Place(NamedTuple):
    """Where a side puts a document: its rank, from 1, and its value as a share of the best."""

    rank: int
    share: float


ABSENT = Place(0, 0.0)
"""The place of a document that a side did not find."""


def places(values: Mapping[str, float], most: int | None = None) -> dict[str, Place]:
    """The places of the documents that have a value above 0, the `most` best of them."""
    names = sorted((name for name in values if values[name] > 0), key=lambda name: (-values[name], name))
    return {name: Place(rank, values[name] / values[names[0]]) for rank, name in enumerate(names[:most], 1)}


def shared_places(values: Mapping[str, float], most: int) -> dict[str, Place]:
    """As `places`, but equals share a rank, for who has something else to tell them apart by."""
    found = places(values, most)
    first = {place.share: place for place in reversed(found.values())}
    return {name: first[place.share] for name, place in found.items()}


def fused(sides: Iterable[tuple[float, Place]], value_share: float = VALUE_SHARE) -> float:
    """The score of a document from its places, each with the weight of its side."""
    return sum(
        weight * (1 / (RANK_OFFSET + place.rank) + value_share * place.share) for weight, place in sides if place.rank
    )
