"""`doctor`."""

from __future__ import annotations

from typing import Any

import click

from hipocampus.cli.group import Command, options
from hipocampus.cli.output import print_json, printable, talk
from hipocampus.errors import CheckFailed, ExitCode
from hipocampus.hosts.host import Machine
from hipocampus.memory import Memory
from hipocampus.setup import doctor as examining
from hipocampus.setup.doctor import Diagnosis
from hipocampus.setup.host_state import HostState


@click.command(cls=Command)
@click.option("--fix", is_flag=True, help="Put in place again what is missing, old or doubled.")
def doctor(fix: bool) -> int:
    """
    Say what keeps the memory from working in the agent hosts, and mend it.

    Looks for hooks that are missing, old, doubled or not approved, for broken settings, for programs that are not
    found, for other memory tools, and for failures of hooks. Exit code 4 if anything wrong is left.
    """
    memory, machine = Memory.find(options().directory, today=options().today), Machine.here()
    mended: tuple[str, ...] = ()
    found = examining.examine(memory, machine, memory.clock.now())
    failed: CheckFailed | None = None
    if fix and any(finding.is_mendable for finding in found.findings):
        try:
            mended = examining.mend(memory, machine)
        except CheckFailed as error:
            failed = error
        found = examining.examine(memory, machine, memory.clock.now())
    if options().as_json:
        print_json(_document(memory, found, mended))
    else:
        _print(found, mended)
    if failed:
        raise failed
    return ExitCode.DONE if found.is_healthy else ExitCode.CHECK_FAILED


def as_document(host: HostState) -> dict[str, Any]:
    """A host as JSON shows it."""
    times = {"last_hook": host.last_hook, "last_capture": host.last_capture}
    return {
        "name": host.name,
        "title": host.title,
        "hooks": host.hooks,
        **{name: time.isoformat(timespec="seconds") if time else None for name, time in times.items()},
    }


def in_words(host: HostState) -> str:
    """A host in one line."""
    states = list(host.hooks.values())
    absent = [f"{name} {state}" for name, state in host.hooks.items() if state != "present"]
    hooks = f"{states.count('present')} of {len(states)} hooks" + (f" ({', '.join(absent)})" if absent else "")
    capture = f"{host.last_capture:%Y-%m-%d %H:%M}" if host.last_capture else "never"
    return f"{host.title}, {hooks}, last capture {capture}"


def _document(memory: Memory, found: Diagnosis, mended: tuple[str, ...]) -> dict[str, Any]:
    return {
        "workspace": str(memory.workspace.root),
        "healthy": found.is_healthy,
        "mended": mended,
        "findings": found.findings,
        "hosts": [as_document(host) for host in found.hosts],
    }


def _print(found: Diagnosis, mended: tuple[str, ...]) -> None:
    for path in mended:
        click.echo(f"mended   {path}")
    for host in found.hosts:
        click.echo(f"host     {in_words(host)}")
    for finding in found.findings:
        click.echo(f"{'problem' if finding.is_wrong else 'note':<8} {printable(finding.text)}")
        click.echo(f"         {printable(finding.hint)}")
    if found.is_healthy:
        talk("nothing is wrong")
    elif any(finding.is_mendable for finding in found.findings):
        talk("`hipocampus doctor --fix` mends what is missing, stale or doubled")
