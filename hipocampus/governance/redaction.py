"""
What must not be stored or handed on: private text, secrets and what was taken back, left out in one place for all.

A write path redacts before the first byte. What people wrote by hand keeps its bytes, so whatever reads a file to
show it or to derive something from it reads it here.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

from hipocampus import files

# What finds all this is imported where it is used: each search asks for the version alone.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipocampus.log.entry import Entry

VERSION = 1
"""Of the rules for both; raise it when they find something else, and nodes, ROOT.md and index are made anew."""


def redacted(text: str) -> str:
    """A text as it may be stored: private parts are gone, of each secret `[REDACTED:kind]` is left."""
    from hipocampus.governance import private, secrets

    return secrets.mask(private.drop(text)).text


def screened(text: str, *, history: bool = False) -> str:
    """
    The text of a file as it may be shown, with as many lines.

    With `history` what was superseded stays, struck through.
    """
    from hipocampus.governance import marks, private, secrets

    return secrets.mask(private.blank(marks.shown(text, history=history))).text


def read_text(path: Path, *, history: bool = False) -> str:
    """The text of a file as it may be shown; see `screened`. Raises OSError."""
    return screened(files.read_text(path).text, history=history)


def read_day(path: Path, day: date) -> list[Entry]:
    """The entries of a raw log as they may be shown. Raises OSError."""
    from hipocampus.log import entry as grammar

    return grammar.parse(read_text(path), day)
