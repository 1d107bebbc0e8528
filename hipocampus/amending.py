"""Taking back as the façade offers it: plan, carry out, make all that is derived follow, complete what was cut off."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from hipocampus import derived
from hipocampus.clock import Clock
from hipocampus.config import Config, load
from hipocampus.derived import Derivation
from hipocampus.errors import EncoderUnavailable
from hipocampus.governance import amendment
from hipocampus.governance.amendment import REMOVES, Amendment, By, Plan
from hipocampus.governance.copies import plans as copies_of
from hipocampus.governance.ledger import Record
from hipocampus.index.encoders import Encoder
from hipocampus.layout import Workspace


@dataclass(frozen=True, slots=True)
class Amended:
    """A mutation that was carried out; `pointer` is the entry that took the place, "" where nothing did."""

    id: str
    kind: str
    removed: int
    files: tuple[str, ...]
    pointer: str = ""


@dataclass(frozen=True, slots=True)
class Imported:
    """How many entries an import stored, found here already, and left out because they were taken back."""

    stored: int
    present: int
    refused: int


Write = Callable[[str, str], str]
"""Writes a corrected text for a mutation; gives the pointer of its entry."""


@dataclass
class Amending:
    """The mutations of one workspace; `write` puts a corrected text into today's log."""

    workspace: Workspace
    config: Config
    clock: Clock
    count: Callable[[str], int]
    write: Write

    def plan(self, kind: Amendment, query: str, *, new: str = "", until: str = "") -> Plan:
        """What a request would change. Raises UsageError, NotFound, CheckFailed."""
        return amendment.plan(self.workspace, kind, query, new=new, until=until, similar=self._similar)

    def carry_out(self, plan: Plan, *, actor: str, path: str, why: str = "") -> Amended:
        """Do what a plan says, to all that is derived too. Raises StoreBusy, StoreNotWritable."""
        by = By(actor, path, self.clock.now(), why)
        removes = plan.kind in REMOVES
        before = derived.embedded_keys(self.workspace, by.now, plan.files) if removes else frozenset()
        record = amendment.carry_out(self.workspace, plan, by)
        copies = list(copies_of(self.workspace, plan)) if plan.kind != "correct" else []
        pointer = self._finish(record, plan.new, by, before)
        for other, there in copies:
            Amending(other, load(other.config), self.clock, self.count, self.write).carry_out(
                there, actor=actor, path=path, why=f"copied from a memory in which {record.id} took it back"
            )
        return Amended(record.id, record.kind, len(plan.found), tuple(sorted(plan.files)), pointer)

    def complete(self) -> None:
        """Finish what a kill cut off. Raises StoreBusy, StoreNotWritable."""
        if not self.workspace.pending.is_dir():
            return
        for one in amendment.pending(self.workspace):
            amendment.complete(self.workspace, one)
            self._finish(one.record, one.new, By(one.record.actor, one.record.path, self.clock.now()), frozenset())

    def undo(self, ident: str, *, actor: str, path: str, why: str = "") -> Record:
        """Take back a mutation, the last one for "". Raises NotFound, CheckFailed, StoreBusy, StoreNotWritable."""
        by = By(actor, path, self.clock.now(), why)
        record = amendment.undo(self.workspace, ident, by)
        self._follow(record, by, frozenset())
        return record

    def _finish(self, record: Record, new: str, by: By, before: frozenset[str]) -> str:
        pointer = self.write(new, record.id) if new else ""
        gone = before and before - derived.embedded_keys(self.workspace, by.now, record.where)
        self._follow(record, by, gone)
        amendment.close(self.workspace, record, by)
        return pointer

    def _follow(self, record: Record, by: By, gone: frozenset[str]) -> None:
        removes = record.kind in REMOVES
        derived.follow(Derivation(self.workspace, self.config, by.now, self.count, record, removes, gone))

    def _similar(self, text: str, others: Sequence[str]) -> list[float]:
        """Cosines by the encoder of the search, where one is at hand; else nothing is like anything."""
        if self._encoder is None or not others:
            return [0.0] * len(others)
        rows = self._encoder.encode([text, *others])
        return [float(rows[0] @ row) for row in rows[1:]]

    @cached_property
    def _encoder(self) -> Encoder | None:
        from hipocampus.index.encoders import load_encoder
        from hipocampus.index.home import encoder_cache

        if not (self.config["search.enabled"] and self.config["search.vector"]):
            return None
        name = self.config["search.embedModel"]
        try:
            return load_encoder(name, cache=encoder_cache(self.workspace), offline=True, say=lambda _text: None)
        except EncoderUnavailable:
            return None
