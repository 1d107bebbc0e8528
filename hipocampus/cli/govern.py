"""`forget`, `release`, `purge`, `correct`, `undo` and `ledger`."""

from __future__ import annotations

import dataclasses
import sys
from typing import Any

import click

from hipocampus.cli.group import Command, options
from hipocampus.cli.output import as_utf8, print_json, print_table, printable, talk, warn
from hipocampus.clock import parse_day
from hipocampus.errors import CheckFailed, UsageError
from hipocampus.governance.amendment import Amendment, Plan
from hipocampus.memory import Memory

_PREVIEWED = 20
_WIDTH = 160
_VERBS = {
    "forget": "remove",
    "purge": "remove",
    "release": "hide",
    "dispute": "hide as disputed",
    "correct": "replace",
    "retract": "withdraw",
}
_query = click.argument("query", nargs=-1, required=True)
_yes = click.option("--yes", "-y", is_flag=True, help="Do it without asking.")
_dry_run = click.option("--dry-run", is_flag=True, help="Show what would change and change nothing.")
_why = click.option("--why", default="", metavar="TEXT", help="A reason, for the ledger.")


@click.command(cls=Command)
@_query
@_yes
@_dry_run
@_why
def forget(query: tuple[str, ...], yes: bool, dry_run: bool, why: str) -> None:
    """
    Remove something for good: from the logs, everything made from them, and from what is written later.

    QUERY is an entry (2026-03-15#3f9ac2), a value that is matched as a whole (an address, a number, a name), or what
    was said. What would go is shown first. Nobody can bring it back.

    \b
      hipocampus forget alice@acme.io
      hipocampus forget "the staging password hint" --dry-run
      hipocampus forget 2026-03-15#3f9ac2 --yes
    """
    _amend("forget", query, yes=yes, dry_run=dry_run, why=why)


@click.command(cls=Command)
@_query
@_yes
@_dry_run
@_why
def purge(query: tuple[str, ...], yes: bool, dry_run: bool, why: str) -> None:
    """
    Remove all that holds an identifier or a name, and keep it out from then on, however it is written.

    \b
      hipocampus purge TKT-100
      hipocampus purge "Ivan Petrov" --yes --why "asked to be removed"
    """
    _amend("purge", query, yes=yes, dry_run=dry_run, why=why)


@click.command(cls=Command)
@_query
@click.option("--dispute", is_flag=True, help="Mark it as disputed instead of letting it go.")
@_yes
@_dry_run
@_why
def release(query: tuple[str, ...], dispute: bool, yes: bool, dry_run: bool, why: str) -> None:
    """
    Hide something from every node, search and recall; the words stay in the log and `undo` shows them again.

    \b
      hipocampus release "everything about Dana"
      hipocampus release "the old office" --dispute
    """
    _amend("dispute" if dispute else "release", query, yes=yes, dry_run=dry_run, why=why)


@click.command(cls=Command)
@click.argument("old")
@click.argument("new", required=False, default="")
@click.option("--retract", is_flag=True, help="It was never true: nothing takes its place, and it does not come back.")
@click.option("--until", metavar="YYYY-MM-DD", help="It was true up to this day.")
@_yes
@_dry_run
@_why
def correct(old: str, new: str, retract: bool, until: str | None, yes: bool, dry_run: bool, why: str) -> None:
    """
    Put something right: NEW takes the place of what OLD names; the old words stay in the log, struck through.

    Of a sentence that says several things only the clause that OLD is about is replaced.

    \b
      hipocampus correct "we deploy to Heroku" "We deploy to Fly.io."
      hipocampus correct "I have a sister" --retract
      hipocampus correct "the limit is 50 requests" --until 2026-03-31
    """
    if sum(map(bool, (new, retract, until))) != 1:
        message = "say what is right instead, or --retract, or --until with a day"
        raise UsageError(message, hint='for example hipocampus correct "on port 7000" "It listens on port 7443."')
    day = parse_day(until).isoformat() if until else ""
    _amend("retract" if retract else "correct", (old,), new=new, until=day, yes=yes, dry_run=dry_run, why=why)


def _amend(
    kind: Amendment,
    query: tuple[str, ...],
    *,
    yes: bool,
    dry_run: bool,
    why: str,
    new: str = "",
    until: str = "",
) -> None:
    memory = Memory.find(options().directory, today=options().today)
    plan = memory.governance.plan(kind, as_utf8(" ".join(query)), new=as_utf8(new), until=until)
    if dry_run and options().as_json:
        print_json(_document(plan))
        return
    if not options().as_json:
        _preview(plan)
    if dry_run:
        return
    _confirm(plan, yes=yes)
    actor = "user" if sys.stdin.isatty() and sys.stdout.isatty() else "agent"
    done = memory.governance.carry_out(plan, actor=actor, path="cli", why=as_utf8(why))
    if options().as_json:
        print_json(done)
        return
    talk(f"done in {len(done.files)} files, ledger {done.id}" + (f"; now {done.pointer}" if done.pointer else ""))


def _confirm(plan: Plan, *, yes: bool) -> None:
    """Ask where somebody can answer; else only `--yes` will do. Raises CheckFailed for a no."""
    if yes:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        message = f"{len(plan.found)} statements would change, and nobody is here to confirm"
        raise CheckFailed(message, hint="look with --dry-run, then repeat with --yes")
    if not click.confirm(f"{_VERBS[plan.kind].capitalize()} this?", err=True):
        message = "nothing was changed"
        raise CheckFailed(message, hint="a longer QUERY names less")


def _preview(plan: Plan) -> None:
    for one in plan.found[:_PREVIEWED]:
        shown = printable(one.text)
        shown = shown if len(shown) <= _WIDTH else f"{shown[:_WIDTH]}…"
        click.echo(f"{_VERBS[plan.kind]} {printable(one.name)}:{one.line}  {shown}")
    if len(plan.found) > _PREVIEWED:
        click.echo(f"and {len(plan.found) - _PREVIEWED} more")
    if plan.new:
        click.echo(f"write {printable(plan.new)}")
    for value in plan.values:
        talk(f"from then on nothing that holds {printable(value)!r} is stored")
    if plan.touches_own_files:
        talk("note: this also edits files outside of memory/")


def _document(plan: Plan) -> dict[str, Any]:
    rows = [{"source": one.name, "line": one.line, "text": one.text} for one in plan.found]
    return {"kind": plan.kind, "found": rows, "values": plan.values, "new": plan.new, "files": sorted(plan.files)}


@click.command(cls=Command)
@click.argument("mutation", required=False, default="")
@_why
def undo(mutation: str, why: str) -> None:
    """
    Take back the last mutation, or the one with an id from the ledger; not one that removed text.

    \b
      hipocampus undo
      hipocampus undo 3f9ac2e1
    """
    memory = Memory.find(options().directory, today=options().today)
    actor = "user" if sys.stdin.isatty() and sys.stdout.isatty() else "agent"
    record = memory.governance.undo(mutation, actor=actor, path="cli", why=as_utf8(why))
    if options().as_json:
        print_json({"undone": record.id, "kind": record.kind, "files": record.where})
    else:
        talk(f"took back {record.kind} {record.id} in {len(record.where)} files")


@click.command(cls=Command)
@click.option("--verify", is_flag=True, help="Check every line and chain; exit 4 if something is not in order.")
def ledger(verify: bool) -> None:
    """
    Show what was forgotten, corrected, refused and undone: who, when, where, and never the text.

    \b
      hipocampus ledger
      hipocampus ledger --verify
    """
    book = Memory.find(options().directory, today=options().today).governance.ledger()
    shown = [record for record in book.records if record.kind not in ("begin", "done")]
    if options().as_json:
        rows = [dataclasses.asdict(r) | {"targets": len(r.targets), "undone": r.id in book.undone} for r in shown]
        print_json({"records": rows, "damages": book.damages, "torn": book.is_torn})
    else:
        _print_ledger([(r.id, r.kind, r.actor, r.at[:16], ", ".join(r.where) or r.of, r.why) for r in shown])
        warn(f"line {damage.line}: {damage.problem}" for damage in book.damages)
        if book.is_torn:
            warn(["the last line was not written to its end; it does not count"])
    if verify and book.damages:
        message = f"{len(book.damages)} lines of the ledger are not as they were written"
        raise CheckFailed(message, hint="compare memory/ledger.jsonl with a backup or its git history")
    if verify and not options().as_json:
        talk(f"{len(book.records)} lines in {len(book.heads)} chains are in order")


def _print_ledger(rows: list[tuple[str, ...]]) -> None:
    if rows:
        safe = [tuple(printable(cell) for cell in row) for row in rows]
        print_table(safe, ("id", "what", "who", "when", "where", "why"))
    else:
        talk("nothing was taken back yet")
