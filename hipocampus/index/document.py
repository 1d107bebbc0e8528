"""
What recall shows: a document is an entry or a file, described by condensed notes.

Plain tuples, since a hook makes hundreds of them and has to load this module at every prompt. Their terms stay one
text, as they are stored: most of them are asked for a few words, or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

_LONGEST_TOPIC = 60


class Note(NamedTuple):
    """
    One condensed statement.

    `weight` says how much it tells, `tokens` what it costs in a line; `terms` are its own, by `joined`.
    """

    text: str
    weight: float
    tokens: int
    terms: str


class Document(NamedTuple):
    """
    An entry or a file: where it is, what it is about, its notes, and by `joined` the terms of all its text.

    `tokens` is what its line costs without notes, `state` what it is worth (`governance.states`);
    `is_session` that it was only said, and not written down to be remembered.
    """

    name: str
    source: str
    lines: tuple[int, int]
    heading: str
    type: str
    day: str
    topic: str
    tokens: int
    notes: tuple[Note, ...]
    terms: str
    state: str = "stated"
    is_session: bool = False

    @property
    def pointer(self) -> str:
        """What `hipocampus read` takes to show it."""
        entry = self.name.partition("#")[2]
        return f"{self.day}#{entry}" if entry and self.day else self.source

    @property
    def head(self) -> str:
        """How its line begins: `2026-03-15#3f9ac2 rate limits`; of a file its name, and its date or `undated`."""
        pointer, topic = self.pointer, self.topic[:_LONGEST_TOPIC]
        dated = pointer if self.day and pointer.startswith(self.day) else f"{pointer} ({self.day or 'undated'})"
        return f"{dated} {topic}" if topic != self.source else dated

    def row(self) -> list[object]:
        """Its values as JSON takes them."""
        return [*self[:2], list(self.lines), *self[3:8], list(map(list, self.notes)), *self[9:]]


def document_of_row(row: Sequence[Any]) -> Document:
    """The document that gave a row. Raises ValueError and TypeError for what is none."""
    name, source, lines, heading, kind, day, topic, tokens, notes, *rest = row
    first, last = lines
    held = tuple(map(Note._make, notes))
    return Document(name, source, (first, last), heading, kind, day, topic, tokens, held, *rest)


def joined(terms: Iterable[str]) -> str:
    """Distinct terms in order, with blanks between: no term holds one."""
    return " ".join(sorted(set(terms)))
