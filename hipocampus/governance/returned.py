"""
What was removed for good and stands in a file again: a backup was put back, or somebody wrote it by hand.

The file keeps its bytes; whoever reads it to show it or to derive something reads it without. A file is looked
through once: `cleared.json` names those in which nothing was found, as they were then, and what was looked for.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hipocampus import files
from hipocampus.governance import ledger, marks, pages, refusal, tombstones
from hipocampus.governance.ledger import Ledger, Record
from hipocampus.governance.tombstones import STATE_OF, TakenBack
from hipocampus.layout import Workspace

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
    """What is looked for in the files of a workspace; `mark` names it, `cleared` are files in which it is not."""

    wanted: TakenBack
    mark: str
    cleared: Mapping[str, _Look]

    def says_again(self, workspace: Workspace, path: Path) -> bool:
        """Whether a file holds something that was removed for good. Raises OSError."""
        stat = path.stat()
        look = stat.st_size, stat.st_mtime_ns
        return self.cleared.get(workspace.relative(path)) != look and _is_found(self, path, look)


def watch(workspace: Workspace) -> Watch | None:
    """What is looked for in a workspace; None where nothing was removed for good."""
    stamp = _stamp(workspace.ledger)
    found = _loaded(workspace, stamp, _stamp(workspace.cleared)) if stamp else None
    return found if found and found.wanted else None


def without(workspace: Workspace, path: Path, text: str) -> str:
    """The text of a file with as many lines, without sentences that say what was removed for good."""
    seen = watch(workspace)
    return refusal.blanked(text, seen.wanted.find(text)) if seen and seen.says_again(workspace, path) else text


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
    if seen is None:
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
        try:
            stat = path.stat()
        except OSError:
            continue
        yield workspace.relative(path), path, (stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=512)
def _is_found(seen: Watch, path: Path, _look: _Look) -> bool:
    return bool(seen.wanted.find(marks.shown(files.read_text(path).text)))


@lru_cache(maxsize=4)
def _loaded(workspace: Workspace, _ledger: _Look, _cleared: _Look | None) -> Watch:
    book = ledger.load(workspace)
    mark = _mark(book)
    known, cleared = _read(workspace)
    return Watch(tombstones.removed(book), mark, cleared if known == mark else {})


def _mark(book: Ledger) -> str:
    """What names the mutations that are looked for."""
    undone = book.undone
    ids = sorted(r.id for r in book.records if STATE_OF.get(r.kind) == "rejected" and r.id not in undone)
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
        stat = path.stat()
    except OSError:
        return None
    return stat.st_size, stat.st_mtime_ns
