"""A person asks: what they want remembered is stored, and the model is told what memory has to say to it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hipocampus.clock import day_from_environment
from hipocampus.hosts import answers
from hipocampus.memory import Memory
from hipocampus.recall.gate import read_prompt
from hipocampus.setup import hook_log
from hipocampus.setup.hook_event import Event

if TYPE_CHECKING:
    from hipocampus.recall.recall import Recalled


def answer(event: Event) -> str:
    """
    Store what a prompt asks to remember, and recall what bears on it; returns what the host is told.

    One line of `hook.log` says what was shown and why, another what recall had to do without. Raises HipocampusError
    and OSError.
    """
    memory = Memory.find(Path(event.root), today=day_from_environment())
    said = event.text("prompt")
    stored = _remembered(memory, event) if read_prompt(said).remembers else ""
    found = memory.remind(said, event.text("session_id"))
    for told in (trace(found), *found.notes) if found.items else found.notes:
        hook_log.append_line(event.state, f"{event.host} {event.name} {told}")
    return answers.of_host(event.host, event.name, "\n".join(filter(None, (stored, found.context))))


def trace(found: Recalled) -> str:
    """What was shown and why, in one line: of each item its tier, its score and the concepts that led to it."""
    shown = (f"{item.id} ({item.explain.tier} {item.score:.3f}{_led(item.explain.anchors)})" for item in found.items)
    return f"recalled {len(found.items)} items in {found.tokens} tokens: {'; '.join(shown)}"


def _led(anchors: tuple[str, ...]) -> str:
    return f" by {' '.join(anchors)}" if anchors else ""


def _remembered(memory: Memory, event: Event) -> str:
    """Store a prompt, and say where it stands; a failure is told and keeps nobody from being answered."""
    from hipocampus.errors import HipocampusError
    from hipocampus.recall.remember import draft_of

    try:
        stored = memory.checkpoint(draft_of(read_prompt(event.text("prompt")).text), actor="user")
    except HipocampusError as error:
        hook_log.append(event.state, f"{event.host} {event.name} error: not remembered: {error}")
        return f"hipocampus could not store what the user marked with #remember: {error.hint}"
    hook_log.append_line(event.state, f"{event.host} {event.name} remembered {stored.pointer}")
    return f"hipocampus stored what the user marked with #remember as {stored.pointer} [{stored.type}]."
