"""The list of commands, each imported only when it is called; global options before or after the command."""

from __future__ import annotations

import importlib
import os
import sys
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, cast

import click

from hipocampus import clock
from hipocampus.errors import ExitCode

# Each command with the module that holds it and one line of help, so that `--help` imports none of them.
COMMANDS = {
    "init": ("install", "Set up a memory in this folder, and the agents in use."),
    "update": ("install", "Bring what init wrote up to this version."),
    "uninstall": ("install", "Take out what init added; the memory stays unless you say --purge."),
    "doctor": ("doctor", "Say what keeps the memory from working in the agents, and mend it."),
    "status": ("setup", "Show what there is, how fresh it is, and what is wrong."),
    "config": ("setup", "List, read or change settings."),
    "demo": ("setup", "Run everything once on sample logs; ends with ROOT.md."),
    "checkpoint": ("write", "Append an entry to today's raw log."),
    "capture": ("capture", "Take what was said in agent sessions into the raw logs."),
    "compact": ("tree", "Roll up what changed: raw logs, daily, weekly, monthly, ROOT.md."),
    "search": ("search", "Find what was said, in any words and any script."),
    "recall": ("recall", "What a prompt brings to mind, as its agent would see it."),
    "sleep": ("sleep", "The nightly job: compact, index, find concepts."),
    "concepts": ("sleep", "Look into the concept index."),
    "forget": ("govern", "Remove something for good, everywhere."),
    "release": ("govern", "Hide something; can be undone."),
    "purge": ("govern", "Remove all that holds an identifier or a name."),
    "correct": ("govern", "Put something right; the newest state wins."),
    "undo": ("govern", "Take back the last mutation, or a named one."),
    "review": ("review", "Decide on proposed corrections and on secrets that were found."),
    "ledger": ("govern", "Show what was forgotten, corrected, refused and undone."),
    "why": ("exchange", "Show where an entry comes from."),
    "export": ("exchange", "Write every entry as a line of JSON."),
    "import": ("exchange", "Store the entries of an export."),
    "index": ("search", "Update, rebuild or look at the search index."),
    "hook": ("hook", "Do what an event of an agent host asks for."),
    "scan": ("scan", "Find secrets that already stand in files."),
    "tree": ("tree", "List the nodes from ROOT.md down, with sizes and dates."),
    "read": ("tree", "Print what a pointer, a day, a period or a file shows."),
}
_EXIT_CODES = "\n".join(f"  {code.value:>3}  {code.name.lower().replace('_', ' ')}" for code in ExitCode)


@dataclass(slots=True)
class Options:
    """The global options of one call."""

    directory: Path
    as_json: bool = False
    today: date | None = None


def _set(name: str) -> Any:
    def callback(context: click.Context, _parameter: click.Parameter, value: object) -> None:
        options = context.ensure_object(dict)
        if value not in (None, False):
            options[name] = value

    return callback


def _global_options() -> list[click.Parameter]:
    return [
        click.Option(
            ["-C", "directory"],
            type=click.Path(file_okay=False, exists=True),
            metavar="DIR",
            help="Work in DIR instead of the current folder.",
            expose_value=False,
            callback=_set("directory"),
        ),
        click.Option(
            ["--json", "as_json"],
            is_flag=True,
            help="Print one JSON document.",
            expose_value=False,
            callback=_set("as_json"),
        ),
        click.Option(
            ["--today"],
            metavar="YYYY-MM-DD",
            help=f"Use this date as today (also ${clock.TODAY_VARIABLE}).",
            expose_value=False,
            callback=_set("today"),
        ),
    ]


class Command(click.Command):
    """A command that takes the global options as well."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params += _global_options()


class SubGroup(click.Group):
    """A group below `hipocampus`, such as `config`, whose commands take the global options as well."""

    command_class = Command

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params += _global_options()


class LazyGroup(click.Group):
    """Knows its commands by name and imports one when it is called."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; that a reader such as `head` leaves early is no failure, for which click would take it."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return None

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """Names in the order people need them."""
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, name: str) -> click.Command | None:
        """Import the module of a command."""
        if name not in COMMANDS:
            return None
        module = importlib.import_module(f"hipocampus.cli.{COMMANDS[name][0]}")
        return cast("click.Command", getattr(module, name if name != "import" else "import_"))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with the nearest name for one that does not exist."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            suffix = f" Did you mean {near[0]}?" if near else ""
            ctx.fail(f"No such command {args[0]!r}.{suffix}")
        return super().resolve_command(ctx, args)

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help=(
        "Memory for coding agents: raw daily logs, rolled up into ROOT.md.\n\n\b\n"
        "  hipocampus init                     set up a memory here\n"
        '  hipocampus checkpoint "Rate limits" --decision "token bucket"\n'
        "  hipocampus compact                  roll up what changed\n"
        '  hipocampus search "token bucket"    find what was said\n'
        "  hipocampus read 2026-03-15#3f9ac2   print what a pointer shows"
    ),
    epilog=f"\b\nExit codes:\n{_EXIT_CODES}",
    params=_global_options(),
)
@click.version_option(package_name="hipocampus", message="hipocampus %(version)s")
def hipocampus() -> None:
    """Everything is in the commands; here colours are put off where nobody wants them (no-color.org)."""
    if os.environ.get("NO_COLOR"):
        click.get_current_context().color = False


def options() -> Options:
    """The global options of the running command."""
    given = click.get_current_context().ensure_object(dict)
    text = given.get("today")
    today = clock.parse_day(text) if text else clock.day_from_environment()
    return Options(Path(given.get("directory", ".")), bool(given.get("as_json")), today)
