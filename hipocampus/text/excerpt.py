"""The part of a text that answers a query, with the words that match."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from hipocampus.text.terms import index_terms

_TOKEN = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of an excerpt; `matches` when it holds a term of the query."""

    text: str
    matches: bool


def excerpt(text: str, query: Collection[str], language: str, width: int) -> list[Part]:
    """
    The stretch of about `width` characters that holds the most of the query's terms, blanks and line ends as one blank.

    An ellipsis stands where something was cut.
    """
    tokens = [(match[0], bool(_found(match[0], query, language))) for match in _TOKEN.finditer(text)]
    first, last = _window([(len(token) + 1, matches) for token, matches in tokens], width)
    parts = [Part("… ", matches=False)] if first else []
    for number, (token, matches) in enumerate(tokens[first:last]):
        parts += [Part(" ", matches=False)] if number else []
        parts.append(Part(token[:width], matches))
    return parts + ([Part(" …", matches=False)] if last < len(tokens) else [])


def _found(token: str, query: Collection[str], language: str) -> bool:
    return any(term in query for term in index_terms(token, language))


def _window(tokens: list[tuple[int, bool]], width: int) -> tuple[int, int]:
    """The first and the last token of the stretch with the most matches, the earliest of equals."""
    best, best_at = -1, (0, 0)
    size = matches = first = 0
    for last, (length, hit) in enumerate(tokens, 1):
        size, matches = size + length, matches + hit
        while size > width and first < last - 1:
            size, matches = size - tokens[first][0], matches - tokens[first][1]
            first += 1
        if matches > best:
            best, best_at = matches, (first, last)
    return _filled(tokens, best_at, width)


def _filled(tokens: list[tuple[int, bool]], at: tuple[int, int], width: int) -> tuple[int, int]:
    """A stretch that ends at its last match, with what room is left filled behind it."""
    first, last = at
    size = sum(length for length, _ in tokens[first:last])
    while last < len(tokens) and size + tokens[last][0] <= width:
        size += tokens[last][0]
        last += 1
    return first, last
