"""What the tests of setting up share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from support import Ran

Invoke = Callable[..., Ran]


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file of a project but git's own, with its bytes."""
    found = (path for path in folder.rglob("*") if path.is_file() and ".git" not in path.relative_to(folder).parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}
