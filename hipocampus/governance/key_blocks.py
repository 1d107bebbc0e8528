"""Private keys as armoured blocks (RFC 7468): whole, torn at either end, quoted, or escaped in a line of JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipocampus.governance.span import Page, Span

KIND = "private-key"
_MARK = b"private key"
_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_LONGEST_LINE = 60
# Characters between the two lines of a block; a key of 16,384 bits has 12,500.
_LONGEST = 20_000
# What may stand around the lines of a key: blanks, quotation marks, signs of comments, line ends as JSON escapes them.
_AROUND = r"(?:\\[nrt]|[\s>|#*\"'`+,;\\]|//)"
_DATA = r"[A-Za-z0-9+/=]"
_BODY = re.compile(
    rf"(?:{_AROUND}*+(?:{_DATA}{{16,}}+|(?:Proc-Type|DEK-Info|Version|Comment|Hash): [^\n\\]{{0,100}}+))*+"
    rf"(?:{_AROUND}*+{_DATA}{{1,15}}(?:(?<==)|(?=\s*\Z)))?"
)
_DATA_ROW = re.compile(rf"{_DATA}{{16,}}")
_BEFORE_BODY = re.compile(rf"{_AROUND}*+")
_BEHIND_BODY = re.compile(rf"(?<={_DATA}){_AROUND}*+\Z")
_LINE_ENDS = re.compile(r"\n|\\n")
_DATA_LINE = re.compile(rf"{_AROUND}*+{_DATA}++{_AROUND}*+")


def find(page: Page) -> Iterator[Span]:
    """The bodies of private keys, in order; the lines that open and close a block stay."""
    done = 0
    for at in page.places(_MARK):
        low = max(0, at - _LONGEST_LINE)
        if begin := _line(_BEGIN, page.text, low, at):
            start, end = begin.end(), _end_of_body(page, begin.end())
        elif closing := _line(_END, page.text, low, at):
            start, end = _start_of_body(page.text, closing.start(), done), closing.start()
        else:
            continue
        span = _trimmed(page.text, start, end) if start >= done else None
        done = max(done, end)
        if span and _DATA_ROW.search(page.text, span.start, span.end):
            yield span


def _line(pattern: re.Pattern[str], text: str, low: int, at: int) -> re.Match[str] | None:
    """The line that opens or closes a block around the words at a place."""
    dashes = text.rfind("-----", low, at)
    return pattern.match(text, dashes) if dashes >= 0 else None


def _end_of_body(page: Page, start: int) -> int:
    """Where the body of a block ends that begins here: before its last line, or with its last line of data."""
    at = page.folded.find(_MARK, start, start + _LONGEST)
    closing = _line(_END, page.text, start, at) if at >= 0 else None
    if closing:
        return closing.start()
    body = _BODY.match(page.text, start)
    return body.end() if body else start


def _start_of_body(text: str, end: int, floor: int) -> int:
    """Where the lines of data begin that lead up to the end of a block."""
    low = max(floor, end - _LONGEST)
    breaks = [low, *(match.end() for match in _LINE_ENDS.finditer(text, low, end))]
    start = end
    for at in reversed(breaks):
        if not _is_data(text, at, start) and text[at:start].strip():
            return start
        start = at
    return start


def _is_data(text: str, start: int, end: int) -> bool:
    return bool(_DATA_LINE.fullmatch(text, start, end))


def _trimmed(text: str, start: int, end: int) -> Span | None:
    """A body without what stands around it; None where nothing is left."""
    body = text[start:end]
    first = match.end() if (match := _BEFORE_BODY.match(body)) else 0
    last = match.start() if (match := _BEHIND_BODY.search(body)) else len(body)
    return Span(start + first, start + last, KIND) if first < last else None
