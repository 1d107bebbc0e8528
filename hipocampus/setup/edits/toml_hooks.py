"""
Hooks in a TOML file, as tables of their own at its end: text in, text out, checked with the standard parser.

A writer for TOML is not needed for that: `[[hooks.<event>]]` may stand anywhere behind the other tables.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hipocampus.errors import CheckFailed
from hipocampus.hosts.edits import Hook
from hipocampus.setup.edits import json_values, lines

_HEADER = re.compile(r"[ \t]*\[")
_HOOK_HEADER = re.compile(r"[ \t]*\[\[\s*hooks\s*\.\s*([A-Za-z0-9_-]+|\"[^\"\n]*\")\s*(\.\s*hooks\s*)?\]\]")
# A piece of a line: a comment, a string of any sort, or one other character.
_PIECE = re.compile(r'#[^\n]*|"""[\s\S]*?(?<!\\)"{3,5}|\'\'\'[\s\S]*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|[\s\S]')


@dataclass(frozen=True, slots=True)
class _Table:
    """A `[[hooks.<event>]]` group, or a `[[hooks.<event>.hooks]]` handler, from its header to its last key."""

    event: str
    is_handler: bool
    start: int
    end: int


def parse(text: str, name: str) -> dict[str, Any]:
    """The document. Raises CheckFailed that says in which line of the file `name` it is broken."""
    try:
        return tomllib.loads(text.removeprefix(lines.BOM).replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        message = f"{name} is not valid TOML: {error}"
        raise CheckFailed(message, hint="mend the file by hand; it was left as it is") from error


def with_hooks(text: str, name: str, hooks: Sequence[Hook]) -> str:
    """
    The text with our hooks beside those of others, each in a group of its own; stale ones of ours go.

    Raises CheckFailed for a file that is broken, or that keeps its hooks in another way.
    """
    plain = parse(text, name)
    missing, stale = json_values.missing_and_stale(plain, hooks)
    text = _without(text, name, stale) if stale else text
    for hook in missing:
        text = lines.appended(text, render(hook).replace("\n", lines.newline_of(text)))
    left, _ = json_values.missing_and_stale(parse(text, name), hooks)
    if left:
        message = f"{name}: the hooks can't be added"
        raise CheckFailed(message, hint="add them by hand; the file was left as it is")
    return text


def without_hooks(text: str, name: str, exact: Sequence[Mapping[str, Any]]) -> str:
    """The text without our hooks; a group that a person has extended keeps what is theirs. Raises CheckFailed."""
    found = json_values.handlers(parse(text, name), exact)
    return _without(text, name, list(found)) if found else text


def render(hook: Hook) -> str:
    """The tables of one hook."""
    event = hook.event if re.fullmatch(r"[A-Za-z0-9_-]+", hook.event) else json.dumps(hook.event)
    matcher = [f"matcher = {json.dumps(hook.matcher)}"] if hook.matcher else []
    keys = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in hook.handler.items()]
    return "\n".join([f"[[hooks.{event}]]", *matcher, f"[[hooks.{event}.hooks]]", *keys, ""])


def _without(text: str, name: str, places: Sequence[json_values.Place]) -> str:
    """Without some handlers, and without the groups that held nothing else."""
    groups = _groups(text)
    doomed = []
    for (event, number), (group, inner) in groups.items():
        ours = {place.position for place in places if (place.event, place.group) == (event, number)}
        doomed += [inner[index] for index in ours if index < len(inner)]
        doomed += [group] if ours and len(ours) == len(inner) else []
    for start, end in reversed(_joined(text, doomed)):
        text = lines.cut(text, start, end)
    parse(text, name)
    return text


def _joined(text: str, tables: Sequence[_Table]) -> list[tuple[int, int]]:
    """Tables in the order of the text, those that follow each other directly as one."""
    spans: list[tuple[int, int]] = []
    for table in sorted(tables, key=lambda one: one.start):
        if spans and spans[-1][1] == table.start:
            spans[-1] = spans[-1][0], table.end
        else:
            spans.append((table.start, table.end))
    return spans


def _groups(text: str) -> dict[tuple[str, int], tuple[_Table, list[_Table]]]:
    """Each group by event and number, with its handlers."""
    found: dict[tuple[str, int], tuple[_Table, list[_Table]]] = {}
    counts: dict[str, int] = {}
    for table in _tables(text):
        if not table.is_handler:
            found[table.event, counts.get(table.event, 0)] = table, []
            counts[table.event] = counts.get(table.event, 0) + 1
        elif table.event in counts:
            found[table.event, counts[table.event] - 1][1].append(table)
    return found


def _tables(text: str) -> Iterator[_Table]:
    """The tables of hooks; blank lines and comments behind the last key of one belong to what follows."""
    headers = list(_headers(text))
    for start, following in zip(headers, [*headers[1:], len(text)], strict=True):
        match = _HOOK_HEADER.match(text, start)
        if match:
            yield _Table(match[1].strip('"'), match[2] is not None, start, _end_of_keys(text, start, following))


def _headers(text: str) -> Iterator[int]:
    """Where the lines of table headers begin, those within strings and arrays left out."""
    depth, at = 0, len(lines.BOM) if text.startswith(lines.BOM) else 0
    is_fresh = True
    while at < len(text):
        if is_fresh and not depth and (header := _HEADER.match(text, at)):
            yield at
            at = _end_of_line(text, header.end())  # its brackets open no array
            continue
        piece = _PIECE.match(text, at)[0]  # type: ignore[index]
        depth += (piece in "[{") - (piece in "]}")
        is_fresh = piece == "\n"
        at += len(piece)


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end + 1


def _end_of_keys(text: str, start: int, end: int) -> int:
    """Where the last line of a table ends that is neither blank nor a comment."""
    body = text[start:end].splitlines(keepends=True)
    while len(body) > 1 and (not body[-1].strip() or body[-1].lstrip().startswith("#")):
        end -= len(body.pop())
    return end
