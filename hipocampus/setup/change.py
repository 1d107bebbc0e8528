"""Changes of files as values: planned from what is there now, applied so that a kill leaves nothing half done."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from hipocampus import files
from hipocampus.errors import CheckFailed, StoreBusy
from hipocampus.hosts.edits import Edit, OwnFile
from hipocampus.layout import Workspace
from hipocampus.setup import record as records
from hipocampus.setup.edits import document
from hipocampus.setup.record import FileRecord, Kind, Record, sha256

# What is left of a file that held nothing but ours: no byte, a byte order mark, an empty object.
_NOTHING = (b"", b"\xef\xbb\xbf", b"{}")


@dataclass(frozen=True, slots=True)
class Change:
    """
    What is to become of one file: its bytes before and after, None for no file.

    `entry` is what the record then says of it, None for nothing. `path` is relative to the project, with slashes.
    """

    path: str
    before: bytes | None
    after: bytes | None
    entry: FileRecord | None
    warnings: tuple[str, ...] = ()

    @property
    def is_real(self) -> bool:
        """Whether the file itself changes, and not only what is remembered of it."""
        return self.before != self.after


def read(root: Path, path: str) -> bytes | None:
    """The bytes of a file, None where there is none. Raises OSError."""
    try:
        return (root / path).read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def is_within(root: Path, path: str) -> bool:
    """Whether a path stays in the project, also when its links are followed."""
    pure = PurePosixPath(path)
    return not pure.is_absolute() and ".." not in pure.parts and (root / path).resolve().is_relative_to(root.resolve())


@dataclass(frozen=True, slots=True)
class Need:
    """Why a file is written: what it is to us, and the hosts that need it, none for what every memory has."""

    kind: Kind
    hosts: tuple[str, ...] = ()


def written(path: str, before: bytes | None, after: bytes, need: Need, known: FileRecord | None) -> Change:
    """A file that is to hold `after`; what was there before our first edit stays remembered."""
    if before == after:
        return Change(path, before, after, replace(known, kind=need.kind, hosts=need.hosts) if known else None)
    is_still_ours = known is not None and before is not None and sha256(before) == known.after
    old = known.backup if known and is_still_ours else sha256(before) if before is not None else None
    return Change(path, before, after, FileRecord(need.kind, need.hosts, sha256(after), old))


def edited(root: Path, path: str, edits: Sequence[Edit], hosts: tuple[str, ...], known: FileRecord | None) -> Change:
    """A file with all edits that hosts need in it. Raises CheckFailed, OSError."""
    before = read(root, path)
    if any(isinstance(edit, OwnFile) for edit in edits):
        return _own(path, before, next(edit for edit in edits if isinstance(edit, OwnFile)), hosts, known)
    done = document.with_edits(document.decode(before or b"", path), path, edits)
    change = written(path, before, files.encode(done.text), Need("shared", hosts), known)
    if change.entry is None:
        return replace(change, warnings=done.warnings)
    made = (*(known.made if known else ()), *(one for one in done.made if not known or one not in known.made))
    values = {**(known.values if known else {})}
    for key, added in done.values.items():
        values[key] = tuple(dict.fromkeys((*values.get(key, ()), *added)))
    return replace(change, entry=replace(change.entry, made=made, values=values), warnings=done.warnings)


def taken_back(workspace: Workspace, path: str, edits: Sequence[Edit], known: FileRecord | None) -> Change:
    """
    A file without anything of ours: the very bytes of before where nobody changed it since, else ours cut out.

    Raises CheckFailed, OSError.
    """
    before = read(workspace.root, path)
    if before is None:
        return Change(path, None, None, None)
    own = next((edit for edit in edits if isinstance(edit, OwnFile)), None)
    if own or (known and known.kind == "own"):
        return _own_taken_back(path, before, own, known)
    old = records.backup(workspace, known.backup) if known and sha256(before) == known.after else None
    data = before if old is None else old
    made, values = (known.made, known.values) if known else (None, None)
    try:
        after = files.encode(document.without_edits(document.decode(data, path), path, edits, made, values))
    except CheckFailed as error:
        if known:
            raise
        return Change(path, before, before, None, (f"{error}; it was left as it is",))
    is_gone = b"".join(after.split()) in _NOTHING and (known is None or known.backup is None)
    return Change(path, before, None if is_gone and before != after else after, None)


def apply(workspace: Workspace, changes: Iterable[Change], folders: Sequence[str], record: Record) -> None:
    """
    Make all changes: backups first, then the record, then the files, each in one step.

    Whatever a kill leaves undone, the next run finds undone. Raises StoreNotWritable, and StoreBusy where a file
    has changed since it was read.
    """
    changes, root = [change for change in changes if change.is_real], workspace.root
    made = (*record.folders, *(name for name in _missing(root, folders, changes) if name not in record.folders))
    for folder in folders:
        files.make_folder(root / folder)
    for change in changes:
        if change.before is not None and change.entry is not None and change.entry.backup == sha256(change.before):
            records.back_up(workspace, change.before)
    wanted = replace(record, folders=made)
    if changes or wanted != records.load(workspace):
        records.save(workspace, wanted)
    for change in changes:
        _apply_one(root, change)
    for change in changes:
        if change.after is None:
            _prune(root, change.path, wanted)


def _apply_one(root: Path, change: Change) -> None:
    if read(root, change.path) != change.before:
        message = f"{change.path} was changed by another program just now"
        raise StoreBusy(message, hint="run the command again")
    if change.after is None:
        files.remove(root / change.path)
    else:
        files.write_atomic(root / change.path, change.after.decode("utf-8", "surrogateescape"))


def _missing(root: Path, folders: Sequence[str], changes: Sequence[Change]) -> list[str]:
    """Folders that do not exist yet and that these changes make, the outer ones first."""
    parents = [
        parent.as_posix()
        for change in changes
        if change.after is not None and not PurePosixPath(change.path).is_absolute()
        for parent in reversed(PurePosixPath(change.path).parents)
    ]
    return [name for name in dict.fromkeys((*folders, *parents)) if name != "." and not (root / name).exists()]


def _prune(root: Path, path: str, record: Record) -> None:
    """Remove the folders of a file that we made and that are empty now."""
    for parent in PurePosixPath(path).parents:
        name = parent.as_posix()
        if name == "." or (name not in record.folders and record.files):
            return
        with contextlib.suppress(OSError):
            (root / name).rmdir()


def _own(path: str, before: bytes | None, edit: OwnFile, hosts: tuple[str, ...], known: FileRecord | None) -> Change:
    """A file of ours alone: written where there is none, or an older one of ours that nobody has changed."""
    wanted = files.encode(edit.text)
    is_older = before is not None and (sha256(before) == known.after if known else _is_a_version_of(before, wanted))
    if before in (None, wanted) or is_older:
        change = written(path, before, wanted, Need("own", hosts), known)
        entry = change.entry or FileRecord("own", hosts, sha256(wanted), None)
        return replace(change, entry=entry)
    return Change(path, before, before, known, (f"{path} is not as we wrote it; it was left as it is",))


def _own_taken_back(path: str, before: bytes, edit: OwnFile | None, known: FileRecord | None) -> Change:
    """A file of ours alone: gone, unless somebody has changed it or it never was ours."""
    if known:
        is_ours = sha256(before) == known.after
    else:
        is_ours = edit is not None and _is_a_version_of(before, files.encode(edit.text))
    is_ours = is_ours or (edit is not None and before == files.encode(edit.text))
    if is_ours:
        return Change(path, before, None, None)
    return Change(path, before, before, None, (f"{path} was changed by somebody else and stays",) if known else ())


def _is_a_version_of(data: bytes, other: bytes) -> bool:
    """Whether two files have the same first line that names us: the name of a skill, the heading of a plugin."""
    one, two = (next((line.strip() for line in d.splitlines() if b"hipocampus" in line), b"") for d in (data, other))
    return bool(one) and one == two
