"""`init`: what a project needs to have a memory. Planned first, then written; what exists is never replaced."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hipocampus import config, files
from hipocampus.data import data_folder
from hipocampus.errors import NoWorkspace
from hipocampus.layout import CURATED_FOLDERS, HOT_FILES, Workspace, find_workspace
from hipocampus.setup import gitignore

FOLDERS = ("memory", *CURATED_FOLDERS)


@dataclass(frozen=True, slots=True)
class InitPlan:
    """Folders and files to make, by path relative to the workspace; `warnings` are for the person."""

    workspace: Workspace
    folders: tuple[str, ...]
    texts: dict[str, str]
    warnings: tuple[str, ...]

    @property
    def changes(self) -> list[str]:
        """Everything that applying this plan makes or edits."""
        return [f"{name}/" for name in self.folders] + list(self.texts)


def plan(
    folder: Path, *, commit_memory: bool | None = None, settings: Mapping[str, Any] = MappingProxyType({})
) -> InitPlan:
    """
    What `init` has to do in a folder; inside a workspace, what that workspace still lacks.

    `settings` are values by dotted key that the settings file is to hold from then on.

    Raises InvalidConfig for settings that can't be read, CheckFailed for a torn block in .gitignore.
    """
    try:
        workspace = find_workspace(folder)
    except NoWorkspace:
        workspace = Workspace(folder.resolve())
    return plan_for(workspace, commit_memory=commit_memory, settings=settings)


def plan_for(
    workspace: Workspace, *, commit_memory: bool | None = None, settings: Mapping[str, Any] = MappingProxyType({})
) -> InitPlan:
    """As `plan`, for this very folder, whatever workspace it lies in."""
    root = workspace.root
    texts = {
        name: files.read_text(data_folder("templates") / name).text for name in HOT_FILES if not (root / name).exists()
    }
    present = config.load(workspace.config).raw
    wished: Mapping[str, Any] = present if workspace.config.exists() else {"platform": []}
    for key, value in settings.items():
        wished = config.with_value(wished, key, value)
    if wished != present:
        texts[workspace.config.name] = config.render(wished)
    ignored = gitignore.read(root)
    wanted = gitignore.with_block(ignored, commit_memory=commit_memory)
    if wanted != ignored:
        texts[".gitignore"] = wanted
    folders = tuple(name for name in FOLDERS if not (root / name).is_dir())
    return InitPlan(workspace, folders, texts, tuple(_warnings(root, wanted)))


def apply(planned: InitPlan) -> None:
    """Make what was planned. Raises StoreNotWritable."""
    root = planned.workspace.root
    for name in planned.folders:
        files.make_folder(root / name)
    for name, text in planned.texts.items():
        files.write_atomic(root / name, text)


def _warnings(root: Path, ignored: str) -> list[str]:
    """Ignoring does not untrack: say so where git already has parts of the memory."""
    names = gitignore.tracked(root) if gitignore.PRIVATE[0] in ignored.split() else []
    if not names:
        return []
    shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    return [
        f"git already tracks {shown}: .gitignore has no effect on these. "
        "`git rm --cached` stops tracking them, `hipocampus init --commit-memory` keeps all of the memory in git"
    ]
