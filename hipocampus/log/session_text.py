"""
A captured session as it stands in a raw log: one entry a day, its turns apart by blank lines, its comment at the end.

    ## Session 0f3c
    User: please use pnpm

    Assistant: Noted.

    Tool: Bash: pnpm install
    <!-- hipo id=3f9ac2 actor=host via=capture host=claude-code session=0f3c at=… last=a41b -->

What is added goes in front of the comment, also where other entries follow. Every other byte of the log stays.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from hipocampus import files
from hipocampus.log import captured, turns
from hipocampus.log import entry as grammar
from hipocampus.log.session_name import token
from hipocampus.log.turns import Turn

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_VOICES = {"user": "User", "assistant": "Assistant", "tool": "Tool"}


@dataclass(frozen=True, slots=True)
class Session:
    """A session of a host; `id` is one word that may stand in a comment."""

    host: str
    id: str

    @classmethod
    def named(cls, host: str, name: str) -> Session:
        """The session that a host calls `name`, whatever characters that has."""
        return cls(host, token(name) or "unknown")


@dataclass(frozen=True, slots=True)
class Spoken:
    """A turn as it stands in the log of `day`; `at` is the host's time, None where it gave none."""

    id: str
    day: date
    text: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Found:
    """The entry of a session in a log: its last record, that one's time, its turns, its comment's line from 0."""

    last: str
    at: str
    turns: tuple[str, ...]
    comment: int


def rendered(turn: Turn) -> str:
    """A turn that has passed the gate, below its mark; a block of code at its beginning stands on a line of its own."""
    joint = "\n" if grammar.opens_fence(turn.text) else " "
    return f"{_VOICES[turn.voice]}:{joint}{turn.text}"


def new_entry(session: Session, day: date, spoken: Sequence[Spoken]) -> str:
    """The text of a session's entry of a day, ending in its comment and a newline."""
    body = "\n\n".join(turn.text for turn in spoken)
    comment = _comment(session, day, spoken, "")
    return f"## Session {session.id}\n{body}\n{comment}\n"


def entries(log: str, host: str, day: date) -> dict[str, Found]:
    """The entries of a host's sessions in the text of a log, by session."""
    captured_entries = (entry for entry in grammar.parse(log, day) if entry.meta.get("via") == "capture")
    return {
        entry.meta.get("session", ""): Found(
            entry.meta.get("last", ""), entry.meta.get("at", ""), tuple(split(entry.body)), entry.last_line - 1
        )
        for entry in captured_entries
        if entry.meta.get("host") == host
    }


def split(body: str) -> list[str]:
    """The turns of a session's entry, each as it was rendered."""
    starts = [mark.start() for mark in turns.MARK.finditer(body)]
    return [body[start:end].rstrip("\n") for start, end in zip(starts, [*starts[1:], len(body)], strict=True)]


def with_turns(data: bytes, found: Found, session: Session, day: date, spoken: Sequence[Spoken]) -> bytes:
    """A log with further turns of a session; `found` is its entry in it."""
    if not spoken:
        return data
    raw = _Raw.of(data)
    text = "".join(f"\n{turn.text}\n" for turn in spoken) + _comment(session, day, spoken, found.at) + "\n"
    raw.lines[found.comment] = text.replace("\n", raw.newline)
    return raw.data()


def with_text(data: bytes, found: Found, old: bytes, text: str) -> bytes:
    """A log in which the turn of a session with the digest `old` has a later text; unchanged where there is none."""
    raw = _Raw.of(data)
    end = found.comment
    for turn in reversed(found.turns):
        first = _line_of(raw.lines, turn, end)
        if captured.digest(turn) == old:
            raw.lines[first : first + turn.count("\n") + 1] = [f"{text}\n".replace("\n", raw.newline)]
            break
        end = first
    return raw.data()


def _line_of(lines: Sequence[str], turn: str, end: int) -> int:
    """Where a turn begins that ends in front of a line."""
    first = turn.split("\n", 1)[0]
    at = end - turn.count("\n") - 1
    while lines[at].rstrip("\r\n") != first:
        at -= 1
    return at


def _comment(session: Session, day: date, spoken: Sequence[Spoken], before: str) -> str:
    ident = grammar.entry_id(day, f"Session {session.id}", "project", "")
    said = next((turn.at.isoformat(timespec="seconds") for turn in reversed(spoken) if turn.at), before)
    at = f" at={said}" if said else ""
    who = f"id={ident} actor=host via=capture host={session.host} session={session.id}"
    return f"<!-- hipo {who}{at} last={token(spoken[-1].id)} -->"


@dataclass(frozen=True, slots=True)
class _Raw:
    """A log as lines that keep their own ends, so that what is not ours stays byte for byte."""

    lines: list[str]
    newline: str
    encoding: str
    mark: bytes

    @classmethod
    def of(cls, data: bytes) -> _Raw:
        seen = files.decode(data)
        mark = next((bom for bom in (b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf") if data.startswith(bom)), b"")
        errors = "surrogateescape" if seen.encoding == "utf-8" else "replace"
        text = data[len(mark) :].decode(seen.encoding, errors)
        return cls(_LINE.findall(text), seen.newline, seen.encoding, mark)

    def data(self) -> bytes:
        return self.mark + files.encode("".join(self.lines), self.encoding)
