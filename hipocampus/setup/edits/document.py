"""All edits of one file at once, whatever its format: bytes in, bytes out."""

from __future__ import annotations

import codecs
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hipocampus.errors import CheckFailed
from hipocampus.hosts.edits import Block, Edit, Hook, ListValues
from hipocampus.setup.edits import blocks, json_values, toml_hooks
from hipocampus.setup.edits.made import Made


@dataclass(frozen=True, slots=True)
class Edited:
    """A text with our edits in it, what was made for them, and what a person should know."""

    text: str
    made: tuple[Made, ...] = ()
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


def decode(data: bytes, name: str) -> str:
    """
    The text of a file, line ends and byte order mark included; `files.encode` gives the same bytes back.

    Raises CheckFailed for UTF-16.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        message = f"{name} is UTF-16"
        raise CheckFailed(message, hint="save it as UTF-8; it was left as it is")
    return data.decode("utf-8", "surrogateescape")


def with_edits(text: str, name: str, edits: Sequence[Edit]) -> Edited:
    """The text with all edits of a file. Raises CheckFailed, with what to add by hand as its hint."""
    hooks = [edit for edit in edits if isinstance(edit, Hook)]
    try:
        edited = _with_hooks(text, name, hooks) if hooks else Edited(text)
        for edit in edits:
            if isinstance(edit, ListValues):
                edited = _with_values(edited, name, edit)
            elif isinstance(edit, Block):
                edited = _with_block(edited, name, edit)
    except CheckFailed as error:
        raise CheckFailed(str(error), hint=_by_hand(error.hint, edits)) from error
    return edited


def without_edits(
    text: str,
    name: str,
    edits: Sequence[Edit],
    made: tuple[Made, ...] | None = None,
    values: Mapping[str, tuple[str, ...]] | None = None,
) -> str:
    """
    The text without anything of ours, whatever version put it there.

    `made` and `values` are what `with_edits` said; None where nobody remembers. Raises CheckFailed.
    """
    hooks = [edit.handler for edit in edits if isinstance(edit, Hook)]
    if name.endswith(".toml"):
        return toml_hooks.without_hooks(text, name, hooks)
    if name.endswith((".json", ".jsonc")):
        if not text.strip("\ufeff \t\r\n"):
            return text
        text = json_values.without_hooks(text, name, hooks, made)
        listed = {e.key: e.values for e in edits if isinstance(e, ListValues)} if values is None else values
        for key, ours in listed.items():
            text = json_values.without_values(text, name, key, ours, made)
        return json_values.finished(text, name, made)
    for markers in _markers(name):
        text = blocks.without_block(text, markers)
    return text


def _with_hooks(text: str, name: str, hooks: Sequence[Hook]) -> Edited:
    if name.endswith(".toml"):
        return Edited(toml_hooks.with_hooks(text, name, hooks))
    return Edited(*json_values.with_hooks(text, name, hooks))


def _with_values(before: Edited, name: str, edit: ListValues) -> Edited:
    text, made, added = json_values.with_values(before.text, name, edit)
    values = {**before.values, edit.key: added} if added else before.values
    return Edited(text, before.made + made, values, before.warnings)


def _with_block(before: Edited, name: str, edit: Block) -> Edited:
    current, old = _markers(name)[0], _markers(name)[-1]
    text = before.text
    torn = sum(len(blocks.find(text, markers).torn) for markers in {current, old})
    if blocks.find(text, old) != blocks.Found((), ()) and old != current:
        text = _renamed(text, old, current)
    warnings = (f"{name}: a marker line had lost its other half; the text around it was kept",) if torn else ()
    return Edited(blocks.with_block(text, edit.text, current), before.made, before.values, before.warnings + warnings)


def _renamed(text: str, old: blocks.Markers, new: blocks.Markers) -> str:
    """Old marker lines under their new names, so that what stood between them gives way to ours."""
    for line, renamed in ((old.start, new.start), (old.end, new.end)):
        found = blocks.find(text, old)
        for start, end in sorted((*found.blocks, *found.torn), reverse=True):
            text = text[:start] + text[start:end].replace(line, renamed) + text[end:]
    return text


def _markers(name: str) -> tuple[blocks.Markers, ...]:
    """The marker lines that a file may hold, ours first."""
    return (blocks.MARKDOWN, blocks.OLD_MARKDOWN) if name.endswith(".md") else (blocks.PATTERNS,)


def _by_hand(hint: str, edits: Sequence[Edit]) -> str:
    """What a person can add where we can't."""
    groups: dict[str, list[object]] = {}
    for edit in edits:
        if isinstance(edit, Hook):
            groups.setdefault(edit.event, []).append(json_values.group_of(edit))
    wished: dict[str, object] = {"hooks": groups} if groups else {}
    wished |= {edit.key: list(edit.values) for edit in edits if isinstance(edit, ListValues)}
    return f"{hint}; or add this yourself: {json.dumps(wished, ensure_ascii=False)}" if wished else hint
