"""
The turn of a session that lies nearest to a prompt: what it says is shown before the rest of the session.

Notes condense, and a session has many; an encoder knows which turn is meant, but only the words of that turn say what.
Measured on the MemAware questions: with the sentences of that turn among the notes, and its notes before others, two
more of 100 have their evidence within 1,500 tokens.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable

from hipocampus.index.document import Document, Note, joined
from hipocampus.index.engine import Hit
from hipocampus.index.ranking import nearness
from hipocampus.text import terms
from hipocampus.text.sentences import sentences
from hipocampus.tree.exclusion import is_temporary, prose_lines

_ITS_NOTES = 2.5
"""What a note of the nearest turn counts beside others of its document."""
_ITS_SENTENCES = 0.3
"""What a sentence of that turn weighs; half of all notes weigh less than 0.2, one in four more than 0.5."""
_LONGEST = 60
"""Tokens of a sentence at most."""


def nearest_turns(hits: Iterable[Hit]) -> dict[str, str]:
    """The text of the nearest turn of each session; of equals the last."""
    turns = sorted((hit for hit in hits if hit.chunk.voice and hit.similarity > 0), key=lambda hit: hit.similarity)
    return {hit.document: hit.chunk.text for hit in turns}


def near_documents(hits: Iterable[Hit]) -> dict[str, float]:
    """How near each document is."""
    similarities: defaultdict[str, list[float]] = defaultdict(list)
    for hit in hits:
        similarities[hit.document].append(hit.similarity)
    return {name: nearness(values) for name, values in similarities.items()}


def weighed(document: Document, turn: str, count: Callable[[str], int]) -> Document:
    """The document with the notes of a turn weighed up, and with the sentences of that turn as notes."""
    said = frozenset(terms.index_terms(turn, ""))
    notes = [
        note._replace(weight=_ITS_NOTES * note.weight) if said.issuperset(note.terms.split()) else note
        for note in document.notes
    ]
    texts = (" ".join(text.split()) for text in sentences("\n".join(prose_lines(turn.split("\n")))))
    told = (Note(text, _ITS_SENTENCES, count(f"; {text}"), joined(terms.index_terms(text, ""))) for text in texts)
    shown = (note for note in told if note.tokens <= _LONGEST and not is_temporary(note.text))
    return document._replace(notes=(*notes, *shown))
