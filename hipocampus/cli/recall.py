"""`recall`."""

from __future__ import annotations

import sys

import click

from hipocampus.cli.group import Command, options
from hipocampus.cli.output import as_utf8, print_json, say_if_estimated, talk, warn
from hipocampus.memory import Memory


@click.command(cls=Command)
@click.argument("prompt", nargs=-1)
@click.option("--budget", type=click.IntRange(0), help="Tokens at most; `recall.maxTokens` unless given.")
@click.option("--session", default="", metavar="ID", help="Show this session nothing twice.")
@click.option("--encoder", type=click.Choice(("auto", "none")), help="Whether an encoder reads the prompt as well.")
@click.option("--always", is_flag=True, help="Also where the prompt seems to need no memory.")
@click.option("--explain", is_flag=True, help="Show why each line is there.")
def recall(
    prompt: tuple[str, ...], budget: int | None, session: str, encoder: str | None, always: bool, explain: bool
) -> None:
    """
    Show what a prompt brings to mind, as its agent would see it; the prompt comes from stdin where none is given.

    \b
      hipocampus recall "add a limit to the payment endpoint"
      hipocampus recall --budget 700 --explain < prompt.txt
    """
    text = as_utf8(" ".join(prompt)) if prompt else sys.stdin.buffer.read().decode("utf-8", "replace")
    memory = Memory.find(options().directory, today=options().today)
    found = memory.recall(text, budget=budget, session=session, encoder=encoder, always=always)
    warn(found.notes)
    if found.items:
        say_if_estimated(exact=memory.counts_exactly)
    if options().as_json:
        print_json(found)
        return
    if not found.context:
        talk(found.reason)
        return
    click.echo(found.context)
    for item in found.items if explain else ():
        why = item.explain
        sides = f"words {why.lexical_rank or '-'}, concepts {why.concept_rank or '-'}, covers {why.share:.0%}"
        by = ", ".join(why.anchors) or "its words"
        talk(f"{item.id}: {why.tier}, {why.state}, score {item.score:.3f}, {sides}, by {by}")
