"""Capture joins hosts and memory: what a host keeps of a session becomes turns in the raw logs, each once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import Literal

from hipocampus.errors import HipocampusError, StoreNotWritable
from hipocampus.hosts.host import Host, Machine, Transcript
from hipocampus.layout import find_workspace, worktrees
from hipocampus.log import captured, cursors
from hipocampus.log.cursors import Cursor
from hipocampus.log.turns import Voice
from hipocampus.memory import Memory


@dataclass(frozen=True, slots=True)
class Captured:
    """
    What one reading of a transcript added: turns, and the days they went to.

    `unreadable` counts its torn records, `last_voice` is that of the last turn that was read, "" where there was
    none; `problem` says why it could not be read to its end.
    """

    host: str
    session: str
    turns: int
    days: tuple[date, ...]
    unreadable: int
    last_voice: Voice | Literal[""] = ""
    problem: str = ""


Progress = Callable[[int, int], None]


def no_progress(_done: int, _total: int) -> None:
    """Nobody is watching."""


def capture(memory: Memory, host: Host, transcript: Transcript, *, dry_run: bool = False) -> Captured:
    """
    Store what is new in a transcript, and remember how far it was read.

    Raises StoreBusy and StoreNotWritable; a transcript that can't be read to its end is a `problem`.
    """
    start, stamp = _start(memory, host, transcript, dry_run=dry_run), cursors.stamp(str(transcript.path))
    log = memory.session_log(host.name, transcript.session, partial(_ids, host, transcript, start), dry_run=dry_run)
    turns = unreadable = 0
    days: set[date] = set()
    last_voice: Voice | Literal[""] = ""
    position, problem = start, ""
    try:
        for batch in host.read(transcript, start):
            stored = memory.capture_turns(log, batch.turns)
            turns, unreadable = turns + stored.turns, unreadable + batch.unreadable
            days.update(stored.days)
            last_voice = batch.turns[-1].voice if batch.turns else last_voice
            if batch.cursor != position and not dry_run:
                _keep(memory, host, transcript, batch.cursor, "")
            position = batch.cursor
        if not dry_run:
            _keep(memory, host, transcript, position, stamp)
    except OSError as error:
        problem = error.strerror or str(error)
    return Captured(host.name, transcript.session, turns, tuple(sorted(days)), unreadable, last_voice, problem)


def capture_all(
    memory: Memory,
    sessions: Sequence[tuple[Host, Transcript]],
    *,
    dry_run: bool = False,
    progress: Progress = no_progress,
) -> Iterator[Captured]:
    """Store what is new in several transcripts, one after the other; otherwise as `capture`."""
    for done, (host, transcript) in enumerate(sessions):
        progress(done, len(sessions))
        yield capture(memory, host, transcript, dry_run=dry_run)
    progress(len(sessions), len(sessions))


def kept(memory: Memory, host: Host, machine: Machine) -> Iterator[Transcript]:
    """The sessions of this memory that a host has kept: those of worktrees that share it too."""
    root = memory.workspace.root
    seen: set[tuple[str, Path]] = set()
    for folder in (root, *worktrees(root)):
        for transcript in host.transcripts(folder, machine):
            key = (transcript.session, transcript.path)
            if key not in seen and _is_ours(memory, transcript.folder or folder):
                seen.add(key)
                yield transcript


def watch(memory: Memory) -> float:
    """Since when sessions are watched, in seconds since the epoch: from now on, the first time. Raises OSError."""
    return cursors.since(str(memory.workspace.cursors), memory.clock.instant().timestamp())


def overdue(memory: Memory, host: Host, machine: Machine) -> Iterator[Transcript]:
    """
    The sessions of this memory that have grown since they were read, as after a crash of the host.

    One that nobody has read counts only if it has grown since sessions are watched: what a host kept before
    the memory was set up comes in when a person wants it. Raises OSError.
    """
    folder, since = str(memory.workspace.cursors), watch(memory)
    for transcript in kept(memory, host, machine):
        path = str(transcript.path)
        if not cursors.has_grown(folder, host.name, transcript.session, path):
            continue
        if cursors.read(folder, host.name, transcript.session) or transcript.path.stat().st_mtime >= since:
            yield transcript


def _start(memory: Memory, host: Host, transcript: Transcript, *, dry_run: bool) -> str:
    """Where to go on. Cursors without the ids they rest on are worth nothing."""
    folder = str(memory.workspace.cursors)
    if not captured.is_usable(memory.workspace.captured):
        if not dry_run:
            cursors.clear(folder)
        return ""
    cursor = cursors.read(folder, host.name, transcript.session)
    return cursor.position if cursor else ""


def _ids(host: Host, transcript: Transcript, start: str) -> Iterator[str]:
    for batch in host.read(transcript, start):
        yield from (turn.id for turn in batch.turns)


def _keep(memory: Memory, host: Host, transcript: Transcript, position: str, stamp: str) -> None:
    """Remember how far a transcript was read; a `stamp` says that this was its end. Raises StoreNotWritable."""
    cursor = Cursor(position, stamp, memory.clock.now().isoformat(timespec="seconds"))
    folder = memory.workspace.cursors
    try:
        cursors.write(str(folder), host.name, transcript.session, cursor)
    except OSError as error:
        message = f"can't write {folder}: {error.strerror}"
        raise StoreNotWritable(message, hint="check the folder's permissions and the free space") from error


def _is_ours(memory: Memory, folder: Path) -> bool:
    """Whether what is done in a folder belongs to this memory, and not to one further down or of a worktree's own."""
    try:
        return find_workspace(folder).root == memory.workspace.root
    except (HipocampusError, OSError):
        return False
