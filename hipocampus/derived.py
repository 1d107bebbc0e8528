"""
What is made from the files of a memory, and how each kind follows when something is taken back.

Whoever adds a kind of derived file adds a line to `ARTIFACTS`; the tests look through the bytes of every kind.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from hipocampus import files
from hipocampus.config import Config
from hipocampus.errors import DamagedConcepts
from hipocampus.governance import ledger, tombstones
from hipocampus.governance.ledger import Record
from hipocampus.index.home import CONCEPT_VECTORS, CONCEPTS, MANIFEST, VECTOR_LOCK, VECTORS, index_home
from hipocampus.layout import LEVELS, Workspace
from hipocampus.log.day_names import day_named
from hipocampus.log.daylog import LOCK_SECONDS
from hipocampus.recall.episodic import NAME as EPISODIC
from hipocampus.sleep.taken_back import Before, concepts_follow


@dataclass(frozen=True, slots=True)
class Derivation:
    """
    One mutation that derived files have to follow.

    `keys` are those of the texts that were embedded and went, `lines` those of each file that were changed. `before`
    is None where a kill came between, and nobody knows any more what was removed.
    """

    workspace: Workspace
    config: Config
    now: datetime
    count: Callable[[str], int]
    record: Record
    removes: bool
    keys: frozenset[str]
    lines: Mapping[str, Collection[int]]
    before: Before | None


@dataclass(frozen=True, slots=True)
class Artifact:
    """A kind of derived file: where its files are, and what makes them follow a mutation."""

    name: str
    paths: Callable[[Workspace], Iterable[Path]]
    follow: Callable[[Derivation], None]


def follow(derivation: Derivation) -> None:
    """Make every kind of derived file follow a mutation. Raises StoreBusy, StoreNotWritable."""
    for artifact in ARTIFACTS:
        if any(path.exists() for path in artifact.paths(derivation.workspace)):
            artifact.follow(derivation)


def embedded_keys(workspace: Workspace, lines: Mapping[str, Collection[int]]) -> frozenset[str]:
    """The keys of the texts that may have a vector and stand around some lines of some files."""
    from hipocampus.index.sources import read_source, source_named

    keys: set[str] = set()
    for name in lines if any(path.exists() for path in _vectors(workspace)) else ():
        source = source_named(workspace, name)
        with contextlib.suppress(OSError):
            keys.update(chunk.key for chunk in read_source(source, lines[name]) if chunk.is_embedded) if source else ()
    return frozenset(keys)


def _tree(workspace: Workspace) -> list[Path]:
    return [workspace.root_node, workspace.facts, *(workspace.memory / level for level in LEVELS)]


def _compact(derivation: Derivation) -> None:
    """Nodes, ROOT.md and the facts they are made of are built anew where a raw log changed."""
    from hipocampus.tree.compaction import Compaction

    if derivation.removes:
        _remove_what_agents_and_runs_kept(derivation)
    Compaction(derivation.workspace, derivation.config, derivation.now, derivation.count).run()


def _remove_what_agents_and_runs_kept(derivation: Derivation) -> None:
    """
    Of a day from which text was removed, what agents wrote in words of their own goes, and so do its parsed facts.

    A run that finds its nodes up to date would leave the facts as a killed one left them.
    """
    from hipocampus.tree.calendar import day_of, month_of, week_of

    workspace = derivation.workspace
    for name in derivation.record.where:
        day = _day_of(name)
        if day:
            for period in (day_of(day), week_of(day), month_of(week_of(day))):
                files.remove(workspace.summaries / period.path)
                files.remove(workspace.facts / f"{period.name}.jsonl")


def _day_of(name: str) -> date | None:
    folder, _, file = name.rpartition("/")
    return day_named(file.removesuffix(".md")) if folder == "memory" else None


def _words(workspace: Workspace) -> list[Path]:
    home = index_home(workspace)
    return [home / name for name in ("chunks", "documents", MANIFEST)] if home else []


def _drop_words(derivation: Derivation) -> None:
    """Deleted rows stay in the files of the words' index until it is made anew, which the next search does."""
    from hipocampus.index import manifest as manifests
    from hipocampus.text import terms

    home = index_home(derivation.workspace)
    if not derivation.removes or home is None:
        return
    with files.lock(home / "index.lock", timeout=LOCK_SECONDS):
        for path in _words(derivation.workspace):
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
        known = manifests.load(home / MANIFEST, terms.fingerprint())
        manifests.save(home / MANIFEST, manifests.emptied(known))


def _vectors(workspace: Workspace) -> list[Path]:
    home = index_home(workspace)
    return [home / VECTORS, home / CONCEPT_VECTORS] if home else []


def _drop_vectors(derivation: Derivation) -> None:
    from hipocampus.index.vectors import drop_texts

    home = index_home(derivation.workspace)
    if derivation.removes and derivation.keys and home:
        with files.lock(home / VECTOR_LOCK, timeout=LOCK_SECONDS):
            for folder in _vectors(derivation.workspace):
                drop_texts(folder, derivation.keys)


def _clean_log(derivation: Derivation) -> None:
    """Lines of the hook log that say what was removed go."""
    if not derivation.removes:
        return
    path = derivation.workspace.hook_log
    wanted = tombstones.taken_back(ledger.load(derivation.workspace))
    lines = files.read_text(path).text.splitlines(keepends=True)
    kept = [line for line in lines if not wanted.find(line)]
    if kept != lines:
        files.write_atomic(path, "".join(kept))


def _concepts(workspace: Workspace) -> list[Path]:
    home = index_home(workspace)
    return [home / CONCEPTS, home / EPISODIC] if home else []


def _edit_concepts(derivation: Derivation) -> None:
    """
    Recall finds by concepts until `sleep` makes them anew, and by nothing that was taken back.

    Where that can't be done by parts, and text was removed, the file goes.
    """
    concepts, episodic = _concepts(derivation.workspace)
    files.remove_leftovers(concepts.parent)
    if derivation.removes:
        files.remove(episodic)
    if derivation.before and concepts.exists():
        with contextlib.suppress(DamagedConcepts):
            concepts_follow(concepts, derivation.workspace, derivation.lines, derivation.before, derivation.count)
            return
    if derivation.removes:
        files.remove(concepts)


ARTIFACTS = (
    Artifact("nodes", _tree, _compact),
    Artifact("words", _words, _drop_words),
    Artifact("vectors", _vectors, _drop_vectors),
    Artifact("concepts", _concepts, _edit_concepts),
    Artifact("hook log", lambda workspace: [workspace.hook_log], _clean_log),
)
"""The kinds of derived files, in the order in which they follow."""
