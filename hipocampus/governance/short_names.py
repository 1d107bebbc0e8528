"""What a name of several words is also called, and where it stands by that."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hipocampus.governance import identifiers
from hipocampus.governance.identifiers import Target

# What a name may begin with that it is not told by.
_HEADS = frozenset(
    "project team service host server customer client company dr mr mrs ms prof professor user app repo branch library"
    " package agent module projekt dienst kunde herr frau proyecto cliente señor señora projet".split()
)


def spans(name: str, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
    """Where a name stands in each text by its short form; what is a plain word there too, as a name only."""
    short = _short_name(name, texts)
    if short is None:
        return [[] for _ in texts]
    found = [[(span.start, span.end) for span in identifiers.find(short, text)] for text in texts]
    if not any(text[start].islower() for text, held in zip(texts, found, strict=True) for start, _ in held):
        return found
    return [[span for span in held if not text[span[0]].islower()] for text, held in zip(texts, found, strict=True)]


def _short_name(name: str, texts: Sequence[str]) -> Target | None:
    """Falcon for Project Falcon, Dana for Dana Weber if there is one Dana."""
    words = name.split()
    if len(words) < 2 or not all(word[:1].isupper() and word.isalpha() for word in words):
        return None
    if words[0].casefold() in _HEADS:
        return identifiers.target(" ".join(words[1:]))
    short = identifiers.target(words[0])
    for text in texts:
        for span in identifiers.find(short, text):
            behind = re.match(r"\s+([^\W\d_]+)", text[span.end :])
            if behind and behind[1][:1].isupper() and behind[1].casefold() != words[1].casefold():
                return None
    return short
