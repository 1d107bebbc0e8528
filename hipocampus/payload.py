"""What people and agents hand in to be remembered, as drafts: options, Markdown or JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from hipocampus.errors import UsageError
from hipocampus.governance.gate import Draft
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


def from_fields(title: str, kind: str | None, fields: Mapping[str, Sequence[str]], body: str = "") -> list[Draft]:
    """The draft of an entry with one bullet a value. Raises UsageError for an unknown type."""
    bullets = [
        f"- {label}{_continued(value)}" for name, label in FIELDS.items() for value in fields.get(name, ()) if value.strip()
    ]
    return [Draft(title, "\n".join([*bullets, *([body] if body else [])]), _kind(kind))]


def from_text(text: str, title: str = "", kind: str | None = None) -> list[Draft]:
    """
    The drafts in a Markdown or JSON text.

    Raises UsageError for JSON that is broken or has values of the wrong kind.
    """
    if text.lstrip()[:1] in ("{", "["):
        return [draft for item in _json_items(text) for draft in _from_json(item, title, kind)]
    if not title and text.lstrip().startswith("## "):
        return [Draft(e.title, e.body, _kind(kind or e.type)) for e in grammar.parse(text.strip(), date.min)]
    return [Draft(title, text, _kind(kind))]


def _json_items(text: str) -> list[dict[str, Any]]:
    try:
        loaded = json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        return [{"body": text}]  # a Markdown text may begin with a bracket
    items = loaded if isinstance(loaded, list) else [loaded]
    if not items or not all(isinstance(item, dict) for item in items):
        message = "JSON on stdin must be an object, or a list of objects"
        raise UsageError(message, hint='for example {"title": "Rate limits", "decision": ["token bucket"]}')
    return items


def _from_json(item: dict[str, Any], title: str, kind: str | None) -> list[Draft]:
    fields = {name: _texts(name, item[name]) for name in FIELDS if name in item}
    body = _texts("body", item.get("body", ""))
    heading = title or _texts("title", item.get("title", ""))[0]
    return from_fields(heading, kind or item.get("type"), fields, "\n".join(body))


def _texts(name: str, value: object) -> list[str]:
    values = value if isinstance(value, list) else [value]
    if not values or not all(isinstance(v, (str, int, float)) for v in values):
        message = f"`{name}` must be a text or a list of texts"
        raise UsageError(message, hint='for example {"title": "Rate limits", "decision": ["token bucket"]}')
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
