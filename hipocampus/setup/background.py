"""
Work that must not keep an agent waiting, in one process of its own: sessions that died, and the tree.

It has a session of its own, ends when it is done, and does nothing when another one is at work.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from hipocampus import files
from hipocampus.clock import day_from_environment
from hipocampus.errors import StoreBusy
from hipocampus.hosts.host import Machine
from hipocampus.hosts.registry import HOSTS
from hipocampus.layout import Workspace
from hipocampus.memory import Memory
from hipocampus.recall.shown import Shown
from hipocampus.setup import capturing, hook_log
from hipocampus.setup.hook_event import GUARD_VARIABLE


@dataclass(frozen=True, slots=True)
class CatchUp:
    """Sessions that died are to be looked for: `host` is who begins one now, `running` that session."""

    host: str
    running: str


def start(workspace: Workspace, catch_up: CatchUp | None = None) -> None:
    """
    Begin the work and return at once.

    What the process can't tell by itself goes to `hook.log`. The guard keeps hooks in it from starting another.
    Raises OSError.
    """
    asked = [catch_up.host, catch_up.running] if catch_up else []
    with contextlib.ExitStack() as stack:
        try:
            messages: IO[bytes] | int = stack.enter_context(workspace.hook_log.open("ab"))
        except OSError:
            messages = subprocess.DEVNULL
        subprocess.Popen(
            [sys.executable, "-P", "-m", "hipocampus.setup.background", str(workspace.root), *asked],
            env={**os.environ, GUARD_VARIABLE: "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=messages,
            start_new_session=True,
            cwd=workspace.root,
        )


def main() -> None:
    """The process itself."""
    root, *asked = sys.argv[1:]
    work(Memory.find(Path(root), today=day_from_environment()), CatchUp(*asked) if asked else None)


def work(memory: Memory, catch_up: CatchUp | None = None) -> None:
    """
    Capture what died sessions left behind, if asked to, then sleep if it is due.

    What was done, and what failed, is told in `hook.log`. Raises OSError where not even that can be written.
    """
    with contextlib.suppress(StoreBusy), files.lock(memory.workspace.background_lock, timeout=0):
        if catch_up:
            for name in sorted({*memory.config["platform"], catch_up.host} & set(HOSTS)):
                _logged(memory, f"{name} catch-up", partial(_capture, memory, name, catch_up.running))
        Shown.forget_old(memory.workspace, time.time())
        _logged(memory, "sleep", partial(_sleep, memory))


def _capture(memory: Memory, name: str, running: str) -> str:
    host, machine = HOSTS[name], Machine(Path.home(), os.environ, sys.platform)
    overdue = [t for t in capturing.overdue(memory, host, machine) if t.session != running]
    turns = sum(capturing.capture(memory, host, transcript).turns for transcript in overdue)
    return f"captured {turns} turns of {len(overdue)} sessions" if turns else ""


def _sleep(memory: Memory) -> str:
    reason = memory.due()
    slept = memory.sleep_if_due()
    if slept is None:
        return ""
    concepts = f", {slept.concepts.anchors} concepts" if slept.concepts else ""
    compacted = slept.compacted
    return f"{reason}: {len(compacted.written)} written, {compacted.unchanged} unchanged{concepts}"


def _logged(memory: Memory, what: str, action: Callable[[], str]) -> None:
    """Do one thing; when it fails the next one is done all the same."""
    try:
        told = action()
    except Exception as error:  # noqa: BLE001  nobody else would hear of it
        told = f"error: {type(error).__name__}: {error}"
    if told:
        hook_log.append(str(memory.workspace.state), f"{what} {told}")


if __name__ == "__main__":
    main()
