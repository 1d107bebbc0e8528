"""
What happened since the last session began: new entries, and sessions that went on, a dated line each.

What earlier sessions could know is kept as the ids of entries and how long they were, never as text. Only the newest
raw logs are looked at, and of these only what changed is read.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import NamedTuple

from hipocampus import files
from hipocampus.errors import StoreNotWritable
from hipocampus.governance import redaction
from hipocampus.layout import Workspace
from hipocampus.log import daylog
from hipocampus.log.entry import Entry
from hipocampus.recall import block

MOST_DAYS = 7
"""Raw logs that are looked at, the newest."""
MOST_LINES = 8
_AT_FIRST = 5
_LONGEST_LINE = 240
_NOTES = 2
_FORMAT = 1


class News(NamedTuple):
    """
    What is new, newest first: `lines` without a bullet, and the pointers of entries beyond them.

    `since` is when the last session began, as `2026-03-15 12:00`; "" where none did: then `lines` are just the newest.
    """

    since: str = ""
    lines: tuple[str, ...] = ()
    more: tuple[str, ...] = ()


class _Day(NamedTuple):
    """A raw log as a session found it: its size and time, and the lines that each entry's body had."""

    look: str
    lengths: Mapping[str, int]


class _Known(NamedTuple):
    """What the last session could know; `since` is "" where there was none."""

    since: str
    days: Mapping[str, _Day]


def take_in(workspace: Workspace, now: datetime, session: str) -> News:
    """
    What a session that begins now does not know yet; from then on the next one does.

    Its own turns, where it goes on, are no news. A disk that takes nothing tells the same again.
    """
    known = _load(workspace.news)
    days: dict[str, _Day] = {}
    fresh: list[Entry] = []
    for day, path in daylog.list_days(workspace, now.date()).days[-MOST_DAYS:]:
        with contextlib.suppress(OSError):
            seen, new = _looked_at(path, day, known)
            days[day.isoformat()] = seen
            fresh += [entry for entry in new if entry.meta.get("session") != session]
    _save(workspace.news, _Known(now.isoformat(sep=" ", timespec="minutes")[:16], days))
    return _news(fresh, known.since, workspace) if fresh else News(known.since)


def _news(fresh: Iterable[Entry], since: str, workspace: Workspace) -> News:
    from hipocampus.tree.exclusion import kept_lines

    lasting = [entry for entry in fresh if kept_lines(entry) is not None]
    newest = sorted(lasting, key=lambda one: (one.day, one.meta.get("at", ""), one.first_line), reverse=True)
    most = MOST_LINES if since else _AT_FIRST
    try:
        root = redaction.read_text(workspace.root_node)
    except OSError:
        root = ""
    lines = tuple(_line(entry, root) for entry in newest[:most])
    return News(since, lines, tuple(entry.pointer for entry in newest[most:]) if since else ())


def _looked_at(path: Path, day: date, known: _Known) -> tuple[_Day, list[Entry]]:
    """A raw log as it is now, and its entries that are new, of those that went on what was added. Raises OSError."""
    status = path.stat()
    look = f"{status.st_size}:{status.st_mtime_ns}"
    before = known.days.get(day.isoformat())
    if before and before.look == look:
        return before, []
    lengths = before.lengths if before else {}
    entries = redaction.read_day(path, day)
    new = filter(None, (_beyond(entry, lengths.get(entry.id, 0)) for entry in entries))
    return _Day(look, {entry.id: _length(entry) for entry in entries}), list(new)


def _beyond(entry: Entry, length: int) -> Entry | None:
    """What is new of an entry of which so many lines are known; only sessions grow, another edit is no news."""
    if not length:
        return entry
    if not entry.is_session or _length(entry) <= length:
        return None
    return replace(entry, body="\n".join(entry.body.split("\n")[length:]))


def _length(entry: Entry) -> int:
    return entry.body.count("\n") + 1


def _line(entry: Entry, root: str) -> str:
    """`2026-03-15#3f9ac2 14:02 rate limits: note; note`, without notes that stand in ROOT.md."""
    from hipocampus.tree.body import sections_of_day
    from hipocampus.tree.builder import section_facts

    facts = section_facts(sections_of_day([entry]))
    topic = facts[0].topic if facts and entry.is_session else entry.title
    notes = [fact.text for fact in facts if fact.text not in root][:_NOTES]
    time = entry.meta.get("at", "")[11:16]
    head = " ".join(filter(None, (entry.pointer, time, topic)))
    line = block.one_line(f"{head}: {'; '.join(notes)}" if notes else head)
    return line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 1].rstrip()}…"


def _load(path: Path) -> _Known:
    try:
        kept = json.loads(files.read_text(path).text)
        days = {day: _Day(look, dict(lengths)) for day, (look, lengths) in kept["days"].items()}
        return _Known(str(kept["since"]), days) if kept["format"] == _FORMAT else _Known("", {})
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return _Known("", {})


def _save(path: Path, known: _Known) -> None:
    kept = {"format": _FORMAT, "since": known.since, "days": known.days}
    with contextlib.suppress(StoreNotWritable):
        files.write_atomic(path, json.dumps(kept), durable=False)
