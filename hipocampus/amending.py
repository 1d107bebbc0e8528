"""Taking back as the façade offers it: plan, carry out, make all that is derived follow, complete what was cut off."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from hipocampus import derived
from hipocampus.clock import Clock
from hipocampus.config import Config, load
from hipocampus.derived import Derivation
from hipocampus.errors import CheckFailed, StoreBusy, StoreNotWritable
from hipocampus.governance import amendment, exchange, leaks, ledger, pending, proposals, returned, undoing
from hipocampus.governance.amendment import REMOVES, Amendment, By, Plan, Request
from hipocampus.governance.copies import plans as copies_of
from hipocampus.governance.exchange import Row
from hipocampus.governance.gate import Draft, WritePath
from hipocampus.governance.leaks import Exposed
from hipocampus.governance.ledger import Ledger, Record
from hipocampus.governance.pending import Pending
from hipocampus.governance.proposals import Proposal
from hipocampus.governance.returned import Returned
from hipocampus.index.search import Search
from hipocampus.layout import Workspace
from hipocampus.log import daylog
from hipocampus.log.daylog import NewEntry
from hipocampus.sleep.taken_back import Before, look
from hipocampus.writing import Writer


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


@dataclass
class Amending:
    """What is taken back in one workspace, and what waits for a decision."""

    workspace: Workspace
    config: Config
    clock: Clock
    count: Callable[[str], int]

    def plan(self, kind: Amendment, query: str, *, new: str = "", until: str = "") -> Plan:
        """
        What a request would change; changes nothing.

        Raises UsageError for a request that means everything, NotFound, and CheckFailed for a text that was forgotten.
        """
        self.complete()
        return amendment.plan(self.workspace, Request(kind, query, new, until), self._similar)

    def carry_out(self, plan: Plan, *, actor: str, path: str, why: str = "") -> Amended:
        """Do what a plan says, to all that is derived too. Raises StoreBusy, StoreNotWritable."""
        by = By(actor, path, self.clock.now(), why)
        keys = derived.embedded_keys(self.workspace, plan.lines) if plan.kind in REMOVES else ()
        before = look(self.workspace, plan.files, {one.text for one in plan.found})
        begun = amendment.carry_out(self.workspace, plan, by, keys)
        record = begun.record
        pointer = self._finish(begun, by, before)
        return Amended(record.id, record.kind, len(plan.found), tuple(sorted(plan.files)), pointer)

    def ledger(self) -> Ledger:
        """Every mutation there was, and what is not in order with the record of them."""
        return ledger.load(self.workspace)

    def proposals(self) -> list[Proposal]:
        """Corrections that new entries suggest and nobody has decided on."""
        return proposals.proposals(self.workspace)

    def accept(self, proposal: Proposal, text: str = "", *, actor: str) -> Amended:
        """Let a newer entry, or a text, take the place of what a proposal names."""
        return self.carry_out(self.plan("correct", proposal.old, new=text), actor=actor, path="review")

    def returned(self) -> list[Returned]:
        """Lines that say again what was removed for good; nothing shows them."""
        return list(returned.returned(self.workspace))

    def exposed(self) -> list[Exposed]:
        """Secrets that stand in files and nobody has decided on."""
        return leaks.exposed(self.workspace)

    def redact(self, one: Exposed, text: str = "", *, actor: str) -> Amended:
        """Take a secret out for good wherever it stands, or what a text means instead."""
        self.complete()
        plan = self.plan("forget", text) if text else leaks.plan(self.workspace, one)
        return self.carry_out(plan, actor=actor, path="review")

    def decline(self, proposal: Proposal | Exposed, *, actor: str) -> None:
        """Keep what a proposal names, and do not propose it again; a secret is none from then on."""
        at = self.clock.now().isoformat(timespec="seconds")
        ledger.append(self.workspace, [Record(ledger.new_id(), "refuse", actor, at, "review", of=proposal.id)])

    def export(self) -> Iterator[dict[str, str]]:
        """Every entry as readers see it, oldest first; from then on the ledger has a name for this memory."""
        with contextlib.suppress(StoreNotWritable, StoreBusy):
            self.complete()
            ledger.begun(self.workspace, self.clock.now().isoformat(timespec="seconds"))
        return exchange.exported(self.workspace, self.clock.today())

    def take_in(self, text: str, *, actor: str = "agent") -> Imported:
        """
        Store the entries of an export on their days, each once; what was taken back here stays out.

        Raises UsageError for a text that is no export; then nothing is stored.
        """
        self.complete()
        writer = Writer(self.workspace, self.clock)
        stored = present = refused = 0
        for day, rows in exchange.by_day(exchange.rows(text)).items():
            entries = [entry for row in rows if (entry := _taken_in(writer, row, actor))]
            new = daylog.append_entries(self.workspace, day, entries)
            stored, present = stored + sum(new), present + len(new) - sum(new)
            refused += len(rows) - len(entries)
        return Imported(stored, present, refused)

    def complete(self) -> None:
        """Finish what a kill cut off. Raises StoreBusy, StoreNotWritable."""
        if not self.workspace.pending.is_dir():
            return
        pending.sweep(self.workspace)
        for one in pending.read(self.workspace):
            amendment.complete(self.workspace, one)
            hidden = amendment.hidden(self.workspace, one.record)
            before = None if one.record.kind in REMOVES else Before({}, hidden)
            self._finish(one, By(one.record.actor, one.record.path, self.clock.now()), before)

    def undo(self, ident: str, *, actor: str, path: str, why: str = "") -> Record:
        """Take back a mutation, the last one for "". Raises NotFound, CheckFailed, StoreBusy, StoreNotWritable."""
        self.complete()
        by = By(actor, path, self.clock.now(), why)
        record = undoing.undo(self.workspace, ident, by)
        self._follow(record, by, lines=dict.fromkeys(record.where, ()), before=Before({}, ()))
        return record

    def _write(self, draft: Draft, record: Record) -> str:
        """Append a correction to today's log, once; the pointer of its entry."""
        writer = Writer(self.workspace, self.clock)
        admitted = writer.admitted([draft], WritePath.CORRECTION, "user")[0]
        entry = writer.rendered(admitted, WritePath.CORRECTION, {"actor": record.actor, "corrects": record.id})
        today = self.clock.today()
        daylog.append_entries(self.workspace, today, [entry])
        return f"{today}#{entry.id}"

    def _finish(self, begun: Pending, by: By, before: Before | None = None) -> str:
        pointer = self._write(Draft(begun.title, begun.new), begun.record) if begun.new else ""
        gone = set(begun.keys) - derived.embedded_keys(self.workspace, begun.lines) if begun.keys else ()
        self._follow(begun.record, by, gone, begun.lines, before)
        self._take_from_copies(begun.record, by)
        amendment.close(self.workspace, begun.record, by)
        return pointer

    def _take_from_copies(self, record: Record, by: By) -> None:
        why = f"copied from a memory in which {record.id} took it back"
        for other, plan in copies_of(self.workspace, record) if record.kind != "correct" else ():
            there = Amending(other, load(other.config), self.clock, self.count)
            there.carry_out(plan, actor=by.actor, path=by.path, why=why)

    def _follow(
        self,
        record: Record,
        by: By,
        gone: Collection[str] = (),
        lines: Mapping[str, Collection[int]] = MappingProxyType({}),
        before: Before | None = None,
    ) -> None:
        removes = record.kind in REMOVES
        made = self.workspace, self.config, by.now, self.count
        derived.follow(Derivation(*made, record, removes, frozenset(gone), lines, before))

    def _similar(self, text: str, others: Sequence[str]) -> list[float]:
        """How near texts are to one in meaning; all alike where the search goes by words alone."""
        return Search(self.workspace, self.config, self.clock.today(), self.count).similar(text, others)


def _taken_in(writer: Writer, row: Row, actor: str) -> NewEntry | None:
    """An entry of an export as it will stand in the log; None for one that was taken back."""
    try:
        draft = writer.admitted([row.draft], WritePath.IMPORT, "agent")[0]
    except CheckFailed:
        return None
    return writer.rendered(draft, WritePath.IMPORT, {"actor": actor, "origin": row.origin}, row.day)
