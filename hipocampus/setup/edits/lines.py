"""Whole lines put at the end of a text and cut out again, so that what was there is the same bytes afterwards."""

from __future__ import annotations

BOM = "\ufeff"


def newline_of(text: str) -> str:
    """What most lines of a text end in."""
    return "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"


def appended(text: str, block: str) -> str:
    """
    The text with a block of lines at its end; `block` ends in a line end and has no others than `newline_of`.

    A blank line stands between. Only where the last line of the text has no end, there is none: that is how
    `cut` knows.
    """
    newline = newline_of(text)
    if not text.removeprefix(BOM):
        return text + block
    return text + newline + block


def cut(text: str, start: int, end: int) -> str:
    """The text without the lines from `start` to `end`, and without what `appended` put before them."""
    block = text[start:end]
    newline = "\r\n" if block.partition("\n")[0].endswith("\r") else "\n"
    before, behind = text[:start], text[end:]
    if before == newline or before.endswith("\n" + newline) or not behind:
        before = before.removesuffix(newline)
    return before + behind
