"""A node file: front matter that says what it was made from, and a body."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from hipocampus.text import front_matter
from hipocampus.tree.calendar import Period, Status

MadeBy = Literal["verbatim", "extract", "agent", "command"]
_STATUS_LINE = re.compile(r"^status:.*$", re.MULTILINE)


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
            front_matter.render(
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


def with_status(text: str, status: Status) -> str:
    """The text of a node with another status; its body stays as it is."""
    front, body = text[: text.index("\n---", 1)], text[text.index("\n---", 1) :]
    return _STATUS_LINE.sub(f"status: {status}", front, count=1) + body


def sha256(text: str) -> str:
    """Hex digest of a text as it stands on disk."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def body_mark(body: str) -> str:
    """What front matter keeps of a body, so that an edit by hand shows."""
    return sha256(body)[:16]


def sources_key(parts: Sequence[Any]) -> str:
    """Digest over everything a node depends on."""
    return sha256(json.dumps(parts, ensure_ascii=True))
