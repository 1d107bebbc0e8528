"""What a hook prints to bring text to the model, in the shape that Claude Code and Codex share and our plugin reads."""

from __future__ import annotations

import json
from collections.abc import Callable

CARRYING = ("SessionStart", "UserPromptSubmit", "chat.message")
"""The events whose answer reaches the model; before a compaction it would steer the summary, at a stop the agent."""
# Claude Code cuts a string above 10,000 to a preview of 2 KB.
LONGEST = 8_000
CODEX_TOKENS, CODEX_PROMPT_TOKENS = 5_000, 2_500
"""Of Codex, as it estimates them, four bytes each: what it is told at a start, and what it takes without a limit."""
LEFT_OUT = "(cut here: more than this host takes; `hipocampus read memory/ROOT.md` prints the rest)"


def of_host(host: str, event: str, context: str) -> str:
    """What our hook prints for an event of a host; "" where nothing of it reaches the model."""
    if host == "codex":
        tokens = CODEX_TOKENS if event == "SessionStart" else CODEX_PROMPT_TOKENS
        return hook_output(event, context, 4 * tokens - 200, measure(host))
    return hook_output(event, context, LONGEST, measure(host))


def measure(host: str) -> Callable[[str], int]:
    """How a host measures what a hook of ours tells it."""
    return utf8_bytes if host == "codex" else utf16_units


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
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf8_bytes(text: str) -> int:
    """Length of a text in bytes, also of one that no encoder takes."""
    return len(text.encode("utf-8", "surrogatepass"))
