"""
Which records of the hosts' transcripts stand in the raw logs, over all sessions: forks and resumed files copy rows.

Losable: without it, each log entry's own last record says what is known.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

_TABLE = "CREATE TABLE IF NOT EXISTS turns (id BLOB PRIMARY KEY, digest BLOB NOT NULL) WITHOUT ROWID"
_AT_ONCE = 500
NOWHERE = ":memory:"
"""The path of a store that leaves nothing behind."""


def digest(text: str) -> bytes:
    """Eight bytes that tell one text from another."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()


class Captured:
    """An open store of record ids, each with the digest of its text as it stands in the log."""

    def __init__(self, database: sqlite3.Connection, host: str) -> None:
        self._database = database
        self._host = host

    def known(self, ids: Iterable[str]) -> dict[str, bytes]:
        """The digest of each id that is known."""
        keys = {self._key(ident): ident for ident in ids}
        found: dict[str, bytes] = {}
        waiting = list(keys)
        for start in range(0, len(waiting), _AT_ONCE):
            part = waiting[start : start + _AT_ONCE]
            marks = ",".join("?" * len(part))
            rows = self._database.execute(f"SELECT id, digest FROM turns WHERE id IN ({marks})", part)  # noqa: S608  only marks
            found.update((keys[key], value) for key, value in rows)
        return found

    def add(self, digests: Mapping[str, bytes]) -> None:
        """Know these ids from now on, all or none of them."""
        if not digests:
            return
        rows = [(self._key(ident), value) for ident, value in digests.items()]
        self._database.execute("BEGIN IMMEDIATE")
        self._database.executemany("INSERT OR REPLACE INTO turns VALUES (?, ?)", rows)
        self._database.execute("COMMIT")

    def _key(self, ident: str) -> bytes:
        key = f"{self._host}\0{ident}".encode("utf-8", "surrogatepass")
        return hashlib.blake2b(key, digest_size=12).digest()


def is_usable(path: Path) -> bool:
    """Whether there is a store at all, and an undamaged one."""
    import sqlite3

    if not path.exists():
        return False
    try:
        _prepared(path).close()
    except sqlite3.OperationalError:
        return True  # busy
    except sqlite3.DatabaseError:
        return False
    return True


@contextlib.contextmanager
def opened(path: Path, host: str) -> Iterator[Captured]:
    """The store of a host's ids; a damaged one is made anew. Raises OSError where it can't be written."""
    import sqlite3

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        database = _connected(path)
    except sqlite3.Error as error:
        raise OSError(f"can't use {path}: {error}") from error
    try:
        yield Captured(database, host)
    except sqlite3.Error as error:
        raise OSError(f"can't use {path}: {error}") from error
    finally:
        database.close()


def _connected(path: Path) -> sqlite3.Connection:
    import sqlite3

    try:
        return _prepared(path)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError:
        for name in (path, Path(f"{path}-journal")):
            name.unlink(missing_ok=True)
        return _prepared(path)


def _prepared(path: Path) -> sqlite3.Connection:
    import sqlite3

    database = sqlite3.connect(path, timeout=20, isolation_level=None)
    try:
        database.execute("PRAGMA synchronous=OFF")  # losable
        database.execute(_TABLE)
        database.execute("SELECT count(*) FROM (SELECT id FROM turns LIMIT 1)")
    except sqlite3.Error:
        database.close()
        raise
    return database
