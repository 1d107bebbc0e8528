"""`search` and `index`."""

from __future__ import annotations

from typing import Any

import click

from hipocampus.cli.group import Command, SubGroup, options
from hipocampus.cli.output import as_utf8, print_json, print_table, printable, progress_bar, size, talk, warn
from hipocampus.clock import parse_day
from hipocampus.index.engine import Filter
from hipocampus.index.item import Item
from hipocampus.index.question import MODES
from hipocampus.index.search import Updated
from hipocampus.layout import CURATED_FOLDERS
from hipocampus.log.entry import ENTRY_TYPES
from hipocampus.memory import Memory
from hipocampus.text.terms import query_terms

AREAS = {"raw": "raw", **{name: name for name in CURATED_FOLDERS}, "hot": "hot", "nodes": "node"}
"""What `--in` takes, and what the index calls it."""
_EXCERPT = 300


@click.command(cls=Command)
@click.argument("query", nargs=-1, required=True)
@click.option("-k", "limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="How many hits at most.")
@click.option(
    "--mode",
    type=click.Choice(MODES),
    default="hybrid",
    show_default=True,
    help="Words, meaning, concepts, or all of them; fast leaves the encoder out.",
)
@click.option("--type", "types", multiple=True, type=click.Choice(ENTRY_TYPES), help="Only entries of this type.")
@click.option("--since", metavar="YYYY-MM-DD", help="Only from this day on.")
@click.option("--until", metavar="YYYY-MM-DD", help="Only up to this day.")
@click.option("--in", "areas", multiple=True, type=click.Choice(list(AREAS)), help="Only in this part of the memory.")
@click.option("--explain", is_flag=True, help="Show where each score comes from.")
def search(
    query: tuple[str, ...],
    limit: int,
    mode: Any,
    types: tuple[str, ...],
    since: str | None,
    until: str | None,
    areas: tuple[str, ...],
    explain: bool,
) -> None:
    """
    Find what was said, in any words and any script: raw logs, nodes, knowledge, plans, hot files.

    \b
      hipocampus search "why did we drop redis"
      hipocampus search rate limit --type feedback --since 2026-03-01
      hipocampus search parseHTTPResponse --in knowledge --mode bm25
    """
    where = Filter(
        frozenset(types),
        parse_day(since) if since else None,
        parse_day(until) if until else None,
        frozenset(AREAS[name] for name in areas),
    )
    text = as_utf8(" ".join(query))
    memory = Memory.find(options().directory, today=options().today)
    found = memory.search(text, limit=limit, mode=mode, where=where, progress=progress_bar())
    warn(found.notes)
    if options().as_json:
        print_json({"mode": found.mode, "items": [_document(item, explain=explain) for item in found.items]})
        return
    terms = set(query_terms(text, ("en",)))
    for number, item in enumerate(found.items, 1):
        _print_item(number, item, terms, explain=explain)
    if not found.items:
        talk("nothing was found")


@click.group(cls=SubGroup)
def index() -> None:
    """
    Update, rebuild or look at the search index.

    A search brings the words' index up to date by itself; vectors of many new entries are left to `index update`.
    """


@index.command()
def update() -> None:
    """Take in what changed, and compute the vectors that are missing."""
    memory = Memory.find(options().directory, today=options().today)
    _print_state(memory.update_index(progress=progress_bar()))


@index.command()
def rebuild() -> None:
    """Make the index anew; vectors of texts that are still there are kept."""
    memory = Memory.find(options().directory, today=options().today)
    _print_state(memory.update_index(rebuild=True, progress=progress_bar()))


@index.command("status")
def index_status() -> None:
    """Show what the index holds and what waits."""
    _print_state(Memory.find(options().directory, today=options().today).index_state())


def _document(item: Item, *, explain: bool) -> dict[str, Any]:
    fields = {name: getattr(item, name) for name in Item.__slots__}
    return fields if explain else {name: value for name, value in fields.items() if name != "explain"}


def _print_item(number: int, item: Item, terms: set[str], *, explain: bool) -> None:
    from hipocampus.text.excerpt import excerpt

    first, last = item.lines
    place = f"{item.source}:{first}" + (f"-{last}" if last > first else "")
    about = (click.style(printable(place), bold=True), item.date, item.type, printable(item.heading))
    head = "  ".join(part for part in about if part)
    click.echo(f"{number}. {head}")
    if explain:
        click.echo(f"   {_explained(item)}")
    parts = excerpt(item.text, terms, "en", _EXCERPT)
    shown = [(printable(part.text), part.matches) for part in parts]
    click.echo("   " + "".join(click.style(text, fg="yellow") if matches else text for text, matches in shown))


def _explained(item: Item) -> str:
    why = item.explain
    sides = []
    if why.lexical_rank:
        sides.append(f"words: rank {why.lexical_rank} (chunk {why.lexical:.1f} + document {why.context:.1f})")
    if why.vector_rank:
        near = f"similarity {why.similarity:.2f}" if why.similarity else "another part of it"
        sides.append(f"meaning: rank {why.vector_rank} ({near})")
    if why.concept_rank:
        sides.append(f"concepts: rank {why.concept_rank}" + (f" ({why.concept:.2f})" if why.concept else ""))
    return f"score {item.score:.4f} = " + ", ".join(sides)


def _print_state(updated: Updated) -> None:
    warn(updated.notes)
    state = updated.state
    if options().as_json:
        print_json(state)
        return
    engine = state.engine
    print_table(
        [
            ("folder", state.folder or "in memory"),
            ("sources", f"{state.sources:,}" + (f", {state.stale_sources:,} changed" if state.stale_sources else "")),
            ("chunks", f"{engine.chunks:,} of {engine.documents:,} entries and files"),
            ("vectors", f"{engine.vectors:,} of {engine.model}" if engine.model else "none"),
            ("waiting", f"{state.chunks_without_vector:,} chunks have no vector"),
            ("languages", ", ".join(name or "other" for name in state.languages)),
            ("size", size(engine.bytes)),
        ],
        ("index", ""),
    )
