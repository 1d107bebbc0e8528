"""Pointers of nodes and ROOT.md: which ones lead somewhere, and where to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta

from hipocampus.errors import NotFound
from hipocampus.governance import redaction
from hipocampus.layout import Workspace
from hipocampus.log import daylog
from hipocampus.tree.calendar import Period, period_named

_ENTRY = re.compile(r"(?P<day>\d{4}-\d{2}-\d{2})#(?P<id>[0-9A-Za-z-]+)")
_WITHOUT_YEAR = re.compile(r"(?P<day>\d{2}-\d{2})(?P<rest>#[0-9A-Za-z-]+)?")
_RANGE = re.compile(r"(?P<file>.+?):(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))?")


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
    inside = [(day, path) for day, path in days if period.holds(day)]
    entries = (entry.pointer for day, path in inside for entry in redaction.read_day(path, day))
    return {day.isoformat() for day, _ in days} | set(entries)


def resolve(workspace: Workspace, pointer: str) -> Passage:
    """
    What a pointer shows: `DAY#ID`, an entry id alone, `DAY`, a week or month, a file, or `FILE:FIRST-LAST`.

    A day without a year, as ROOT.md writes it, is the newest such day. Raises NotFound when the pointer leads
    nowhere or out of the workspace.
    """
    pointer = pointer.strip().removeprefix("→").strip()
    if match := _WITHOUT_YEAR.fullmatch(pointer):
        pointer = _newest(workspace, match["day"]) + (match["rest"] or "")
    match = _ENTRY.fullmatch(pointer)
    if match:
        return _entry(workspace, match["day"], match["id"])
    for level in ("monthly", "weekly"):
        period = period_named(level, pointer)
        if period and not (workspace.memory / period.path).is_file():
            message = f"there is no node for {pointer}"
            hint = "a week belongs to the month of its Thursday; `hipocampus tree` lists the nodes"
            raise NotFound(message, hint=hint)
        if period:
            return _file(workspace, f"memory/{period.path}")
    if period_named("daily", pointer):
        return _file(workspace, f"memory/{pointer}.md")
    if re.fullmatch(r"[0-9a-f]{6}", pointer):
        return _entry_of_any_day(workspace, pointer)
    lines = _RANGE.fullmatch(pointer)
    if lines:
        first = int(lines["first"])
        return _file(workspace, _name(workspace, lines["file"]), first, int(lines["last"] or first))
    return _file(workspace, _name(workspace, pointer))


def _newest(workspace: Workspace, day: str) -> str:
    names = [path.stem for _, path in daylog.list_days(workspace, date.max - timedelta(days=1)).days]
    found = [name for name in names if name.endswith(f"-{day}")]
    if not found:
        raise _nowhere(day)
    return found[-1]


def _name(workspace: Workspace, name: str) -> str:
    """A file as it is named in the workspace, below `memory/`, and with or without its ending."""
    tries = (name, f"{name}.md", f"memory/{name}", f"memory/{name}.md")
    return next((tried for tried in tries if workspace.inside(tried).is_file()), name)


def _entry(workspace: Workspace, day: str, ident: str) -> Passage:
    path = workspace.raw_log(day)
    if period_named("daily", day) and path.is_file() and not workspace.is_foreign(path):
        for entry in redaction.read_day(path, date.fromisoformat(day)):
            if entry.id == ident:
                return _file(workspace, f"memory/{day}.md", entry.first_line, entry.last_line)
    raise _nowhere(f"{day}#{ident}")


def _entry_of_any_day(workspace: Workspace, ident: str) -> Passage:
    """Look through the days, newest first."""
    for day, path in reversed(daylog.list_days(workspace, date.max - timedelta(days=1)).days):
        for entry in redaction.read_day(path, day):
            if entry.id == ident:
                return _file(workspace, f"memory/{path.name}", entry.first_line, entry.last_line)
    raise _nowhere(ident)


def _file(workspace: Workspace, name: str, first: int = 1, last: int | None = None) -> Passage:
    path = workspace.inside(name)
    if not path.is_file():
        raise _nowhere(name)
    lines = redaction.read_text(path, history=True).removesuffix("\n").split("\n")
    end = min(last or len(lines), len(lines))
    if not 1 <= first <= end:
        raise _nowhere(f"{name}:{first}")
    return Passage(name, first, end, "\n".join(lines[first - 1 : end]) + "\n")


def _nowhere(pointer: str) -> NotFound:
    message = f"{pointer!r} leads nowhere in this workspace"
    return NotFound(message, hint="use a pointer from ROOT.md or a node, a day, or a file such as knowledge/x.md")
