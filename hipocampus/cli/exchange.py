"""`why`, `export` and `import`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from hipocampus import files
from hipocampus.cli.group import Command, options
from hipocampus.cli.output import as_utf8, print_json, print_table, printable, talk
from hipocampus.errors import NotFound
from hipocampus.memory import Memory


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
