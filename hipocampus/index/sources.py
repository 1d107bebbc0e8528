"""Which files of a workspace are searched, and what each of them holds."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Iterator
from datetime import date, timedelta
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hipocampus import files
from hipocampus.errors import NotFound
from hipocampus.layout import CURATED_FOLDERS, HOT_FILES, LEVELS, Workspace
from hipocampus.log.day_names import day_named, problem_of_name
from hipocampus.text.late_pattern import LatePattern

if TYPE_CHECKING:
    from hipocampus.index.chunk import Chunk, Layer

LARGEST = 200_000_000
"""Bytes of a file above which it is left out."""

_NODE_NAMES = {
    "daily": LatePattern(r"\d{4}-\d{2}-\d{2}"),
    "weekly": LatePattern(r"\d{4}-W\d{2}"),
    "monthly": LatePattern(r"\d{4}-\d{2}"),
}


class Source(NamedTuple):
    """
    A file that is searched: `name` is relative to the workspace, with slashes; `day` is that of a raw log.

    A source is taken as unchanged while its `size` (bytes) and `mtime_ns` are. A tuple, since a search makes one for
    each file of the workspace.
    """

    name: str
    path: str
    layer: Layer
    size: int
    mtime_ns: int
    day: date | None = None


class Sources(NamedTuple):
    """The files that are searched, by name, and what was left out and why."""

    found: tuple[Source, ...]
    warnings: tuple[str, ...]


def list_sources(workspace: Workspace, today: date) -> Sources:
    """
    Raw logs up to tomorrow, nodes, `knowledge/`, `plans/` and hot files; ROOT.md is in every session anyway.

    Never leaves the workspace and never fails: what can't be used is left out with a warning.
    """
    scan = _Scan(workspace, today, [], [])
    scan.raw_logs()
    for level in LEVELS:
        scan.nodes(level)
    for folder in CURATED_FOLDERS:
        scan.curated(folder)
    scan.hot_files()
    scan.found.sort(key=attrgetter("name"))
    return Sources(tuple(scan.found), tuple(scan.warnings))


def recent_sources(workspace: Workspace, today: date) -> list[Source]:
    """What changes from hour to hour: the raw logs of yesterday, today and tomorrow, curated and hot files."""
    scan = _Scan(workspace, today, [], [])
    days = [today + timedelta(days=shift) for shift in (-1, 0, 1)]
    found = [source_named(workspace, f"memory/{day}.md") for day in days]
    for folder in CURATED_FOLDERS:
        scan.curated(folder)
    scan.hot_files()
    return [source for source in found if source] + scan.found


def source_named(workspace: Workspace, name: str) -> Source | None:
    """The source of a name as `list_sources` gives it; None where there is none that may be read."""
    path = workspace.root / name
    day = day_named(path.stem) if name == f"memory/{path.name}" else None
    layer: Layer = "raw" if day else "hot" if name in HOT_FILES else "curated"
    try:
        workspace.inside(name)
        status = path.stat()
    except (OSError, NotFound):
        return None
    if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST or (day and workspace.is_foreign(path)):
        return None
    return Source(name, str(path), layer, status.st_size, status.st_mtime_ns, day)


def read_source(source: Source, lines: Collection[int] = ()) -> list[Chunk]:
    """
    The chunks of a source; of a raw log those of the entries that hold some `lines`, if any are given.

    Raises OSError, FileNotFoundError when it is gone meanwhile.
    """
    from hipocampus.data import data_folder
    from hipocampus.governance import redaction
    from hipocampus.index.chunking import chunks_of_day, chunks_of_markdown, chunks_of_node

    text = redaction.read_text(Path(source.path))
    if source.layer == "raw" and source.day:
        return chunks_of_day(text, source.day, source.name, lines)
    if source.layer == "node":
        return chunks_of_node(text, source.name)
    if source.layer == "hot":
        untouched = text == files.read_text(data_folder("templates") / source.name).text
        return [] if untouched else chunks_of_markdown(text, source.name, "hot")
    return chunks_of_markdown(text, source.name, "curated")


class _Scan(NamedTuple):
    """One pass over the folders of a workspace. No Path is made for a file that is no link: a search waits for it."""

    workspace: Workspace
    today: date
    found: list[Source]
    warnings: list[str]

    def raw_logs(self) -> None:
        for entry in self._markdown("memory"):
            name = entry.name[:-3]
            day = day_named(name)
            if problem := problem_of_name(name, day, self.today):
                self._leave_out(f"memory/{entry.name}", problem)
            elif day:
                self._add(entry, f"memory/{entry.name}", "raw", self._is_foreign_log, day)

    def nodes(self, level: str) -> None:
        shape = _NODE_NAMES[level]
        for entry in self._markdown(f"memory/{level}"):
            if shape.fullmatch(entry.name[:-3]):
                self._add(entry, f"memory/{level}/{entry.name}", "node", self._is_foreign_log)

    def curated(self, folder: str) -> None:
        """Markdown files of a folder and those below it; linked folders and hidden ones below it are not entered."""
        if self._is_foreign(folder):
            self._leave_out(folder, "it is a link that leads out of the workspace")
            return
        for entry in self._entries(folder):
            name = f"{folder}/{entry.name}"
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                self.curated(name)
            elif entry.name.endswith(".md"):
                self._add(entry, name, "curated", self._is_foreign)

    def hot_files(self) -> None:
        """By their names: what else the project holds is never listed."""
        for name in HOT_FILES:
            path = self.workspace.root / name
            if os.path.lexists(path):
                self._add(path, name, "hot", self._is_foreign)

    def _markdown(self, folder: str) -> Iterator[os.DirEntry[str]]:
        """The files of a folder whose name begins with a digit; of a linked folder only inside `memory/`."""
        path = self.workspace.root / folder
        if folder != "memory" and self.workspace.is_foreign(path):
            self._leave_out(folder, "it is a link that leads out of memory/")
            return
        for entry in self._entries(folder):
            if entry.name.endswith(".md") and entry.name[0].isdigit():
                yield entry

    def _entries(self, folder: str) -> Iterator[os.DirEntry[str]]:
        """One at a time: what an entry keeps of its file is much to hold for thousands of them."""
        try:
            with os.scandir(self.workspace.root / folder) as entries:
                yield from entries
        except (FileNotFoundError, NotADirectoryError):
            return
        except OSError as error:
            self._leave_out(folder, f"it can't be read: {error.strerror}")

    def _add(
        self,
        entry: os.DirEntry[str] | Path,
        name: str,
        layer: Layer,
        is_foreign: Callable[[str], bool],
        day: date | None = None,
    ) -> None:
        try:
            if entry.is_symlink() and is_foreign(name):
                self._leave_out(name, "it is a link that leads out of the workspace")
                return
            status = entry.stat()
        except OSError as error:
            self._leave_out(name, f"it can't be read: {error.strerror}")
            return
        if not stat.S_ISREG(status.st_mode):
            self._leave_out(name, "it is not a file")
        elif status.st_size > LARGEST:
            self._leave_out(name, f"it has more than {LARGEST:,} bytes")
        else:
            self.found.append(Source(name, os.fspath(entry), layer, status.st_size, status.st_mtime_ns, day))

    def _is_foreign_log(self, name: str) -> bool:
        return self.workspace.is_foreign(self.workspace.root / name)

    def _is_foreign(self, name: str) -> bool:
        try:
            self.workspace.inside(name)
        except NotFound:
            return True
        return False

    def _leave_out(self, name: str, problem: str) -> None:
        self.warnings.append(f"{name} was left out: {problem}")
