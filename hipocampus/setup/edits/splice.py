"""Put one value into a JSON text with comments, or take one out; every other byte stays where it is."""

from __future__ import annotations

import copy
import json
import re
from dataclasses import dataclass
from typing import Any

from hipocampus.errors import CheckFailed
from hipocampus.setup.edits import jsonc, lines
from hipocampus.setup.edits.jsonc import TRIVIA, Part, Value

Path = tuple[str | int, ...]
_COMMENTS_OF_THE_LINE = re.compile(r"(?:[ \t]*+(?:/\*[^\n]*?\*/|//[^\r\n]*+))*+")
_PIECE = re.compile(r"\s+|//[^\r\n]*|/\*[\s\S]*?\*/|,")
_INDENT = re.compile(r"^([ \t]+)\S", re.M)
_FIRST_ON_LINE = re.compile(r'\s*+(?:"[^"\n]*+"\s*+:\s*+)?')


@dataclass(frozen=True, slots=True)
class _Style:
    """How a document is written: `unit` is one step of indentation."""

    newline: str
    unit: str


def insert(text: str, name: str, path: Path, key: str | None, value: Any) -> str:
    """
    The text with `value` as the last part of the container at `path`, in the style of its neighbours.

    `key` is None for an array. Raises CheckFailed where the text is broken or would be.
    """
    root = jsonc.parse(text, name)
    container = jsonc.find(root, path)
    style = _Style(lines.newline_of(text), _unit(text))
    changed = (_into_filled if container.parts else _into_empty)(text, container, key, value, style)
    expected = copy.deepcopy(root.plain)
    place = _at(expected, path)
    if key is None:
        place.append(value)
    else:
        place[key] = value
    return _checked(changed, name, expected)


def remove(text: str, name: str, path: Path, step: str | int) -> str:
    """The text without the part `step` of the container at `path`. Raises CheckFailed, KeyError."""
    root = jsonc.parse(text, name)
    container = jsonc.find(root, path)
    index = step if isinstance(step, int) else max(i for i, part in enumerate(container.parts) if part.key == step)
    expected = copy.deepcopy(root.plain)
    del _at(expected, path)[step]
    try:
        return _checked(_cut(text, container, index, _space_before(text, container, index)), name, expected)
    except CheckFailed:  # the line before ends in a comment that would swallow what follows
        return _checked(_cut(text, container, index, container.parts[index].start), name, expected)


def inside(text: str, container: Value) -> str:
    """What stands between the brackets of a container."""
    return text[container.start + 1 : container.end - 1]


def with_inside(text: str, container: Value, between: str) -> str:
    """The text with something else between the brackets."""
    return text[: container.start + 1] + between + text[container.end - 1 :]


def render(value: Any, newline: str, unit: str = "  ", indent: str = "") -> str:
    """A value on lines of its own, the first one not indented."""
    return json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", newline + indent)


def _into_empty(text: str, container: Value, key: str | None, value: Any, style: _Style) -> str:
    """
    Into `{}`: what stands between the brackets stays if it says anything.

    Only white space without a line break gives way; `inside` tells how it was.
    """
    between, at = inside(text, container), container.start + 1
    line = _line_before(text, container.start)
    if not _FIRST_ON_LINE.fullmatch(line.lstrip("\ufeff")) and "\n" not in between:
        return with_inside(text, container, _inline(key, value, is_tight=False) + between.rstrip())
    base = _leading(line)
    new = style.newline + base + style.unit + _on_lines(key, value, base + style.unit, style)
    if between.strip() or "\n" in between:
        return text[:at] + new + text[at:]
    return with_inside(text, container, new + style.newline + base)


def _into_filled(text: str, container: Value, key: str | None, value: Any, style: _Style) -> str:
    last = container.parts[-1]
    comma = _comma_behind(text, last)
    if "\n" in text[container.start : container.end]:
        line = _line_before(text, last.start)
        indent = line if not line.strip() else _leading(_line_before(text, container.start)) + style.unit
        at = _comments_behind(text, last.end if comma is None else comma + 1)
        new = style.newline + indent + _on_lines(key, value, indent, style)
    else:
        at = last.end if comma is None else comma + 1
        is_tight = _is_tight(text, container)
        new = ("" if is_tight else " ") + _inline(key, value, is_tight=is_tight)
    if comma is None:
        return text[: last.end] + "," + text[last.end : at] + new + text[at:]
    return text[:at] + new + "," + text[at:]


def _cut(text: str, container: Value, index: int, start: int) -> str:
    """Without a part, from `start` on, and without one comma: its own, else the one before it."""
    part = container.parts[index]
    comma = _comma_behind(text, part)
    if comma is not None:
        return text[:start] + text[part.end : comma] + text[comma + 1 :]
    if not index:
        return text[:start] + text[part.end :]
    before = _comma_behind(text, container.parts[index - 1])
    if before is None:
        raise AssertionError
    return text[:before] + text[before + 1 : start] + text[part.end :]


def _checked(text: str, name: str, expected: Any) -> str:
    """The text itself, if it means what it should. Raises CheckFailed."""
    if json.dumps(jsonc.parse(text, name).plain) != json.dumps(expected):
        message = f"{name} can't be edited safely"
        raise CheckFailed(message, hint="edit the file by hand; it was left as it is")
    return text


def _at(plain: Any, path: Path) -> Any:
    for step in path:
        plain = plain[step]
    return plain


def _comma_behind(text: str, part: Part) -> int | None:
    at = TRIVIA.match(text, part.end).end()  # type: ignore[union-attr]
    return at if text[at : at + 1] == "," else None


def _comments_behind(text: str, at: int) -> int:
    """Where the comments end that stand on the same line behind a value."""
    return _COMMENTS_OF_THE_LINE.match(text, at).end()  # type: ignore[union-attr]


def _space_before(text: str, container: Value, index: int) -> int:
    """Where the white space right before a part begins; that at the end of a comment belongs to the comment."""
    part = container.parts[index]
    before = container.parts[index - 1].end if index else container.start + 1
    pieces = [match for match in _PIECE.finditer(text, before, part.start) if match[0] != ","]
    return pieces[-1].start() if pieces and pieces[-1][0].isspace() else part.start


def _line_before(text: str, at: int) -> str:
    return text[text.rfind("\n", 0, at) + 1 : at]


def _leading(line: str) -> str:
    line = line.lstrip("\ufeff")
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    found = _INDENT.search(text)
    return found[1] if found else "  "


def _is_tight(text: str, container: Value) -> bool:
    """Whether a container on one line is written without spaces."""
    last = container.parts[-1]
    if len(container.parts) > 1:
        return text[last.start - 1] == ","
    return last.key is not None and text[last.value.start - 1] == ":"


def _on_lines(key: str | None, value: Any, indent: str, style: _Style) -> str:
    name = "" if key is None else json.dumps(key, ensure_ascii=False) + ": "
    return name + render(value, style.newline, style.unit, indent)


def _inline(key: str | None, value: Any, *, is_tight: bool) -> str:
    separators = (",", ":") if is_tight else (", ", ": ")
    name = "" if key is None else json.dumps(key, ensure_ascii=False) + separators[1]
    return name + json.dumps(value, ensure_ascii=False, separators=separators)
