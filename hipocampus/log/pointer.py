"""Pointers: how a node, or a line of it, names what it was made from (`→ 2026-03-15#3f9ac2, 2026-03-17`)."""

from __future__ import annotations

import re

ARROW = " → "
_POINTER = r"(?:\d{4}-)?\d{2}-\d{2}(?:#[0-9A-Za-z-]+)?|\d{4}-W\d{2}|(?:knowledge|plans|memory)/[^,;→]+?"
_POINTERS = re.compile(rf" → ((?:{_POINTER})(?:, (?:{_POINTER}))*)\s*$")


def split_pointers(line: str) -> tuple[str, tuple[str, ...]]:
    """A line without its pointers, and the pointers."""
    match = _POINTERS.search(line)
    if not match:
        return line, ()
    return line[: match.start()], tuple(match[1].split(", "))
