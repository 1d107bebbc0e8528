"""
What of the found documents is shown: notes of many documents rather than all of one, within a budget of tokens.

Measured on the MemAware questions at 1,500 tokens: condensed notes hold the evidence in 27 of 100 cases, the best
sentences in 20 to 24; more room for the first documents than for those behind them adds half a point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from hipocampus.index.concept_file import Document, Note
from hipocampus.recall.lookup import Candidate
from hipocampus.text import terms

_FIRST_ROOM, _LESS_EACH, _LEAST_ROOM = 100, 10, 50
_MATCHED = 2.0
"""How much a note gains for a rare term of the prompt."""
_FEWEST = 12
_SAME = 0.8


@dataclass(frozen=True, slots=True)
class Chosen:
    """A document and those of its notes that are shown."""

    candidate: Candidate
    notes: tuple[Note, ...]


def choose(
    candidates: Iterable[Candidate], rarity: Mapping[str, float], budget: int, cost: Callable[[Candidate], int]
) -> list[Chosen]:
    """
    The candidates that fit into so many tokens, in their order, each with its best notes; one note a fact.

    `cost` gives the tokens of a candidate's line without notes.
    """
    chosen: list[Chosen] = []
    shown: list[frozenset[str]] = []
    left = budget
    for candidate in candidates:
        spent = cost(candidate)
        if left < spent + _FEWEST:
            break
        room = min(max(_LEAST_ROOM, _FIRST_ROOM - _LESS_EACH * len(chosen)), left - spent)
        notes = _fitting(candidate.document, rarity, room, shown)
        if notes:
            chosen.append(Chosen(candidate, notes))
            left -= spent + sum(note.tokens for note in notes)
    return chosen


def _fitting(
    document: Document, rarity: Mapping[str, float], room: int, shown: list[frozenset[str]]
) -> tuple[Note, ...]:
    said = {note: frozenset(terms.index_terms(note.text, "")) for note in document.notes}
    merit = {note: note.weight * (1 + _MATCHED * sum(rarity.get(term, 0.0) for term in said[note])) for note in said}
    taken: list[Note] = []
    for note in sorted(said, key=lambda note: -merit[note]):
        if note.tokens <= room and not any(_repeats(said[note], other) for other in shown):
            taken.append(note)
            shown.append(said[note])
            room -= note.tokens
    return tuple(taken)


def _repeats(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= _SAME * len(one | other)
