"""JSON lines that another program is still writing: read from a byte on, in bounded memory, whatever stands in them."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any

from hipocampus.hosts.host import Batch
from hipocampus.log.turns import Turn

LARGEST_LINE = 16_000_000
"""Bytes of the longest line that is read; only results of tools are longer, and those are left out anyway."""
HEAD_LINES = 200
HEAD_BYTES = 4_000_000
BATCH_TURNS = 500
BATCH_CHARACTERS = 1_000_000
_CHUNK = 1 << 20
_HASHED = 4096


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its JSON object, or None where it holds none; `end` is the byte behind it."""

    record: dict[str, Any] | None
    end: int


def lines(path: Path, start: int = 0) -> Iterator[Line]:
    """
    The lines from a byte on, but blank ones; a last line that is not finished yet is left for the next time.

    Raises OSError.
    """
    with path.open("rb") as file:
        file.seek(start)
        end = start
        while data := file.readline(LARGEST_LINE):
            end += len(data)
            if not data.endswith(b"\n") and len(data) == LARGEST_LINE:
                rest = _skip_line(file)
                if rest < 0:
                    return
                end += rest
                yield Line(None, end)
                continue
            record, is_blank = _parsed(data)
            if not data.endswith(b"\n") and record is None:
                return
            if not is_blank:
                yield Line(record, end)


def head(path: Path) -> Iterator[dict[str, Any]]:
    """The objects in the first lines of a file, few enough to look at for every file. Raises OSError."""
    for line in islice(lines(path), HEAD_LINES):
        if line.record:
            yield line.record
        if line.end > HEAD_BYTES:
            return


def batches(path: Path, cursor: str, turns_of: Callable[[dict[str, Any]], Iterable[Turn]]) -> Iterator[Batch]:
    """What a transcript of JSON lines says after a cursor, by the turns of each record. Raises OSError."""
    with path.open("rb") as file:
        end = _place(file, cursor)
    turns: list[Turn] = []
    size = unreadable = 0
    for line in lines(path, end):
        end = line.end
        unreadable += line.record is None
        for turn in turns_of(line.record) if line.record else ():
            turns.append(turn)
            size += len(turn.text)
        if len(turns) >= BATCH_TURNS or size >= BATCH_CHARACTERS:
            yield Batch(tuple(turns), cursor_at(path, end), unreadable)
            turns, size, unreadable = [], 0, 0
    yield Batch(tuple(turns), cursor_at(path, end), unreadable)


def cursor_at(path: Path, end: int) -> str:
    """A cursor: the byte to go on from, and a digest of what stands in front of it. Raises OSError."""
    with path.open("rb") as file:
        return f"{end}:{_before(file, end)}"


def _place(file: IO[bytes], cursor: str) -> int:
    """The byte of a cursor; 0 where the file is another one than it was, or shorter."""
    number, _, digest = cursor.partition(":")
    end = int(number) if number.isascii() and number.isdigit() and len(number) < 16 else 0
    is_same = end <= os.fstat(file.fileno()).st_size and _before(file, end) == digest
    return end if is_same else 0


def _before(file: IO[bytes], end: int) -> str:
    start = max(0, end - _HASHED)
    file.seek(start)
    return hashlib.blake2b(file.read(end - start), digest_size=8).hexdigest()


def _skip_line(file: IO[bytes]) -> int:
    """Bytes up to the end of a line; -1 where it has none yet."""
    skipped = 0
    while data := file.readline(_CHUNK):
        skipped += len(data)
        if data.endswith(b"\n"):
            return skipped
    return -1


def _parsed(data: bytes) -> tuple[dict[str, Any] | None, bool]:
    """The object of a line, and whether the line is blank; a crash of the writer leaves NUL bytes."""
    text = data.replace(b"\0", b"").strip()
    if not text:
        return None, True
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return None, False
    return (record, False) if isinstance(record, dict) else (None, False)
