"""The protocol of an agent host, and the nouns that go with it. A host knows nothing of memory."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from hipocampus.hosts.edits import Edit
from hipocampus.log.turns import Turn


@dataclass(frozen=True, slots=True)
class Machine:
    """What a host may ask of the machine it runs on; `platform` as `sys.platform` says it."""

    home: Path
    environ: Mapping[str, str]
    platform: str

    @classmethod
    def here(cls) -> Machine:
        """The one that this program runs on."""
        return cls(Path.home(), os.environ, sys.platform)


@dataclass(frozen=True, slots=True)
class Install:
    """
    How hipocampus is being set up in a project.

    `hook` is the command that starts our hook, ready for the host's shell; `is_shared` says that it holds
    on every machine, so that it may stand in a file that a team shares. `is_stealth` asks for no change of
    files that the project may share. `hosts` are the names of all hosts that are set up in it.
    """

    project: Path
    hook: str
    is_shared: bool
    is_stealth: bool
    hosts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Transcript:
    """What a host keeps of one session: a file, or a database with many; `folder` is where it ran, if that is known."""

    session: str
    path: Path
    folder: Path | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """
    Some turns of a transcript in order, bounded in size, and where to go on from.

    `cursor` is opaque to everybody but the host that made it; `unreadable` counts records that are torn or no JSON.
    """

    turns: tuple[Turn, ...]
    cursor: str
    unreadable: int


@dataclass(frozen=True, slots=True)
class Concern:
    """Something outside of our own files that keeps a host from remembering, and what to do about it."""

    text: str
    hint: str


class Host(Protocol):
    """
    One agent host.

    `name` is what settings and `--platform` call it, `title` what people do. `reads_imports` says that it
    follows `@file` lines or a list of instruction files, so that ROOT.md needs no hook to be seen.
    `context_limit` is how much context one answer of a hook may bring, by `answers.measure`; 0 where none can.
    """

    name: str
    title: str
    reads_imports: bool
    context_limit: int

    def is_used(self, project: Path, machine: Machine) -> bool:
        """Whether signs of it are in the project, or its program has run for this person."""
        ...

    def edits(self, install: Install) -> Iterable[Edit]:
        """Everything it needs in the project."""
        ...

    def concerns(self, install: Install, machine: Machine) -> Iterable[Concern]:
        """What keeps its hooks from running although our edits are in place."""
        ...

    def transcripts(self, project: Path, machine: Machine) -> Iterator[Transcript]:
        """The sessions it has kept of this project, oldest first. Raises nothing: what can't be read is no session."""
        ...

    def transcript(self, payload: Mapping[str, object], machine: Machine) -> Transcript | None:
        """The session that a hook's payload speaks of; None for a sub-agent's, or where there is no file yet."""
        ...

    def read(self, transcript: Transcript, cursor: str) -> Iterator[Batch]:
        """
        What was said after a cursor ("" for the beginning), as bounded batches; the last one may have no turns.

        A cursor that no longer fits the transcript counts as "". Raises OSError.
        """
        ...

    def answer(self, event: str, context: str) -> str:
        """What our hook prints for an event to bring `context` to the model; "" where that event can carry none."""
        ...
