"""Nodes and summaries as they stand on disk, read only where the state does not know them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from hipocampus import files
from hipocampus.governance import redaction
from hipocampus.layout import LEVELS, Workspace
from hipocampus.text import front_matter
from hipocampus.tree import node
from hipocampus.tree.calendar import Period, period_named
from hipocampus.tree.state import Seen, State


@dataclass(frozen=True, slots=True)
class Existing:
    """
    A node file: `key` is its sources-sha256 ("" where it has none), `sha256` that of its body.

    `problem` says why the file may not stay where it is although nothing may be lost.
    """

    key: str
    sha256: str
    status: str
    made_by: str
    problem: str = ""


@dataclass(slots=True)
class Shelf:
    """The three folders of nodes, and those of summaries, listed once."""

    workspace: Workspace
    state: State
    nodes: dict[str, os.stat_result] = field(init=False)
    _summaries: dict[str, os.stat_result] = field(init=False)

    def __post_init__(self) -> None:
        self.nodes = _list(self.workspace.memory)
        self._summaries = _list(self.workspace.summaries)

    def existing(self, path: str) -> Existing | None:
        """The node file at a path relative to `memory/`, or None."""
        stat = self.nodes.get(path)
        if stat is None:
            return None
        name = f"memory/{path}"
        known = self.state.seen.get(name)
        if known and (known.size, known.mtime) == (stat.st_size, stat.st_mtime_ns):
            return Existing(known.key, known.sha256, known.status, known.made_by)
        return self._read(path, stat)

    def body(self, path: str) -> str:
        """The body of a node file. Raises OSError."""
        return front_matter.split(self.text(path))[1]

    def text(self, path: str) -> str:
        """The whole of a node file. Raises OSError."""
        return files.read_text(self.workspace.memory / path).text

    def summary(self, period: Period, key: str) -> str | None:
        """The body an agent wrote for a node whose sources have this key, or None."""
        stat = self._summaries.get(period.path) if self._summaries else None
        if stat is None:
            return None
        name, path = f"memory/summaries/{period.path}", self.workspace.summaries / period.path
        known = self.state.unchanged(name, stat)
        if known and known.key != key:
            return None
        front, body = front_matter.split(redaction.read_text(path))
        found = str(front_matter.fields_of(front).get("sources-sha256", ""))
        self.state.remember(name, Seen(stat.st_size, stat.st_mtime_ns, node.sha256(body), key=found))
        return body if found == key else None

    def _read(self, path: str, stat: os.stat_result) -> Existing:
        front, body = front_matter.split(self.text(path))
        fields = front_matter.fields_of(front)
        key, sha256 = str(fields.get("sources-sha256", "")), node.sha256(body)
        problem = _problem(path, fields, body)
        found = Existing(key, sha256, str(fields.get("status")), str(fields.get("made-by")), problem)
        if not problem:
            seen = Seen(stat.st_size, stat.st_mtime_ns, sha256, key, found.status, found.made_by)
            self.state.remember(f"memory/{path}", seen)
        return found


def period_at(path: str) -> Period | None:
    """The period of a node's path relative to `memory/`; None for a name that is none."""
    level, _, name = path.partition("/")
    return period_named(level, name.removesuffix(".md"))


def _problem(path: str, fields: dict[str, object], body: str) -> str:
    level, _, name = path.partition("/")
    if fields and (fields.get("type", level), str(fields.get("period", name[:-3]))) != (level, name[:-3]):
        return "its front matter names another node"
    if not fields.get("sources-sha256"):
        return "it was not made by this program"
    return "" if str(fields.get("body-sha256")) == node.body_mark(body) else "it was edited by hand"


def _list(folder: Path) -> dict[str, os.stat_result]:
    return {f"{level}/{entry.name}": entry.stat() for level in LEVELS for entry in _entries(folder / level)}


def _entries(folder: Path) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            yield from (e for e in entries if e.name.endswith(".md") and not e.name.startswith(".") and e.is_file())
    except FileNotFoundError:
        return
