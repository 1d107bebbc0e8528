"""`status`: what there is, how fresh it is, and what is wrong."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from hipocampus import __version__
from hipocampus.errors import HipocampusError
from hipocampus.hosts.host import Machine
from hipocampus.index.concept_view import ConceptState
from hipocampus.index.search_index import IndexState, SearchIndex
from hipocampus.index.sources import list_sources
from hipocampus.layout import CURATED_FOLDERS, HOT_FILES, LEVELS, Workspace
from hipocampus.log import daylog
from hipocampus.memory import Memory
from hipocampus.recall import tally
from hipocampus.recall.tally import Tally
from hipocampus.setup import host_state
from hipocampus.setup.host_state import HostState
from hipocampus.tree import state as states

# A node or a day's entry fits in; below it, the next write may fail.
LEAST_FREE = 100_000


@dataclass(frozen=True, slots=True)
class Status:
    """The state of a workspace; `due` says why a compaction is due, `problems` what keeps it from working."""

    version: str
    workspace: str
    today: date
    healthy: bool
    problems: tuple[str, ...]
    warnings: tuple[str, ...]
    counts: dict[str, int]
    sizes: dict[str, int]
    budgets: dict[str, int]
    root_tokens: int | None
    last_compact: str | None
    due: str
    index: IndexState | None
    concepts: ConceptState | None
    recall: Tally
    hosts: tuple[HostState, ...]


def status(memory: Memory, machine: Machine) -> Status:
    """Look at a workspace and at the hosts that are set up in it; changes nothing."""
    workspace, today = memory.workspace, memory.clock.today()
    listing = daylog.list_days(workspace, today)
    nodes = memory.tree()
    counts = {"raw": len(listing.days), **{level: sum(n.level == level for n in nodes) for level in LEVELS}}
    for folder in CURATED_FOLDERS:
        counts[folder] = sum(1 for _ in (workspace.root / folder).rglob("*.md"))
    index, damage = _index(memory)
    concepts, notes = _concepts(memory)
    wrong = (*problems(workspace, today), *damage)
    return Status(
        version=__version__,
        workspace=str(workspace.root),
        today=today,
        healthy=not wrong,
        problems=wrong,
        warnings=(*listing.warnings, *notes),
        counts=counts,
        sizes={
            "raw": sum(path.stat().st_size for _, path in listing.days),
            "nodes": sum(n.bytes for n in nodes if n.depth < 4),
        },
        budgets={level: memory.config.max_tokens(level) for level in (*LEVELS, "root")},
        root_tokens=next((n.tokens for n in nodes if n.level == "root"), None),
        last_compact=states.load(workspace.compact_state).finished or None,
        due=memory.due(),
        index=index,
        concepts=concepts,
        recall=tally.load(workspace),
        hosts=host_state.look_at_all(workspace, host_state.installed(memory, machine)),
    )


def _index(memory: Memory) -> tuple[IndexState | None, tuple[str, ...]]:
    """The state of the search index, None where it is switched off or damaged, and what is wrong with it."""
    if not memory.config["search.enabled"]:
        return None, ()
    try:
        return SearchIndex(memory.workspace, memory.clock.today(), memory.count).state(), ()
    except HipocampusError as error:
        return None, (f"{error}; {error.hint}",)


def _concepts(memory: Memory) -> tuple[ConceptState | None, tuple[str, ...]]:
    """The state of the concept index, None where there is none to be used, and what is wrong with it."""
    view = memory.concepts
    if not memory.config["search.enabled"] or not view.path.exists():
        return None, ()
    try:
        return view.state(list_sources(memory.workspace, memory.clock.today()).found, memory.clock.zone), ()
    except (HipocampusError, OSError) as error:
        return None, (f"recall finds by words alone: {error}; {getattr(error, 'hint', '')}",)


def problems(workspace: Workspace, today: date) -> list[str]:
    """What keeps a workspace from remembering."""
    if not workspace.memory.is_dir():
        return ["there is no folder memory/; `hipocampus init` makes it"]
    found = [f"{path} can't be written" for path in _written_to(workspace, today) if not os.access(path, os.W_OK)]
    free = shutil.disk_usage(workspace.memory).free
    if free < LEAST_FREE:
        found.append(f"the disk of {workspace.memory} is full: {free:,} bytes are free")
    missing = [name for name in HOT_FILES if not (workspace.root / name).exists()]
    return found + [f"{name} is missing; `hipocampus init` makes it" for name in missing]


def _written_to(workspace: Workspace, today: date) -> list[Path]:
    folders = [workspace.memory, workspace.state, *(workspace.memory / level for level in LEVELS)]
    opened = [workspace.raw_log(today.isoformat()), workspace.log_lock, workspace.compact_lock, workspace.hook_log]
    return [path for path in (*folders, *opened) if path.exists()]
