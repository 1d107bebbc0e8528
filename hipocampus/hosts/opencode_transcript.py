"""
The transcripts of OpenCode: one SQLite database for all projects, read only.

Version 1 keeps `message` and `part` rows, version 2 `session_message` rows. Sessions with a parent are those of
sub-agents. A cursor is the time and the id of the last message that was read.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hipocampus.hosts import wrappers
from hipocampus.hosts.host import Batch, Machine, Transcript
from hipocampus.hosts.records import blocks, call_line, made_id, texts, time_of
from hipocampus.log.turns import Turn, Voice

if TYPE_CHECKING:
    import sqlite3

_BATCH_MESSAGES = 200
_SESSIONS = "SELECT id, directory FROM session WHERE parent_id IS NULL ORDER BY time_created, id"
_MESSAGES = (
    "SELECT id, time_created, data FROM message"
    " WHERE session_id = ? AND (time_created, id) > (?, ?) ORDER BY time_created, id LIMIT ?"
)
_PARTS = "SELECT data FROM part WHERE message_id = ? ORDER BY id"
_MESSAGES_V2 = (
    "SELECT id, seq, data, type, time_created FROM session_message"
    " WHERE session_id = ? AND (seq, id) > (?, ?) ORDER BY seq, id LIMIT ?"
)


def transcripts(project: Path, machine: Machine) -> Iterator[Transcript]:
    """The sessions of a project and of folders below it, oldest first."""
    for path in _databases(machine):
        try:
            with _opened(path) as database:
                rows = database.execute(_SESSIONS).fetchall()
        except OSError:
            continue
        for session, directory in rows:
            folder = Path(str(directory))
            if folder == project or project in folder.parents:
                yield Transcript(str(session), path, folder)


def transcript(payload: Mapping[str, object], machine: Machine) -> Transcript | None:
    """The session that our plugin names by `session_id`; None for a sub-agent's, and where it is not kept."""
    session = payload.get("session_id")
    if not isinstance(session, str) or not session:
        return None
    for path in _databases(machine):
        try:
            with _opened(path) as database:
                row = database.execute("SELECT parent_id, directory FROM session WHERE id = ?", (session,)).fetchone()
        except OSError:
            continue
        if row:
            return None if row[0] else Transcript(session, path, Path(str(row[1])))
    return None


def read(transcript: Transcript, cursor: str) -> Iterator[Batch]:
    """What was said after a cursor. Raises OSError."""
    with _opened(transcript.path) as database:
        reader = _reader(database, transcript.session)
        at = reader.place(cursor)
        while True:
            rows, is_last = reader.rows(at)
            turns: list[Turn] = []
            unreadable = 0
            for row in rows:
                at = (row[1], row[0])
                data = _object(row[2])
                unreadable += data is None
                turns += reader.turns(row, data) if data else ()
            yield Batch(tuple(turns), f"{at[0]}:{at[1]}" if at[1] else "", unreadable)
            if is_last:
                return


_Row = tuple[Any, ...]
_Place = tuple[int, str]


@dataclass(frozen=True, slots=True)
class _Reader:
    """How one version of OpenCode keeps messages: id, place in the order, data."""

    database: sqlite3.Connection
    session: str
    query: str
    exists: str
    turns: Callable[[_Row, Mapping[str, Any]], Iterable[Turn]]

    def place(self, cursor: str) -> _Place:
        """Where to go on; the beginning where that message is gone."""
        number, _, ident = cursor.partition(":")
        if not number.isascii() or not number.isdigit():
            return (-1, "")
        found = self.database.execute(self.exists, (self.session, ident, int(number))).fetchone()
        return (int(number), ident) if found else (-1, "")

    def rows(self, at: _Place) -> tuple[list[_Row], bool]:
        """The next messages, up to one that is still being written, and whether nothing is left."""
        rows = self.database.execute(self.query, (self.session, *at, _BATCH_MESSAGES + 1)).fetchall()
        is_last = len(rows) <= _BATCH_MESSAGES
        while is_last and rows and self._is_unfinished(rows[-1]):
            rows.pop()
        return rows[:_BATCH_MESSAGES], is_last

    def _is_unfinished(self, row: _Row) -> bool:
        """Whether a message is still being written: its answer has no end, or its first part is to come."""
        data = _object(row[2]) or {}
        time = data.get("time")
        if data.get("error") or not isinstance(time, dict) or time.get("completed"):
            return False
        return data.get("role", "assistant") == "assistant" or not list(self.turns(row, data))


def _reader(database: sqlite3.Connection, session: str) -> _Reader:
    tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    has_v2 = (
        "session_message" in tables
        and database.execute(
            "SELECT 1 FROM session_message WHERE session_id = ? AND type IN ('user', 'assistant') LIMIT 1", (session,)
        ).fetchone()
    )
    has_v1 = (
        "message" in tables
        and database.execute("SELECT 1 FROM message WHERE session_id = ? LIMIT 1", (session,)).fetchone()
    )
    if has_v2 and not has_v1:
        exists = "SELECT 1 FROM session_message WHERE session_id = ? AND id = ? AND seq = ?"
        return _Reader(database, session, _MESSAGES_V2, exists, _turns_v2)
    exists = "SELECT 1 FROM message WHERE session_id = ? AND id = ? AND time_created = ?"
    return _Reader(database, session, _MESSAGES, exists, lambda row, data: _turns_v1(database, row, data))


def _turns_v1(database: sqlite3.Connection, row: _Row, data: Mapping[str, Any]) -> Iterator[Turn]:
    role = data.get("role")
    if role not in ("user", "assistant") or (role == "assistant" and data.get("summary") is True):
        return
    for number, (text,) in enumerate(database.execute(_PARTS, (row[0],))):
        part = _object(text) or {}
        if part.get("synthetic") or part.get("ignored"):
            continue
        # A fork copies messages and parts under new ids; the time of the message and what is in the parts stay.
        yield from _part(part, role, made_id(row[1], role, number, part.get("text"), part.get("callID")), row[1])


def _turns_v2(row: _Row, data: Mapping[str, Any]) -> Iterator[Turn]:
    if row[3] == "user":
        yield from _part({"type": "text", "text": data.get("text")}, "user", str(row[0]), row[4])
    elif row[3] == "assistant":
        for number, part in enumerate(blocks(data.get("content"), "text")):
            yield from _part(part, "assistant", f"{row[0]}/{number}", row[4])


def _part(part: Mapping[str, Any], voice: Voice, ident: str, when: object) -> Iterator[Turn]:
    at = time_of(when)
    if part.get("type") == "text":
        text = texts([part], "text")
        said = wrappers.spoken_by_person(_unquoted(text)) if voice == "user" else wrappers.without_own_block(text)
        if said.strip():
            yield Turn(ident, voice, said, at)
    elif part.get("type") == "tool" and voice == "assistant":
        state = part.get("state")
        yield Turn(ident, "tool", call_line(part.get("tool") or part.get("name"), _input(state, part)), at)


def _input(state: object, part: Mapping[str, Any]) -> object:
    return state.get("input") if isinstance(state, dict) else part.get("input")


def _unquoted(text: str) -> str:
    """`opencode run "two words"` keeps the prompt with quotes around it."""
    inner = text[1:-1]
    return inner if len(text) > 2 and text[0] == text[-1] == '"' and '"' not in inner else text


def _object(text: object) -> dict[str, Any] | None:
    try:
        value = json.loads(text) if isinstance(text, (str, bytes)) else None
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _databases(machine: Machine) -> list[Path]:
    """OpenCode's databases, those of other channels too."""
    named = machine.environ.get("OPENCODE_DB")
    data = Path(machine.environ.get("XDG_DATA_HOME") or machine.home / ".local/share") / "opencode"
    if named:
        return [path for path in [data / named] if path.is_file()]
    return sorted(path for path in data.glob("opencode*.db") if path.is_file())


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """The database, read only. Raises OSError for one that is damaged or of another layout."""
    import sqlite3
    from urllib.parse import quote

    try:
        database = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=2)
    except sqlite3.Error as error:
        raise OSError(f"can't read {path}: {error}") from error
    try:
        database.text_factory = lambda data: data.decode("utf-8", "replace")
        yield database
    except sqlite3.Error as error:
        raise OSError(f"can't read {path}: {error}") from error
    finally:
        database.close()
