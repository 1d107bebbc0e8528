"""
One fact once: the tree says at four levels what a raw log says, and people copy.

A hit that repeats one before it is left out; where it stands nearer to the source, or in a curated file, it takes the
other's place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from hipocampus.index.chunk import Chunk
from hipocampus.index.ranking import Ranked
from hipocampus.log.pointer import split_pointers
from hipocampus.text.terms import index_terms

# How much of a shorter text has to stand in another for it to say nothing new.
_REPEATED = 0.8
_SAME = 0.9
# How often the same words are shown when they were said on several occasions.
_MOST_EVENTS = 2
# "Could you say more about that?" is asked in many conversations, and means something else in each.
_FEWEST_TERMS = 8
_LAYERS = ("curated", "raw", "hot", "node")


@dataclass(slots=True)
class _Shown:
    found: Ranked
    said: frozenset[str]


def distinct(found: Iterable[Ranked], limit: int, source_of: Callable[[Ranked], Ranked | None]) -> list[Ranked]:
    """
    The first `limit` hits that say something new.

    `source_of` gives for a hit in a node the raw chunk it was made from, or None where there is none any more.
    """
    shown: list[_Shown] = []
    for candidate in found:
        if len(shown) >= limit:
            break
        entry = _Shown(candidate, _said(candidate.hit.chunk))
        if candidate.hit.chunk.layer == "node":
            if any(_repeats(entry, other) for other in shown):
                continue
            source = source_of(candidate)
            entry = _Shown(source, _said(source.hit.chunk)) if source else entry
        _place(entry, shown)
    return [entry.found for entry in shown]


def covers(source: Chunk, chunk: Chunk) -> bool:
    """Whether a source says most of what a chunk says."""
    said = _said(chunk)
    return len(said & _said(source)) >= _REPEATED * len(said)


def _place(candidate: _Shown, shown: list[_Shown]) -> None:
    """Add a hit, or let it take the place of one that says the same from further away."""
    said_before = 0
    for at, other in enumerate(shown):
        if candidate.found.hit.chunk.id == other.found.hit.chunk.id:
            return
        if _repeats(candidate, other):
            said_before += 1
            if _are_events(candidate, other) and said_before < _MOST_EVENTS:
                continue
            if _rank_of(candidate.found.hit.chunk) < _rank_of(other.found.hit.chunk):
                shown[at] = _Shown(replace(candidate.found, score=other.found.score), candidate.said)
            return
    shown.append(candidate)


def _are_events(one: _Shown, other: _Shown) -> bool:
    """Whether two hits are from different entries of raw logs: who says a thing twice said it on two occasions."""
    first, second = one.found.hit, other.found.hit
    return first.chunk.layer == second.chunk.layer == "raw" and first.document != second.document


def _repeats(one: _Shown, other: _Shown) -> bool:
    """Whether two hits say the same, or one of them is a line of a node and the other says it too."""
    if len(one.said | other.said) < _FEWEST_TERMS:
        return False
    common = len(one.said & other.said)
    lines = [shown for shown in (one, other) if shown.found.hit.chunk.layer == "node"]
    if lines:
        return any(common >= _REPEATED * len(line.said) for line in lines)
    return common >= _SAME * len(one.said | other.said)


def _rank_of(chunk: Chunk) -> tuple[int, int]:
    """Curated before raw before the rest; of copies in one layer the newest."""
    return _LAYERS.index(chunk.layer), -(chunk.day.toordinal() if chunk.day else 0)


def _said(chunk: Chunk) -> frozenset[str]:
    text = split_pointers(chunk.text)[0] if chunk.layer == "node" else chunk.text
    return frozenset(index_terms(text, ""))
