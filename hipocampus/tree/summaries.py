"""Node bodies written by an agent: kept in `memory/summaries/`, used while their sources are what they were."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hipocampus.errors import CheckFailed
from hipocampus.governance import gate
from hipocampus.governance.gate import WritePath
from hipocampus.tree import body as bodies
from hipocampus.tree import node
from hipocampus.tree.body import Section
from hipocampus.tree.builder import Count
from hipocampus.tree.calendar import Period, period_named

LARGEST_SUMMARY = 1_000_000
_POINTER = re.compile(r"\b(\d{4}-\d{2}-\d{2})(?:#([0-9A-Za-z-]+))?")


@dataclass(frozen=True, slots=True)
class Summary:
    """A body for a node, written for sources with the digest `sources_sha256`."""

    period: Period
    sources_sha256: str
    body: str

    def text(self) -> str:
        """The file in `memory/summaries/`."""
        fields = {"type": self.period.level, "period": self.period.name, "sources-sha256": self.sources_sha256}
        return node.front_matter(fields) + self.body


def read(text: str) -> Summary:
    """
    A summary as an agent hands it in: the node's file with another body.

    Raises CheckFailed when it is empty, too large or does not say which node it is for.
    """
    if len(text) > LARGEST_SUMMARY:
        message = f"the summary has {len(text):,} characters; no budget allows that"
        raise CheckFailed(message, hint="write a few hundred words")
    front, body = node.split(text)
    fields = node.fields_of(front)
    period = period_named(str(fields.get("type")), str(fields.get("period")))
    if period is None:
        message = "the summary does not say which node it is for"
        raise CheckFailed(message, hint="start from the node's file and keep `type`, `period` and `sources-sha256`")
    admitted = gate.admit(gate.Draft(period.name, body), WritePath.SUMMARY).body
    if not re.search(r"\w", re.sub(r"^# .*$", "", admitted, flags=re.MULTILINE)):
        message = f"the summary of {period.name} is empty"
        raise CheckFailed(message, hint="nothing was changed; the node keeps its digest")
    return Summary(period, str(fields.get("sources-sha256", "")), admitted.strip("\n") + "\n")


def check(summary: Summary, sections: Sequence[Section], room: int, count: Count, known: Iterable[str]) -> None:
    """
    Whether a body may stand for its sources. Raises CheckFailed with everything that is wrong with it.

    `sections` are the node's sources, `known` the pointers of all days and entries of the workspace below it.
    """
    problems = []
    tokens = count(summary.body)
    if tokens > room:
        problems.append(f"it has {tokens} tokens, the budget leaves {room}")
    problems += [f"`{s.title}` [{s.type}] is not in it word for word" for s in _missing(summary.body, sections)]
    known = set(known)
    dangling = sorted({m[0] for m in _POINTER.finditer(summary.body)} - known)
    problems += [f"{pointer} leads nowhere" for pointer in dangling]
    if problems:
        message = f"the summary of {summary.period.name} was not taken: {'; '.join(problems)}"
        raise CheckFailed(message, hint="mend it and hand it in again; nothing was changed")


def _missing(body: str, sections: Sequence[Section]) -> list[Section]:
    """Rules whose lines do not all stand in the body; one whose pointer stands in it is reachable."""
    said = {line.strip() for line in body.split("\n")}
    found = [s for s in sections if s.is_kept and s.lines]
    return [s for s in found if not {line.strip() for line in s.lines if line.strip()} <= said]


def sections_of(texts: Iterable[str]) -> list[Section]:
    """The sections of child bodies, in order."""
    return [section for text in texts for section in bodies.parse(text)]
