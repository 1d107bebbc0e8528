"""`review`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from hipocampus.amending import Amending
from hipocampus.cli.group import Command, options
from hipocampus.cli.output import as_utf8, print_json, printable, talk
from hipocampus.errors import NotFound
from hipocampus.governance.leaks import Exposed
from hipocampus.governance.proposals import Proposal
from hipocampus.memory import Memory

_ANSWERS = ("accept", "reject", "edit", "skip")


@click.command(cls=Command)
@click.option("--accept", metavar="ID", multiple=True, help="Accept a proposal without asking. May be repeated.")
@click.option("--reject", metavar="ID", multiple=True, help="Reject a proposal without asking. May be repeated.")
def review(accept: tuple[str, ...], reject: tuple[str, ...]) -> None:
    """
    Decide on what waits, one by one: accept, reject, edit or skip.

    Corrections that new entries suggest: to accept lets the newer statement take the place of the older one. Secrets
    that `scan` finds: to accept takes one out for good wherever it stands, to reject says that it is none.

    \b
      hipocampus review
      hipocampus --json review
      hipocampus review --accept 1f3a9c20
    """
    governance = Memory.find(options().directory, today=options().today).governance
    corrections, secrets = governance.proposals(), governance.exposed()
    waiting: list[Proposal | Exposed] = [*secrets, *corrections]
    actor = "user" if sys.stdin.isatty() and sys.stdout.isatty() else "agent"
    for ident in (*accept, *reject):
        _carry_out(governance, _named(waiting, ident), "accept" if ident in accept else "reject", actor)
    if accept or reject:
        talk(f"accepted {len(accept)}, rejected {len(reject)}")
    elif options().as_json:
        print_json({"proposals": corrections, "secrets": secrets})
    elif not waiting:
        talk("nothing waits for a decision")
    elif actor == "user":
        for number, proposal in enumerate(waiting, 1):
            _show(proposal, f"{number} of {len(waiting)}")
            answer = click.prompt(", ".join(_ANSWERS), default="skip", type=click.Choice(_ANSWERS))
            _carry_out(governance, proposal, answer, actor)
    else:
        for proposal in waiting:
            _show(proposal, proposal.id)


def _named(waiting: Sequence[Proposal | Exposed], ident: str) -> Proposal | Exposed:
    found = next((proposal for proposal in waiting if proposal.id == ident), None)
    if found is None:
        message = f"no proposal {ident} waits"
        raise NotFound(message, hint="`hipocampus review` lists them")
    return found


def _show(proposal: Proposal | Exposed, name: str) -> None:
    if isinstance(proposal, Exposed):
        more = f", in {proposal.places} places" if proposal.places > 1 else ""
        click.echo(f"{name}  {printable(proposal.source)}:{proposal.line}  {printable(proposal.text)}")
        click.echo(f"  holds a secret: {proposal.kind}{more}")
        return
    click.echo(f"{name}  {printable(proposal.source)}:{proposal.line}  {printable(proposal.old)}")
    click.echo(f"  may be overtaken by {printable(proposal.by_source)}:{proposal.by_line}  {printable(proposal.by)}")


def _carry_out(governance: Amending, proposal: Proposal | Exposed, answer: str, actor: str) -> None:
    """Do what was answered; to edit asks for the words that count instead."""
    if answer == "reject":
        governance.decline(proposal, actor=actor)
    elif answer == "skip":
        return
    elif isinstance(proposal, Exposed):
        governance.redact(proposal, as_utf8(click.prompt("forget")) if answer == "edit" else "", actor=actor)
    else:
        text = as_utf8(click.prompt("right is", default=proposal.by)) if answer == "edit" else ""
        governance.accept(proposal, text, actor=actor)
