"""A stretch of text that holds a secret, and the text in the form in which detectors look for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple


class Span(NamedTuple):
    """From `start` up to, without, `end` stands a secret of a `kind`."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Page:
    """
    A text, and the same in lower case and ASCII, character for character a byte.

    Bytes are searched several times as fast as text, and most texts have nothing that a pattern must look at.
    """

    text: str
    folded: bytes

    @classmethod
    def of(cls, text: str) -> Page:
        """The page of a text."""
        return cls(text, text.encode("ascii", "replace").lower())

    def places(self, word: bytes) -> Iterator[int]:
        """Where a word in lower case begins, without overlaps."""
        at = self.folded.find(word)
        while at >= 0:
            yield at
            at = self.folded.find(word, at + len(word))
