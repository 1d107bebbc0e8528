"""What the tests of hooks share: a host that is not there, and looks at other processes."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hipocampus.hosts.host import Machine, Transcript
from hipocampus.memory import Memory
from hipocampus.setup import background

Fire = Callable[..., subprocess.CompletedProcess[bytes]]


@dataclass
class FakeHost:
    """A host that answers in brackets at a session's beginning, with the transcript that the payload names."""

    name: str = "codex"
    title: str = "Fake"
    reads_imports: bool = False
    context_limit: int = 4000

    def transcript(self, payload: Mapping[str, object], _machine: Machine) -> Transcript | None:
        path = Path(str(payload.get("transcript_path")))
        return Transcript(str(payload.get("session_id")), path) if path.is_file() else None

    def answer(self, event: str, context: str) -> str:
        return f"[{context}]" if event == "SessionStart" and context else ""


@dataclass
class Calls:
    """What was asked of the rooms below a hook."""

    captured: list[Transcript] = field(default_factory=list)
    started: list[background.CatchUp | None] = field(default_factory=list)
    order: list[str] = field(default_factory=list)


def log_of(memory: Memory) -> str:
    path = memory.workspace.hook_log
    return path.read_text(encoding="utf-8") if path.exists() else ""


def until(holds: Callable[[], bool], seconds: float = 20) -> bool:
    """Wait for another process."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def processes_of(folder: Path) -> set[int]:
    """Ids of the processes that work in a folder, ourselves aside (proc(5))."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if (entry / "cwd").resolve().is_relative_to(folder) and (entry / "cmdline").read_bytes():
                    found.add(int(entry.name))
            except OSError:
                continue
    return found
