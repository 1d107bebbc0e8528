"""Pointers of nodes and ROOT.md: which ones lead somewhere, and where to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta

from hipocampus import files
from hipocampus.errors import NotFound
from hipocampus.layout import Workspace
from hipocampus.log import daylog
from hipocampus.tree.calendar import Period, period_named

_ENTRY = re.compile(r"(?P<day>\d{4}-\d{2}-\d{2})#(?P<id>[0-9A-Za-z-]+)")
_RANGE = re.compile(r"(?P<file>.+?):(?P<first>\d+)(?:-(?P<last>\d+))?")


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines of a file; `first` and `last` are 1-based, `source` is relative to the workspace."""

    source: str
    first: int
    last: int
    text: str


def known(workspace: Workspace, period: Period) -> set[str]:
    """Every pointer that leads somewhere: all days there are, and the entries of the days of a period."""
    days = daylog.list_days(workspace, date.max - timedelta(days=1)).days
    inside = [(day, path) for day, path in days if period.first <= day <= period.last]
    entries = (entry.pointer for day, path in inside for entry in daylog.read_day(path, day))
    return {day.isoformat() for day, _ in days} | set(entries)


def resolve(workspace: Workspace, pointer: str) -> Passage:
    """
    What a pointer shows: `DAY#ID`, an entry id alone, `DAY`, a week or month, a file, or `FILE:FIRST-LAST`.

    Raises NotFound when it leads nowhere or out of the workspace.
    """
    match = _ENTRY.fullmatch(pointer)
    if match:
        return _entry(workspace, match["day"], match["id"])
    for level in ("monthly", "weekly"):
        period = period_named(level, pointer)
        if period:
            return _file(workspace, f"memory/{period.path}")
    if period_named("daily", pointer):
        return _file(workspace, f"memory/{pointer}.md")
    if re.fullmatch(r"[0-9a-f]{6}", pointer):
        return _entry_of_any_day(workspace, pointer)
    lines = _RANGE.fullmatch(pointer)
    if lines:
        first = int(lines["first"])
        return _file(workspace, lines["file"], first, int(lines["last"] or first))
    return _file(workspace, pointer)


def _entry(workspace: Workspace, day: str, ident: str) -> Passage:
    path = workspace.raw_log(day)
    if path.is_file():
        for entry in daylog.read_day(path, date.fromisoformat(day)):
            if entry.id == ident:
                return _file(workspace, f"memory/{day}.md", entry.first_line, entry.last_line)
    raise _nowhere(f"{day}#{ident}")


def _entry_of_any_day(workspace: Workspace, ident: str) -> Passage:
    """Look through the days, newest first."""
    for day, path in reversed(daylog.list_days(workspace, date.max - timedelta(days=1)).days):
        for entry in daylog.read_day(path, day):
            if entry.id == ident:
                return _file(workspace, f"memory/{path.name}", entry.first_line, entry.last_line)
    raise _nowhere(ident)


def _file(workspace: Workspace, name: str, first: int = 1, last: int | None = None) -> Passage:
    path = workspace.inside(name)
    if not path.is_file():
        raise _nowhere(name)
    lines = files.read_text(path).text.removesuffix("\n").split("\n")
    end = min(last or len(lines), len(lines))
    return Passage(name, first, end, "\n".join(lines[first - 1 : end]) + "\n")


def _nowhere(pointer: str) -> NotFound:
    message = f"{pointer!r} leads nowhere in this workspace"
    return NotFound(message, hint="use a pointer from ROOT.md or a node, a day, or a file such as knowledge/x.md")
