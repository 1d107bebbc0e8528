"""Our block in `.gitignore`, or in `.git/info/exclude`: anchored patterns between two markers, all else untouched."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

from hipocampus.errors import CheckFailed
from hipocampus.layout import CONFIG_NAME, CURATED_FOLDERS, HOT_FILES
from hipocampus.setup.edits import blocks
from hipocampus.setup.edits.blocks import PATTERNS

NAME = ".gitignore"
PRIVATE = ("/memory/", *(f"/{name}" for name in HOT_FILES), *(f"/{name}/" for name in CURATED_FOLDERS))
COMMITTED = ("/memory/.hipocampus/",)


def with_block(text: str, *, commit_memory: bool | None, name: str = NAME) -> str:
    """
    The file with our block; `commit_memory` None keeps the choice of a block that is there already.

    Raises CheckFailed for a start marker without an end, or an end without a start.
    """
    found = blocks.find(text, PATTERNS)
    if found.torn:
        start, end = found.torn[0]
        line = text[start:end].strip()
        other = PATTERNS.end if line == PATTERNS.start else PATTERNS.start
        message = f"{name} has a line {line!r} without {other!r}"
        raise CheckFailed(message, hint="remove that line, or add the other one around our patterns")
    if commit_memory is None and found.blocks:
        return text
    return blocks.with_block(text, "\n".join(COMMITTED if commit_memory else PRIVATE), PATTERNS)


def with_excluded(text: str, prefix: str, paths: Iterable[str]) -> str:
    """
    The text of `.git/info/exclude` with a block that hides a whole memory and some paths beside it.

    `prefix` is where the project is in its repository, "" or with a slash at its end.
    """
    names = (*(pattern[1:] for pattern in PRIVATE), CONFIG_NAME, *paths)
    return blocks.with_block(text, "\n".join(f"/{prefix}{name}" for name in dict.fromkeys(names)), PATTERNS)


def exclude_file(root: Path) -> tuple[Path, str] | None:
    """`.git/info/exclude` of the repository, shared by its worktrees, and the project's prefix; None without git."""
    done = _git(root, "rev-parse", "--git-path", "info/exclude", "--show-prefix")
    if done is None:
        return None
    path, _, prefix = done.decode("utf-8", "surrogateescape").partition("\n")
    return Path(os.path.normpath(root / path)), prefix.rstrip("\n")


def tracked(root: Path, names: Iterable[str] = ("memory", *CURATED_FOLDERS, *HOT_FILES)) -> list[str]:
    """Which of some files and folders git already tracks; nothing where git or the repository is missing."""
    done = _git(root, "ls-files", "-z", "--", *names)
    return [name for name in (done or b"").decode("utf-8", "replace").split("\0") if name]


def _git(root: Path, *args: str) -> bytes | None:
    """What git says, None where it fails or is missing."""
    try:
        done = subprocess.run(["git", *args], cwd=root, capture_output=True, check=False, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
