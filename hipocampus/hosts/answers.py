"""What a hook prints to bring text to the model, in the shape that Claude Code and Codex share."""

from __future__ import annotations

import json
from collections.abc import Callable

CARRYING = ("SessionStart", "UserPromptSubmit")
"""The events whose answer reaches the model; before a compaction it would steer the summary, at a stop the agent."""
LEFT_OUT = "(cut here: more than this host takes; `hipocampus read memory/ROOT.md` prints the rest)"


def hook_output(event: str, context: str, limit: int, size: Callable[[str], int]) -> str:
    """
    One JSON object in plain ASCII that carries the context, cut to `limit` as `size` measures it; "" for other events.

    Source of the shape: code.claude.com/docs/en/hooks, developers.openai.com/codex/hooks.
    """
    if event not in CARRYING or not context.strip():
        return ""
    carried = cut(context, limit, size)
    return json.dumps({"hookSpecificOutput": {"hookEventName": event, "additionalContext": carried}})


def cut(text: str, limit: int, size: Callable[[str], int]) -> str:
    """The first lines that fit, and a line that says so; the last line stays where it closes a fence."""
    if size(text) <= limit:
        return text
    lines = text.rstrip("\n").split("\n")
    end = [LEFT_OUT, *(lines[-1:] if lines[-1].startswith("</") else [])]
    room, kept = limit - sum(size(line) + 1 for line in end), []
    for line in lines:
        room -= size(line) + 1
        if room < 0:
            break
        kept.append(line)
    return "\n".join([*kept, *end])


def utf16_units(text: str) -> int:
    """Length of a text as JavaScript counts it."""
    return len(text) + sum(char > "\uffff" for char in text)


def utf8_bytes(text: str) -> int:
    """Length of a text in bytes, also of one that no encoder takes."""
    return len(text.encode("utf-8", "surrogatepass"))
