"""The façade: everything the command line, the hooks and Python users do with a memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hipocampus import config, layout
from hipocampus.clock import Clock, zone_named
from hipocampus.config import Config
from hipocampus.errors import StoreBusy, StoreNotWritable
from hipocampus.layout import Workspace

# The rooms below are imported where they are used: a search has no need of the tree, nor a checkpoint of the index.
if TYPE_CHECKING:
    from hipocampus.amending import Amended, Amending, Imported
    from hipocampus.governance.amendment import Amendment, Plan
    from hipocampus.governance.gate import Draft, WritePath
    from hipocampus.governance.ledger import Ledger, Record
    from hipocampus.governance.proposals import Proposal
    from hipocampus.governance.refusal import Refusals
    from hipocampus.index.engine import Filter
    from hipocampus.index.question import Mode
    from hipocampus.index.search import Found, Search, Updated
    from hipocampus.index.updater import Progress
    from hipocampus.log.daylog import NewEntry
    from hipocampus.log.session_log import SessionLog, Stored
    from hipocampus.log.session_text import Spoken
    from hipocampus.log.turns import Turn
    from hipocampus.text.tokens import TokenCounter
    from hipocampus.tree.catalog import NodeInfo, Refinable
    from hipocampus.tree.compaction import Compacted, Compaction
    from hipocampus.tree.pointers import Passage
    from hipocampus.tree.provenance import Provenance

# No agent host is older.
_FIRST_YEAR = 2000


@dataclass(frozen=True, slots=True)
class Checkpointed:
    """An entry that was asked to be remembered; `stored` is False when the day already held it."""

    id: str
    pointer: str
    path: str
    title: str
    type: str
    stored: bool
    text: str


def _no_progress(_name: str) -> None:
    """Nobody is watching."""


class Memory:
    """
    The memory of one workspace.

    Every method may raise StoreNotWritable; reading methods may raise OSError.
    """

    def __init__(self, workspace: Workspace, *, clock: Clock | None = None) -> None:
        self.workspace = workspace
        self.config: Config = config.load(workspace.config)
        self.clock = clock or Clock(zone_named(self.config["timezone"]))

    @classmethod
    def find(cls, start: Path, *, today: date | None = None) -> Memory:
        """The memory that a folder belongs to; `today` replaces the date. Raises NoWorkspace, InvalidConfig."""
        workspace = layout.find_workspace(start)
        settings = config.load(workspace.config)
        return cls(workspace, clock=Clock(zone_named(settings["timezone"]), today))

    def checkpoint(self, draft: Draft, *, actor: str = "agent", dry_run: bool = False) -> Checkpointed:
        """
        Append an entry to today's raw log, once.

        Raises UsageError for a draft that says nothing, StoreBusy when the log stays locked.
        """
        return self.checkpoint_all([draft], actor=actor, dry_run=dry_run)[0]

    def checkpoint_all(
        self, drafts: Sequence[Draft], *, actor: str = "agent", dry_run: bool = False
    ) -> list[Checkpointed]:
        """Append several entries, all or none of them; otherwise as `checkpoint`."""
        from hipocampus.governance.gate import WritePath
        from hipocampus.log import daylog

        now = self.clock.now()
        day = now.date()
        admitted = self._admitted(drafts, WritePath.CHECKPOINT, actor)
        entries = [_rendered(draft, now, {"actor": actor, "via": WritePath.CHECKPOINT.value}) for draft in admitted]
        try:
            stored = [False] * len(entries) if dry_run else daylog.append_entries(self.workspace, day, entries)
        except (StoreBusy, StoreNotWritable) as error:
            texts = "\n".join(entry.text for entry in entries)
            raise type(error)(f"{error}; this was not stored:\n\n{texts}", hint=error.hint) from error
        path = self.workspace.relative(self.workspace.raw_log(day.isoformat()))
        return [
            Checkpointed(entry.id, f"{day}#{entry.id}", path, entry.title, entry.type, new, entry.text)
            for entry, new in zip(entries, stored, strict=True)
        ]

    def session_log(
        self, host: str, session: str, upcoming: Callable[[], Iterable[str]], *, dry_run: bool = False
    ) -> SessionLog:
        """Where the turns of one reading of a transcript go; `upcoming` gives the ids of all that it brings."""
        from hipocampus.log.session_log import SessionLog
        from hipocampus.log.session_text import Session, token

        def tokens() -> Iterable[str]:
            return map(token, upcoming())

        return SessionLog(self.workspace, Session.named(host, session), tokens, dry_run=dry_run)

    def capture_turns(self, log: SessionLog, turns: Iterable[Turn]) -> Stored:
        """
        Write what is new of some turns into the raw logs of their days.

        Raises StoreBusy when the log stays locked.
        """
        from hipocampus.governance.gate import admit_turn

        refusals = self._refusals("host")
        admitted = [admit_turn(turn, refusals) for turn in turns]
        self._note(refusals, "capture")
        return log.store([self._spoken(turn) for turn in admitted if turn])

    def plan_amendment(self, kind: Amendment, query: str, *, new: str = "", until: str = "") -> Plan:
        """
        What forgetting, releasing or correcting something would change; changes nothing.

        Raises UsageError for a request that means everything, NotFound, and CheckFailed for a text that was forgotten.
        """
        self.complete_pending()
        return self._amending().plan(kind, query, new=new, until=until)

    def amend(self, plan: Plan, *, actor: str = "user", path: str = "api", why: str = "") -> Amended:
        """Carry out a plan, in all that is derived too. Raises StoreBusy."""
        return self._amending().carry_out(plan, actor=actor, path=path, why=why)

    def undo(self, ident: str = "", *, actor: str = "user", path: str = "api", why: str = "") -> Record:
        """Take back a mutation, the last one for "". Raises NotFound, and CheckFailed for one that removed text."""
        self.complete_pending()
        return self._amending().undo(ident, actor=actor, path=path, why=why)

    def ledger(self) -> Ledger:
        """Every mutation there was, and what is not in order with the record of them."""
        from hipocampus.governance import ledger

        return ledger.load(self.workspace)

    def proposals(self) -> list[Proposal]:
        """Corrections that new entries suggest and nobody has decided on."""
        from hipocampus.governance import proposals

        return proposals.proposals(self.workspace)

    def accept(self, proposal: Proposal, text: str = "", *, actor: str = "user") -> Amended:
        """Let a newer entry, or a text, take the place of what a proposal names."""
        return self.amend(self.plan_amendment("correct", proposal.old, new=text), actor=actor, path="review")

    def decline(self, proposal: Proposal, *, actor: str = "user") -> None:
        """Keep what a proposal names, and do not propose it again."""
        from hipocampus.governance import ledger

        at = self.clock.now().isoformat(timespec="seconds")
        ledger.append(self.workspace, [ledger.Record(ledger.new_id(), "refuse", actor, at, "review", of=proposal.id)])

    def why(self, pointer: str) -> Provenance:
        """Where an entry comes from, what was made from it and what was done with it. Raises NotFound."""
        from hipocampus.tree import provenance

        return provenance.provenance(self.workspace, pointer, self.clock.today())

    def export(self) -> Iterator[dict[str, str]]:
        """Every entry as readers see it, oldest first."""
        from hipocampus.governance import exchange

        self.complete_pending()
        return exchange.exported(self.workspace, self.clock.today())

    def take_in(self, text: str, *, actor: str = "agent") -> Imported:
        """
        Store the entries of an export on their days, each once; what was taken back here stays out.

        Raises UsageError for a text that is no export; then nothing is stored.
        """
        from hipocampus.amending import Imported
        from hipocampus.errors import CheckFailed
        from hipocampus.governance import exchange
        from hipocampus.governance.gate import WritePath
        from hipocampus.log import daylog

        stored = present = refused = 0
        now = self.clock.now()
        for day, rows in exchange.by_day(exchange.rows(text)).items():
            entries = []
            for row in rows:
                origin = {
                    "actor": actor,
                    "via": WritePath.IMPORT.value,
                    **({"origin": row.origin} if row.origin else {}),
                }
                try:
                    draft = self._admitted([row.draft], WritePath.IMPORT, "agent")[0]
                except CheckFailed:
                    refused += 1
                    continue
                entries.append(_rendered(draft, now, origin, day))
            new = daylog.append_entries(self.workspace, day, entries)
            stored, present = stored + sum(new), present + len(new) - sum(new)
        return Imported(stored, present, refused)

    def complete_pending(self) -> None:
        """Finish a mutation that a kill cut off; costs a look at a folder where there is none."""
        if self.workspace.pending.is_dir() and any(self.workspace.pending.iterdir()):
            self._amending().complete()

    def _amending(self) -> Amending:
        from hipocampus.amending import Amending

        return Amending(self.workspace, self.config, self.clock, self.count, self._write_correction)

    def _write_correction(self, text: str, mutation: str) -> str:
        """Append a corrected text to today's log, once; the pointer of its entry."""
        from hipocampus.governance.gate import Draft, WritePath, admit
        from hipocampus.governance.refusal import refusals
        from hipocampus.log import daylog

        now = self.clock.now()
        draft = admit(Draft("", text), WritePath.CORRECTION, refusals(self.workspace, "user"))
        origin = {"actor": "user", "via": WritePath.CORRECTION.value, "corrects": mutation}
        entry = _rendered(draft, now, origin)
        daylog.append_entries(self.workspace, now.date(), [entry])
        return f"{now.date()}#{entry.id}"

    def _refusals(self, actor: str) -> Refusals:
        from hipocampus.governance import refusal

        self.complete_pending()
        return refusal.refusals(self.workspace, actor)

    def _note(self, refusals: Refusals, path: str) -> None:
        from hipocampus.governance import refusal

        refusal.note(self.workspace, refusals, path, self.clock.now())

    def _admitted(self, drafts: Sequence[Draft], path: WritePath, actor: str) -> list[Draft]:
        """The drafts as they may be written; what was refused stands in the ledger, also where nothing else is left."""
        from hipocampus.governance.gate import admit

        refusals = self._refusals(actor)
        try:
            return [admit(draft, path, refusals) for draft in drafts]
        finally:
            self._note(refusals, path.value)

    def _spoken(self, turn: Turn) -> Spoken:
        """A turn on the local day of its record; on today's where the host gave no time, or one that can't be."""
        from hipocampus.log.session_text import Spoken, rendered, token

        now = self.clock.now()
        try:
            at = turn.at.astimezone(self.clock.zone) if turn.at else None
        except (OverflowError, ValueError):
            at = None
        if at and not _FIRST_YEAR <= at.year <= now.year + 1:
            at = None
        return Spoken(token(turn.id), (at or now).date(), rendered(turn), at)

    def compact(
        self, *, full: bool = False, dry_run: bool = False, progress: Callable[[str], None] = _no_progress
    ) -> Compacted:
        """Roll up what changed: raw logs → daily → weekly → monthly → ROOT.md. Raises StoreBusy."""
        return self._compaction(progress).run(full=full, dry_run=dry_run)

    def compact_if_due(self, progress: Callable[[str], None] = _no_progress) -> Compacted | None:
        """Compact when a trigger says so; None when none does, or when another run is under way."""
        if not self.due():
            return None
        try:
            return self._compaction(progress).run(wait=0)
        except StoreBusy:
            return None

    def due(self) -> str:
        """Why a compaction is due, or ""."""
        from hipocampus.tree import state, triggers

        seen = state.load(self.workspace.compact_state)
        return triggers.due(self.workspace, self.config, seen, self.clock.now())

    def refinable(self) -> list[Refinable]:
        """Nodes that a digest had to shorten: an agent may write a better body for them."""
        from hipocampus.tree import catalog

        return catalog.refinable(self.workspace, self.config, self.count)

    def write_node(self, text: str) -> Compacted:
        """Take a node body that an agent wrote. Raises CheckFailed when it may not stand for its sources."""
        refusals = self._refusals("agent")
        try:
            return self._compaction(_no_progress).write_node(text, refusals)
        finally:
            self._note(refusals, "summary")

    def search(
        self,
        text: str,
        *,
        limit: int = 10,
        mode: Mode = "hybrid",
        where: Filter | None = None,
        progress: Progress | None = None,
    ) -> Found:
        """The chunks that answer a text best, at most `limit`. Raises UsageError where the settings forbid it."""
        from hipocampus.index.engine import Filter
        from hipocampus.index.question import Question

        return self._search(progress).find(Question(text, limit, mode, where or Filter()))

    def update_index(self, *, rebuild: bool = False, progress: Progress | None = None) -> Updated:
        """Index and embed what changed, or all of it. Raises StoreBusy, and UsageError where search is off."""
        return self._search(progress).update(rebuild=rebuild)

    def index_state(self) -> Updated:
        """What the index holds and what waits. Raises UsageError where search is off."""
        return self._search(None).state()

    def read(self, pointer: str) -> Passage:
        """What a pointer, day, period or file name shows. Raises NotFound."""
        from hipocampus.tree import pointers

        return pointers.resolve(self.workspace, pointer)

    def tree(self) -> list[NodeInfo]:
        """The nodes from ROOT.md down to the raw logs, with sizes and dates."""
        from hipocampus.tree import catalog

        return catalog.nodes(self.workspace, self.clock.today())

    @property
    def counts_exactly(self) -> bool:
        """Whether tokens are counted by the real table and not estimated."""
        return self._counter.exact

    def count(self, text: str) -> int:
        """Tokens of a text; the table is loaded at the first call."""
        return self._counter.count(text)

    @property
    def _counter(self) -> TokenCounter:
        """Its table is kept where a compaction made a place for it: asking must not write."""
        from hipocampus.text import tokens

        cache = self.workspace.cache
        return tokens.load_counter(cache if cache.is_dir() else None)

    def _search(self, progress: Progress | None) -> Search:
        from hipocampus.index.search import Search
        from hipocampus.index.updater import no_progress

        return Search(self.workspace, self.config, self.clock.today(), self.count, progress or no_progress)

    def _compaction(self, progress: Callable[[str], None]) -> Compaction:
        from hipocampus.tree.compaction import Compaction

        return Compaction(self.workspace, self.config, self.clock.now(), self.count, progress)


def _rendered(draft: Draft, now: datetime, origin: Mapping[str, str], day: date | None = None) -> NewEntry:
    """An admitted draft as it will stand in the log; `origin` says who wrote it, by which way, and what it corrects."""
    from hipocampus.log import entry as grammar
    from hipocampus.log.daylog import NewEntry
    from hipocampus.strength.importance import importance

    said = "\n".join([draft.body, *filter(None, [origin.get("corrects")])])
    ident = grammar.entry_id(day or now.date(), draft.title, draft.type, said)
    weight = importance(f"{draft.title}\n{draft.body}", draft.type)
    meta = {
        "id": ident,
        **origin,
        "at": now.isoformat(timespec="seconds"),
        "importance": f"{weight:g}",
    }
    return NewEntry(ident, draft.title, draft.type, grammar.render(draft.title, draft.type, draft.body, meta))
