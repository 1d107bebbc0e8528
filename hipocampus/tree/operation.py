"""The changes a compaction makes below `memory/`, and the hand that makes them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from hipocampus import files
from hipocampus.governance import redaction
from hipocampus.layout import Workspace
from hipocampus.tree.state import Seen, State


@dataclass(frozen=True, slots=True)
class Operation:
    """
    One change; `path` is relative to the workspace.

    `write` puts `text` there; `set-aside` moves a file that we did not make, or that somebody edited, out of
    the tree; `remove` drops a projection whose sources are gone. `seen` is what the state keeps of a written
    file, its size and time are filled in after the write.
    """

    action: Literal["write", "set-aside", "remove"]
    path: str
    text: str = ""
    seen: Seen | None = None


@dataclass(frozen=True, slots=True)
class Applier:
    """Makes operations happen, one atomic step each, and keeps the state in step with the disk."""

    workspace: Workspace
    state: State

    def apply(self, operation: Operation) -> None:
        """Raises StoreNotWritable when the disk refuses; whatever was applied before stays valid."""
        path = self.workspace.root / operation.path
        match operation.action:
            case "write":
                files.write_atomic(path, operation.text, durable=False)
                self._remember(operation, path)
            case "set-aside":
                _move(path, self._free_place(path))
                self.state.forget(operation.path)
            case "remove":
                files.remove(path)
                self.state.forget(operation.path)

    def _remember(self, operation: Operation, path: Path) -> None:
        if operation.seen:
            stat = path.stat()
            seen = replace(operation.seen, size=stat.st_size, mtime=stat.st_mtime_ns)
            self.state.remember(operation.path, seen)

    def _free_place(self, path: Path) -> Path:
        wanted = self.workspace.set_aside / path.relative_to(self.workspace.memory)
        place, number = wanted, 1
        while place.exists():
            number += 1
            place = wanted.with_name(f"{wanted.stem}-{number}{wanted.suffix}")
        return place


def _move(path: Path, place: Path) -> None:
    files.write_atomic(place, redaction.read_text(path))
    files.remove(path)
