"""`sleep` and `concepts`."""

from __future__ import annotations

import click

from hipocampus.cli.group import Command, SubGroup, options
from hipocampus.cli.output import (
    as_utf8,
    print_json,
    print_table,
    printable,
    progress_bar,
    say_if_estimated,
    size,
    talk,
    warn,
)
from hipocampus.memory import Memory


@click.command(cls=Command)
@click.option("--if-due", is_flag=True, help="Do nothing unless a trigger of `compact` says so.")
def sleep(if_due: bool) -> None:
    """
    The nightly job: compact, index, find concepts.

    A hook starts it when it is due; `compact` alone does the first part.
    """
    memory = Memory.find(options().directory, today=options().today)
    slept = memory.sleep_if_due(progress=progress_bar()) if if_due else memory.sleep(progress=progress_bar())
    if slept and slept.compacted.written:
        say_if_estimated(exact=memory.counts_exactly)
    if options().as_json:
        print_json(slept)
        return
    if slept is None:
        click.echo("nothing is due")
        return
    rows = [("nodes", f"{len(slept.compacted.written):,} written, {slept.compacted.unchanged:,} unchanged")]
    if slept.indexed:
        warn(slept.indexed.notes)
        rows.append(("chunks", f"{slept.indexed.state.engine.chunks:,}"))
    if slept.concepts:
        warn(slept.concepts.notes)
        built = slept.concepts
        held = f"{built.anchors:,} for {built.chunks:,} chunks, {size(built.size)}"
        rows.append(("concepts", held if built.changed else f"{held}, unchanged"))
    print_table(rows, ("sleep", ""))


@click.group(cls=SubGroup)
def concepts() -> None:
    """Look into the concept index: what it knows, what lies near a term, and what a prompt leads to."""


@concepts.command("list")
@click.option("-k", "limit", type=click.IntRange(1), default=50, show_default=True, help="How many at most.")
def list_concepts(limit: int) -> None:
    """List the concepts, those that most chunks hold first."""
    memory = Memory.find(options().directory, today=options().today)
    found = memory.concepts.listed()[:limit]
    if options().as_json:
        print_json(found)
        return
    print_table([(printable(one.label), f"{one.df:,}") for one in found], ("concept", "chunks"))


@concepts.command()
@click.argument("term", nargs=-1, required=True)
def show(term: tuple[str, ...]) -> None:
    """Show what a term leads to: chunks and other concepts, with how near they are."""
    memory = Memory.find(options().directory, today=options().today)
    shown = memory.concepts.shown(as_utf8(" ".join(term)))
    if options().as_json:
        print_json(shown)
        return
    click.echo(f"{printable(shown.label)}: in {shown.df:,} chunks")
    print_table([(printable(one.term), f"{one.score:.2f}") for one in shown.neighbours], ("near concepts", ""))
    rows = [(printable(one.source), printable(one.topic), f"{one.score:.2f}") for one in shown.places]
    print_table(rows, ("near entries", "", ""))


@concepts.command()
@click.argument("prompt", nargs=-1, required=True)
def why(prompt: tuple[str, ...]) -> None:
    """Show which concepts a prompt holds, and what they lead to."""
    memory = Memory.find(options().directory, today=options().today)
    reason = memory.concepts.why(as_utf8(" ".join(prompt)))
    if options().as_json:
        print_json(reason)
        return
    if not reason.anchors:
        talk("none of these words is a concept; recall looks for them as words")
        return
    print_table([(printable(one.label), f"{one.df:,}") for one in reason.anchors], ("concept", "chunks"))
    rows = [
        (printable(one.source), printable(one.topic), f"{one.score:.2f}", printable(", ".join(one.terms)))
        for one in reason.places
    ]
    print_table(rows, ("leads to", "", "", "by"))
