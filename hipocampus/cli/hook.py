"""`hook`."""

from __future__ import annotations

import click

from hipocampus import hooks
from hipocampus.cli.group import Command, options


@click.command(cls=Command, context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
@click.argument("event", required=False, default="")
@click.option("--host", is_flag=False, flag_value="", metavar="NAME", help="Whose event it is, where names clash.")
def hook(event: str, host: str | None) -> None:
    """
    Do what an event of an agent host asks for; `hipocampus-hook EVENT` does the same and starts faster.

    EVENT is the host's own name for what happened. The host's JSON comes on stdin, what it may carry back goes to
    stdout: notes at the start of a session, else nothing. The exit code is 0 whatever happens; faults are lines in
    memory/.hipocampus/hook.log.

    \b
      hipocampus hook Stop --host codex < payload.json
    """
    hooks.run([event] if host is None else [event, "--host", host], options().directory)
