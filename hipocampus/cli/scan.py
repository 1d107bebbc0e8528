"""`scan`."""

from __future__ import annotations

from pathlib import Path

import click

from hipocampus.cli.group import Command, options
from hipocampus.cli.output import print_json, printable, talk, warn
from hipocampus.errors import CheckFailed
from hipocampus.memory import Memory

_WHAT_TO_DO = "replace each at its issuer, then take it out of the file; what is derived from the file never shows it"


@click.command(cls=Command)
@click.argument("paths", nargs=-1, metavar="[PATH]...", type=click.Path(path_type=Path))
def scan(paths: tuple[Path, ...]) -> None:
    """
    Find secrets that already stand in files: exit code 4 if there are any. Changes nothing.

    Without a PATH it looks through raw logs, nodes, summaries, knowledge, plans, hot files, settings and derived files.

    \b
      hipocampus scan
      hipocampus scan knowledge memory/2026-03-15.md
    """
    folder = options().directory
    found = Memory.find(folder, today=options().today).scan([folder / path for path in paths])
    if options().as_json:
        print_json(found)
    else:
        for leak in found.leaks:
            click.echo(f"{leak.file}:{leak.line}: {leak.kind}: {printable(leak.text)}")
    warn(found.warnings)
    warn(f"{tag.file}:{tag.line}: nothing closes this <private>" for tag in found.unclosed)
    if found.leaks:
        message = f"{len(found.leaks)} secrets in {len({leak.file for leak in found.leaks})} files"
        raise CheckFailed(message, hint=_WHAT_TO_DO)
    talk(f"no secrets in {found.files} files")
