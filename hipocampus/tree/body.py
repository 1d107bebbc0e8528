"""
The body of a node as sections, in both directions.

    ## Rate limiting [project] → 2026-03-15#3f9ac2
    - decisions: token bucket, because bursts are legitimate

A verbatim node has one section an entry, its pointer in the heading. In a digest each line carries its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date

from hipocampus.log.entry import KEPT_TYPES, Entry, EntryType, fenced_lines, opens_fence
from hipocampus.log.pointer import ARROW, split_pointers
from hipocampus.tree import exclusion
from hipocampus.tree.node import MadeBy

_TYPE = re.compile(r" \[(project|feedback|user|reference)\]$")
_OPENS_STRUCTURE = frozenset("#`~")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True)
class Section:
    """
    A heading and the lines below it; `pointer` is "" where the lines carry their own.

    `is_session` says that the lines are turns of a transcript. Such a heading has no type, as in the raw log.
    """

    title: str
    type: EntryType
    pointer: str
    lines: tuple[str, ...]
    is_session: bool = False

    @property
    def is_kept(self) -> bool:
        """Whether its words must survive every level as they are."""
        return self.type in KEPT_TYPES

    @property
    def day(self) -> date | None:
        """The day its pointer names."""
        match = _DAY.match(self.pointer)
        return date.fromisoformat(match[0]) if match else None

    def text(self) -> str:
        """The section as it stands in a node, ending in a newline."""
        lines = "".join(f"{line}\n" for line in self.lines)
        if not self.title:
            return lines
        pointer = f"{ARROW}{self.pointer}" if self.pointer else ""
        return f"## {self.title}{_mark(self)}{pointer}\n{lines}"


@dataclass(frozen=True, slots=True)
class Body:
    """What a node says, how it was made, and what it is about."""

    text: str
    made_by: MadeBy
    topics: tuple[str, ...]


def sections_of_day(entries: Iterable[Entry]) -> list[Section]:
    """The sections of a day's entries, without what was marked temporary."""
    kept = ((entry, exclusion.kept_lines(entry)) for entry in entries)
    return [_section_of(entry, lines) for entry, lines in kept if lines is not None]


def sections_of(texts: Iterable[str]) -> list[Section]:
    """The sections of several bodies, in order."""
    return [section for text in texts for section in parse(text)]


def render(title: str, sections: Iterable[Section]) -> str:
    """A body: its title, then the sections with a blank line between them; lines without a heading come first."""
    ordered = sorted(sections, key=lambda section: section.title != "")
    return "\n".join([f"# {title}\n", *(section.text() for section in ordered)])


def parse(body: str) -> list[Section]:
    """The sections of a body. Lines before the first heading are a section without a title."""
    return list(_sections(body.split("\n")))


def _sections(lines: list[str]) -> Iterator[Section]:
    fenced = fenced_lines(lines)
    start = 0
    for index, line in enumerate(lines):
        if line.startswith("## ") and index not in fenced:
            yield from _section(lines[start:index])
            start = index
    yield from _section(lines[start:])


def _section(lines: list[str]) -> Iterator[Section]:
    heading = lines.pop(0)[3:] if lines and lines[0].startswith("## ") else ""
    if not heading:
        lines = [line for line in lines if not line.startswith("# ")]
    while lines and not lines[-1].strip():
        lines.pop()
    while lines and not lines[0].strip():
        lines.pop(0)
    title, pointers = split_pointers(heading)
    match = _TYPE.search(title)
    kind: EntryType = match[1] if match else "project"  # type: ignore[assignment]
    if heading or lines:
        is_session = bool(pointers) and not match and title.startswith("Session")
        title = title[: match.start()] if match else title
        yield Section(title, kind, ", ".join(pointers), tuple(lines), is_session)


def _section_of(entry: Entry, lines: Iterable[str]) -> Section:
    """
    An entry as one section: headings outside of code are deepened, and a fence that nothing closes is indented.

    In a raw log a comment ends each entry, in a node nothing would keep a torn fence from the sections behind it.
    """
    kept = list(lines)
    suspects = [index for index, line in enumerate(kept) if line.lstrip(" ")[:1] in _OPENS_STRUCTURE]
    fenced = fenced_lines(kept) if suspects else set()
    for index in suspects:
        if index not in fenced:
            kept[index] = _harmless(kept[index])
    return Section(entry.title or "Notes", entry.type, entry.pointer, tuple(kept), entry.is_session)


def _harmless(line: str) -> str:
    if re.match(r"##? ", line):
        return f"##{line}"
    return f"    {line.lstrip()}" if opens_fence(line) else line


def _mark(section: Section) -> str:
    bare = section.is_session or (section.type == "project" and not section.pointer)
    return "" if bare else f" [{section.type}]"
