"""
What never reaches a node: text that its writer marked as temporary.

A mark is a label, a bracket or the words "delete later"; the plain word "temporary" in a sentence is none.
Code blocks and traces stand in verbatim nodes and are cut in digests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hipocampus.log.entry import Entry, fenced_lines

_MARK = re.compile(
    r"^\s*(?:[-*+] +)?(?:\[[ x]\] )?\W{0,2}(?:temporary|temp|delete later|임시)\b\W{0,2}(?:[:：]|$)"
    r"|[\[(【](?:temporary|temp|delete later|임시)[^\])】]{0,40}[\])】]"
    r"|#(?:temporary|임시)\b|<!-- *(?:temporary|delete later|임시)"
    r"|\bdelete (?:this )?later\b|나중에 삭제",
    re.IGNORECASE,
)
_TRACE = re.compile(
    r"^\s*(?:Traceback \(most recent call last\)|File \".*\", line \d+|at [\w.$<>/]+ ?\(.*\)$|\w+(?:\.\w+)*(?:Error|Exception): "
    r"|panicked at |goroutine \d+ \[|#\d+ +0x[0-9a-f]+)"
)


def is_temporary(text: str) -> bool:
    """Whether a line or title carries a temporary mark."""
    return bool(_MARK.search(text))


def kept_lines(entry: Entry) -> list[str] | None:
    """The lines of an entry without temporary ones and what is nested below them; None when all of it is temporary."""
    if is_temporary(entry.title):
        return None
    lines = entry.body.split("\n") if entry.body else []
    if not _MARK.search(entry.body):
        return lines
    kept = list(_without_temporary(lines))
    return kept if any(line.strip() for line in kept) or not any(line.strip() for line in lines) else None


def prose_lines(lines: list[str]) -> list[str]:
    """Lines without code blocks, traces and quoted blobs: what a digest may choose from."""
    fenced = fenced_lines(lines)
    return [line for index, line in enumerate(lines) if index not in fenced and not _TRACE.match(line)]


def _without_temporary(lines: list[str]) -> Iterator[str]:
    depth: int | None = None
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if depth is not None and line.strip() and indent > depth:
            continue
        depth = None
        if is_temporary(line):
            depth = indent
            continue
        yield line
