"""What the tests of hosts share: an install, a machine, and what of its edits."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hipocampus.hosts.edits import Block, Edit, Hook, ListValues, OwnFile
from hipocampus.hosts.host import Install, Machine
from hipocampus.hosts.registry import HOSTS


def install(
    project: Path,
    *hosts: str,
    hook: str = "hipocampus-hook",
    is_shared: bool = True,
    is_stealth: bool = False,
) -> Install:
    return Install(project, hook, is_shared, is_stealth, hosts)


def machine(home: Path, platform: str = "linux", **environ: str) -> Machine:
    return Machine(home, environ, platform)


def in_use(project: Path, here: Machine) -> tuple[str, ...]:
    return tuple(name for name, host in HOSTS.items() if host.is_used(project, here))


def edits(setup: Install) -> list[Edit]:
    """Everything that the hosts of an install want."""
    return [edit for name in setup.hosts for edit in HOSTS[name].edits(setup)]


def hooks(found: Iterable[Edit]) -> dict[str, Hook]:
    return {edit.event: edit for edit in found if isinstance(edit, Hook)}


def blocks(found: Iterable[Edit]) -> dict[str, str]:
    return {edit.path: edit.text for edit in found if isinstance(edit, Block)}


def lists(found: Iterable[Edit]) -> dict[str, ListValues]:
    return {edit.path: edit for edit in found if isinstance(edit, ListValues)}


def own_files(found: Iterable[Edit]) -> dict[str, str]:
    return {edit.path: edit.text for edit in found if isinstance(edit, OwnFile)}


def marked(text: str) -> str:
    """A block as it stands in a file."""
    return f"<!-- hipocampus:start -->\n{text}<!-- hipocampus:end -->\n"
