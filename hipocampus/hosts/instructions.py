"""
The instruction files of a project, CLAUDE.md and AGENTS.md, and our block in them.

A host that finds its own file does not read the other's: a file that we make must not hide one that a person wrote.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hipocampus import files
from hipocampus.hosts import shipped
from hipocampus.hosts.edits import Block
from hipocampus.hosts.host import Install
from hipocampus.layout import HOT_FILES

START, END = "<!-- hipocampus:start -->", "<!-- hipocampus:end -->"
AGENTS = "AGENTS.md"
CLAUDE_FILES = ("CLAUDE.md", ".claude/CLAUDE.md")
CLAUDE_PRIVATE = "CLAUDE.local.md"
LOADED = ("memory/ROOT.md", *HOT_FILES)
"""What every session should see from its first word on, relative to the workspace."""


def claude_block(install: Install) -> Block:
    """The block with imports, in the file that the project has; in one of the machine's own where it must not show."""
    path = CLAUDE_PRIVATE if install.is_stealth else _claude_file(install.project)
    up = "../" if path.startswith(".claude/") else ""
    imported = (AGENTS, *LOADED) if _would_hide_agents(install.project, path) else LOADED
    return Block(path, shipped.template("imports.md") + "\n" + "".join(f"@{up}{name}\n" for name in imported))


def agents_blocks(install: Install) -> Iterator[Block]:
    """
    The block for hosts that read AGENTS.md and follow no imports.

    Where AGENTS.md and CLAUDE.md are one file under two names, one block serves both.
    """
    if install.is_stealth:
        return
    shared = [name for name in CLAUDE_FILES if is_same(install.project / name, install.project / AGENTS)]
    if shared and "claude-code" in install.hosts:
        yield claude_block(install)
    else:
        yield Block(AGENTS, shipped.template("pointers.md"))


def own_words(path: Path) -> str:
    """What people wrote in a file, our block left out; "" for a file that is missing or can't be read."""
    try:
        text = files.read_text(path).text
    except OSError:
        return ""
    before, start, rest = text.partition(START)
    _, end, after = rest.partition(END)
    return (before + after if start and end else text).strip()


def is_same(one: Path, other: Path) -> bool:
    """Whether two names are links to one file."""
    try:
        return one.samefile(other)
    except OSError:
        return False


def _claude_file(project: Path) -> str:
    """The file that has our block, else the one that the project has, else CLAUDE.md."""
    marked = [name for name in CLAUDE_FILES if START in _text(project / name)]
    present = [name for name in CLAUDE_FILES if (project / name).exists()]
    return (*marked, *present, CLAUDE_FILES[0])[0]


def _would_hide_agents(project: Path, path: str) -> bool:
    """
    Whether AGENTS.md was what Claude Code read until we made a CLAUDE.md; true from then on.

    A CLAUDE.local.md hides it too, but only on the machine of its owner: it says nothing of what others read.
    """
    if not own_words(project / AGENTS) or any(is_same(project / name, project / AGENTS) for name in CLAUDE_FILES):
        return False
    is_kept = any(line.strip().endswith(AGENTS) and line.startswith("@") for line in _our_lines(project / path))
    hiding = CLAUDE_FILES if path in CLAUDE_FILES else (*CLAUDE_FILES, CLAUDE_PRIVATE)
    return is_kept or not any(own_words(project / name) for name in hiding)


def _our_lines(path: Path) -> list[str]:
    return _text(path).partition(START)[2].partition(END)[0].splitlines()


def _text(path: Path) -> str:
    try:
        return files.read_text(path).text
    except OSError:
        return ""
