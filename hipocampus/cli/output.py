"""How results reach the terminal: data on stdout, talk on stderr, progress only for people."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields, is_dataclass
from datetime import date
from typing import Any

import click

BAR_WIDTH = 30
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def print_json(document: object) -> None:
    """Print one JSON document; plain ASCII where the terminal can't show more."""
    plain = (sys.stdout.encoding or "ascii").lower().replace("-", "") != "utf8"
    click.echo(json.dumps(_plain(document), ensure_ascii=plain, indent=2))


def talk(text: str) -> None:
    """Say something to the person; it is no data."""
    click.echo(text, err=True)


def warn(texts: Iterable[str]) -> None:
    """Say what went not as it should, a line each."""
    for text in texts:
        talk(f"warning: {text}")


def print_table(rows: Sequence[Sequence[str]], heading: Sequence[str]) -> None:
    """Print rows under a heading; columns as wide as they must be, numbers to the right."""
    widths = [max(len(row[i]) for row in (heading, *rows)) for i in range(len(heading))]
    for row in (heading, *rows):
        cells = (
            cell.rjust(width) if rows and rows[0][i][:1].isdigit() and i else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        click.echo("  ".join(cells).rstrip())


def progress() -> Callable[[str], None]:
    """A function that shows what is being worked on; it does nothing where nobody watches."""
    if not sys.stderr.isatty():
        return lambda _name: None

    def show(name: str) -> None:
        sys.stderr.write(f"\r\033[K{name}")
        sys.stderr.flush()

    click.get_current_context().call_on_close(lambda: sys.stderr.write("\r\033[K"))
    return show


def say_if_estimated(*, exact: bool) -> None:
    """One line where tokens were not counted by their table."""
    if not exact:
        talk("note: tokens are estimated, the token table could not be loaded")


def progress_bar() -> Callable[[str, int, int], None]:
    """A function that shows how far something is, until all is done; it does nothing where nobody watches."""
    show = progress()

    def advance(what: str, done: int, total: int) -> None:
        if done >= total:
            show("")
            return
        filled = BAR_WIDTH * done // max(total, 1)
        show(f"{what} [{'#' * filled}{' ' * (BAR_WIDTH - filled)}] {done:,} of {total:,}")

    return advance


def as_utf8(argument: str) -> str:
    """The text of an argument, whatever the locale made of its bytes; names of files stay as they came."""
    return os.fsencode(argument).decode("utf-8", "replace")


def printable(text: str) -> str:
    """A text in one line that steers no terminal, whatever was stored."""
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}", text)


def size(number: int) -> str:
    """Bytes for people."""
    value, unit = float(number), "B"
    for unit in ("B", "KB", "MB", "GB"):
        if value < 1000 or unit == "GB":
            break
        value /= 1000
    return f"{value:.0f} {unit}" if value >= 100 or unit == "B" else f"{value:.1f} {unit}"


def _plain(value: object) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name.rstrip("_"): _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name.rstrip("_"): _plain(getattr(value, name)) for name in value._fields}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return value
