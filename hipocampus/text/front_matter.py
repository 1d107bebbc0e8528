"""
The front matter of a Markdown file, in both directions: YAML between two lines of `---`.

What we write is YAML whose values are JSON, so every title comes back as the string it was.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_FRONT = re.compile(r"\ufeff?---[ \t]*\n(.*?)\n---[ \t]*(?:\n|$)", re.DOTALL)
# Words and dates that read better without quotes; all other strings are quoted.
_PLAIN = re.compile(r"[a-z]{3,}|\d{4}-(?:W\d\d|\d\d)(?:-\d\d)?(?:\.\.\d{4}-\d\d-\d\d)?")
# What YAML allows only escaped: control characters (YAML 1.2, 5.1).
_NOT_PRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
# Bytes that were no UTF-8; YAML has no way to write them, in front matter or elsewhere.
_UNDECODED = re.compile("[\ud800-\udfff]")


def render(fields: Mapping[str, Any]) -> str:
    """Front matter block with its fences and one blank line behind it."""
    return "---\n" + "".join(f"{key}: {_scalar(value)}\n" for key, value in fields.items()) + "---\n\n"


def split(text: str) -> tuple[str, str]:
    """Front matter (without fences) and body of a file; front matter is "" where there is none."""
    match = _FRONT.match(text)
    if not match:
        return "", text
    return match[1], text[match.end() :].removeprefix("\n")


def fields_of(front: str) -> dict[str, Any]:
    """The fields of a front matter; what can't be read as YAML gives no fields."""
    if not front:
        return {}
    import yaml

    try:
        loaded = yaml.load(front, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506  a safe loader
    except (yaml.YAMLError, ValueError, LookupError, AttributeError, TypeError, ArithmeticError, RecursionError):
        return {}  # people write front matter too, and PyYAML fails in many ways
    return {str(key): value for key, value in loaded.items()} if isinstance(loaded, dict) else {}


def _scalar(value: Any) -> str:
    if isinstance(value, str) and _PLAIN.fullmatch(value):
        return value
    text = _UNDECODED.sub("\ufffd", json.dumps(value, ensure_ascii=False))
    return _NOT_PRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
