"""
Every error a user can meet, with what to do about it and the exit code it ends in.

- HipocampusError (1)
  - UsageError (2)
  - NoWorkspace (3)
  - InvalidConfig (1)
  - StoreNotWritable (1)
  - StoreBusy (1)
  - NotFound (1)
  - DamagedIndex (1)
    - DamagedConcepts (1)
  - EncoderUnavailable (1)
  - CheckFailed (4)
"""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """What a command's exit status means."""

    DONE = 0
    """The command did what it was asked; an empty result counts too."""
    FAILED = 1
    """The command could not do it; the message says why and what to do."""
    USAGE = 2
    """The command was called the wrong way."""
    NO_WORKSPACE = 3
    """There is no hipocampus workspace here."""
    CHECK_FAILED = 4
    """A check said no: budget, damage, drift or secrets."""
    INTERRUPTED = 130
    """Stopped by Ctrl+C."""


class HipocampusError(Exception):
    """
    Base of all errors of this package.

        try:
            memory.checkpoint(draft)
        except HipocampusError as error:
            raise SystemExit(f"{error}; {error.hint}") from error
    """

    exit_code = ExitCode.FAILED

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class UsageError(HipocampusError):
    """An argument is missing, unknown or contradicts another."""

    exit_code = ExitCode.USAGE


class NoWorkspace(HipocampusError):  # noqa: N818  the name is the message
    """No `hipocampus.config.json` in the folder, above it, or in the main checkout of its worktree."""

    exit_code = ExitCode.NO_WORKSPACE


class InvalidConfig(HipocampusError):  # noqa: N818
    """`hipocampus.config.json` can't be read or holds a value that makes no sense."""


class StoreNotWritable(HipocampusError):  # noqa: N818
    """The disk refused a write: permissions, full, read-only."""


class StoreBusy(HipocampusError):  # noqa: N818
    """Another process held the lock for longer than we wait."""


class NotFound(HipocampusError):  # noqa: N818
    """The entry, file or node that was asked for does not exist in this workspace."""


class DamagedIndex(HipocampusError):  # noqa: N818
    """The search index can't be read; it holds nothing of its own and is made anew."""


class DamagedConcepts(DamagedIndex):
    """The concept index can't be read; words still find, and the next `sleep` makes it anew."""


class EncoderUnavailable(HipocampusError):  # noqa: N818
    """The model that turns text into vectors can't be had here; search goes on with words alone."""


class CheckFailed(HipocampusError):  # noqa: N818
    """Something was examined and is not in order; nothing was changed."""

    exit_code = ExitCode.CHECK_FAILED
