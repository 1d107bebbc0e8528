"""Files cut into chunks: an entry, a turn of a transcript, a section, an item of a digest; long ones in pieces."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import accumulate
from typing import Any, Literal, NamedTuple

from hipocampus.index.chunk import Chunk
from hipocampus.index.pieces import cut
from hipocampus.log import turns
from hipocampus.log.entry import ENTRY_TYPES, Entry, EntryType, fenced_lines, parse
from hipocampus.log.pointer import split_pointers
from hipocampus.log.turns import Voice
from hipocampus.text import front_matter

_LONGEST_HEADING = 200
_HEADING = re.compile(r"(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$")
_TYPE = re.compile(r" \[(project|feedback|user|reference)\]$")
_ENTRY_POINTER = re.compile(r"(\d{4}-\d{2}-\d{2})(?:#([0-9A-Za-z-]+))?")
_ITEM = re.compile(r"[-*+] ")
# Front matter with other fields than these says something that a search should find.
_SILENT_FIELDS = {"title", "type", "date", "updated"}


def chunks_of_day(text: str, day: date, source: str, lines: Collection[int] = ()) -> list[Chunk]:
    """
    The chunks of a raw log: one an entry, and one a turn where the entry is a transcript.

    An entry that is only a title has that as its text. The marks of turns (`User:`), the comments of entries and
    lines that only repeat the day are no text. With `lines` only the entries that hold one of them are cut.
    """
    page = _Page.of(text)
    entries = parse(text, day)
    if lines:
        entries = [one for one in entries if any(one.first_line <= line <= one.last_line for line in lines)]
    return [chunk for entry in entries for chunk in _of_entry(page, entry, source)]


def chunks_of_markdown(text: str, source: str, layer: Literal["curated", "hot"]) -> list[Chunk]:
    """
    The chunks of a file that people or agents write: one a section, under the headings that lead to it.

    The first heading is the title of the front matter, or the file's name where nothing else gives a title. Type
    and day are those of the front matter; else a file below `knowledge/` is a reference, others belong to the project.
    """
    page = _Page.of(text)
    front, body = front_matter.split(text)
    fields = front_matter.fields_of(front)
    usual: EntryType = "reference" if source.startswith("knowledge/") else "project"
    kind = next((kind for kind in ENTRY_TYPES if kind == fields.get("type")), usual)
    day = _date_of(fields.get("updated")) or _date_of(fields.get("date"))
    title = fields.get("title")
    titles = (title.strip()[:_LONGEST_HEADING],) if isinstance(title, str) and title.strip() else ()
    blank = Chunk(source, 0, 0, titles, "", kind, day, layer)
    first = page.line_of(len(text) - len(body)) - 1 if fields else 0
    found: list[Chunk] = []
    if set(fields) - _SILENT_FIELDS:
        model = replace(blank, headings=titles or (_name_of(source),))
        found += _chunks(model, page.passages(1, 2 + front.count("\n")))
    for section in _sections(page.lines, first, deepest=6):
        found += _of_section(page, section, blank)
    return _numbered(found)


def chunks_of_node(text: str, source: str) -> list[Chunk]:
    """
    The chunks of a node: a section of a verbatim one, an item of a digest.

    Items keep their pointers in the text; day and entry are those of the first pointer, of the section's where the
    item has none. What the front matter says is left out.
    """
    page = _Page.of(text)
    front, body = front_matter.split(text)
    fields = front_matter.fields_of(front)
    blank = Chunk(source, 0, 0, (), "", "project", _date_of(fields.get("period")), "node")
    first = page.line_of(len(text) - len(body)) - 1
    found: list[Chunk] = []
    for section in _sections(page.lines, first, deepest=2):
        found += _of_node_section(page, section, blank, is_verbatim=fields.get("made-by") == "verbatim")
    return _numbered(found)


class _Passage(NamedTuple):
    """A text and the 1-based lines that hold it."""

    text: str
    first_line: int
    last_line: int
    voice: Voice | Literal[""] = ""


@dataclass(frozen=True, slots=True)
class _Page:
    """A text and its lines; `starts` are the offsets at which they begin."""

    text: str
    lines: list[str]
    starts: list[int]

    @classmethod
    def of(cls, text: str) -> _Page:
        lines = text.split("\n")
        return cls(text, lines, list(accumulate((len(line) + 1 for line in lines), initial=0)))

    def line_of(self, offset: int) -> int:
        """The 1-based number of the line that holds an offset."""
        return bisect_right(self.starts, offset, hi=len(self.lines))

    def passages(self, first: int, end: int) -> list[_Passage]:
        """The pieces of lines `first` to `end`, 0-based, without the last."""
        return self.passages_between(self.starts[first], self.starts[end] - 1) if first < end else []

    def passages_between(self, start: int, end: int, voice: Voice | Literal[""] = "") -> list[_Passage]:
        """The pieces of the text between two offsets; none where it is blank."""
        found = []
        for begin, stop in cut(self.text[start:end]):
            text = self.text[start + begin : start + stop]
            said = text.strip()
            if said:
                at = start + begin + len(text) - len(text.lstrip())
                found.append(_Passage(said, self.line_of(at), self.line_of(at + len(said) - 1), voice))
        return found


def _of_entry(page: _Page, entry: Entry, source: str) -> list[Chunk]:
    first = entry.first_line - 1
    end = entry.last_line - 1 if entry.meta else entry.last_line
    if entry.title and len(entry.title) <= _LONGEST_HEADING:
        first += 1
    says_the_day = ("", f"# {entry.day}", f"Session Date: {entry.day}")
    while first < end and page.lines[first].strip() in says_the_day:
        first += 1
    headings = (entry.title[:_LONGEST_HEADING],) if entry.title else ()
    blank = Chunk(source, 0, 0, headings, "", entry.type, entry.day, "raw", entry.id)
    passages = _with_heading(_said(page, first, end, is_session=entry.is_session), headings, entry.first_line)
    found = _chunks(blank, passages)
    return [replace(chunk, piece=at) for at, chunk in enumerate(found, 1)] if len(found) > 1 else found


def _said(page: _Page, first: int, end: int, *, is_session: bool) -> list[_Passage]:
    """What stands in the lines of an entry, `first` to `end`, 0-based, without the last."""
    if not is_session or first >= end:
        return page.passages(first, end)
    spoken = _turns(page.text, page.starts[first], page.starts[end] - 1)
    return [passage for voice, start, stop in spoken for passage in page.passages_between(start, stop, voice)]


def _turns(text: str, start: int, end: int) -> Iterator[tuple[Voice | Literal[""], int, int]]:
    """Who speaks and between which offsets; nobody does before the first mark."""
    voice: Voice | Literal[""] = ""
    for mark in turns.MARK.finditer(text, start, end):
        yield voice, start, mark.start()
        voice, start = turns.voice_of(mark), mark.end()
    yield voice, start, end


def _with_heading(found: list[_Passage], headings: tuple[str, ...], line: int) -> list[_Passage]:
    """What stands below a heading in a line: the first passage holds that line; a heading alone is a passage."""
    if found:
        return [found[0]._replace(first_line=line), *found[1:]]
    return [_Passage(headings[-1], line, line)] if headings else []


def _chunks(model: Chunk, passages: Iterable[_Passage]) -> list[Chunk]:
    """Copies of a chunk for what was said."""
    return [replace(model, **passage._asdict()) for passage in passages]


@dataclass(frozen=True, slots=True)
class _Section:
    """Lines `first` to `end`, 0-based, without the last; the first is the heading if there are `headings`."""

    headings: tuple[str, ...]
    first: int
    end: int
    is_leaf: bool


def _sections(lines: list[str], first: int, deepest: int) -> Iterator[_Section]:
    """What stands below each heading of at most a level, and before the first."""
    heads = [(first, 0, ""), *_heads(lines, first, deepest)]
    path: list[tuple[int, str]] = []
    for at, (start, level, title) in enumerate(heads):
        end, below = heads[at + 1][:2] if at + 1 < len(heads) else (len(lines), 0)
        path = [*(above for above in path if above[0] < level), *([(level, title)] if level else [])]
        yield _Section(tuple(title for _, title in path), start, end, is_leaf=below <= level)


def _heads(lines: list[str], first: int, deepest: int) -> Iterator[tuple[int, int, str]]:
    """Line, level and title of each heading outside of code (ATX headings of CommonMark)."""
    candidates = [i for i in range(first, len(lines)) if lines[i][:1] == "#" and len(lines[i]) <= _LONGEST_HEADING]
    fenced = {first + i for i in fenced_lines(lines[first:])} if candidates else set()
    for index in candidates:
        match = _HEADING.match(lines[index])
        if match and match[2] and len(match[1]) <= deepest and index not in fenced:
            yield index, len(match[1]), match[2]


def _of_section(page: _Page, section: _Section, blank: Chunk) -> list[Chunk]:
    above = blank.headings if blank.headings != section.headings[:1] else ()
    headings = above + section.headings or (_name_of(blank.source),)
    found = page.passages(section.first + len(section.headings[:1]), section.end)
    if section.headings and (found or section.is_leaf):
        found = _with_heading(found, headings, section.first + 1)
    return _chunks(replace(blank, headings=headings), found)


def _of_node_section(page: _Page, section: _Section, blank: Chunk, *, is_verbatim: bool) -> list[Chunk]:
    heading, pointers = split_pointers(section.headings[-1] if section.headings else "")
    match = _TYPE.search(heading)
    kind: EntryType = match[1] if match else "project"  # type: ignore[assignment]
    is_titled = len(section.headings) > 0 and page.lines[section.first].startswith("## ")
    headings = (heading[: match.start()] if match else heading,) if is_titled else ()
    model = _pointed(replace(blank, headings=headings, type=kind), pointers)
    first = section.first + (1 if section.headings else 0)
    if not is_verbatim:
        items = _items(page.lines, first, section.end)
        return [chunk for start, end in items for chunk in _of_item(page, model, start, end)]
    is_session = bool(pointers) and not match and heading.startswith("Session")
    found = _said(page, first, section.end, is_session=is_session)
    return _chunks(model, _with_heading(found, headings, section.first + 1) if is_titled else found)


def _items(lines: list[str], first: int, end: int) -> Iterator[tuple[int, int]]:
    """Where list items begin and end; what stands before the first counts as one."""
    starts = [first, *(index for index in range(first + 1, end) if _ITEM.match(lines[index]))]
    yield from ((a, b) for a, b in zip(starts, [*starts[1:], end], strict=True) if a < b)


def _of_item(page: _Page, model: Chunk, first: int, end: int) -> list[Chunk]:
    found = page.passages(first, end)
    pointers = split_pointers(found[-1].text.rpartition("\n")[2])[1] if found else ()
    return _chunks(_pointed(model, pointers), found)


def _pointed(chunk: Chunk, pointers: Iterable[str]) -> Chunk:
    """A chunk with the day and entry that the first pointer names, if it names one."""
    match = _ENTRY_POINTER.fullmatch(next(iter(pointers), ""))
    day = _date_of(match[1]) if match else None
    return replace(chunk, day=day, entry=match[2] or "") if match and day else chunk


def _numbered(chunks: Iterable[Chunk]) -> list[Chunk]:
    """Chunks in order of lines; those that begin in the same line are told apart by their piece."""
    found: list[Chunk] = []
    for chunk in chunks:
        is_next = bool(found) and found[-1].first_line == chunk.first_line
        found.append(replace(chunk, piece=max(found[-1].piece, 1) + 1) if is_next else chunk)
    return found


def _date_of(value: Any) -> date | None:
    """The day of a front matter's date, written with or without a time."""
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return datetime.strptime(str(value)[:10], "%Y-%m-%d").date()  # noqa: DTZ007  a day has no zone
    except ValueError:
        return None


def _name_of(source: str) -> str:
    """A title made from a file's name, as for ROOT.md."""
    return source.rpartition("/")[2].removesuffix(".md").replace("-", " ").replace("_", " ")
