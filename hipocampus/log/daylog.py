"""Day files: which ones there are, appending an entry to one."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from hipocampus import files
from hipocampus.errors import StoreNotWritable
from hipocampus.layout import Workspace
from hipocampus.log import entry as grammar
from hipocampus.log.day_names import day_named, problem_of_name
from hipocampus.log.entry import EntryType

LOCK_SECONDS = 20.0


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
    folder = workspace.memory
    days: list[tuple[date, Path]] = []
    warnings: list[str] = []
    for name, is_plain in _numbered(folder):
        path, day = folder / name, day_named(name.removesuffix(".md"))
        problem = _problem(workspace, path, day, today, is_plain=is_plain)
        if problem:
            warnings.append(f"memory/{name} was left out: {problem}")
        elif day:
            days.append((day, path))
    return DayFiles(tuple(days), tuple(warnings))


def _numbered(folder: Path) -> list[tuple[str, bool]]:
    """Names of a folder that may be those of raw logs, in order, each with whether it is a plain file and no link."""
    try:
        with os.scandir(folder) as entries:
            found = [e for e in entries if e.name.endswith(".md") and "0" <= e.name[0] <= "9"]
            return sorted((e.name, e.is_file(follow_symlinks=False)) for e in found)
    except OSError:
        return []


def _problem(workspace: Workspace, path: Path, day: date | None, today: date, *, is_plain: bool) -> str:
    """Why a file can't be used as the log of its day; "" where it can, or does not look like one."""
    problem = problem_of_name(path.stem, day, today)
    if problem or day is None or is_plain:
        return problem
    if workspace.is_foreign(path):
        return "it is a link that leads out of memory/"
    return "" if path.is_file() else "it is not a file"


@dataclass(frozen=True, slots=True)
class NewEntry:
    """An entry that is ready to be appended; `text` is how it stands in the log."""

    id: str
    title: str
    type: EntryType
    text: str


def append_entries(workspace: Workspace, day: date, entries: Sequence[NewEntry]) -> list[bool]:
    """
    Append entries to their day in one write, under the lock of the logs; False for each that is there already.

    Raises StoreBusy after 20 seconds and StoreNotWritable when the disk refuses; then none was appended.
    """
    path = workspace.raw_log(day.isoformat())
    with files.lock(workspace.log_lock, timeout=LOCK_SECONDS):
        before = present(workspace, path)
        # The title too: six digits of two different entries of a day may agree.
        known = {(e.meta.get("id", e.id), e.title, e.type) for e in grammar.parse(before.text, day)}
        stored = [not _seen(entry, known) for entry in entries]
        text = "\n".join(entry.text for entry, new in zip(entries, stored, strict=True) if new)
        if text:
            joined = (joint(before.text, day) + text).replace("\n", before.newline)
            files.append(path, joined, before.encoding)
    return stored


def _seen(entry: NewEntry, known: set[tuple[str, str, EntryType]]) -> bool:
    """Whether an entry is known; from then on it is."""
    key = (entry.id, entry.title, entry.type)
    if key in known:
        return True
    known.add(key)
    return False


def present(workspace: Workspace, path: Path) -> files.TextFile:
    """A raw log before it is written to; empty where there is none. Raises StoreNotWritable."""
    return files.decode(present_bytes(workspace, path))


def present_bytes(workspace: Workspace, path: Path) -> bytes:
    """As `present`, but as it stands on disk."""
    if workspace.is_foreign(path):
        message = f"can't write {path}: it is a link that leads out of memory/"
        raise StoreNotWritable(message, hint="put a real file in its place; nothing was changed")
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        message = f"can't read {path}: {error.strerror}"
        raise StoreNotWritable(message, hint="check the file's permissions; nothing was changed") from error


def joint(log: str, day: date) -> str:
    """What must stand between the end of a day log and a new entry."""
    if not log.strip():
        return f"# {day.isoformat()}\n\n" if not log else f"\n# {day.isoformat()}\n\n"
    blank = "" if log.endswith("\n\n") else "\n" if log.endswith("\n") else "\n\n"
    return blank + (f"{grammar.SESSION_END}\n\n" if grammar.is_open(log) else "")
