"""Sentences of a text, in linear time, whatever the script."""

import re
from collections.abc import Iterator

LONGEST = 600
"""A run without any sentence end is cut into pieces of at most so many characters."""

# Nothing is given back, and no run is tried again from its middle: a run of stops costs its length, not its square.
_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’)\]]*+(?=\s)|[。！？]+[」』”]*|\n+")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:[A-Za-z]|e\.g|i\.e|etc|vs|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|No|approx|Inc|Ltd|U\.S)\.$"
)
_NEXT_STARTS = re.compile(r"\s+[a-z]")


def sentences(text: str) -> list[str]:
    """Split a text into sentences.

    Line ends close a sentence. Abbreviations and a stop before a small letter do not. What has no end
    within 600 characters is cut at a space, or anywhere if there is none.
    """
    found: list[str] = []
    start = 0
    for end in _END.finditer(text):
        if end[0][0] == "." and _is_inner_stop(text, start, end):
            continue
        found.extend(_bounded(text[start : end.end()].strip()))
        start = end.end()
    found.extend(_bounded(text[start:].strip()))
    return found


def _is_inner_stop(text: str, start: int, end: re.Match[str]) -> bool:
    head = text[max(start, end.start() - 8) : end.start() + 1]
    return _ABBREVIATION.search(head) is not None or _NEXT_STARTS.match(text, end.end()) is not None


def _bounded(sentence: str) -> Iterator[str]:
    at = 0
    while len(sentence) - at > LONGEST:
        cut = sentence.rfind(" ", at + LONGEST // 2, at + LONGEST)
        cut = cut if cut > 0 else at + LONGEST
        yield sentence[at:cut].strip()
        at = cut
    if rest := sentence[at:].strip():
        yield rest
