"""
The words of a person without what a host wraps around them, and any text without our own injected block.

What stands in backticks is quoted and stays. The tags are those that Claude Code and Codex write into user messages.
"""

from __future__ import annotations

import re

OWN_TAG = "hipocampus-memory"
"""The fence of what our hooks bring into a conversation."""

_TAGS = (
    "system-reminder|local-command-stdout|local-command-stderr|local-command-caveat|bash-input|bash-stdout|bash-stderr"
    "|task-notification|user-memory-input|persisted-output|user-prompt-submit-hook|tools-used-before-summary"
    "|ide_[a-z_]+|environment_context|user_instructions|permissions instructions|skills_instructions|turn_aborted"
    "|user_shell_command|hook_context|command-message|command-contents"
)
_QUOTED = r"^ {0,3}(?P<fence>```+|~~~+)[^\n]*$|(?<!`)(?P<tick>`{1,3})(?!`)[^`\n]+(?P=tick)(?!`)"
_HOST = re.compile(rf"{_QUOTED}|<(?P<tag>{OWN_TAG}|{_TAGS})(?=[\s>/])[^<>\n]*>", re.M)
_OWN = re.compile(rf"{_QUOTED}|<(?P<tag>{OWN_TAG})(?=[\s>/])[^<>\n]*>", re.M)
_COMMAND = re.compile(r"<command-name>\s*(/?[^<\n]*?)\s*</command-name>", re.S)
_ARGUMENTS = re.compile(r"<command-args>(.*?)</command-args>", re.S)
_NOTICE = re.compile(r"^\[Request interrupted by user[^\]\n]*\]$", re.M)
_CODEX_INSTRUCTIONS = "# AGENTS.md instructions"


def spoken_by_person(text: str) -> str:
    """
    What the person said; "" where it was only the host.

    A slash command without arguments is no request; with arguments it becomes the line that was typed.
    """
    if text.lstrip().startswith(_CODEX_INSTRUCTIONS):
        return ""
    if text.lstrip().startswith("<command-"):
        return _command(text)
    return _NOTICE.sub("", _without(_HOST, text)).strip()


def without_own_block(text: str) -> str:
    """A text without what our hooks had brought in, should the agent repeat it."""
    return _without(_OWN, text).strip() if OWN_TAG in text else text


def _command(text: str) -> str:
    name, arguments = _COMMAND.search(text), _ARGUMENTS.search(text)
    if not name or not arguments or not arguments[1].strip():
        return ""
    return f"/{name[1].lstrip('/')} {without_own_block(arguments[1].strip())}"


def _without(pattern: re.Pattern[str], text: str) -> str:
    kept: list[str] = []
    at = 0
    said = False
    unclosed: set[str] = set()
    while match := pattern.search(text, at):
        tag, before = match["tag"], text[at : match.start()]
        said = said or bool(before.strip())
        end = _end(text, match, unclosed)
        kept.append(before)
        if tag and end < 0 and not said:  # it was cut off
            return "".join(kept)
        if not tag or end < 0:
            end = max(end, match.end())
            kept.append(text[match.start() : end])
            said = True
        at = end
    return "".join([*kept, text[at:]])


def _end(text: str, match: re.Match[str], unclosed: set[str]) -> int:
    """Where what a match begins has its end; -1 where it has none."""
    opener = match["tag"] or match["fence"]
    if not opener:
        return match.end()
    if opener in unclosed:
        return -1
    if match["tag"]:
        end = text.find(f"</{opener}>", match.end())
        end += len(opener) + 3 if end >= 0 else 0
    else:
        closing = re.compile(rf"^ {{0,3}}{opener}{opener[0]}*[ \t]*$", re.M).search(text, match.end())
        end = closing.end() if closing else -1
    if end < 0:
        unclosed.add(opener)
    return end
