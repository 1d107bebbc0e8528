"""SQLite's full-text search over the chunks that our own index holds: what a plain tool makes of them."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hipocampus.index.chunk import Chunk

_WORD = re.compile(r"\w+")


class FullText:
    """An FTS5 table with the porter tokenizer in a file; ranks with its `bm25()`."""

    def __init__(self, path: Path, chunks: Iterable[Chunk]) -> None:
        path.unlink(missing_ok=True)
        self._connection = sqlite3.connect(path)
        self._connection.execute(
            "CREATE VIRTUAL TABLE chunks USING fts5("
            "source UNINDEXED, first UNINDEXED, last UNINDEXED, text, tokenize = 'porter unicode61')"
        )
        self._connection.executemany("INSERT INTO chunks VALUES (?, ?, ?, ?)", map(_row, chunks))
        self._connection.execute("INSERT INTO chunks(chunks) VALUES ('optimize')")
        self._connection.commit()

    def find(self, text: str, limit: int) -> list[dict[str, Any]]:
        """The best chunks that hold any of the words, as items of `search --json`."""
        query = " OR ".join(f'"{word}"' for word in dict.fromkeys(_WORD.findall(text.lower())))
        rows = self._connection.execute(
            "SELECT source, first, last, text FROM chunks WHERE chunks MATCH ? ORDER BY bm25(chunks) LIMIT ?",
            (query, limit),
        )
        return [{"source": source, "lines": (first, last), "text": said} for source, first, last, said in rows]

    def close(self) -> None:
        """Close the file."""
        self._connection.close()


def _row(chunk: Chunk) -> tuple[str, int, int, str]:
    said = "\n".join((*chunk.headings, chunk.text)).encode("utf-8", "replace").decode()
    return chunk.source, chunk.first_line, chunk.last_line, said
