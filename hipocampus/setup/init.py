"""`init` and `update`: what a project and its hosts need. Planned, then written; what is of others stays."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hipocampus import config, files
from hipocampus.data import data_folder
from hipocampus.errors import NoWorkspace
from hipocampus.hosts.host import Host, Machine
from hipocampus.layout import CURATED_FOLDERS, HOT_FILES, Workspace, find_workspace
from hipocampus.setup import change, gitignore, joined
from hipocampus.setup import record as records
from hipocampus.setup.change import Change
from hipocampus.setup.edits import document
from hipocampus.setup.record import Record

FOLDERS = ("memory", *CURATED_FOLDERS)


@dataclass(frozen=True, slots=True)
class Choice:
    """
    What a person asked for.

    `settings` are values by dotted key that the settings file is to hold from then on; `commit_memory` None and
    `is_stealth` False keep what was chosen before. `platforms` are hosts to add; without any, those in the
    settings are set up, and where there are none yet, those in use.
    """

    commit_memory: bool | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    platforms: tuple[str, ...] = ()
    is_stealth: bool = False


@dataclass(frozen=True, slots=True)
class InitPlan:
    """
    Folders to make and files to write, by path relative to the workspace; `warnings` are for the person.

    `hosts` are the names of those that are set up afterwards, `unused` of others that are in use here.
    """

    workspace: Workspace
    folders: tuple[str, ...]
    files: tuple[Change, ...]
    record: Record
    hosts: tuple[str, ...]
    unused: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def changes(self) -> list[str]:
        """Everything that applying this plan makes or edits."""
        return [f"{name}/" for name in self.folders] + [one.path for one in self.files if one.is_real]


NO_CHOICE, NO_HOSTS = Choice(), MappingProxyType[str, Host]({})


def plan(
    folder: Path,
    choice: Choice = NO_CHOICE,
    *,
    hosts: Mapping[str, Host] = NO_HOSTS,
    machine: Machine | None = None,
) -> InitPlan:
    """
    What a project and its hosts still lack; inside a workspace, what that workspace lacks.

    `machine` None sets up no host. Raises UsageError for an unknown platform, InvalidConfig for settings that
    can't be read, CheckFailed for a file that can't be edited.
    """
    try:
        workspace = find_workspace(folder)
    except NoWorkspace:
        workspace = Workspace(folder.resolve())
    return plan_for(workspace, choice, hosts=hosts, machine=machine)


def plan_for(
    workspace: Workspace,
    choice: Choice = NO_CHOICE,
    *,
    hosts: Mapping[str, Host] = NO_HOSTS,
    machine: Machine | None = None,
) -> InitPlan:
    """As `plan`, for this very folder, whatever workspace it lies in."""
    root, record = workspace.root, records.load(workspace)
    added = joined.known_names(choice.platforms, hosts)
    listed = config.load(workspace.config)["platform"]
    in_use = [name for name, host in hosts.items() if machine and host.is_used(root, machine)]
    names = tuple(dict.fromkeys((*listed, *added)) if listed or added else in_use)
    record = _begun(workspace, replace(record, is_stealth=record.is_stealth or choice.is_stealth))
    changes = [*_hot_files(root), _settings(workspace, {"platform": list(names), **choice.settings}, record)]
    if machine:
        install = joined.install_of(root, machine, names, is_stealth=record.is_stealth)
        changes += joined.added(root, install, hosts, record)
        for path, (edits, known) in joined.leftovers(install, names, hosts, record).items():
            changes.append(change.taken_back(workspace, path, edits, known))
    changes += _ignored(workspace, choice, record, changes)
    for one in changes:
        record = record.with_file(one.path, one.entry)
    return InitPlan(
        workspace=workspace,
        folders=tuple(name for name in FOLDERS if not (root / name).is_dir()),
        files=tuple(changes),
        record=record,
        hosts=tuple(name for name in names if name in hosts),
        unused=tuple(name for name in in_use if name not in names),
        warnings=(*(text for one in changes for text in one.warnings), *_tracked(root, changes)),
    )


def apply(planned: InitPlan) -> None:
    """Make what was planned. Raises StoreNotWritable, StoreBusy."""
    change.apply(planned.workspace, planned.files, planned.folders, planned.record)


def without_platforms(workspace: Workspace, names: tuple[str, ...], record: Record) -> Change:
    """The settings without some hosts; the bytes of before where nothing else has changed. Raises InvalidConfig."""
    before, known = change.read(workspace.root, workspace.config.name), record.files.get(workspace.config.name)
    listed = config.load(workspace.config)["platform"]
    left = [name for name in listed if name not in names]
    if before is None or left == listed:
        return Change(workspace.config.name, before, before, known)
    old = records.backup(workspace, known.backup) if known and known.after == records.sha256(before) else None
    if old is not None and not left:
        return Change(workspace.config.name, before, old, None)
    after = files.encode(config.render(config.with_value(config.load(workspace.config).raw, "platform", left)))
    return change.written(workspace.config.name, before, after, change.Need("data"), known)


def _begun(workspace: Workspace, record: Record) -> Record:
    """The record with what was in the memory's folders before the first run."""
    if record.present is not None or workspace.config.exists():
        return record
    root = workspace.root
    found = (path for name in FOLDERS for path in (root / name).rglob("*") if not path.is_dir())
    return replace(record, present=tuple(sorted(path.relative_to(root).as_posix() for path in found)))


def _hot_files(root: Path) -> list[Change]:
    missing = [name for name in HOT_FILES if not (root / name).exists()]
    texts = {name: files.read_text(data_folder("templates") / name).text for name in missing}
    return [change.written(name, None, files.encode(text), change.Need("data"), None) for name, text in texts.items()]


def _settings(workspace: Workspace, settings: Mapping[str, Any], record: Record) -> Change:
    loaded = config.load(workspace.config)
    wished: Mapping[str, Any] = loaded.raw
    for key, value in settings.items():
        if loaded[key] != value or not workspace.config.exists():
            wished = config.with_value(wished, key, value)
    name, before = workspace.config.name, change.read(workspace.root, workspace.config.name)
    after = before if before is not None and wished == loaded.raw else files.encode(config.render(wished))
    return change.written(name, before, after, change.Need("data"), record.files.get(name))


def _ignored(workspace: Workspace, choice: Choice, record: Record, changes: list[Change]) -> list[Change]:
    """The block that keeps the memory out of git; a stealthy one is in git's own file, with all that we make."""
    root = workspace.root
    if not record.is_stealth:
        return [_gitignore(root, choice, record)]
    found = gitignore.exclude_file(root)
    if found is None:
        return []
    path, prefix = found
    name = os.path.relpath(path, root).replace(os.sep, "/")
    made = [one.path for one in changes if one.entry and one.entry.hosts and one.entry.backup is None]
    before = change.read(root, name)
    text = gitignore.with_excluded(document.decode(before or b"", name), prefix, made)
    hidden = change.written(name, before, files.encode(text), change.Need("shared"), record.files.get(name))
    known = record.files.get(gitignore.NAME)  # our block is there since before anybody asked for stealth
    return [hidden, *([change.taken_back(workspace, gitignore.NAME, (), known)] if known else [])]


def _gitignore(root: Path, choice: Choice, record: Record) -> Change:
    before = change.read(root, gitignore.NAME)
    text = document.decode(before or b"", gitignore.NAME)
    after = files.encode(gitignore.with_block(text, commit_memory=choice.commit_memory))
    return change.written(gitignore.NAME, before, after, change.Need("shared"), record.files.get(gitignore.NAME))


def _tracked(root: Path, changes: list[Change]) -> list[str]:
    """Ignoring does not untrack: say so where git already has parts of the memory."""
    ignored = next((one.after or b"" for one in changes if one.path == gitignore.NAME), b"")
    names = gitignore.tracked(root) if gitignore.PRIVATE[0].encode() in ignored.split() else []
    if not names:
        return []
    shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    return [
        f"git already tracks {shown}: .gitignore has no effect on these. "
        "`git rm --cached` stops tracking them, `hipocampus init --commit-memory` keeps all of the memory in git"
    ]
