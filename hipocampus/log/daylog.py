"""Day files: which ones there are, reading one, appending an entry to one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from hipocampus import files
from hipocampus.layout import Workspace
from hipocampus.log import entry as grammar
from hipocampus.log.entry import Entry

LOCK_SECONDS = 20.0
_DAY_NAME = re.compile(r"\d{4}-\d{2}-\d{2}")
_LOOKS_LIKE_A_DAY = re.compile(r"\d{4}-\d{1,2}-\d{1,2}")


@dataclass(frozen=True, slots=True)
class DayFiles:
    """The raw logs of a workspace, oldest first, and what was left out and why."""

    days: tuple[tuple[date, Path], ...]
    warnings: tuple[str, ...]


def list_days(workspace: Workspace, today: date) -> DayFiles:
    """
    The raw logs up to tomorrow (another machine's zone may be ahead of ours).

    Names that are no date, and days further ahead, are left out with a warning.
    """
    days: list[tuple[date, Path]] = []
    warnings: list[str] = []
    for path in sorted(workspace.memory.glob("[0-9]*.md")):
        day = _day_of(path.stem)
        if day is None:
            if _LOOKS_LIKE_A_DAY.match(path.stem):
                warnings.append(f"memory/{path.name} was left out: its name is not a date")
        elif day > today + timedelta(days=1):
            warnings.append(f"memory/{path.name} was left out: its day has not come yet")
        else:
            days.append((day, path))
    return DayFiles(tuple(days), tuple(warnings))


def read_day(path: Path, day: date) -> list[Entry]:
    """The entries of a raw log. Raises OSError."""
    return grammar.parse(files.read_text(path).text, day)


def append_entry(workspace: Workspace, day: date, text: str, ident: str) -> bool:
    """
    Append a rendered entry to its day, under the lock of the logs; False when the day already holds its id.

    Raises StoreBusy after 20 seconds and StoreNotWritable when the disk refuses.
    """
    path = workspace.raw_log(day.isoformat())
    with files.lock(workspace.log_lock, timeout=LOCK_SECONDS):
        present = files.read_text(path) if path.exists() else files.TextFile("")
        if any(e.id == ident for e in grammar.parse(present.text, day)):
            return False
        files.append(path, _joint(present, day) + text.replace("\n", present.newline))
    return True


def _joint(present: files.TextFile, day: date) -> str:
    """What must stand between the end of a day log and a new entry."""
    if not present.text.strip():
        return f"# {day.isoformat()}\n\n" if not present.text else f"\n# {day.isoformat()}\n\n"
    blank = "" if present.text.endswith("\n\n") else "\n" if present.text.endswith("\n") else "\n\n"
    end = f"{grammar.SESSION_END}\n\n" if grammar.is_open_session(present.text) else ""
    return (blank + end).replace("\n", present.newline)


def _day_of(name: str) -> date | None:
    if not _DAY_NAME.fullmatch(name):
        return None
    try:
        return date.fromisoformat(name)
    except ValueError:
        return None
