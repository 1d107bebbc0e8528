"""Our block in `.gitignore`: anchored patterns between two markers, everything else untouched."""

from __future__ import annotations

import subprocess
from pathlib import Path

from hipocampus.errors import CheckFailed
from hipocampus.layout import CURATED_FOLDERS, HOT_FILES

START, END = "# hipocampus:start", "# hipocampus:end"
PRIVATE = ("/memory/", *(f"/{name}" for name in HOT_FILES), *(f"/{name}/" for name in CURATED_FOLDERS))
COMMITTED = ("/memory/.hipocampus/",)


def with_block(text: str, *, commit_memory: bool | None) -> str:
    """
    The file with our block; `commit_memory` None keeps the choice of a block that is there already.

    Raises CheckFailed for a start marker without an end.
    """
    lines = text.split("\n")
    stripped = [line.strip() for line in lines]
    patterns = COMMITTED if commit_memory else PRIVATE
    block = [START, *patterns, END]
    if START not in stripped:
        joint = "" if not text else "\n" if text.endswith("\n") else "\n\n"
        return text + joint + "\n".join(block) + "\n"
    first = stripped.index(START)
    if END not in stripped[first:]:
        message = f".gitignore has a line {START!r} without {END!r}"
        raise CheckFailed(message, hint="add the end line behind our patterns, or remove the start line")
    if commit_memory is None:
        return text
    last = first + stripped[first:].index(END)
    return "\n".join([*lines[:first], *block, *lines[last + 1 :]])


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
