"""What we added to a project and how it was before: `memory/.hipocampus/installed.json` and the backups beside it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from hipocampus import files
from hipocampus.layout import Workspace
from hipocampus.setup.edits.made import Made

Kind = Literal["own", "shared", "data"]
_VERSION = 1


@dataclass(frozen=True, slots=True)
class FileRecord:
    """
    One file that we wrote.

    `kind` is "own" for a file of ours alone, "shared" for one of somebody else's, "data" for what the memory
    itself is made of. `hosts` are those that need it, none for what every memory has. `after` is the sha256 of
    what we wrote, `backup` that of what was there before, None where there was nothing.
    """

    kind: Kind
    hosts: tuple[str, ...]
    after: str
    backup: str | None
    made: tuple[Made, ...] = ()
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Record:
    """
    All that was added to a project, by path relative to it.

    `folders` are those that we made; `present` are files that were in the memory's folders before it was one,
    None where nobody remembers; `is_stealth` says that files which the project may share are to stay as they are.
    """

    files: Mapping[str, FileRecord] = field(default_factory=dict)
    folders: tuple[str, ...] = ()
    present: tuple[str, ...] | None = None
    is_stealth: bool = False

    def with_file(self, path: str, entry: FileRecord | None) -> Record:
        """The record with one entry changed, or without it."""
        kept = {name: other for name, other in self.files.items() if name != path}
        return replace(self, files=kept if entry is None else {**kept, path: entry})


def sha256(data: bytes) -> str:
    """The hash that records and backups are named by."""
    return hashlib.sha256(data).hexdigest()


def load(workspace: Workspace) -> Record:
    """The record of a project; an empty one where there is none that can be read."""
    try:
        raw = json.loads(files.read_text(workspace.installed).text)
        return Record(
            {path: _file(entry) for path, entry in raw["files"].items()},
            tuple(raw["folders"]),
            None if raw["present"] is None else tuple(raw["present"]),
            bool(raw["is_stealth"]),
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Record()


def save(workspace: Workspace, record: Record) -> None:
    """Write the record. Raises StoreNotWritable."""
    plain = {"version": _VERSION, **asdict(record)}
    files.write_atomic(workspace.installed, json.dumps(plain, indent=1) + "\n")


def back_up(workspace: Workspace, data: bytes) -> None:
    """Keep bytes under their hash. Raises StoreNotWritable."""
    path = _backup(workspace, sha256(data))
    if not path.exists():
        files.write_atomic(path, data.decode("utf-8", "surrogateescape"))


def backup(workspace: Workspace, name: str | None) -> bytes | None:
    """The bytes that were kept under a hash, None where they are lost or damaged."""
    try:
        data = _backup(workspace, name).read_bytes() if name else None
    except OSError:
        return None
    return data if data is not None and sha256(data) == name else None


def _backup(workspace: Workspace, name: str) -> Path:
    return workspace.backups / Path(name).name


def _file(raw: Mapping[str, Any]) -> FileRecord:
    return FileRecord(
        raw["kind"],
        tuple(raw["hosts"]),
        raw["after"],
        raw["backup"],
        tuple(Made(tuple(one["path"]), one["inside"], one["text"]) for one in raw["made"]),
        {key: tuple(values) for key, values in raw["values"].items()},
    )
