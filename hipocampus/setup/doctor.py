"""`doctor`: what keeps a memory from working in the hosts that are set up, and what to do about it."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from hipocampus.hosts.host import Install, Machine
from hipocampus.hosts.registry import HOSTS
from hipocampus.layout import Workspace
from hipocampus.memory import Memory
from hipocampus.setup import hook_log, host_state, init
from hipocampus.setup.host_state import HostState, Part
from hipocampus.setup.other_memories import other_memories
from hipocampus.setup.status import problems

Kind = Literal["memory", "missing", "stale", "broken", "doubled", "blocked", "program", "log", "unused", "returned"]
# How far back a failure of a hook still matters.
LOG_DAYS = 3
_MENDED_BY_FIX = ("memory", "missing", "stale", "doubled")


@dataclass(frozen=True, slots=True)
class Finding:
    """
    Something about a host, "" for all of them, with what to do.

    `is_wrong` says that memory does not work as it should; the others are good to know.
    """

    kind: Kind
    host: str
    text: str
    hint: str
    is_wrong: bool = True

    @property
    def is_mendable(self) -> bool:
        """Whether `doctor --fix` mends it."""
        return self.is_wrong and self.kind in _MENDED_BY_FIX


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What `doctor` saw: the hosts that are set up and all findings, the worst first."""

    hosts: tuple[HostState, ...]
    findings: tuple[Finding, ...]

    @property
    def is_healthy(self) -> bool:
        """Whether nothing is wrong."""
        return not any(finding.is_wrong for finding in self.findings)


def examine(memory: Memory, machine: Machine, now: datetime) -> Diagnosis:
    """Look at a workspace and its hosts; changes nothing. `now` is the local time, for the age of failures."""
    workspace, install = memory.workspace, host_state.installed(memory, machine)
    hosts = host_state.look_at_all(workspace, install)
    found = [
        *(Finding("memory", "", text, "see the message") for text in problems(workspace, memory.clock.today())),
        *(finding for host in hosts for finding in _parts(host)),
        *_doubled(install),
        *blocked(install, machine),
        *_programs(install, machine),
        *_others(install, machine),
        *_returned(memory),
        *_failures(workspace, now),
        *_unused(hosts),
    ]
    return Diagnosis(hosts, tuple(sorted(found, key=lambda finding: not finding.is_wrong)))


def mend(memory: Memory, machine: Machine) -> tuple[str, ...]:
    """
    Put in place again what is missing, old or doubled; returns the paths that changed.

    Sets up no other host than those that are set up. Raises CheckFailed for a file that can't be edited.
    """
    is_set_up = bool(host_state.installed(memory, machine).hosts)
    planned = init.plan_for(
        memory.workspace, hosts=HOSTS if is_set_up else init.NO_HOSTS, machine=machine if is_set_up else None
    )
    init.apply(planned)
    return tuple(planned.changes)


def _programs(install: Install, machine: Machine) -> Iterator[Finding]:
    """Skills call the program by its name; hooks that can't are of no use to a colleague."""
    hint = "install it with `uv tool install` or `pipx install`, which put it on PATH"
    if not shutil.which("hipocampus", path=machine.environ.get("PATH", "")):
        yield Finding("program", "", "agents don't find `hipocampus`: it is not on PATH", hint, is_wrong=False)
    if install.hosts and not install.is_shared:
        text = f"hooks start a program of this machine, {install.hook}"
        yield Finding("program", "", text, f"{hint}; then run `hipocampus doctor --fix`", is_wrong=False)
    if not install.hosts:
        yield Finding("unused", "", "no host is set up", "run `hipocampus init --platform NAME`", is_wrong=False)


def _parts(host: HostState) -> Iterator[Finding]:
    """One finding for each file and state."""
    for kind in ("missing", "stale"):
        for path, parts in _by_path(part for part in host.parts if part.state == kind).items():
            what = ", ".join(part.name for part in parts if part.kind == "hook")
            text = f"{path}: {kind} hooks {what}" if what else f"{path} is {'missing' if kind == 'missing' else 'old'}"
            yield Finding("missing" if kind == "missing" else "stale", host.name, text, "run `hipocampus doctor --fix`")
    for path, parts in _by_path(part for part in host.parts if part.state == "broken").items():
        yield Finding("broken", host.name, parts[0].problem, f"mend {path} by hand; it was left as it is")


def _by_path(parts: Iterable[Part]) -> dict[str, list[Part]]:
    found: dict[str, list[Part]] = {}
    for part in parts:
        found.setdefault(part.path, []).append(part)
    return found


def _doubled(install: Install) -> Iterator[Finding]:
    edits = [edit for name in install.hosts for edit in HOSTS[name].edits(install)]
    for path in host_state.doubled(install, edits):
        yield Finding(
            "doubled", "", f"{path} holds hooks of ours that belong elsewhere", "run `hipocampus doctor --fix`"
        )


def blocked(install: Install, machine: Machine) -> Iterator[Finding]:
    """What a person has to do before hooks that are in place run."""
    for name in install.hosts:
        for concern in HOSTS[name].concerns(install, machine):
            yield Finding("blocked", name, concern.text, concern.hint)


def _others(install: Install, machine: Machine) -> Iterator[Finding]:
    for name, path in other_memories(install.project, machine):
        is_ours = "hipocampus" in name
        hint = "keep one of the two, every hook runs twice" if is_ours else "keep one memory, or know that both speak"
        yield Finding("doubled", "", f"{name} is set up as well, in {path}", hint, is_wrong=False)


def _returned(memory: Memory) -> Iterator[Finding]:
    """A ledger is there once something was taken back."""
    hint = "nothing shows it; take the line out by hand, or `hipocampus forget` it again"
    for line in memory.governance.returned() if memory.workspace.ledger.exists() else ():
        text = f"{line.source}:{line.line} says again what {line.mutation} removed"
        yield Finding("returned", "", text, hint)


def _failures(workspace: Workspace, now: datetime) -> Iterator[Finding]:
    since = (now - timedelta(days=LOG_DAYS)).strftime("%Y-%m-%dT%H:%M:%S")
    lines = hook_log.errors(str(workspace.state), since)
    if lines:
        text = f"{len(lines)} failures of hooks in the last {LOG_DAYS} days, the last one: {lines[-1]}"
        yield Finding("log", "", text, f"read {workspace.relative(workspace.hook_log)}", is_wrong=False)


def _unused(hosts: Iterable[HostState]) -> Iterator[Finding]:
    for host in hosts:
        if host.last_hook is None and all(state == "present" for state in host.hooks.values()):
            text = f"no hook of {host.title} has run in this project yet"
            yield Finding("unused", host.name, text, f"start {host.title} here once", is_wrong=False)
