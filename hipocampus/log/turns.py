"""What was said in a session, and how it stands in a transcript: a turn begins with `User:` at the start of a line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Voice = Literal["user", "assistant", "tool"]

MARK = re.compile(r"^(user|assistant|human|ai|tool)\s*:[ \t]*", re.I | re.M)
"""What a turn begins with."""


@dataclass(frozen=True, slots=True)
class Turn:
    """
    One record of a host's transcript: what one voice said.

    `id` is the host's own, unique among all its sessions; `at` is aware, None where the host did not say when.
    A tool's turn is one bounded line that names the call.
    """

    id: str
    voice: Voice
    text: str
    at: datetime | None


def voice_of(mark: re.Match[str]) -> Voice:
    """Whose turn a match of `MARK` begins."""
    said = mark[1].lower()
    if said == "tool":
        return "tool"
    return "user" if said in ("user", "human") else "assistant"
