"""What people and agents hand in to be remembered, as drafts: options, Markdown or JSON."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from hipocampus.errors import UsageError
from hipocampus.governance import private
from hipocampus.governance.gate import Draft
from hipocampus.governance.redaction import PRIVATE
from hipocampus.log import entry as grammar
from hipocampus.log.entry import ENTRY_TYPES, EntryType

# Options and JSON keys in the order of an entry, with the words that stand in front of them in the log.
FIELDS = {
    "request": "request: ",
    "analysis": "analysis: ",
    "decision": "decisions: ",
    "outcome": "outcome: ",
    "reference": "references: ",
    "note": "",
}
_OTHER_KEYS = ("title", "type", "body")
# What the way of writing decides and not the text: read over without a word.
_NOT_THEIRS = ("id", "actor", "via", "session", "at", "importance")
_JSON = re.compile(r'\s*(?:\{\s*["}]|\[\s*[{\]])')
_EXAMPLE = 'for example {"title": "Rate limits", "decision": ["token bucket"]}'


def from_fields(title: str, kind: str | None, fields: Mapping[str, Sequence[str]], body: str = "") -> list[Draft]:
    """The draft of an entry with one bullet a value, none for a private one. Raises UsageError for an unknown type."""
    said = {name: [private.drop(value) for value in fields.get(name, ())] for name in FIELDS}
    bullets = [
        f"- {label}{_continued(value)}" for name, label in FIELDS.items() for value in said[name] if value.strip()
    ]
    is_all = all(said[name] == list(fields.get(name, ())) for name in FIELDS)
    left_out = () if is_all else (PRIVATE,)
    return [Draft(title, "\n".join([*bullets, *([body] if body else [])]), _kind(kind), left_out)]


def from_text(text: str, title: str = "", kind: str | None = None) -> list[Draft]:
    """
    The drafts in a Markdown or JSON text.

    Raises UsageError for JSON that is broken, has unknown keys or values of the wrong kind.
    """
    if _JSON.match(text):
        return _spoken([draft for item in _json_items(text) for draft in _from_json(item, title, kind)])
    if not title and text.lstrip().startswith("## "):
        entries = grammar.parse(private.blank_blocks(text.strip()), date.min)
        return _spoken([Draft(e.title, e.body, _kind(kind or e.type)) for e in entries])
    return [Draft(title, text, _kind(kind))]


def _spoken(drafts: list[Draft]) -> list[Draft]:
    """Drafts without those that were all private, which must keep no other out; an empty one if all were."""
    texts = [f"{draft.title}\n{draft.body}".strip() for draft in drafts]
    said = [draft for draft, text in zip(drafts, texts, strict=True) if not text or private.drop(text).strip()]
    return said or [Draft("", "")]


def _json_items(text: str) -> list[dict[str, Any]]:
    try:
        loaded = json.loads(text)
    except (ValueError, RecursionError) as error:
        message = f"the JSON on stdin is broken: {error}"
        raise UsageError(message, hint=_EXAMPLE) from error
    items = loaded if isinstance(loaded, list) else [loaded]
    if not items or not all(isinstance(item, dict) for item in items):
        message = "JSON on stdin must be an object, or a list of objects"
        raise UsageError(message, hint=_EXAMPLE)
    return items


def _from_json(item: dict[str, Any], title: str, kind: str | None) -> list[Draft]:
    for key in item:
        _check_key(key)
    fields = {name: _texts(name, item.get(name)) for name in FIELDS}
    body, given = _texts("body", item.get("body")), " ".join(_texts("title", item.get("title")))
    if title and given and given != title:
        body = [given, *body]
    return from_fields(title or given, kind or item.get("type"), fields, "\n".join(body))


def _check_key(key: str) -> None:
    """What is said under a key that nobody reads would be lost. Raises UsageError."""
    known = (*_OTHER_KEYS, *FIELDS)
    if key not in known and key not in _NOT_THEIRS:
        near = difflib.get_close_matches(key, known, n=1)
        message = f"unknown key {key!r} in the JSON on stdin"
        raise UsageError(message, hint=f"did you mean {near[0]}?" if near else f"use {', '.join(known)}")


def _texts(name: str, value: object) -> list[str]:
    values = [] if value is None else value if isinstance(value, list) else [value]
    if not all(isinstance(v, (str, int, float)) for v in values):
        message = f"`{name}` must be a text or a list of texts"
        raise UsageError(message, hint=_EXAMPLE)
    return [str(v) for v in values]


def _kind(kind: str | None) -> EntryType:
    if kind is None:
        return "project"
    for known in ENTRY_TYPES:
        if kind == known:
            return known
    message = f"unknown entry type {kind!r}"
    raise UsageError(message, hint=f"use one of {', '.join(ENTRY_TYPES)}")


def _continued(value: str) -> str:
    """A value over several lines, its further lines indented below its bullet."""
    return "\n  ".join(value.strip().split("\n"))
