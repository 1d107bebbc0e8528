"""
The grammar of a raw daily log, in both directions.

    # 2026-03-15

    ## Rate limiting for the public API [project]
    - decisions: token bucket, because bursts are legitimate
    <!-- hipo id=3f9ac2 actor=agent via=checkpoint at=2026-03-15T14:02:11+09:00 importance=0.75 -->

`## Session <title>` without a type opens a transcript; only the next `## Session` heading, or a hipo
comment, ends it, because pasted text is full of headings.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Literal, get_args

EntryType = Literal["project", "feedback", "user", "reference"]
ENTRY_TYPES: tuple[EntryType, ...] = get_args(EntryType)
KEPT_TYPES = ("user", "feedback")
"""Entries of these types stay word for word."""
SESSION_END = "<!-- hipo end -->"

_HEADING = re.compile(r"## +(?P<title>.*?)(?:(?<= )\[(?P<type>project|feedback|user|reference)\])?$", re.DOTALL)
_SESSION = re.compile(r"## Session\b(?!.* \[(?:project|feedback|user|reference)\]\s*$)")
_COMMENT = re.compile(r"<!-- hipo (?P<fields>.*?) ?-->\s*$")
# What a pointer can name; another id in a comment counts as none.
_ID = re.compile(r"[0-9A-Za-z-]+")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a raw log; `first_line` and `last_line` are 1-based and include heading and comment."""

    id: str
    day: date
    title: str
    type: EntryType
    body: str
    first_line: int
    last_line: int
    is_session: bool = False
    meta: Mapping[str, str] = field(default_factory=dict)

    @property
    def pointer(self) -> str:
        """How nodes refer to this entry: `2026-03-15#3f9ac2`."""
        return f"{self.day.isoformat()}#{self.id}"


def entry_id(day: date, title: str, kind: str, body: str) -> str:
    """Six hex digits of what an entry says; blanks at the ends of lines don't count."""
    said = "\n".join(line.rstrip() for line in body.strip().split("\n"))
    key = "\0".join((day.isoformat(), title.strip(), kind, said))
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:6]


def render(title: str, kind: EntryType, body: str, meta: Mapping[str, str]) -> str:
    """The text of one entry, ending in its comment and a newline; title and body must have passed the gate."""
    fields = " ".join(f"{key}={value}" for key, value in meta.items())
    text = f"{body.strip(chr(10))}\n" if body.strip() else ""
    return f"## {title} [{kind}]\n{text}<!-- hipo {fields} -->\n"


def parse(text: str, day: date) -> list[Entry]:
    """
    The entries of a day. Text before the first heading is an entry without a title.

    Never fails: whatever stands in the file belongs to some entry.
    """
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return list(_with_unique_ids(_entries(lines, day)))


def is_open(text: str) -> bool:
    """Whether something appended to this log would land inside a transcript, or inside a block of code."""
    entries = parse(text, date.min)
    if not entries or entries[-1].meta:
        return False
    lines = entries[-1].body.split("\n")
    fenced = fenced_lines(lines)
    return entries[-1].is_session or any(opens_fence(line) and i not in fenced for i, line in enumerate(lines))


def opens_fence(line: str) -> bool:
    """Whether a line begins, or ends, a block of code."""
    return bool(_FENCE.match(line))


def open_fence(lines: Iterable[str]) -> str:
    """The mark that would close the block of code in which these lines end; "" where they end in none."""
    mark = ""
    for line in lines:
        match = _FENCE.match(line)
        if match and not mark:
            mark = match[1]
        elif match and line.lstrip().startswith(mark) and not line.strip().strip(mark[0]):
            mark = ""
    return mark


def fenced_lines(lines: list[str]) -> set[int]:
    """
    Indices of lines inside ``` or ~~~ blocks, fences included.

    A fence that is not closed before the end of its entry fences nothing: a torn block must not
    swallow the entries behind it.
    """
    fences = {
        index: match[1]
        for index, line in enumerate(lines)
        if ("```" in line or "~~~" in line) and (match := _FENCE.match(line))
    }
    if not fences:
        return set()
    closers = [index for index, mark in fences.items() if not lines[index].strip().strip(mark[0])]
    bounds = [index for index, line in enumerate(lines) if line.startswith("<!-- hipo ")]
    inside: set[int] = set()
    unclosed: set[tuple[int, str]] = set()
    end = -1
    for index, mark in fences.items():
        if index > end:
            bound = bounds[at] if (at := bisect_right(bounds, index)) < len(bounds) else len(lines)
            if (bound, mark) in unclosed:  # or a long row of such lines would be searched to its end from each
                continue
            end = _closing_fence(lines, closers, bound, index, mark)
            inside.update(range(index, end + 1))
            if end < 0:
                unclosed.add((bound, mark))
    return inside


def _closing_fence(lines: list[str], closers: list[int], bound: int, start: int, mark: str) -> int:
    """Index of the line before `bound` that closes the fence at `start`, or -1."""
    for at in range(bisect_right(closers, start), bisect_right(closers, bound)):
        if lines[closers[at]].lstrip().startswith(mark):
            return closers[at]
    return -1


@dataclass(slots=True)
class _Draft:
    first: int
    title: str
    type: EntryType
    is_session: bool


def _entries(lines: list[str], day: date) -> Iterator[Entry]:
    fenced = fenced_lines(lines)
    draft: _Draft | None = _Draft(0, "", "project", is_session=False)
    for index, line in enumerate(lines):
        if draft and not line.startswith(("## ", "<!-- hipo ")):
            continue
        if line.startswith("<!-- hipo ") and (match := _COMMENT.match(line)) and draft:
            yield from _closed(draft, lines, index, day, _fields(match["fields"]))
            draft = None
        elif line.startswith("## ") and (_SESSION.match(line) if draft and draft.is_session else index not in fenced):
            if draft:
                yield from _closed(draft, lines, index - 1, day, {})
            draft = _opened(index, line)
        elif draft is None:
            draft = _Draft(index, "", "project", is_session=False)
    if draft:
        yield from _closed(draft, lines, len(lines) - 1, day, {})


def _opened(index: int, line: str) -> _Draft:
    match = _HEADING.match(line.rstrip())
    title = match["title"].strip() if match else line[2:].strip()
    kind: EntryType = match["type"] if match and match["type"] else "project"  # type: ignore[assignment]
    return _Draft(index, title, kind, is_session=bool(_SESSION.match(line)))


def _closed(draft: _Draft, lines: list[str], last: int, day: date, meta: dict[str, str]) -> Iterator[Entry]:
    end = last if meta else last + 1
    start = draft.first + 1 if lines[draft.first : draft.first + 1] and draft.title else draft.first
    body_lines = lines[start:end]
    if not draft.title:
        body_lines = [line for line in body_lines if line.strip() != f"# {day.isoformat()}"]
    body = "\n".join(body_lines).strip("\n")
    if not draft.title and not body.strip():
        return
    while last > draft.first and not lines[last].strip():
        last -= 1
    said = "" if draft.is_session else body
    given = meta.get("id", "")
    ident = given if _ID.fullmatch(given) else entry_id(day, draft.title, draft.type, said)
    yield Entry(ident, day, draft.title, draft.type, body, draft.first + 1, last + 1, draft.is_session, meta)


def _fields(text: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in text.split())
    return {key: value for key, _, value in pairs} or {"end": ""}


def _with_unique_ids(entries: Iterable[Entry]) -> Iterator[Entry]:
    seen: dict[str, int] = {}
    for entry in entries:
        ident = entry.id
        while ident in seen:  # what a repeated id becomes may stand in a comment too
            seen[entry.id] += 1
            ident = f"{entry.id}-{seen[entry.id]}"
        seen[ident] = 1
        yield entry if ident == entry.id else replace(entry, id=ident)
