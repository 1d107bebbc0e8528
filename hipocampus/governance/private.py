"""
Private text: `<private>…</private>` in any case, nested, over several lines.

A tag right between backticks is talk about the tag and opens nothing. What nothing closes is private to the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_TAG = re.compile(r"<\s{0,3}(?P<slash>/?)\s{0,3}private(?P<rest>\s[^<>]{0,200}+|/)?>", re.IGNORECASE)
# In a file of entries a forgotten tag must not hide those behind its own.
_NEXT_ENTRY = re.compile(r"^(?:## Session\b|## .* \[(?:project|feedback|user|reference)\][ \t]*$|<!-- hipo )", re.M)
# Where something was dropped, while a text is put together; no text that is stored has this character.
_HOLE = "\0"
_EMPTY_LINE = re.compile(r"^[ \t]*+(?:(?:[-*+>]|\d+[.)])[ \t]*+)?\0[ \t\0]*+(?:\n|\Z)", re.M)
_BETWEEN_BLANKS = re.compile(r"(?<= )\0+ ")


class _Stretch(NamedTuple):
    start: int
    end: int


def drop(text: str) -> str:
    """The text without what is private in it; a line of which only a list mark is left goes too."""
    stretches = _stretches(text, entries_apart=False)
    if not stretches:
        return text
    pieces = [piece.replace(_HOLE, "") for piece in _pieces(text, stretches)]
    whole = _EMPTY_LINE.sub("", _HOLE.join(pieces))
    return _BETWEEN_BLANKS.sub("", whole).replace(_HOLE, "")


def blank(text: str) -> str:
    """
    The text of a file without what is private in it, with as many lines as before.

    A tag that nothing closes ends with its entry. In a heading `(private)` is left: its entry must stay one.
    """
    return _blanked(text, _stretches(text, entries_apart=True))


def blank_blocks(text: str) -> str:
    """The text without private parts that reach over a line, as these could begin in one entry and end in another."""
    stretches = _stretches(text, entries_apart=False)
    return _blanked(text, [stretch for stretch in stretches if "\n" in text[stretch.start : stretch.end]])


def unclosed_lines(text: str) -> list[int]:
    """The lines, from 1, with a tag that nothing closes."""
    return [text.count("\n", 0, at) + 1 for at in _matched(text)[1]]


def _blanked(text: str, stretches: Sequence[_Stretch]) -> str:
    fillings = [*(_filling(text, stretch) for stretch in stretches), ""]
    return "".join(part for pair in zip(_pieces(text, stretches), fillings, strict=True) for part in pair)


def _filling(text: str, stretch: _Stretch) -> str:
    lines = text.count("\n", stretch.start, stretch.end)
    is_heading = not lines and text.startswith("#", text.rfind("\n", 0, stretch.start) + 1)
    return "(private)" if is_heading else "\n" * lines


def _pieces(text: str, stretches: Sequence[_Stretch]) -> Iterator[str]:
    """What stands before, between and behind stretches."""
    done = 0
    for stretch in stretches:
        yield text[done : stretch.start]
        done = stretch.end
    yield text[done:]


def _stretches(text: str, *, entries_apart: bool) -> list[_Stretch]:
    """Private text with its tags, in order and apart from each other."""
    closed, unclosed = _matched(text)
    found = closed + _to_their_ends(text, unclosed, entries_apart=entries_apart)
    joined: list[_Stretch] = []
    for stretch in sorted(found, key=lambda stretch: stretch.start):
        if joined and stretch.start < joined[-1].end:
            joined[-1] = _Stretch(joined[-1].start, max(joined[-1].end, stretch.end))
        else:
            joined.append(stretch)
    return joined


def _matched(text: str) -> tuple[list[_Stretch], list[int]]:
    """What stands between tags that belong together, and where tags are that nothing closes."""
    closed: list[_Stretch] = []
    opened: list[int] = []
    for tag in _TAG.finditer(text) if "<" in text else ():
        is_quoted = text[tag.start() - 1 : tag.start()] == "`" == text[tag.end() : tag.end() + 1]
        if is_quoted or (tag["rest"] or "").endswith("/"):
            continue
        if not tag["slash"]:
            opened.append(tag.start())
        elif opened:
            closed.append(_Stretch(opened.pop(), tag.end()))
    return closed, opened


def _to_their_ends(text: str, opened: Sequence[int], *, entries_apart: bool) -> list[_Stretch]:
    """From each tag to the end of its entry, or of the text."""
    found: list[_Stretch] = []
    end = 0 if entries_apart else len(text)
    for start in opened:
        if start >= end:
            entry = _NEXT_ENTRY.search(text, start)
            end = entry.start() if entry else len(text)
        found.append(_Stretch(start, end))
    return found
