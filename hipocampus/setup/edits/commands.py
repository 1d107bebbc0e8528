"""Shell commands of hooks: how ours is written, and how one of ours is told from everybody else's."""

from __future__ import annotations

import re
import shlex

PROGRAM = "hipocampus-hook"
MODULE = "hipocampus.hooks"
_WORD = re.compile(r"""(?:[^\s;&|()<>'"]|"[^"]*"|'[^']*')+""")
_SEPARATOR = re.compile(r"""("[^"]*"|'[^']*')|(?<![<>])(?:&&|\|\||[;&|()\n])""")
_KEYWORDS = frozenset({"if", "then", "else", "do", "!", "{", "exec"})
# What may stand beside our program in a command that is still ours alone.
_GUARDS = frozenset({"command", "exit", "true", ":", "test", "[", "fi", "}"})
_OLD_SCRIPT = re.compile(r"[/\\]hipocampus[/\\]cli[/\\][\w-]+\.mjs$")


def quoted(path: str, platform: str) -> str:
    """A path as one word of the host's shell: single quotes where needed, on Windows double quotes, never single."""
    return f'"{path}"' if platform == "win32" else shlex.quote(path)


def is_ours(command: object) -> bool:
    """
    Whether a hook's command starts our hook and nothing else; that of the JavaScript hipocampus 0.5 counts too.

    A path that only contains our name does not count, nor does a command that a person has built around ours.
    """
    if not isinstance(command, str):
        return False
    calls = [words for words in map(_words, _simple_commands(command)) if words]
    ours = [words for words in calls if _starts_hook(words) or _starts_old_tool(words)]
    return bool(ours) and all(words in ours or _name(words[0]) in _GUARDS for words in calls)


def _simple_commands(command: str) -> list[str]:
    """The commands between `;`, `&&`, `||` and the like; separators in quotes do not count."""
    pieces, at = [], 0
    for match in _SEPARATOR.finditer(command):
        if match[1] is None:
            pieces.append(command[at : match.start()])
            at = match.end()
    return [*pieces, command[at:]]


def _words(command: str) -> list[str]:
    """Words without their quotes, from the program on."""
    words = [match[0].replace('"', "").replace("'", "") for match in _WORD.finditer(command)]
    while words and (words[0] in _KEYWORDS or re.match(r"[A-Za-z_]\w*=", words[0])):
        words = words[1:]
    return words


def _starts_hook(words: list[str]) -> bool:
    return _name(words[0]) == PROGRAM or words[1:4] == ["-P", "-m", MODULE]


def _starts_old_tool(words: list[str]) -> bool:
    if _name(words[0]) == "npx":
        words = [word for word in words[1:] if not word.startswith("-")] or words
        return words[0].partition("@")[0] == "hipocampus"
    if _name(words[0]) == "node" and len(words) > 1:
        return _OLD_SCRIPT.search(words[1]) is not None
    return _name(words[0]) == "hipocampus" and words[1:2] == ["compact"]


def _name(word: str) -> str:
    """The file name of a program without `.exe`."""
    return re.split(r"[/\\]", word)[-1].removesuffix(".exe")
