"""
How what was taken back stands in a file.

    - <!-- superseded 3f9ac2e1 2026-03-20 -->~~We deploy to Heroku.~~<!-- /3f9ac2e1 -->
    - [forgotten 9b1c04d2]

A statement that was only hidden or replaced keeps its words, struck through for people, between two comments that name
its mutation; whatever reads a file to show it or to derive something reads it without them. Where something was
removed for good, a marker names the line of the ledger.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Hidden = Literal["superseded", "released", "disputed"]

_OPEN = r"<!-- (?P<state>superseded|released|disputed) (?P<id>[0-9a-f]{8})(?: (?P<day>\d{4}-\d\d-\d\d))? -->~~"
_CLOSE = "~~<!-- /{} -->"
_OPENING = re.compile(_OPEN)
_FORGOTTEN = re.compile(r"\[forgotten [0-9a-f]{8}\]")
# Where something was left out, while a text is put together.
_HOLE = "\0"
_EMPTY_LINE = re.compile(r"^[ \t]*+(?:(?:[-*+>]|\d+[.)])[ \t]*+)?\0[ \t\0]*+$", re.M)
_BETWEEN_BLANKS = re.compile(r"(?<= )\0+ ")


@dataclass(frozen=True, slots=True)
class Mark:
    """A hidden part of a text: from `start` to `end` with its comments, the words from `inner` to `inner_end`."""

    start: int
    end: int
    inner: int
    inner_end: int
    state: Hidden
    mutation: str
    day: str


def find(text: str) -> list[Mark]:
    """The hidden parts of a text, in order; a comment that nothing closes in its line hides nothing."""
    found: list[Mark] = []
    at = 0
    while "<!-- " in text and (opening := _OPENING.search(text, at)):
        close = _CLOSE.format(opening["id"])
        line_end = text.find("\n", opening.end())
        end = text.find(close, opening.end(), len(text) if line_end < 0 else line_end)
        at = opening.end()
        if end >= 0:
            state: Hidden = opening["state"]  # type: ignore[assignment]
            at = end + len(close)
            found.append(Mark(opening.start(), at, opening.end(), end, state, opening["id"], opening["day"] or ""))
    return found


def hide(text: str, spans: Iterable[tuple[int, int]], state: Hidden, mutation: str, day: str) -> str:
    """A text with parts of it hidden; a part that crosses lines or a mark that is there is left as it is."""
    taken = find(text)
    for start, end in sorted(spans, reverse=True):
        if "\n" in text[start:end] or any(mark.start < end and start < mark.end for mark in taken):
            continue
        opening = f"<!-- {state} {mutation} {day} -->~~"
        text = f"{text[:start]}{opening}{text[start:end]}{_CLOSE.format(mutation)}{text[end:]}"
    return text


def restore(text: str, mutation: str) -> str:
    """A text with what one mutation hid in it."""
    for mark in reversed([mark for mark in find(text) if mark.mutation == mutation]):
        text = text[: mark.start] + text[mark.inner : mark.inner_end] + text[mark.end :]
    return text


def remove(text: str, spans: Sequence[tuple[int, int]], mutation: str) -> str:
    """A text without parts of it; a marker stands where something was removed, one a line."""
    marker = f"[forgotten {mutation}]"
    for start, end in sorted(spans, reverse=True):
        lines = "\n" * text.count("\n", start, end)
        line_end = end if (found := text.find("\n", end)) < 0 else found
        behind = text[end:line_end]
        if marker in behind:  # of another part of the line
            text = f"{text[:start]}{lines}{behind.lstrip(' ')}{text[line_end:]}"
        else:
            text = f"{text[:start]}{marker}{lines}{text[end:]}"
    return text


def shown(text: str, *, history: bool = False) -> str:
    """
    A text as it may be shown, with as many lines: what is hidden and the markers are left out.

    With `history` what was superseded stays, struck through, with the day on which it was.
    """
    holed = text
    if "<!-- " in text:
        for mark in reversed(find(text)):
            words = text[mark.inner : mark.inner_end]
            kept = f"~~{words}~~ (superseded {mark.day})" if history and mark.state == "superseded" else _HOLE
            holed = holed[: mark.start] + kept + holed[mark.end :]
    if "[forgotten " in text:
        holed = _FORGOTTEN.sub(_HOLE, holed)
    if _HOLE not in holed:
        return holed
    return _BETWEEN_BLANKS.sub("", _EMPTY_LINE.sub("", holed)).replace(_HOLE, "")


def opened(text: str) -> tuple[str, list[Mark]]:
    """A text in which the comments and strokes of marks are blanks, of the same length, and the marks."""
    found = find(text)
    for mark in found:
        text = (
            text[: mark.start]
            + " " * (mark.inner - mark.start)
            + text[mark.inner : mark.inner_end]
            + " " * (mark.end - mark.inner_end)
            + text[mark.end :]
        )
    return text, found
