"""What a write path leaves out because it was taken back: sentences that say it, and the record of that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from hipocampus.layout import Workspace

# A memory in which nothing was taken back does without what compares texts.
if TYPE_CHECKING:
    from hipocampus.governance.tombstones import Match, TakenBack

_BARE = re.compile(r"[ \t]*(?:(?:[-*+>]|\d+[.)]|#{1,6})[ \t]*)?(?:(?:User|Assistant|Tool):[ \t]*)?$")


@dataclass(slots=True)
class Refusals:
    """
    Leaves out what was taken back, and remembers what it left out.

    People may say again what was only hidden or replaced; agents and hosts repeat what they once read, and may not.
    """

    taken_back: TakenBack | None = None
    actor: str = "agent"
    refused: list[Match] = field(default_factory=list)

    def without(self, text: str) -> str:
        """A text without the sentences that say what was taken back; a line of which nothing is left goes too."""
        if not self.taken_back:
            return text
        matches = [m for m in self.taken_back.find(text) if m.state == "rejected" or self.actor != "user"]
        if not matches:
            return text
        self.refused += matches
        return "\n".join(line for line in _lines_without(text, matches) if line is not None)


def blanked(text: str, matches: Sequence[Match]) -> str:
    """A text with as many lines, without the sentences in which something was found."""
    return "\n".join(line or "" for line in _lines_without(text, matches))


def _lines_without(text: str, matches: Sequence[Match]) -> Iterator[str | None]:
    """The lines of a text without the sentences in which something was found; None for one of which nothing is left."""
    from hipocampus.governance.units import units

    spans = [(unit.start, unit.end) for unit in units(text)]
    gone = [span for span in spans if any(span[0] < m.end and m.start < span[1] for m in matches)]
    gone += [(m.start, m.end) for m in matches if not any(a < m.end and m.start < b for a, b in gone)]
    for start, end in sorted(gone, reverse=True):
        text = f"{text[:start]}\0{text[start:end].count(chr(10)) * chr(10)}{text[end:]}"
    for line in text.split("\n"):
        is_gone = "\0" in line and _BARE.match(line.replace("\0", ""))
        yield None if is_gone else re.sub(r" ?\0", "", line)


def refusals(workspace: Workspace, actor: str) -> Refusals:
    """Those of a workspace for somebody who writes. Raises OSError."""
    if not workspace.ledger.exists():
        return Refusals(actor=actor)
    from hipocampus.governance import ledger, tombstones

    return Refusals(tombstones.taken_back(ledger.load(workspace)), actor)


def note(workspace: Workspace, refusals: Refusals, path: str, now: datetime) -> None:
    """
    Write what was refused into the ledger, once a day for each mutation and path.

    Raises StoreBusy and StoreNotWritable.
    """
    if not refusals.refused:
        return
    from hipocampus.governance import ledger

    at = now.isoformat(timespec="seconds")
    known = {(r.of, r.path, r.at[:10]) for r in ledger.load(workspace).records if r.kind == "refuse"}
    news = {match.mutation: None for match in refusals.refused if (match.mutation, path, at[:10]) not in known}
    if news:
        lines = [ledger.Record(ledger.new_id(), "refuse", refusals.actor, at, path, of=mutation) for mutation in news]
        ledger.append(workspace, lines)
