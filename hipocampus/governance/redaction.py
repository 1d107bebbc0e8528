"""
What must not be stored or handed on: private text, secrets and what was taken back, left out in one place for all.

A write path redacts before the first byte. What people wrote by hand keeps its bytes, so whatever reads a file to
show it or to derive something from it reads it here.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import NamedTuple

from hipocampus import files
from hipocampus.layout import CONFIG_NAME, Workspace

# What finds all this is imported where it is used: each search asks for the version alone.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipocampus.log.entry import Entry

VERSION = 1
"""Of the rules for both; raise it when they find something else, and nodes, ROOT.md and index are made anew."""


PRIVATE = "private text"
"""What was left out where something was `<private>`, in words."""


class Redacted(NamedTuple):
    """A text as it may be stored, and what was left out of it, in words."""

    text: str
    left_out: tuple[str, ...]


def redact(text: str) -> Redacted:
    """A text as it may be stored: private parts are gone, of each secret `[REDACTED:kind]` is left."""
    from hipocampus.governance import private, secrets

    public = private.drop(text)
    masked = secrets.mask(public)
    hidden = [PRIVATE] if public != text else []
    return Redacted(masked.text, (*hidden, *(f"a secret ({finding.kind})" for finding in masked.findings)))


def redacted(text: str) -> str:
    """As `redact`, the text alone."""
    return redact(text).text


def screened(text: str, path: Path, *, history: bool = False) -> str:
    """
    The text of the file at a path as it may be shown, with as many lines.

    With `history` what was superseded stays, struck through.
    """
    from hipocampus.governance import marks, private, secrets

    shown = private.blank(marks.shown(text, history=history))
    return secrets.mask(_without_returned(path, shown)).text


def read_text(path: Path, *, history: bool = False) -> str:
    """The text of a file as it may be shown; see `screened`. Raises OSError."""
    return screened(files.read_text(path).text, path, history=history)


def is_watched(workspace: Workspace) -> bool:
    """Whether anything was taken back in a workspace; most do without what compares texts."""
    return files.is_present(workspace.ledger)


def digest(workspace: Workspace, path: Path, sha256: str) -> str:
    """The digest of a file as readers see it, from that of its text. Raises OSError."""
    if not is_watched(workspace):
        return sha256
    from hipocampus.governance import returned

    return returned.stamped(workspace, path, sha256)


def _without_returned(path: Path, text: str) -> str:
    """A memory in which nothing was taken back does without what compares texts."""
    root = next((folder for folder in path.parents if files.is_present(folder / CONFIG_NAME)), None)
    if root is None or not is_watched(Workspace(root)):
        return text
    from hipocampus.governance import returned

    return returned.without(Workspace(root), path, text)


def read_day(path: Path, day: date) -> list[Entry]:
    """The entries of a raw log as they may be shown. Raises OSError."""
    from hipocampus.log import entry as grammar

    return grammar.parse(read_text(path), day)
