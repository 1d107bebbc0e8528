"""
Until when no compaction is due, told by a few looks at files.

Whoever asked the triggers in full notes the answer here; it holds until a time, and as long as nothing that it rests on
has changed. The hook asks at every event, so nothing but `os` and `time` is imported.
"""

import os
import time

TODAY_VARIABLE = "HIPOCAMPUS_TODAY"
_CONFIG = "hipocampus.config.json"
_NOTE = os.path.join("memory", ".hipocampus", "quiet")


def is_quiet(root: str) -> bool:
    """Whether surely no compaction is due in a workspace; False where only the triggers can tell."""
    if os.environ.get(TODAY_VARIABLE):
        return False
    try:
        with open(os.path.join(root, _NOTE), encoding="utf-8") as file:
            since, until, log, seen = file.read(10_000).splitlines()
        return float(since) <= time.time() < float(until) and seen == looks(root, log)
    except (OSError, ValueError):
        return False


def looks(root: str, log: str) -> str:
    """
    Size and time of what decides whether a compaction is due; `log` is the name of today's raw log.

    An older log that is edited in place stays unseen until another one changes or the day ends.
    """
    state = os.path.join(root, os.path.dirname(_NOTE), "compact.json")
    memory = os.path.join(root, "memory")
    return " ".join(map(_look, (os.path.join(root, _CONFIG), memory, os.path.join(memory, log), state)))


def note(root: str, until: float, log: str, seen: str) -> None:
    """Keep that none is due before `until`, in seconds since the epoch. Raises OSError."""
    path = os.path.join(root, _NOTE)
    draft = f"{path}.{os.getpid()}"
    with open(draft, "w", encoding="utf-8") as file:
        file.write(f"{time.time()}\n{until}\n{log}\n{seen}\n")
    os.replace(draft, path)


def _look(path: str) -> str:
    try:
        status = os.stat(path)
    except OSError:
        return "-"
    return f"{status.st_size}:{status.st_mtime_ns}"
