"""The edits of all hosts that are set up in a project, by file, and how our hook is started there."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from hipocampus.errors import UsageError
from hipocampus.hosts.edits import Edit
from hipocampus.hosts.host import Host, Install, Machine
from hipocampus.setup import change, gitignore
from hipocampus.setup.change import Change
from hipocampus.setup.edits.commands import MODULE, PROGRAM, quoted
from hipocampus.setup.record import FileRecord, Record


@dataclass(frozen=True, slots=True)
class Wanted:
    """The edits of one file, and the hosts that need them."""

    edits: tuple[Edit, ...]
    hosts: tuple[str, ...]


def known_names(names: Iterable[str], hosts: Mapping[str, Host]) -> tuple[str, ...]:
    """The names, each once. Raises UsageError for a host that nobody knows."""
    for name in names:
        if name not in hosts:
            message = f"unknown platform {name!r}"
            raise UsageError(message, hint=f"choose from {', '.join(hosts)}" if hosts else "there are none")
    return tuple(dict.fromkeys(names))


def install_of(project: Path, machine: Machine, names: tuple[str, ...], *, is_stealth: bool) -> Install:
    """
    How our hook is started: by its name where every shell finds it, else by its quoted path.

    A virtual environment that is active just now does not count: the host may be started from elsewhere.
    """
    folders = machine.environ.get("PATH", "").split(os.pathsep)
    active = machine.environ.get("VIRTUAL_ENV")
    lasting = [folder for folder in folders if not (active and Path(folder).is_relative_to(active))]
    if shutil.which(PROGRAM, path=os.pathsep.join(lasting)):
        return Install(project, PROGRAM, is_shared=True, is_stealth=is_stealth, hosts=names)
    script = Path(sys.executable).with_name(PROGRAM + (".exe" if machine.platform == "win32" else ""))
    hook = quoted(str(script), machine.platform)
    if not script.exists():
        hook = f"{quoted(sys.executable, machine.platform)} -P -m {MODULE}"
    return Install(project, hook, is_shared=False, is_stealth=is_stealth, hosts=names)


def wanted(install: Install, hosts: Mapping[str, Host]) -> dict[str, Wanted]:
    """The edits that the hosts of an install need, by path."""
    found: dict[str, Wanted] = {}
    for name in install.hosts:
        for edit in hosts[name].edits(install) if name in hosts else ():
            known = found.get(edit.path, Wanted((), ()))
            edits = known.edits if edit in known.edits else (*known.edits, edit)
            found[edit.path] = Wanted(edits, tuple(dict.fromkeys((*known.hosts, name))))
    return found


def ever_wanted(install: Install, hosts: Mapping[str, Host]) -> dict[str, Wanted]:
    """As `wanted`, with every path that another choice of stealth or hook command would take as well."""
    found: dict[str, Wanted] = {}
    for is_shared, is_stealth in product((True, False), repeat=2):
        for path, some in wanted(replace(install, is_shared=is_shared, is_stealth=is_stealth), hosts).items():
            found.setdefault(path, some)
    return {**found, **wanted(install, hosts)}


def added(root: Path, install: Install, hosts: Mapping[str, Host], record: Record) -> list[Change]:
    """What the hosts of an install still lack. Raises CheckFailed, OSError."""
    needs = wanted(install, hosts)
    kept = set(gitignore.tracked(root, needs)) if install.is_stealth and needs else set()
    changes = []
    for path, some in needs.items():
        reason = _untouchable(root, path, kept)
        if reason:
            changes.append(Change(path, None, None, record.files.get(path), (f"{path} {reason}: left as it is",)))
        else:
            changes.append(change.edited(root, path, some.edits, some.hosts, record.files.get(path)))
    return changes


def leftovers(
    install: Install, leaving: tuple[str, ...], hosts: Mapping[str, Host], record: Record
) -> dict[str, tuple[tuple[Edit, ...], FileRecord | None]]:
    """
    Files that hold something of ours which no host of the install needs any more, with the edits and the record.

    `leaving` are hosts that go: their files count also where no record tells of them.
    """
    needs = wanted(install, hosts)
    once = ever_wanted(replace(install, hosts=leaving), hosts)
    recorded = {path: entry for path, entry in record.files.items() if entry.hosts}
    return {
        path: (once[path].edits if path in once else (), recorded.get(path))
        for path in (*recorded, *(path for path in once if path not in recorded))
        if path not in needs
    }


def _untouchable(root: Path, path: str, tracked: set[str]) -> str:
    if path in tracked:
        return "is tracked by git"
    return "" if change.is_within(root, path) else "leads out of the project"
