"""
What the hooks did: `hook.log` with one line for each thing worth telling, and which event of each host ran last.

The hook itself writes here at every event, so nothing but `os` and `time` is imported for that.
"""

import os
import time

LARGEST = 200_000
_ERROR = " error: "


def append(folder: str, text: str) -> None:
    """Add a line to the `hook.log` of a folder of losable files; a full one becomes `hook.log.1`. Raises OSError."""
    from hipocampus.governance.redaction import redacted

    append_line(folder, redacted(text))


def append_line(folder: str, text: str) -> None:
    """As `append`, of a text that was made from what may be shown. Raises OSError."""
    path = os.path.join(folder, "hook.log")
    os.makedirs(folder, exist_ok=True)
    line = f"{time.strftime('%Y-%m-%dT%H:%M:%S')} {' '.join(text.split())}\n"
    with open(path, "ab") as file:
        if file.tell() > LARGEST:
            os.replace(path, f"{path}.1")
    with open(path, "ab") as file:
        file.write(line.encode("utf-8", "replace"))


def errors(folder: str, since: str) -> list[str]:
    """The lines that tell of a failure, oldest first, from a local time written `2026-03-15T12:00:00` on."""
    lines: list[str] = []
    for name in ("hook.log.1", "hook.log"):
        try:
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                lines += [line.rstrip("\n") for line in file if _ERROR in line and line >= since]
        except OSError:
            continue
    return lines


def note_run(folder: str, host: str, event: str) -> None:
    """Keep that an event of a host ran just now. Raises OSError."""
    os.makedirs(os.path.join(folder, "hooks"), exist_ok=True)
    with open(os.path.join(folder, "hooks", host), "w", encoding="utf-8", errors="replace") as file:
        file.write(f"{event}\n")


def last_run(folder: str, host: str) -> tuple[str, float] | None:
    """The event of a host that ran last, and when (seconds since the epoch); None where none has."""
    path = os.path.join(folder, "hooks", host)
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.readline().strip(), os.stat(path).st_mtime
    except OSError:
        return None
