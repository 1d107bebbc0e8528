"""
The light entry point for agent hosts: `hipocampus-hook EVENT`, the host's JSON on stdin.

Always exits 0 and never blocks: at session start and whenever a session rests or ends, an overdue
compaction is handed to a detached process. Whatever goes wrong is one line in `hook.log`.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from hipocampus.layout import Workspace

# Host events after which the raw logs may have changed, by the hosts' own names.
RESTING_EVENTS = frozenset(
    {
        "SessionStart",
        "PreCompact",
        "Stop",
        "SubagentStop",
        "SessionEnd",
        "TaskCompleted",
        "session.idle",
        "session.compacted",
    }
)
GUARD_VARIABLE = "HIPOCAMPUS_IN_HOOK"
STDIN_SECONDS = 1.5
LARGEST_LOG = 200_000


def main() -> None:
    """Run one hook; exit code 0 whatever happens."""
    try:
        event = sys.argv[1] if len(sys.argv) > 1 else ""
        if not os.environ.get(GUARD_VARIABLE):
            handle(event, read_payload(sys.stdin.buffer if sys.stdin else io.BytesIO()), Path.cwd())
    except Exception as error:  # noqa: BLE001  a fault of ours is no reason to stop somebody's agent
        _say(f"{type(error).__name__}: {error}")
    os._exit(0)  # a host that leaves stdin open must not keep us


def handle(event: str, payload: dict[str, object], cwd: Path) -> bool:
    """Start a detached compaction where one is due; returns whether it was started."""
    from hipocampus.errors import HipocampusError
    from hipocampus.layout import find_workspace

    try:
        workspace = find_workspace(_folder(payload.get("cwd"), cwd))
    except HipocampusError as error:
        _say(str(error))
        return False
    if not os.access(workspace.memory, os.W_OK):
        _say(f"{workspace.memory} is missing or can't be written: nothing is remembered")
        return False
    try:
        if event not in RESTING_EVENTS or not _is_due(workspace):
            return False
        log(workspace, f"{event}: a compaction is due")
        _start_compaction(workspace)
    except (HipocampusError, OSError) as error:
        _say(str(error))
        log(workspace, f"{event}: {error}")
        return False
    return True


def _folder(named: object, cwd: Path) -> Path:
    """The folder in the host's payload, or our own where it names none."""
    return Path(named) if isinstance(named, str) and os.path.isdir(named) else cwd  # noqa: PTH112  never raises


def read_payload(stdin: IO[bytes]) -> dict[str, object]:
    """The host's JSON object; {} for anything else, and when nothing ends within 1.5 seconds."""
    import threading

    read: list[bytes] = []

    def fill() -> None:
        with contextlib.suppress(OSError, ValueError):
            read.append(stdin.read())

    reader = threading.Thread(target=fill, daemon=True)
    reader.start()
    reader.join(STDIN_SECONDS)
    try:
        loaded = json.loads(read[0]) if read else {}
    except (ValueError, RecursionError):
        return {}
    return loaded if isinstance(loaded, dict) else {}


def log(workspace: Workspace, text: str) -> None:
    """Append a line to `hook.log`; a full one becomes `hook.log.1`. A store that refuses it is spoken of on stderr."""
    from hipocampus.governance.redaction import redacted

    path = workspace.hook_log
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > LARGEST_LOG:
            path.replace(path.with_name("hook.log.1"))
        with path.open("a", encoding="utf-8", errors="replace") as file:
            file.write(f"{time.strftime('%Y-%m-%dT%H:%M:%S')} {' '.join(redacted(text).split())}\n")
    except OSError as error:
        _say(f"can't write {path}: {error.strerror}")


def _say(text: str) -> None:
    """One line on stderr, where there is one."""
    with contextlib.suppress(OSError, AttributeError):
        sys.stderr.write(f"hipocampus: {text}\n")


def _is_due(workspace: Workspace) -> bool:
    from hipocampus import config
    from hipocampus.clock import Clock, day_from_environment, zone_named
    from hipocampus.tree import state, triggers

    settings = config.load(workspace.config)
    now = Clock(zone_named(settings["timezone"]), day_from_environment()).now()
    return bool(triggers.due(workspace, settings, state.load(workspace.compact_state), now))


def _start_compaction(workspace: Workspace) -> None:
    """
    Our own program in a session of its own, its messages in `hook.log`.

    The guard keeps its hooks, if any, from starting another.
    """
    with contextlib.ExitStack() as stack:
        try:
            messages: IO[bytes] | int = stack.enter_context(workspace.hook_log.open("ab"))
        except OSError:
            messages = subprocess.DEVNULL
        subprocess.Popen(
            [sys.executable, "-m", "hipocampus", "-C", str(workspace.root), "compact", "--if-due"],
            env={**os.environ, GUARD_VARIABLE: "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=messages,
            start_new_session=True,
            cwd=workspace.root,
        )
