"""Lines of ours in a text of somebody else's, between two marker lines: CLAUDE.md, AGENTS.md, .gitignore."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hipocampus.setup.edits import lines

_LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")


@dataclass(frozen=True, slots=True)
class Markers:
    """The lines before and behind our own; they count only where they are a whole line."""

    start: str
    end: str


MARKDOWN = Markers("<!-- hipocampus:start -->", "<!-- hipocampus:end -->")
# What the JavaScript hipocampus 0.5 wrote.
OLD_MARKDOWN = Markers("<!-- hipocampus:protocol:start -->", "<!-- hipocampus:protocol:end -->")
PATTERNS = Markers("# hipocampus:start", "# hipocampus:end")


@dataclass(frozen=True, slots=True)
class Found:
    """Where marker lines stand: `blocks` from the first to the last byte of both lines, `torn` those without a mate."""

    blocks: tuple[tuple[int, int], ...]
    torn: tuple[tuple[int, int], ...]


def find(text: str, markers: Markers) -> Found:
    """All blocks of a text, and the marker lines that have lost their other half."""
    blocks: list[tuple[int, int]] = []
    torn: list[tuple[int, int]] = []
    opened: tuple[int, int] | None = None
    for match in _LINE.finditer(text):
        line = match[0].lstrip(lines.BOM).rstrip()
        start = match.start() + match[0].startswith(lines.BOM)
        if line == markers.start:
            torn += [opened] if opened else []
            opened = start, match.end()
        elif line == markers.end:
            blocks += [(opened[0], match.end())] if opened else []
            torn += [] if opened else [(start, match.end())]
            opened = None
    return Found(tuple(blocks), (*torn, *([opened] if opened else [])))


def with_block(text: str, body: str, markers: Markers) -> str:
    """
    The text with exactly one block that holds `body`: where one is already, else at the end.

    A marker line without its other half goes, and the block takes its place; no other line is touched.
    """
    newline = lines.newline_of(text)
    block = "".join(line + newline for line in (markers.start, *body.splitlines(), markers.end))
    found = find(text, markers)
    places = sorted((*found.blocks, *found.torn))
    if not places:
        return lines.appended(text, block)
    first = found.blocks[0] if found.blocks else places[0]
    for start, end in reversed(places):
        is_first = (start, end) == first
        text = _replaced(text, start, end, block) if is_first else text[:start] + text[end:]
    return text


def without_block(text: str, markers: Markers) -> str:
    """The text without our lines; of a torn block only the marker line goes."""
    found = find(text, markers)
    for place in sorted((*found.blocks, *found.torn), reverse=True):
        text = lines.cut(text, *place) if place in found.blocks else text[: place[0]] + text[place[1] :]
    return text


def body(text: str, markers: Markers) -> list[str] | None:
    """The lines of the first block, None where there is none."""
    found = find(text, markers).blocks
    return text[slice(*found[0])].splitlines()[1:-1] if found else None


def _replaced(text: str, start: int, end: int, block: str) -> str:
    """With `block` in the place of another; one that says the same stays, whatever its line ends are."""
    old = text[start:end]
    if old.splitlines() == block.splitlines():
        return text
    return text[:start] + (block if old.endswith("\n") else block.rstrip("\r\n")) + text[end:]
