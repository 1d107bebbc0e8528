"""One run over the whole tree, under a lock: raw logs → nodes → ROOT.md, only what changed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from hipocampus import files
from hipocampus.config import Config
from hipocampus.errors import CheckFailed, NotFound
from hipocampus.governance.refusal import Refusals
from hipocampus.layout import LEVELS, Workspace
from hipocampus.text import front_matter
from hipocampus.tree import body as bodies
from hipocampus.tree import pointers, root_file, summaries
from hipocampus.tree import state as states
from hipocampus.tree.operation import Applier, Operation
from hipocampus.tree.shelf import Shelf
from hipocampus.tree.summaries import Summary
from hipocampus.tree.walk import TreeWalk, body_room, day_sections

LOCK_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Compacted:
    """
    What a run did, or would do; paths are relative to the workspace.

    `needs_agent` are nodes that a digest had to shorten and an agent may refine, `reopened` those that were
    fixed and changed all the same.
    """

    written: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: int
    root_tokens: int
    needs_agent: tuple[str, ...]
    reopened: tuple[str, ...]
    warnings: tuple[str, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class Compaction:
    """A run over one workspace: its settings, the local time, and how to count tokens."""

    workspace: Workspace
    config: Config
    now: datetime
    count: Callable[[str], int]
    progress: Callable[[str], None] = lambda _name: None

    def run(self, *, full: bool = False, dry_run: bool = False, wait: float = LOCK_SECONDS) -> Compacted:
        """
        Bring the tree up to date; `full` builds every node anew, `dry_run` only says what would happen.

        Raises StoreBusy when another run does not end within `wait` seconds, StoreNotWritable when the disk refuses.
        """
        if dry_run:
            return self._walk(full=full, dry_run=True)
        with files.lock(self.workspace.compact_lock, timeout=wait):
            files.make_folder(self.workspace.cache)
            for folder in self._folders():
                files.remove_leftovers(folder)
            return self._walk(full=full, dry_run=False)

    def _folders(self) -> Iterator[Path]:
        """Every folder that a killed run may have left something in."""
        yield self.workspace.state
        yield from (folder for folder in self.workspace.state.glob("*") if folder.is_dir())
        for folder in (self.workspace.memory, self.workspace.summaries, self.workspace.set_aside):
            yield folder
            yield from (folder / level for level in LEVELS)

    def write_node(self, text: str, refusals: Refusals) -> Compacted:
        """
        Take a body an agent wrote for a node, after checks, and rebuild what depends on it.

        Raises CheckFailed when a check says no; then nothing was changed.
        """
        summary = summaries.read(text, refusals)
        before = self.run()
        with files.lock(self.workspace.compact_lock, timeout=LOCK_SECONDS):
            self._check(summary)
            files.write_atomic(self.workspace.summaries / summary.period.path, summary.text())
        after = self.run()
        taken = f"memory/summaries/{summary.period.path}"
        return replace(
            after,
            written=tuple(dict.fromkeys((*before.written, taken, *after.written))),
            removed=(*before.removed, *after.removed),
            reopened=tuple(dict.fromkeys((*before.reopened, *after.reopened))),
            warnings=tuple(dict.fromkeys((*before.warnings, *after.warnings))),
            seconds=round(before.seconds + after.seconds, 3),
        )

    def _walk(self, *, full: bool, dry_run: bool) -> Compacted:
        started = time.perf_counter()
        state = states.load(self.workspace.compact_state)
        looked = time.time_ns()
        operations: list[Operation] = []
        applier = Applier(self.workspace, state)

        def emit(operation: Operation) -> None:
            operations.append(operation)
            if not dry_run:
                applier.apply(operation)

        walk = TreeWalk(
            self.workspace,
            self.config,
            Shelf(self.workspace, state),
            self.now.date(),
            self.count,
            emit,
            full=full,
            progress=self.progress,
        )
        walk.run()
        root = root_file.update(walk)
        if not dry_run and state.changed:
            state.finished, state.looked = self.now.isoformat(timespec="seconds"), looked
            states.save(state)
            self._keep(walk.derived)
        if not dry_run and self.workspace.ledger.exists():
            from hipocampus.governance import returned

            returned.keep(self.workspace)
        return Compacted(
            written=tuple(o.path for o in operations if o.action == "write"),
            removed=tuple(o.path for o in operations if o.action != "write"),
            unchanged=walk.unchanged,
            root_tokens=root,
            needs_agent=tuple(walk.extracts),
            reopened=tuple(walk.reopened),
            warnings=tuple(walk.warnings),
            seconds=round(time.perf_counter() - started, 3),
        )

    def _keep(self, derived: Mapping[Path, str | None]) -> None:
        """Write what speeds up the next run, and drop what belongs to nodes that no longer take part."""
        for path, text in derived.items():
            if text is not None:
                files.write_atomic(path, text, durable=False)
        for stale in set(self.workspace.facts.glob("*.jsonl")) - set(derived) if derived else ():
            files.remove(stale)

    def _check(self, summary: Summary) -> None:
        period = summary.period
        shelf = Shelf(self.workspace, states.load(self.workspace.compact_state))
        old = shelf.existing(period.path)
        if old is None:
            message = f"there is no node memory/{period.path}"
            raise NotFound(message, hint="`hipocampus tree` lists the nodes")
        if old.key != summary.sources_sha256:
            message = f"the sources of {period.name} changed since the summary was begun"
            raise CheckFailed(message, hint=f"read memory/{period.path} again and keep its sources-sha256")
        front, _ = front_matter.split(shelf.text(period.path))
        sources = tuple(front_matter.fields_of(front)["source-files"])
        sections = (
            day_sections(self.workspace.raw_log(period.name), period.first)
            if period.level == "daily"
            else bodies.sections_of(shelf.body(name.removeprefix("memory/")) for name in sources)
        )
        room = body_room(self.config, period, sources, self.count)
        summaries.check(summary, sections, room, self.count, pointers.known(self.workspace, period))
