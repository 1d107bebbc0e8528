"""
A node file: front matter that says what it was made from, and a body.

The front matter is YAML whose values are JSON, so every title comes back as the string it was.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from hipocampus.tree.calendar import Period, Status

MadeBy = Literal["verbatim", "extract", "agent", "command"]
_FRONT = re.compile(r"\ufeff?---[ \t]*\n(.*?)\n---[ \t]*(?:\n|$)", re.DOTALL)
_STATUS_LINE = re.compile(r"^status:.*$", re.MULTILINE)
# Words and dates that read better without quotes; all other strings are quoted.
_PLAIN = re.compile(r"[a-z]{3,}|\d{4}-(?:W\d\d|\d\d)(?:-\d\d)?(?:\.\.\d{4}-\d\d-\d\d)?")
# What YAML allows only escaped: control characters (YAML 1.2, 5.1).
_NOT_PRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
# Bytes that were no UTF-8; YAML has no way to write them, in front matter or elsewhere.
_UNDECODED = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Node:
    """A daily, weekly or monthly node; `sources` are paths relative to the workspace."""

    period: Period
    status: Status
    sources: tuple[str, ...]
    sources_sha256: str
    topics: tuple[str, ...]
    tokens: int
    made_by: MadeBy
    body: str

    def text(self) -> str:
        """The whole file."""
        dates = self.period.name if self.period.level == "daily" else f"{self.period.first}..{self.period.last}"
        return (
            front_matter(
                {
                    "type": self.period.level,
                    "status": self.status,
                    "period": self.period.name,
                    "dates": dates,
                    "source-files": self.sources,
                    "sources-sha256": self.sources_sha256,
                    "topics": self.topics,
                    "tokens": self.tokens,
                    "made-by": self.made_by,
                    "body-sha256": body_mark(self.body),
                }
            )
            + self.body
        )


def front_matter(fields: Mapping[str, Any]) -> str:
    """Front matter block with its fences and one blank line behind it."""
    return "---\n" + "".join(f"{key}: {_scalar(value)}\n" for key, value in fields.items()) + "---\n\n"


def split(text: str) -> tuple[str, str]:
    """Front matter (without fences) and body of a file; front matter is "" where there is none."""
    match = _FRONT.match(text)
    if not match:
        return "", text
    return match[1], text[match.end() :].removeprefix("\n")


def with_status(text: str, status: Status) -> str:
    """The text of a node with another status; its body stays as it is."""
    front, body = text[: text.index("\n---", 1)], text[text.index("\n---", 1) :]
    return _STATUS_LINE.sub(f"status: {status}", front, count=1) + body


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


def sha256(text: str) -> str:
    """Hex digest of a text as it stands on disk."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def body_mark(body: str) -> str:
    """What front matter keeps of a body, so that an edit by hand shows."""
    return sha256(body)[:16]


def sources_key(parts: Sequence[Any]) -> str:
    """Digest over everything a node depends on."""
    return sha256(json.dumps(parts, ensure_ascii=True))


def _scalar(value: Any) -> str:
    if isinstance(value, str) and _PLAIN.fullmatch(value):
        return value
    text = _UNDECODED.sub("\ufffd", json.dumps(value, ensure_ascii=False))
    return _NOT_PRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
