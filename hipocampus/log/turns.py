"""Who speaks in a transcript: a turn begins with `User:` or `Assistant:` at the start of a line."""

from __future__ import annotations

import re
from typing import Literal

Voice = Literal["user", "assistant"]

MARK = re.compile(r"^(user|assistant|human|ai)\s*:[ \t]*", re.I | re.M)
"""What a turn begins with."""


def voice_of(mark: re.Match[str]) -> Voice:
    """Whose turn a match of `MARK` begins."""
    return "user" if mark[1].lower() in ("user", "human") else "assistant"
