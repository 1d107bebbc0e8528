"""
How far each session's transcript has been read. Losable: the raw log and the ids of its records know it too.

The hook asks here, at every event, whether there is anything to do; so nothing but `os` is imported.
"""

import os

_SAFE = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz._-")
_LONGEST_NAME = 120


class Cursor:
    """Where reading goes on, the `stamp` of the transcript when it was read, and the time of that (ISO 8601)."""

    __slots__ = ("at", "position", "stamp")

    def __init__(self, position: str, stamp: str, at: str) -> None:
        self.position = position
        self.stamp = stamp
        self.at = at


def stamp(path: str) -> str:
    """Size and time of a transcript as `size:mtime_ns`, with those of SQLite's write-ahead log; "" where it is none."""
    seen = []
    for name in (path, f"{path}-wal"):
        try:
            status = os.stat(name)
        except (OSError, ValueError):
            continue
        seen.append(f"{status.st_size}:{status.st_mtime_ns}")
    return "+".join(seen)


def read(folder: str, host: str, session: str) -> Cursor | None:
    """The cursor of a session in the folder of cursors; None where there is none that can be used."""
    try:
        with open(_file(folder, host, session), encoding="utf-8", errors="replace") as file:
            lines = file.read(10_000).split("\n")
    except (OSError, ValueError):
        return None
    return Cursor(*lines[:3]) if len(lines) > 3 else None


def write(folder: str, host: str, session: str, cursor: Cursor) -> None:
    """Keep the cursor of a session. Raises OSError."""
    path = _file(folder, host, session)
    draft = f"{path}.{os.urandom(6).hex()}"
    os.makedirs(folder, exist_ok=True)
    with open(draft, "w", encoding="utf-8", errors="replace") as file:
        file.write(f"{cursor.position}\n{cursor.stamp}\n{cursor.at}\n")
    os.replace(draft, path)


def clear(folder: str) -> None:
    """Forget all cursors. Raises OSError."""
    for name in os.listdir(folder) if os.path.isdir(folder) else ():
        if "--" in name:
            os.unlink(os.path.join(folder, name))


def since(folder: str, now: float) -> float:
    """When this was first asked, in seconds since the epoch: `now`, the first time. Raises OSError."""
    path = os.path.join(folder, "since")
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            return float(file.read(100))
    except (FileNotFoundError, ValueError):
        os.makedirs(folder, exist_ok=True)
        with open(path, "w", encoding="ascii") as file:
            file.write(f"{now}\n")
        return now


def has_grown(folder: str, host: str, session: str, path: str) -> bool:
    """Whether a transcript is not what it was when it was last read to its end."""
    now = stamp(path)
    kept = read(folder, host, session)
    return bool(now) and (kept is None or kept.stamp != now)


def _file(folder: str, host: str, session: str) -> str:
    """The file of a session's cursor; a session id may hold anything, and two of them never share a file."""
    name = "".join(c if c in _SAFE else f"%{ord(c):x}%" for c in session)
    if len(name) > _LONGEST_NAME:
        name = f"{name[:_LONGEST_NAME]}-{_checksum(session)}"
    return os.path.join(folder, f"{host}--{name}")


def _checksum(text: str) -> str:
    """64-bit FNV-1a (draft-eastlake-fnv) in hex: hashlib would cost the hook more than all of this."""
    value = 0xCBF29CE484222325
    for byte in text.encode("utf-8", "surrogatepass"):
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"
