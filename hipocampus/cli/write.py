"""`checkpoint`."""

from __future__ import annotations

import select
import sys

import click

from hipocampus import files, payload
from hipocampus.cli.group import Command, options
from hipocampus.cli.output import as_utf8, print_json, talk
from hipocampus.errors import UsageError
from hipocampus.log.entry import ENTRY_TYPES
from hipocampus.memory import Memory

# How long a stdin may stay silent before a title is taken to be all there is.
_SILENCE_SECONDS = 3.0


@click.command(cls=Command)
@click.argument("title", required=False, default="")
@click.option("--type", "kind", type=click.Choice(ENTRY_TYPES), help="Kind of entry; the default is project.")
@click.option("--request", multiple=True, help="What was asked for. All of these may be repeated.")
@click.option("--analysis", multiple=True, help="What was found out.")
@click.option("--decision", multiple=True, help="What was decided, and why.")
@click.option("--outcome", multiple=True, help="What came of it.")
@click.option("--reference", multiple=True, help="A file, page or entry to look at.")
@click.option("--note", multiple=True, help="Anything else.")
@click.option("--dry-run", is_flag=True, help="Show the entry and write nothing.")
def checkpoint(title: str, kind: str | None, dry_run: bool, **fields: tuple[str, ...]) -> None:
    """
    Append an entry to today's raw log, once: the same words again change nothing.

    Without options the text comes from stdin, as Markdown (one entry, or several under `## Title [type]`
    headings) or as JSON with the keys title, type, request, analysis, decision, outcome, reference, note, body.

    \b
      hipocampus checkpoint "Rate limits" --decision "token bucket, bursts are legitimate"
      hipocampus checkpoint "No force push" --type feedback --note "rule: ask first"
      git log -1 --format=%B | hipocampus checkpoint "Release 1.2"
    """
    memory = Memory.find(options().directory, today=options().today)
    title = as_utf8(title)
    given = {name: [as_utf8(value) for value in values] for name, values in fields.items() if values}
    drafts = payload.from_fields(title, kind, given) if given else payload.from_text(_stdin(title), title, kind)
    actor = "user" if sys.stdin.isatty() and sys.stdout.isatty() else "agent"
    entries = memory.checkpoint_all(drafts, actor=actor, dry_run=dry_run)
    if options().as_json:
        print_json({"entries": entries})
        return
    for entry in entries:
        if dry_run:
            click.echo(entry.text, nl=False)
        elif entry.stored:
            talk(f"remembered {entry.pointer} in {entry.path}: {entry.title}")
        else:
            talk(f"already in {entry.path} as {entry.pointer}: {entry.title}")
        if entry.left_out:
            talk(f"left out of it: {', '.join(entry.left_out)}")


def _stdin(title: str) -> str:
    if sys.stdin.isatty():
        if title:
            return ""
        message = "there is nothing to remember"
        raise UsageError(message, hint="give a title, options like --decision, or text on stdin")
    if title and not _something_comes():
        talk("note: nothing came on stdin; only the title is stored")
        return ""
    return files.decode(sys.stdin.buffer.read()).text


def _something_comes() -> bool:
    """Whether stdin has text or an end: agents run commands with a stdin that stays open and silent."""
    try:
        return bool(select.select([sys.stdin], [], [], _SILENCE_SECONDS)[0])
    except (OSError, ValueError):
        return True  # a file, or a system that can't wait for a pipe
