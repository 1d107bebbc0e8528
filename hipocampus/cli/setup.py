"""`status`, `config` and `demo`."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import click

from hipocampus import config as settings
from hipocampus.cli.doctor import as_document, in_words
from hipocampus.cli.group import Command, SubGroup, options
from hipocampus.cli.output import as_utf8, print_json, print_table, size, talk, warn
from hipocampus.errors import ExitCode
from hipocampus.hosts.host import Machine
from hipocampus.layout import find_workspace
from hipocampus.memory import Memory
from hipocampus.recall.tally import Tally
from hipocampus.setup import demo as sample
from hipocampus.setup.status import Status
from hipocampus.setup.status import status as look


@click.command(cls=Command)
def status() -> None:
    """Show what there is, how fresh it is, and what is wrong."""
    found = look(Memory.find(options().directory, today=options().today), Machine.here())
    if options().as_json:
        print_json(
            {
                **{name: getattr(found, name) for name in found.__slots__},
                "today": found.today.isoformat(),
                "hosts": [as_document(host) for host in found.hosts],
            }
        )
        return
    counts = ", ".join(f"{number} {name}" for name, number in found.counts.items())
    budgets = ", ".join(f"{level} {tokens}" for level, tokens in found.budgets.items())
    root = "not built yet" if found.root_tokens is None else f"{found.root_tokens} of {found.budgets['root']} tokens"
    lines = [
        ("workspace", found.workspace),
        ("state", "healthy" if found.healthy else "NOT healthy"),
        ("today", found.today.isoformat()),
        ("files", counts),
        ("size", f"{size(found.sizes['raw'])} of raw logs, {size(found.sizes['nodes'])} of nodes"),
        ("ROOT.md", root),
        ("budgets", f"{budgets} tokens"),
        ("compacted", found.last_compact or "never"),
        ("index", _index_line(found)),
        ("concepts", _concepts_line(found)),
        *(("recall", line) for line in _recall_lines(found.recall)),
        ("due", found.due or "no"),
        *(("host", in_words(host)) for host in found.hosts),
    ]
    for name, text in lines:
        click.echo(f"{name:<10} {text}")
    warn(found.warnings)
    for problem in found.problems:
        talk(f"problem: {problem}")


def _index_line(found: Status) -> str:
    if found.index is None:
        return "none"
    waiting = [
        f"{number:,} {what}"
        for number, what in (
            (found.index.stale_sources, "files changed"),
            (found.index.chunks_without_vector, "chunks without a vector"),
        )
        if number
    ]
    return ", ".join([f"{found.index.engine.chunks:,} chunks of {found.index.sources:,} files", *waiting])


def _concepts_line(found: Status) -> str:
    held = found.concepts
    if held is None:
        return "none"
    stale = [f"{held.stale_sources:,} files changed since"] if held.stale_sources else []
    built = f"built {held.built.isoformat(timespec='minutes')[:16].replace('T', ' ')}"
    return ", ".join([f"{held.anchors:,} for {held.chunks:,} chunks", size(held.size), built, *stale])


def _recall_lines(counted: Tally) -> list[str]:
    if not counted.prompts:
        return ["no prompt yet"]
    at = counted.at[:16].replace("T", " ")
    tiers = (
        f"{counted.concept_hits:,} by concepts, {counted.episodic_hits:,} new, {counted.fallthrough:,} by words alone"
    )
    return [
        f"last {at}: {f'{counted.lines} lines' if counted.lines else f'nothing, {counted.decision}'}",
        f"{counted.answered:,} of {counted.prompts:,} prompts answered, with lines found {tiers}",
    ]


@click.group(cls=SubGroup, invoke_without_command=True)
@click.pass_context
def config(context: click.Context) -> None:
    """List, read or change settings."""
    if context.invoked_subcommand is None:
        context.invoke(list_settings)


@config.command("list")
def list_settings() -> None:
    """All settings with their values and defaults."""
    loaded = settings.load(find_workspace(options().directory).config)
    others = settings.other_settings(loaded.raw)
    if options().as_json:
        print_json({**loaded.values, **others})
        return
    rows = [(key, json.dumps(loaded[key]), json.dumps(default)) for key, default in settings.DEFAULTS.items()]
    rows += [(key, json.dumps(value), "(kept, but not used)") for key, value in others.items()]
    print_table(rows, ("setting", "value", "default"))


@config.command("get")
@click.argument("key")
def get_setting(key: str) -> None:
    """The value of one setting."""
    loaded = settings.load(find_workspace(options().directory).config)
    others = settings.other_settings(loaded.raw)
    value = others[key] if key in others else loaded[settings.known_key(key)]
    click.echo(json.dumps(value, ensure_ascii=False))


@config.command("set")
@click.argument("key")
@click.argument("value")
def set_setting(key: str, value: str) -> None:
    """Change one setting; the rest of the file stays as it is."""
    stored = settings.set_value(find_workspace(options().directory).config, key, as_utf8(value))
    if options().as_json:
        print_json({key: stored})
    else:
        talk(f"{key} is {json.dumps(stored, ensure_ascii=False)}")


@click.command(cls=Command)
@click.argument("folder", required=False, type=click.Path(path_type=Path))
def demo(folder: Path | None) -> int:
    """
    Run everything once on sample logs: eight weeks of a small team, rolled up into ROOT.md.

    Works in a temporary folder that is removed at the end; give a FOLDER to keep it.
    """
    given = options()
    with tempfile.TemporaryDirectory(prefix="hipocampus-demo-") as scratch:
        done = sample.run(given.directory / folder if folder else Path(scratch) / "project")
        if given.as_json:
            print_json({"folder": str(folder) if folder else None, "root": done.root, **_summary(done)})
            return ExitCode.DONE
        made = len(done.compacted.written)
        talk(f"1. init       a memory in {done.folder}")
        talk(f"2. raw logs   {done.days} days of a small team's work, {size(done.bytes)}")
        talk(f"3. compact    {made} files written in {done.compacted.seconds:.1f} s: daily, weekly, monthly, ROOT.md")
        talk(f"4. ROOT.md    {done.compacted.root_tokens} tokens, the page to read first:\n")
        click.echo(done.root, nl=False)
        if folder:
            talk(f"\nLook around: hipocampus -C {folder} tree, hipocampus -C {folder} read POINTER")
        else:
            talk("\nTo keep it and look around: hipocampus demo FOLDER")
    return ExitCode.DONE


def _summary(done: sample.Demo) -> dict[str, object]:
    return {"days": done.days, "bytes": done.bytes, "root_tokens": done.compacted.root_tokens}
