"""A project in a temporary folder with notes that are searched, for tests of the whole index."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

from engine_conformance import indexed

from hipocampus.clock import Clock
from hipocampus.index.engine import Hit
from hipocampus.index.rows import document_of
from hipocampus.index.search import Found
from hipocampus.index.search_index import SearchIndex
from hipocampus.layout import Workspace
from hipocampus.memory import Memory

LONG_AGO = 1_600_000_000
TODAY = date(2026, 3, 15)


@dataclass(frozen=True)
class Project:
    """The folder of a workspace, and what tests do to it and ask of it."""

    root: Path

    @property
    def home(self) -> Path:
        """Where its index is."""
        return Workspace(self.root).index

    def write(self, name: str, text: str | bytes, *, old: bool = True) -> Path:
        """A file, written long ago unless told otherwise."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        if old:
            os.utime(path, (LONG_AGO, LONG_AGO))
        return path

    def memory(self, today: date = TODAY) -> Memory:
        """Its memory as a new process would open it, at noon of a day."""
        noon = datetime.combine(today, time(12), UTC)
        return Memory(Workspace(self.root), clock=Clock(UTC, instant=lambda: noon))

    def search(self, text: str, today: date = TODAY, **question: Any) -> Found:
        """What a new process finds on a day, by words alone unless told otherwise."""
        return self.memory(today).search(text, **{"mode": "bm25", **question})

    def found(self, text: str, **question: Any) -> list[str]:
        """The sources of what it finds, best first."""
        return [item.source for item in self.search(text, **question).items]

    def index(self) -> SearchIndex:
        """The index below the façade; counts no tokens."""
        return SearchIndex(Workspace(self.root), TODAY, len)


def copy_of(case: Path, root: Path) -> Project:
    """A case's project in a folder of its own."""
    shutil.copytree(case / "repo", root, dirs_exist_ok=True)
    return Project(root)


def hit(source: str, text: str = "some text", **fields: Any) -> Hit:
    """A chunk that was found: a curated one of 2026-03-02 with scores of 0 unless the fields say otherwise."""
    scores = {name: fields.pop(name, 0.0) for name in ("lexical", "context", "similarity")}
    item = indexed(source, text, **fields)
    return Hit(item.chunk, document_of(item.chunk), item.tokens, **scores)


def assert_right(project: Project) -> None:
    """Every note is found, and by its own words only."""
    for day, number in ((1, 0), (5, 2), (10, 3)):
        assert project.found(f"TOKEN{day}x{number}") == [f"memory/2026-03-{day:02}.md"]
    assert project.found("gateway limits requests")[0] == "knowledge/limits.md"
