"""`uninstall`: the project as it was before, with or without its memory. Planned first, then done."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from hipocampus import config, files
from hipocampus.hosts.host import Host, Machine
from hipocampus.layout import CONFIG_NAME, CURATED_FOLDERS, HOT_FILES, LEVELS, Workspace
from hipocampus.setup import change, gitignore, init, joined
from hipocampus.setup import record as records
from hipocampus.setup.change import Change
from hipocampus.setup.record import Record

_RAW_LOG = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\.md")
_OWN_FOLDERS = (*LEVELS, "summaries", "archive", ".hipocampus")
_FOLDERS = ("memory", *CURATED_FOLDERS)
_OWN_FILES = ("ROOT.md", "ledger.jsonl")


@dataclass(frozen=True, slots=True)
class UninstallPlan:
    """
    What goes and what stays, by path relative to the workspace.

    `files` become what they were before; `purged` are files of the memory that are removed; `kept` are files that
    stay, those of the memory and those that may look like it but are somebody else's.
    """

    workspace: Workspace
    hosts: tuple[str, ...]
    files: tuple[Change, ...]
    record: Record
    purged: tuple[str, ...]
    kept: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def removed(self) -> list[str]:
        """Files that are no more afterwards."""
        return [one.path for one in self.files if one.is_real and one.after is None] + list(self.purged)

    @property
    def restored(self) -> list[str]:
        """Files that stay without what we had put into them."""
        kept = (one.path for one in self.files if one.is_real and one.after is not None)
        return [path for path in kept if path not in self.purged]


def plan(
    workspace: Workspace,
    names: tuple[str, ...],
    *,
    hosts: Mapping[str, Host],
    machine: Machine,
    purge: bool = False,
) -> UninstallPlan:
    """
    What taking hosts out of a project means; without names all of them, the git ignores and, purged, the memory.

    What one host leaves behind and another still needs stays. Raises UsageError for an unknown platform,
    InvalidConfig, CheckFailed for a file that can't be edited.
    """
    root, record = workspace.root, records.load(workspace)
    leaving = joined.known_names(names, hosts) or tuple(hosts)
    listed = config.load(workspace.config)["platform"]
    left = tuple(name for name in listed if names and name not in leaving)
    install = joined.install_of(root, machine, left, is_stealth=record.is_stealth)
    changes = joined.added(root, install, hosts, record) if left else []
    for path, (edits, known) in joined.leftovers(install, leaving, hosts, record).items():
        if change.is_within(root, path):
            changes.append(change.taken_back(workspace, path, edits, known))
    changes.append(init.without_platforms(workspace, leaving if names else tuple(listed), record))
    changes += [] if names else [_shown(workspace, name, record) for name in _ignoring(root)]
    for one in changes:
        record = record.with_file(one.path, one.entry)
    purged, kept = _memory(workspace, record) if purge and not names else ((), ())
    return UninstallPlan(
        workspace=workspace,
        hosts=tuple(name for name in listed if name in leaving),
        files=tuple(changes),
        record=record if names else replace(record, is_stealth=False),
        purged=purged,
        kept=kept if purge else tuple(_present(workspace)),
        warnings=tuple(text for one in changes for text in one.warnings),
    )


def apply(planned: UninstallPlan) -> None:
    """Do what was planned. Raises StoreNotWritable, StoreBusy."""
    workspace, record = planned.workspace, planned.record
    if any(one.is_real for one in planned.files) or record != records.load(workspace):
        change.apply(workspace, planned.files, (), record)
    for name in planned.purged:
        files.remove(workspace.root / name)
    if planned.purged:
        _remove_empty(workspace, record)


def _ignoring(root: Path) -> list[str]:
    """The files that may hold our block for git."""
    found = gitignore.exclude_file(root)
    exclude = [os.path.relpath(found[0], root).replace(os.sep, "/")] if found else []
    return [gitignore.NAME, *exclude]


def _shown(workspace: Workspace, name: str, record: Record) -> Change:
    return change.taken_back(workspace, name, (), record.files.get(name))


def _present(workspace: Workspace) -> Iterator[str]:
    """The files and folders of a memory that are there, folders with a slash."""
    for name in (CONFIG_NAME, *HOT_FILES, "memory", *CURATED_FOLDERS):
        path = workspace.root / name
        if path.is_dir():
            yield f"{name}/"
        elif path.exists():
            yield name


def _memory(workspace: Workspace, record: Record) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The files of the memory that may go, and those in the same places that are somebody else's."""
    found = list(_files(workspace))
    purged = tuple(sorted((name for name in found if _is_ours(name, record)), key=_turn))
    return purged, tuple(sorted({*found} - {*purged}))


def _turn(name: str) -> tuple[int, str]:
    """What the removal still needs goes last, so that one that was killed can be run again."""
    is_state = name.startswith("memory/.hipocampus/")
    return (3 if name.endswith("/installed.json") else 1) * is_state + 2 * (name == CONFIG_NAME), name


def _files(workspace: Workspace) -> Iterator[str]:
    """Every file at a place of the memory; links are not followed."""
    for name in (CONFIG_NAME, *HOT_FILES):
        if (workspace.root / name).exists():
            yield name
    for name in _FOLDERS:
        if (workspace.root / name).is_symlink():
            yield name
            continue
        for folder, _, names in os.walk(workspace.root / name):
            yield from (workspace.relative(Path(folder) / found) for found in sorted(names))


def _is_ours(name: str, record: Record) -> bool:
    """Whether a file came with the memory: what was there before it, or is not of its kind, is not ours."""
    top, *below = PurePosixPath(name).parts
    if name in (record.present or ()) or (top in _FOLDERS and not below):
        return False
    if top == "memory":
        is_own = below[0] in _OWN_FOLDERS if len(below) > 1 else below[0] in _OWN_FILES or _RAW_LOG.fullmatch(below[0])
        return bool(is_own)
    if top in CURATED_FOLDERS:
        return record.present is not None and name.endswith(".md")
    known = record.files.get(name)
    return known is not None and known.backup is None


def _remove_empty(workspace: Workspace, record: Record) -> None:
    """Remove the folders of the memory that are empty now; those that were there before it stay."""
    made = {*record.folders}
    for name in _FOLDERS:
        for folder, _, _ in os.walk(workspace.root / name, topdown=False):
            relative = workspace.relative(Path(folder))
            if relative in made or PurePosixPath(relative).parts[0] == "memory":
                with contextlib.suppress(OSError):
                    Path(folder).rmdir()
