"""What the records of the hosts' transcripts have in common: times, ids, content blocks, calls of tools."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

LONGEST_CALL = 200
# What tells best what a call was about, of whatever tool; else its first text.
_TELLING = ("command", "cmd", "file_path", "filePath", "path", "pattern", "query", "url", "description", "prompt")


def time_of(value: object) -> datetime | None:
    """An aware time from ISO 8601 text or from milliseconds since 1970; None for anything else."""
    try:
        if isinstance(value, str):
            at = datetime.fromisoformat(value)
            return at if at.tzinfo else at.replace(tzinfo=UTC)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        pass
    return None


def made_id(*parts: object) -> str:
    """An id for a record that has none of its own: the same record has the same in every copy."""
    key = json.dumps(parts, sort_keys=True, default=str)
    return hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def blocks(content: object, text_type: str) -> Iterator[Mapping[str, Any]]:
    """The blocks of a message's content; a plain text is one block."""
    if isinstance(content, str):
        yield {"type": text_type, "text": content}
    elif isinstance(content, list):
        yield from (block for block in content if isinstance(block, dict))


def texts(parts: Iterable[Mapping[str, Any]], *types: str) -> str:
    """The text of blocks of some types, apart by blank lines."""
    said = (part.get("text") for part in parts if part.get("type") in types)
    return "\n\n".join(text for text in said if isinstance(text, str) and text.strip())


def call_line(name: object, given: object) -> str:
    """A tool's call as one line of at most 200 characters: `Bash: npm test`."""
    title = name if isinstance(name, str) and name else "tool"
    what = " ".join(_told(given).split())
    line = f"{title}: {what}" if what else title
    return line if len(line) <= LONGEST_CALL else f"{line[: LONGEST_CALL - 1]}…"


def _told(given: object) -> str:
    if isinstance(given, str):
        return _told_in_json(given)
    if not isinstance(given, dict):
        return ""
    named = [given[key] for key in _TELLING if key in given]
    for value in (*named, *given.values()):
        if isinstance(value, str) and value.strip():
            return value[: 10 * LONGEST_CALL]
        if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
            return " ".join(value)[: 10 * LONGEST_CALL]
    return ""


def _told_in_json(text: str) -> str:
    """Arguments that come as JSON in a text."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        return text[: 10 * LONGEST_CALL]
    return _told(given) if isinstance(given, dict) else text[: 10 * LONGEST_CALL]
