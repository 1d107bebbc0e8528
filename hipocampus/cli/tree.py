"""`compact`, `tree` and `read`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from hipocampus import files
from hipocampus.cli.group import Command, options
from hipocampus.cli.output import print_json, print_table, progress, say_if_estimated, size, talk, warn
from hipocampus.errors import NotFound
from hipocampus.memory import Memory
from hipocampus.tree.compaction import Compacted

# Reopened nodes that are named one by one; a new budget reopens all.
_MOST_REOPENED = 5


@click.command(cls=Command)
@click.option("--if-due", is_flag=True, help="Do nothing unless a trigger says so: a new day, time, new lines.")
@click.option("--full", is_flag=True, help="Build every node anew; the same sources give the same bytes.")
@click.option("--dry-run", is_flag=True, help="Say what would be written and write nothing.")
@click.option("--plan", is_flag=True, help="List the nodes that an agent may refine.")
@click.option("--write-node", metavar="FILE", help="Take a node body that an agent wrote, after checks; - reads stdin.")
def compact(if_due: bool, full: bool, dry_run: bool, plan: bool, write_node: str | None) -> None:
    """
    Roll up what changed: raw logs, daily, weekly and monthly nodes, ROOT.md.

    \b
      hipocampus compact              after every change
      hipocampus compact --plan       which nodes had to be shortened
      hipocampus compact --write-node draft.md
    """
    if sum((if_due, full, bool(write_node), plan)) > 1:
        raise click.UsageError("--if-due, --full, --plan and --write-node exclude each other")
    if dry_run and (plan or write_node):
        raise click.UsageError("--dry-run goes with a plain compact, --full or --if-due")
    memory = Memory.find(options().directory, today=options().today)
    if plan:
        _print_plan(memory)
        return
    if write_node:
        _print_result(memory, memory.write_node(_read(write_node)), dry_run=False)
    elif if_due:
        done = memory.compact_if_due(progress()) if not dry_run else None
        _print_result(memory, done, dry_run=dry_run)
    else:
        _print_result(memory, memory.compact(full=full, dry_run=dry_run, progress=progress()), dry_run=dry_run)


@click.command(cls=Command)
@click.option("--depth", type=click.IntRange(0, 4), default=3, show_default=True, help="0 is ROOT.md, 4 the raw logs.")
def tree(depth: int) -> None:
    """List the nodes from ROOT.md down, newest first, with tokens, sizes and dates."""
    memory = Memory.find(options().directory, today=options().today)
    nodes = [node for node in memory.tree() if node.depth <= depth]
    if options().as_json:
        print_json({"nodes": nodes})
        return
    rows = [
        (
            "  " * node.depth + node.path.removeprefix("memory/"),
            "" if node.tokens is None else str(node.tokens),
            size(node.bytes),
            node.dates,
            node.status,
            node.made_by,
        )
        for node in nodes
    ]
    if rows:
        print_table(rows, ("node", "tokens", "size", "dates", "status", "made by"))
    else:
        talk("there is no tree yet; `hipocampus compact` builds it")


@click.command(cls=Command)
@click.argument("pointer")
def read(pointer: str) -> None:
    """
    Print what a pointer shows.

    \b
      hipocampus read 2026-03-15#3f9ac2   one entry
      hipocampus read 2026-03-15          a raw day log
      hipocampus read 2026-W11            a weekly node
      hipocampus read knowledge/limits.md:10-20
    """
    passage = Memory.find(options().directory, today=options().today).read(pointer)
    if options().as_json:
        lines = [passage.first, passage.last]
        print_json({"source": passage.source, "lines": lines, "text": passage.text})
    else:
        click.echo(passage.text, nl=False)


def _read(name: str) -> str:
    if name == "-":
        return files.decode(sys.stdin.buffer.read()).text
    path = Path(name)
    if not path.is_file():
        message = f"there is no file {name}"
        raise NotFound(message, hint="give the file with the node's front matter and its new body")
    return files.read_text(path).text


def _print_plan(memory: Memory) -> None:
    nodes = memory.refinable()
    if options().as_json:
        print_json({"nodes": nodes})
    elif nodes:
        rows = [(node.path, str(node.tokens), str(node.room), str(len(node.sources))) for node in nodes]
        print_table(rows, ("node", "tokens", "room", "sources"))
    else:
        talk("no node had to be shortened")


def _nothing(memory: Memory) -> dict[str, object]:
    """What a run that was not due says of itself."""
    empty = {"written": [], "unchanged": 0, "root_tokens": 0, "needs_agent": [], "seconds": 0}
    return {**empty, "due": memory.due()}


def _print_result(memory: Memory, done: Compacted | None, *, dry_run: bool) -> None:
    if options().as_json:
        print_json(done or _nothing(memory))
        return
    if done is None:
        reason = memory.due()
        busy = "another compaction is running; nothing was done"
        talk("nothing is due" if not reason else f"due: {reason}" if dry_run else busy)
        return
    warn(done.warnings)
    if done.written:
        say_if_estimated(exact=memory.counts_exactly)
    for path in done.written if dry_run else ():
        click.echo(f"would write {path}")
    for path in done.reopened[:_MOST_REOPENED]:
        talk(f"reopened {path}: its sources changed after it was fixed")
    if len(done.reopened) > _MOST_REOPENED:
        talk(f"and {len(done.reopened) - _MOST_REOPENED} more fixed nodes: their sources or the budget changed")
    verb = "would be written" if dry_run else "written"
    talk(
        f"{len(done.written)} {verb}, {done.unchanged} unchanged; "
        f"ROOT.md has {done.root_tokens} tokens; {done.seconds:.1f} s"
    )
    if done.needs_agent:
        talk(f"{len(done.needs_agent)} nodes are digests that an agent may refine: hipocampus compact --plan")
