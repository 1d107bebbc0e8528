"""
What a host needs in a project's files, as values: `setup` plans, applies, checks and takes back these edits.

Paths are relative to the project, with slashes. Nothing here touches a disk.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class OwnFile:
    """A file that is ours alone, such as a skill or a plugin."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Block:
    """Lines between our two markers in a Markdown file of somebody else's."""

    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Hook:
    """
    One handler under `hooks.<event>` of a settings file, in the shape that Claude Code and Codex share.

    In JSON `{"hooks": {event: [{"matcher": matcher, "hooks": [handler]}]}}`; no matcher key where `matcher` is "".
    A path that ends in `.toml` holds the same tables.
    """

    path: str
    event: str
    matcher: str
    handler: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ListValues:
    """
    Strings that the list at `key` of a JSON file with comments must hold.

    `schema` is the `$schema` of a file that has to be made: a host that misses it would write into the file itself.
    """

    path: str
    key: str
    values: tuple[str, ...]
    schema: str = ""


Edit = OwnFile | Block | Hook | ListValues
