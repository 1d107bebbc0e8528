"""What a session has been shown, so that it is not shown it again: a small file for each session."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from hipocampus import files
from hipocampus.errors import StoreNotWritable
from hipocampus.layout import Workspace

# Of a name that is a file name as it is: ids of hosts are.
_LONGEST = 80
_KEPT_SECONDS = 30 * 86_400


class Shown(NamedTuple):
    """The ids that one session has seen. A disk that takes nothing forgets them."""

    path: Path

    @classmethod
    def of(cls, workspace: Workspace, session: str) -> Shown:
        """That of a session, by whatever name its host gives it."""
        if session.isascii() and session.replace("-", "").replace("_", "").isalnum() and len(session) <= _LONGEST:
            return cls(workspace.sessions / f"{session}.shown")
        import hashlib

        name = hashlib.sha256(session.encode("utf-8", "surrogatepass")).hexdigest()[:24]
        return cls(workspace.sessions / f"{name}.shown")

    @staticmethod
    def forget_old(workspace: Workspace, now: float) -> None:
        """Remove what sessions were shown that said nothing for 30 days; `now` in seconds since the epoch."""
        with contextlib.suppress(OSError):
            for path in workspace.sessions.glob("*.shown"):
                if now - path.stat().st_mtime > _KEPT_SECONDS:
                    path.unlink()

    def forget(self) -> None:
        """Nothing was shown: what the host has shortened its context by, the model no longer sees."""
        with contextlib.suppress(OSError):
            self.path.unlink()

    def ids(self) -> frozenset[str]:
        """What was shown."""
        try:
            return frozenset(files.read_text(self.path).text.split("\n"))
        except OSError:
            return frozenset()

    def add(self, ids: Iterable[str]) -> None:
        """Note what is shown now."""
        text = "".join(f"{name}\n" for name in ids)
        if text:
            with contextlib.suppress(OSError, StoreNotWritable):
                files.make_folder(self.path.parent)
                files.append(self.path, text)
