"""How a session is called in a raw log. A hook asks at every prompt, so next to nothing is imported."""

from __future__ import annotations

import re

_NO_TOKEN = re.compile(r"[^0-9A-Za-z._:/#+-]")
_LONGEST_TOKEN = 160


def token(name: str) -> str:
    """A name as one word without anything that could end a comment; a changed or long one ends in its digest."""
    word = _NO_TOKEN.sub("_", name.strip())
    if word == name.strip() and len(word) <= _LONGEST_TOKEN and "--" not in word:
        return word
    from hipocampus.log import captured

    return f"{word.replace('--', '-_')[:_LONGEST_TOKEN]}_{captured.digest(name).hex()}"


def heading(name: str) -> str:
    """The title of the entries of a session."""
    return f"Session {token(name)}"
