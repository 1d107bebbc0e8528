"""
What was removed for good and stands in a file again: a backup was put back, or somebody wrote it by hand.

The file keeps its bytes; whoever reads it to show it or to derive something reads it without. A file is looked
through once: `cleared.json` names those in which nothing was found, as they were then, and what was looked for.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from pathlib import Path

from hipocampus import files
from hipocampus.governance import ledger, marks, pages, pending, refusal, tombstones
from hipocampus.governance.ledger import Ledger, Record
from hipocampus.governance.tombstones import STATE_OF, TakenBack
from hipocampus.layout import LEVELS, Workspace
from hipocampus.log.day_names import day_named

_NODES = ("memory/ROOT.md", *(f"memory/{level}/" for level in LEVELS))
_Look = tuple[int, int]
"""Size and time of a file."""


@dataclass(frozen=True, slots=True)
class Returned:
    """A line that says again what a mutation removed. Lines count from 1."""

    source: str
    line: int
    mutation: str


@dataclass(frozen=True, eq=False)
class Watch:
    """
    What is looked for in the files of a workspace; `mark` names it, `cleared` are files in which it is not.

    `unsettled` are those that a mutation under way has to change: it may be that no disk takes what is left of it.
    """

    wanted: TakenBack
    mark: str
    cleared: Mapping[str, _Look]
    unsettled: frozenset[str] = frozenset()

    def says_again(self, workspace: Workspace, path: Path) -> bool:
        """Whether a file holds something that was removed for good. Raises OSError."""
        look = _look(path)
        return self.cleared.get(workspace.relative(path)) != look and _is_found(self, path, look)


def watch(workspace: Workspace) -> Watch | None:
    """What is looked for in a workspace; None where nothing was removed for good."""
    stamp = _stamp(workspace.ledger)
    begun = tuple(sorted(path.name for path in workspace.pending.glob("*.json")))
    found = _loaded(workspace, stamp, _stamp(workspace.cleared), begun) if stamp or begun else None
    return found if found and found.wanted else None


def unsettled(workspace: Workspace) -> frozenset[str]:
    """The files that a mutation under way has to change."""
    seen = watch(workspace)
    return seen.unsettled if seen else frozenset()


def may_show(workspace: Workspace, source: str, text: str) -> bool:
    """Whether what an index holds of a source may be shown while a mutation is under way."""
    seen = watch(workspace)
    if seen is None or not seen.unsettled:
        return True
    return not source.startswith(_NODES) and not seen.wanted.find(text)


def without(workspace: Workspace, path: Path, text: str) -> str:
    """The text of a file with as many lines, without sentences that say what was removed for good."""
    seen = watch(workspace)
    if seen is None:
        return text
    if seen.unsettled and workspace.relative(path).startswith(_NODES):
        text = _about_others(text, seen.unsettled)
    return refusal.blanked(text, seen.wanted.find(text)) if seen.says_again(workspace, path) else text


def stamped(workspace: Workspace, path: Path, sha256: str) -> str:
    """The digest of a file as readers see it: another one where something is left out of it. Raises OSError."""
    seen = watch(workspace)
    return f"{sha256}-{seen.mark}" if seen and seen.says_again(workspace, path) else sha256


def returned(workspace: Workspace) -> Iterator[Returned]:
    """Every line that says again what was removed for good."""
    seen = watch(workspace)
    for page in pages.pages(workspace) if seen else ():
        if seen and seen.says_again(workspace, page.path):
            text = marks.shown(page.file.text)
            for match in seen.wanted.find(text):
                yield Returned(page.name, text.count("\n", 0, match.start) + 1, match.mutation)


def keep(workspace: Workspace) -> None:
    """Remember the files in which nothing was found. Raises StoreNotWritable."""
    seen = watch(workspace)
    if seen is None or seen.unsettled:
        return
    clean = {name: look for name, path, look in _looks(workspace) if not seen.says_again(workspace, path)}
    if clean != seen.cleared:
        _write(workspace, seen.mark, clean)


def clear(workspace: Workspace) -> frozenset[str]:
    """The files that were looked through, and are as they were then."""
    cleared = _read(workspace)[1]
    return frozenset(name for name, _, look in _looks(workspace) if cleared.get(name) == look)


def carry_over(workspace: Workspace, book: Ledger, record: Record, touched: Collection[str] = ()) -> None:
    """
    Remember after a mutation that all files were looked through for it when it was planned.

    What was not looked through for those before it still has to be; `touched` are files that it changed and that were
    clear. Raises StoreNotWritable.
    """
    before = Ledger(tuple(one for one in book.records if record.id not in (one.id, one.of)))
    with_it = Ledger((*before.records, record))
    known, cleared = _read(workspace)
    everything = not tombstones.removed(before)
    same = known in (_mark(before), _mark(with_it))
    clean = {
        name: look
        for name, _, look in _looks(workspace)
        if everything or (same and (cleared.get(name) == look or name in touched))
    }
    _write(workspace, _mark(book), clean)


def _looks(workspace: Workspace) -> Iterator[tuple[str, Path, _Look]]:
    for path in pages.paths(workspace):
        with contextlib.suppress(OSError):
            yield workspace.relative(path), path, _look(path)


@lru_cache(maxsize=512)
def _is_found(seen: Watch, path: Path, _as_it_is: _Look) -> bool:
    return bool(seen.wanted.find(marks.shown(files.read_text(path).text)))


@lru_cache(maxsize=4)
def _loaded(workspace: Workspace, _ledger: _Look | None, _cleared: _Look | None, begun: tuple[str, ...]) -> Watch:
    book = ledger.load(workspace)
    mark = _mark(book)
    known, cleared = _read(workspace)
    wanted = tombstones.removed(book)
    waiting = [one.record for one in pending.read(workspace)] if begun else []
    for record in waiting:
        tombstones.add_all(wanted, record)
    is_known = known == mark and all(book.named(record.id) for record in waiting)
    names = frozenset(name for record in waiting for name in record.where)
    return Watch(wanted, mark, cleared if is_known else {}, names)


def _about_others(text: str, unsettled: Collection[str]) -> str:
    """A node with as many lines, without what points at files that still have to be changed."""
    sought = re.compile("|".join(rf"(?<![\w-]){re.escape(name)}(?![\w-])" for name in _pointers(unsettled)))
    kept, is_gone = [], False
    for line in text.split("\n"):
        is_heading = line.startswith("#")
        points = sought.search(line.rpartition("→")[2]) is not None if "→" in line else False
        is_gone = points if is_heading else is_gone
        kept.append("" if is_gone or points else line)
    return "\n".join(kept)


def _pointers(names: Iterable[str]) -> set[str]:
    """How nodes point at files: at a log by its day, with or without the year, its week and its month."""
    found: set[str] = set()
    for name in names:
        day = day_named(name.removeprefix("memory/").removesuffix(".md"))
        if day is None:
            found.add(name)
            continue
        year, week, weekday = day.isocalendar()
        thursday = day + timedelta(days=4 - weekday)
        found |= {day.isoformat(), f"{day:%m-%d}", f"{year}-W{week:02d}", f"{thursday:%Y-%m}"}
    return found


def _mark(book: Ledger) -> str:
    """What names the mutations that files were looked through for."""
    undone = book.undone
    ids = sorted(record.id for record in book.records if record.kind in STATE_OF and record.id not in undone)
    return hashlib.blake2b("\n".join(ids).encode(), digest_size=8).hexdigest()


def _read(workspace: Workspace) -> tuple[str, dict[str, _Look]]:
    try:
        document = json.loads(workspace.cleared.read_bytes())
        return str(document["mark"]), {name: (size, time) for name, (size, time) in document["files"].items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return "", {}


def _write(workspace: Workspace, mark: str, clean: Mapping[str, _Look]) -> None:
    document = json.dumps({"mark": mark, "files": clean}, separators=(",", ":"))
    files.write_atomic(workspace.cleared, document, durable=False)


def _stamp(path: Path) -> _Look | None:
    try:
        return _look(path)
    except OSError:
        return None


def _look(path: Path) -> _Look:
    stat = path.stat()
    return stat.st_size, stat.st_mtime_ns
