"""Files the agent curates, `knowledge/` and `plans/`: what each is about, for the Topics Index."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hipocampus.errors import NotFound
from hipocampus.governance import redaction
from hipocampus.layout import CURATED_FOLDERS, Workspace
from hipocampus.log.entry import fenced_lines
from hipocampus.text import front_matter
from hipocampus.tree import exclusion
from hipocampus.tree import state as states
from hipocampus.tree.state import State

if TYPE_CHECKING:
    from hipocampus.tree.facts import Fact

_LARGEST = 2_000_000
_MOST_FACTS = 4
_HEADING = re.compile(r"(#{1,3}) +(.+?)\s*#*$")


@dataclass(frozen=True, slots=True)
class CuratedFile:
    """A Markdown file below `knowledge/` or `plans/`; `name` is relative to the workspace."""

    name: str
    path: Path
    sha256: str


def find(workspace: Workspace, state: State) -> tuple[list[CuratedFile], list[str]]:
    """The curated files by name, and warnings about those that can't be used. Never leaves the workspace."""
    found, warnings = [], []
    for folder in CURATED_FOLDERS:
        for path in sorted(_markdown_below(workspace.root / folder)):
            name = workspace.relative(path)
            try:
                workspace.inside(name)
                stat = path.stat()
                if stat.st_size > _LARGEST:
                    warnings.append(f"{name} was left out of ROOT.md: it has more than {_LARGEST:,} bytes")
                    continue
                sha256 = states.look(state, name, path, stat).sha256
                found.append(CuratedFile(name, path, redaction.digest(workspace, path, sha256)))
            except (OSError, NotFound):
                warnings.append(f"{name} was left out of ROOT.md: it can't be read")
    return found, warnings


def facts(file: CuratedFile) -> list[Fact]:
    """What a curated file is about: its headings and first statements, under its title. Raises OSError."""
    from hipocampus.tree.facts import Fact
    from hipocampus.tree.statements import entry_facts, topic_of

    front, body = front_matter.split(redaction.read_text(file.path))
    lines = [line for line in body.split("\n") if not exclusion.is_temporary(line)]
    fenced = fenced_lines(lines)
    headings = [m for i, line in enumerate(lines) if i not in fenced and (m := _HEADING.match(line))]
    title = _title(front, headings, file)
    texts = [m[2].replace(";", ",") for m in headings if m[2] != title]
    said = [line for line in exclusion.prose_lines(lines) if not line.startswith("#")]
    stated = entry_facts(title, "project", "\n".join(said), None, file.name)
    found = [Fact(text, topic_of(title), "project", None, file.name, 1.0) for text in texts]
    return [*stated[:_MOST_FACTS], *found][:_MOST_FACTS] or [Fact("", topic_of(title), "project", None, file.name, 0)]


def _title(front: str, headings: list[re.Match[str]], file: CuratedFile) -> str:
    named = front_matter.fields_of(front).get("title")
    if isinstance(named, str) and named.strip():
        return named.strip()
    first = next((m[2] for m in headings if len(m[1]) == 1), "")
    return first or file.path.stem.replace("-", " ").replace("_", " ")


def _markdown_below(folder: Path) -> Iterator[Path]:
    """Markdown files of a folder and its sub-folders; linked folders are not entered."""
    for top, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(top) / name for name in sorted(names) if name.endswith(".md") and not name.startswith("."))
