"""
What the last compaction saw: sizes, times and hashes, so that unchanged files are not read again.

The file is losable. Without it every source is hashed once more and nothing else changes.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from hipocampus import files
from hipocampus.tree.node import sha256

VERSION = 1
# A file changed this shortly before a run may have changed again within one tick of the file system's clock.
_RACY_NANOSECONDS = 2_000_000_000


@dataclass(frozen=True, slots=True)
class Seen:
    """A file as it was: `lines` and `checkpoints` are counted for raw logs, `key` and `status` for nodes."""

    size: int
    mtime: int
    sha256: str
    key: str = ""
    status: str = ""
    made_by: str = ""
    lines: int = 0
    checkpoints: int = 0


@dataclass(slots=True)
class State:
    """
    Everything that is remembered between two runs.

    `finished` is the local time of the last run that changed something, `looked` the nanosecond it began at.
    """

    path: Path
    seen: dict[str, Seen] = field(default_factory=dict)
    finished: str = ""
    looked: int = 0
    changed: bool = False

    def unchanged(self, name: str, stat: os.stat_result) -> Seen | None:
        """What is known of a file whose size and time are as they were, or None."""
        known = self.seen.get(name)
        same = known and (known.size, known.mtime) == (stat.st_size, stat.st_mtime_ns)
        return known if same and stat.st_mtime_ns < self.looked - _RACY_NANOSECONDS else None

    def remember(self, name: str, seen: Seen) -> Seen:
        """Keep what is known of a file."""
        if self.seen.get(name) != seen:
            self.seen[name] = seen
            self.changed = True
        return seen

    def forget(self, name: str) -> None:
        """Drop what is known of a file."""
        if self.seen.pop(name, None):
            self.changed = True


def load(path: Path) -> State:
    """The state of the last run; an empty one where the file is missing, damaged or from another version."""
    try:
        raw = json.loads(path.read_bytes())
        if raw["version"] != VERSION or (raw["finished"] and not datetime.fromisoformat(raw["finished"]).tzinfo):
            return State(path)
        seen = {name: Seen(*row) for name, row in raw["seen"].items()}
        return State(path, seen, raw["finished"], int(raw["looked"]))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return State(path)


def save(state: State) -> None:
    """Write the state. Raises StoreNotWritable."""
    rows = {name: _row(seen) for name, seen in state.seen.items()}
    document = {"version": VERSION, "finished": state.finished, "looked": state.looked, "seen": rows}
    files.write_atomic(state.path, json.dumps(document, separators=(",", ":")), durable=False)


def look(state: State, name: str, path: Path, stat: os.stat_result) -> Seen:
    """Hash and count of a raw log or another source, from the state when the file is as it was. Raises OSError."""
    known = state.unchanged(name, stat)
    if known:
        return known
    text = files.read_text(path).text
    seen = Seen(
        size=stat.st_size,
        mtime=stat.st_mtime_ns,
        sha256=sha256(text),
        lines=text.count("\n"),
        checkpoints=text.count(" via=checkpoint "),
    )
    return state.remember(name, seen)


def _row(seen: Seen) -> list[str | int]:
    return [
        seen.size,
        seen.mtime,
        seen.sha256,
        seen.key,
        seen.status,
        seen.made_by,
        seen.lines,
        seen.checkpoints,
    ]
