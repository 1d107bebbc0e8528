"""Our block in `.gitignore`: anchored patterns between two markers, everything else untouched."""

from __future__ import annotations

import subprocess
from pathlib import Path

from hipocampus import files
from hipocampus.errors import CheckFailed
from hipocampus.layout import CURATED_FOLDERS, HOT_FILES

START, END = "# hipocampus:start", "# hipocampus:end"
PRIVATE = ("/memory/", *(f"/{name}" for name in HOT_FILES), *(f"/{name}/" for name in CURATED_FOLDERS))
COMMITTED = ("/memory/.hipocampus/",)


def with_block(text: str, *, commit_memory: bool | None) -> str:
    """
    The file with our block; `commit_memory` None keeps the choice of a block that is there already.

    Raises CheckFailed for a start marker without an end, or an end without a start.
    """
    lines = text.split("\n")
    stripped = [line.strip() for line in lines]
    end = "\r" if text.count("\r\n") * 2 > text.count("\n") else ""
    block = [f"{line}{end}" for line in (START, *(COMMITTED if commit_memory else PRIVATE), END)]
    if START not in stripped and END in stripped:
        message = f".gitignore has a line {END!r} without {START!r}"
        raise CheckFailed(message, hint="add the start line before our patterns, or remove the end line")
    if START not in stripped:
        joint = [] if not text.strip() else [end] if text.endswith("\n") else [end, end]
        return text + "\n".join([*joint, *block, ""])
    first = stripped.index(START)
    if END not in stripped[first:]:
        message = f".gitignore has a line {START!r} without {END!r}"
        raise CheckFailed(message, hint="add the end line behind our patterns, or remove the start line")
    if commit_memory is None:
        return text
    last = first + stripped[first:].index(END)
    return "\n".join([*lines[:first], *block, *lines[last + 1 :]])


def read(root: Path) -> str:
    """The `.gitignore` of a folder with its own line ends, "" where there is none. Raises OSError."""
    try:
        data = (root / ".gitignore").read_bytes()
    except FileNotFoundError:
        return ""
    found = files.decode(data)
    return found.text if found.encoding != "utf-8" else data.decode("utf-8", "surrogateescape")


def tracked(root: Path) -> list[str]:
    """What git already tracks of a memory in `root`; nothing where git or the repository is missing."""
    names = ["memory", *CURATED_FOLDERS, *HOT_FILES]
    try:
        done = subprocess.run(
            ["git", "ls-files", "-z", "--", *names], cwd=root, capture_output=True, check=False, timeout=20
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    return [name for name in done.stdout.decode("utf-8", "replace").split("\0") if name]
