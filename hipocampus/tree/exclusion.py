"""
What never reaches a node: text that its writer marked as temporary.

A mark is a label, a bracket or the words "delete later"; the plain word "temporary" in a sentence is none.
Code blocks and traces stand in verbatim nodes and are cut in digests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipocampus.log.entry import Entry, fenced_lines

_WORD = r"(?:temporary|temp|delete (?:this )?later|임시)\b"
_MARK = re.compile(
    rf"^[^\S\n]*(?:(?:[-*+>]|\d+[.)]|#{{1,6}})[^\S\n]+)*(?:\[[ x]\] )?[^\w\n]{{0,2}}{_WORD}[^\w\n]{{0,2}}(?:[:：]|$)"
    rf"|[\[(【［（]{_WORD}[^\])】］）\n]{{0,40}}[\])】］）]"
    rf"|#(?:temporary|임시)\b|<!-- *{_WORD}"
    r"|\bdelete (?:this )?later\b|나중에 삭제",
    re.IGNORECASE | re.MULTILINE,
)
# A first look that most texts do not pass: the whole pattern is slow on megabytes.
_HINT = re.compile(r"[Tt][Ee][Mm][Pp]|[Dd][Ee][Ll][Ee][Tt][Ee]|임시|나중에")
_HEADING = re.compile(r"(#{1,6})\s")
_TRACE = re.compile(
    r"^\s*(?:Traceback \(most recent call last\)|File \".*\", line \d+|at [\w.$<>/]+ ?\(.*\)$"
    r"|\w+(?:\.\w+)*(?:Error|Exception): |panicked at |goroutine \d+ \[|#\d+ +0x[0-9a-f]+)"
)


def is_temporary(text: str) -> bool:
    """Whether a line or title carries a temporary mark."""
    return bool(_MARK.search(text))


def kept_lines(entry: Entry) -> list[str] | None:
    """The lines of an entry without temporary ones and what is nested below them; None when all of it is temporary."""
    if is_temporary(entry.title):
        return None
    lines = entry.body.split("\n") if entry.body else []
    if not _HINT.search(entry.body) or not _MARK.search(entry.body):
        return lines
    kept = list(_without_temporary(lines, whole_chapters=not entry.is_session))
    return kept if any(line.strip() for line in kept) or not any(line.strip() for line in lines) else None


def prose_lines(lines: list[str]) -> list[str]:
    """Lines without code blocks, traces and quoted blobs: what a digest may choose from."""
    fenced = fenced_lines(lines)
    return [line for index, line in enumerate(lines) if index not in fenced and not _TRACE.match(line)]


def _without_temporary(lines: list[str], *, whole_chapters: bool) -> Iterator[str]:
    """A mark takes with it what is indented deeper, or, in a heading, all up to the next heading of its rank."""
    fenced = fenced_lines(lines)
    depth: int | None = None
    rank = 0
    for index, line in enumerate(lines):
        heading = _HEADING.match(line) if whole_chapters and index not in fenced else None
        if rank:
            if not heading or len(heading[1]) > rank:
                continue
            rank = 0
        indent = len(line) - len(line.lstrip())
        if depth is not None and (not line.strip() or indent > depth):
            continue
        depth = None
        if not is_temporary(line):
            yield line
        elif heading:
            rank = len(heading[1])
        else:
            depth = indent
