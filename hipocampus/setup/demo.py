"""`demo`: the whole way once, on sample logs, in a scratch folder."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from hipocampus import files
from hipocampus.clock import Clock
from hipocampus.data import data_folder
from hipocampus.errors import UsageError
from hipocampus.layout import Workspace
from hipocampus.memory import Memory
from hipocampus.setup import init
from hipocampus.tree.compaction import Compacted

# The day after the last of the sample logs.
SAMPLE_TODAY = date(2026, 3, 2)


@dataclass(frozen=True, slots=True)
class Demo:
    """What the run made: where, from how many days and bytes, and the topic index it ended with."""

    folder: Path
    days: int
    bytes: int
    compacted: Compacted
    root: str


def run(folder: Path) -> Demo:
    """Copy the sample logs into an empty folder, set up a memory there and compact it. Raises UsageError."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        message = f"{folder} is not an empty folder"
        raise UsageError(message, hint="name a folder that does not exist yet")
    shutil.copytree(data_folder("templates") / "demo", folder, dirs_exist_ok=True)
    workspace = Workspace(folder.resolve())  # never one that the folder happens to lie in
    init.apply(init.plan_for(workspace))
    memory = Memory(workspace, clock=Clock(fixed_day=SAMPLE_TODAY))
    logs = sorted(memory.workspace.memory.glob("*.md"))
    total = sum(path.stat().st_size for path in logs)
    compacted = memory.compact()
    return Demo(folder, len(logs), total, compacted, files.read_text(memory.workspace.root_node).text)
