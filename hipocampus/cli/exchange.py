"""`review`, `why`, `export` and `import`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from hipocampus import files
from hipocampus.cli.group import Command, options
from hipocampus.cli.output import as_utf8, print_json, print_table, printable, talk
from hipocampus.errors import NotFound
from hipocampus.governance.proposals import Proposal
from hipocampus.memory import Memory


@click.command(cls=Command)
@click.option("--accept", metavar="ID", multiple=True, help="Accept a proposal without asking. May be repeated.")
@click.option("--reject", metavar="ID", multiple=True, help="Reject a proposal without asking. May be repeated.")
def review(accept: tuple[str, ...], reject: tuple[str, ...]) -> None:
    """
    Decide on corrections that new entries suggest, one by one: accept, reject, edit or skip.

    \b
      hipocampus review
      hipocampus --json review
      hipocampus review --accept 1f3a9c20
    """
    memory = Memory.find(options().directory, today=options().today)
    waiting = memory.governance.proposals()
    actor = "user" if sys.stdin.isatty() and sys.stdout.isatty() else "agent"
    for ident in (*accept, *reject):
        proposal = _named(waiting, ident)
        if ident in accept:
            memory.governance.accept(proposal, actor=actor)
        else:
            memory.governance.decline(proposal, actor=actor)
    if accept or reject:
        talk(f"accepted {len(accept)}, rejected {len(reject)}")
    elif options().as_json:
        print_json({"proposals": waiting})
    elif not waiting:
        talk("nothing waits for a decision")
    elif actor == "user":
        for number, proposal in enumerate(waiting, 1):
            _decide(memory, proposal, f"{number} of {len(waiting)}")
    else:
        for proposal in waiting:
            _show(proposal, proposal.id)


def _named(waiting: list[Proposal], ident: str) -> Proposal:
    found = next((proposal for proposal in waiting if proposal.id == ident), None)
    if found is None:
        message = f"no proposal {ident} waits"
        raise NotFound(message, hint="`hipocampus review` lists them")
    return found


def _show(proposal: Proposal, name: str) -> None:
    click.echo(f"{name}  {printable(proposal.source)}:{proposal.line}  {printable(proposal.old)}")
    click.echo(f"  may be overtaken by {printable(proposal.by_source)}:{proposal.by_line}  {printable(proposal.by)}")


def _decide(memory: Memory, proposal: Proposal, name: str) -> None:
    _show(proposal, name)
    answer = click.prompt(
        "accept, reject, edit, skip", default="skip", type=click.Choice(["accept", "reject", "edit", "skip"])
    )
    if answer == "accept":
        memory.governance.accept(proposal, actor="user")
    elif answer == "edit":
        memory.governance.accept(proposal, as_utf8(click.prompt("right is", default=proposal.by)), actor="user")
    elif answer == "reject":
        memory.governance.decline(proposal, actor="user")


@click.command(cls=Command)
@click.argument("pointer")
def why(pointer: str) -> None:
    """
    Show where an entry comes from: who wrote it, what was made from it, what was done with it.

    \b
      hipocampus why 2026-03-15#3f9ac2
    """
    found = Memory.find(options().directory, today=options().today).why(as_utf8(pointer))
    if options().as_json:
        print_json(found)
        return
    rows = [
        ("entry", f"{found.pointer}  {printable(found.title)}"),
        ("where", f"{found.source}:{found.lines[0]}-{found.lines[1]}"),
        ("state", found.state),
        ("written", " ".join(part for part in (found.actor, found.via, found.at) if part) or "by hand"),
        ("cited by", ", ".join(found.cited_by) or "nothing"),
        *(("mutation", text) for text in found.mutations),
    ]
    print_table(rows, ("why", ""))


@click.command(cls=Command)
@click.option("-o", "--output", metavar="FILE", help="Write to a file instead of stdout.")
def export(output: str | None) -> None:
    """
    Write every entry as a line of JSON: without secrets, private text, and what was taken back.

    \b
      hipocampus export -o memory.jsonl
    """
    memory = Memory.find(options().directory, today=options().today)
    lines = (json.dumps(row, ensure_ascii=True) for row in memory.governance.export())
    if output:
        files.write_atomic(Path(output), "".join(f"{line}\n" for line in lines))
        talk(f"written to {output}")
        return
    for line in lines:
        click.echo(line)


@click.command("import", cls=Command)
@click.argument("file", metavar="FILE")
@click.option("--dry-run", is_flag=True, help="Only read the file and count its entries.")
def import_(file: str, dry_run: bool) -> None:
    """
    Store the entries of an export on their days, each once; what was taken back here stays out. `-` is stdin.

    \b
      hipocampus import memory.jsonl
    """
    from hipocampus.governance.exchange import rows

    memory = Memory.find(options().directory, today=options().today)
    text = _text(file)
    if dry_run:
        talk(f"{len(rows(text))} entries would be stored")
        return
    done = memory.governance.take_in(text)
    if options().as_json:
        print_json(done)
    else:
        talk(f"stored {done.stored}, {done.present} were here, {done.refused} were taken back before and stay out")


def _text(name: str) -> str:
    if name == "-":
        return files.decode(sys.stdin.buffer.read()).text
    try:
        return files.read_text(Path(name)).text
    except OSError as error:
        message = f"can't read {name}: {error.strerror}"
        raise NotFound(message, hint="give the file that `hipocampus export` wrote") from error
