"""
What a statement is worth: by who wrote it and by which way, and by what was done with it since.

A text can't raise its own state: the path that wrote it decides, never its words or fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from hipocampus.governance import marks

State = Literal["candidate", "stated", "verified", "disputed", "superseded", "released", "rejected"]
SHOWN: frozenset[State] = frozenset({"candidate", "stated", "verified"})
"""States in which a statement is searched, recalled and rolled up."""


def written_state(meta: Mapping[str, str]) -> State:
    """The state an entry has by its origin: people verify, agents and hosts state, what came from elsewhere waits."""
    if meta.get("via") == "import":
        return "candidate"
    return "verified" if meta.get("actor") == "user" else "stated"


def state_of(text: str, meta: Mapping[str, str]) -> State:
    """The state of an entry with this text in its file: that of the mutation that hid all of it, else its origin's."""
    hidden = marks.find(text)
    if not hidden or marks.shown(text).strip():
        return written_state(meta)
    return hidden[-1].state
