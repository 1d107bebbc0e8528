"""Node bodies written by an agent: kept in `memory/summaries/`, used while their sources are what they were."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from hipocampus.errors import CheckFailed
from hipocampus.governance import gate
from hipocampus.governance.gate import WritePath
from hipocampus.governance.refusal import Refusals
from hipocampus.text import front_matter
from hipocampus.tree import body as bodies
from hipocampus.tree.body import Section
from hipocampus.tree.calendar import Period, period_named

LARGEST_SUMMARY = 1_000_000
_ENTRY = re.compile(r"\b\d{4}-\d{2}-\d{2}#[0-9A-Za-z-]+")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_CITED = re.compile(r"→ *([^→;\n]+)")


@dataclass(frozen=True, slots=True)
class Summary:
    """A body for a node, written for sources with the digest `sources_sha256`."""

    period: Period
    sources_sha256: str
    body: str

    def text(self) -> str:
        """The file in `memory/summaries/`."""
        fields = {"type": self.period.level, "period": self.period.name, "sources-sha256": self.sources_sha256}
        return front_matter.render(fields) + self.body


def read(text: str, refusals: Refusals | None = None) -> Summary:
    """
    A summary as an agent hands it in: the node's file with another body.

    Raises CheckFailed when it is empty, too large or does not say which node it is for.
    """
    if len(text) > LARGEST_SUMMARY:
        message = f"the summary has {len(text):,} characters; no budget allows that"
        raise CheckFailed(message, hint="write a few hundred words")
    front, body = front_matter.split(text)
    fields = front_matter.fields_of(front)
    period = period_named(str(fields.get("type")), str(fields.get("period")))
    if period is None:
        message = "the summary does not say which node it is for"
        raise CheckFailed(message, hint="start from the node's file and keep `type`, `period` and `sources-sha256`")
    admitted = gate.admit(gate.Draft(period.name, body), WritePath.SUMMARY, refusals).body
    if not re.search(r"\w", re.sub(r"^# .*$", "", admitted, flags=re.MULTILINE)):
        message = f"the summary of {period.name} is empty"
        raise CheckFailed(message, hint="nothing was changed; the node keeps its digest")
    return Summary(period, str(fields.get("sources-sha256", "")), admitted.strip("\n") + "\n")


def check(
    summary: Summary, sections: Sequence[Section], room: int, count: Callable[[str], int], known: Iterable[str]
) -> None:
    """
    Whether a body may stand for its sources. Raises CheckFailed with everything that is wrong with it.

    `sections` are the node's sources, `known` the pointers of all days and entries of the workspace below it.
    """
    from hipocampus.tree.builder import kept_sections

    wanted = kept_sections([section for section in sections if section.is_kept], room, count)
    problems = []
    tokens = count(summary.body)
    if tokens > room:
        problems.append(f"it has {tokens} tokens, the budget leaves {room}")
    problems += [f"`{s.title}` [{s.type}] is not in it word for word" for s in _missing(summary.body, wanted)]
    problems += [f"{pointer} leads nowhere" for pointer in sorted(_cited(summary.body) - set(known))]
    if problems:
        message = f"the summary of {summary.period.name} was not taken: {'; '.join(problems)}"
        raise CheckFailed(message, hint="mend it and hand it in again; nothing was changed")


def _missing(body: str, wanted: Sequence[Section]) -> list[Section]:
    """
    Rules that do not stand, line for line, below a heading of their type: the nodes above would lose them.

    For one without lines, or for which the room is too small, a line with its pointer is enough.
    """
    said: dict[str, set[str]] = {}
    for section in bodies.parse(body):
        said.setdefault(section.type, set()).update(line.strip() for line in section.lines)
    return [rule for rule in wanted if not _stands(rule, said.get(rule.type, set()), body)]


def _stands(rule: Section, said: set[str], body: str) -> bool:
    lines = {line.strip() for line in rule.lines if line.strip()}
    return lines <= said if lines else rule.pointer in body


def _cited(body: str) -> set[str]:
    """Entries named anywhere and days named behind an arrow; any other date is one that the text speaks of."""
    listed = (part.strip() for found in _CITED.findall(body) for part in found.split(","))
    return {*_ENTRY.findall(body), *(part for part in listed if _DAY.fullmatch(part))}
