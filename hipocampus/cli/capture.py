"""`capture`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from hipocampus.cli.group import Command, options
from hipocampus.cli.output import print_json, progress_bar, talk, warn
from hipocampus.errors import UsageError
from hipocampus.hosts.host import Host, Machine, Transcript
from hipocampus.hosts.registry import HOSTS, host_named
from hipocampus.memory import Memory
from hipocampus.setup import capturing
from hipocampus.setup.capturing import Captured


@click.command(cls=Command)
@click.option("--all", "everything", is_flag=True, help="Take in all sessions that hosts have kept of this project.")
@click.option("--host", "name", metavar="NAME", help="Only this host: claude-code, codex or opencode.")
@click.option("--transcript", "file", type=click.Path(), help="Take in this file only.")
@click.option("--dry-run", is_flag=True, help="Count what is new and write nothing.")
def capture(everything: bool, name: str | None, file: str | None, dry_run: bool) -> None:
    """
    Take what was said in agent sessions into the raw logs, each message once.

    The hooks do this by themselves. Without options it makes up for sessions that have grown since; `--all` also
    takes in what was said before hipocampus was set up.

    \b
      hipocampus capture --all --dry-run
      hipocampus capture --host codex --transcript rollout-2026-03-15T09-00-00-….jsonl
    """
    if everything and file:
        raise click.UsageError("--all and --transcript exclude each other")
    memory = Memory.find(options().directory, today=options().today)
    machine = Machine(Path.home(), os.environ, sys.platform)
    hosts = [host_named(name)] if name else list(HOSTS.values())
    if file:
        sessions = [_named(Path(file), hosts, machine, chosen=bool(name))]
    else:
        find = capturing.kept if everything else capturing.overdue
        sessions = [(host, transcript) for host in hosts for transcript in find(memory, host, machine)]
    bar = progress_bar()
    results = list(
        capturing.capture_all(
            memory, sessions, dry_run=dry_run, progress=lambda done, total: bar("sessions", done, total)
        )
    )
    _show(results, dry_run=dry_run)


def _named(path: Path, hosts: Sequence[Host], machine: Machine, *, chosen: bool) -> tuple[Host, Transcript]:
    """The session of a file; where no host is named, the host is told by the file's name. Raises UsageError."""
    host = hosts[0] if chosen else HOSTS["codex" if path.name.startswith("rollout-") else "claude-code"]
    transcript = host.transcript({"transcript_path": str(path.absolute())}, machine)
    if transcript is None:
        message = f"{path} is no transcript of {host.title}"
        raise UsageError(message, hint="name its host with --host; OpenCode has no files: use --all")
    return host, transcript


def _show(results: Sequence[Captured], *, dry_run: bool) -> None:
    warn(f"{result.host} {result.session}: {result.problem}" for result in results if result.problem)
    unreadable = sum(result.unreadable for result in results)
    if unreadable:
        talk(f"skipped {unreadable} unreadable line{'s' * (unreadable != 1)}")
    if options().as_json:
        print_json({"sessions": results, "turns": sum(result.turns for result in results), "unreadable": unreadable})
        return
    told = "would capture" if dry_run else "captured"
    for result in results:
        if result.turns:
            days = ", ".join(map(str, result.days))
            talk(f"{told} {result.turns} turn{'s' * (result.turns != 1)} of {result.host} {result.session} in {days}")
    if not any(result.turns for result in results):
        talk(f"nothing new in {len(results)} session{'s' * (len(results) != 1)}")
