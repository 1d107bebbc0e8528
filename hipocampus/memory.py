"""The façade: everything the command line, the hooks and Python users do with a memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hipocampus import config, layout
from hipocampus.clock import Clock, zone_named
from hipocampus.config import Config
from hipocampus.errors import StoreBusy, StoreNotWritable
from hipocampus.layout import Workspace

# The rooms below are imported where they are used: a search has no need of the tree, nor a checkpoint of the index.
if TYPE_CHECKING:
    from hipocampus.amending import Amending
    from hipocampus.governance.gate import Draft
    from hipocampus.governance.refusal import Refusals
    from hipocampus.governance.scan import Scanned
    from hipocampus.index.concept_view import ConceptView
    from hipocampus.index.encoders import Encoder
    from hipocampus.index.engine import Filter
    from hipocampus.index.question import Mode
    from hipocampus.index.search import Found, Search, Updated
    from hipocampus.index.search_index import SearchIndex
    from hipocampus.index.updater import Progress
    from hipocampus.log.session_log import SessionLog, Stored
    from hipocampus.log.session_text import Spoken
    from hipocampus.log.turns import Turn
    from hipocampus.recall.news import News
    from hipocampus.recall.recall import Recalled
    from hipocampus.sleep.night import Slept
    from hipocampus.text.tokens import TokenCounter
    from hipocampus.tree.catalog import NodeInfo, Refinable
    from hipocampus.tree.compaction import Compacted, Compaction
    from hipocampus.tree.pointers import Passage
    from hipocampus.tree.provenance import Provenance
    from hipocampus.tree.triggers import Outlook

# No agent host is older.
_FIRST_YEAR = 2000


class Checkpointed(NamedTuple):
    """
    An entry that was asked to be remembered; `stored` is False when the day already held it.

    `left_out` says in words what was not stored: secrets, private text, and what was taken back.
    """

    id: str
    pointer: str
    path: str
    title: str
    type: str
    stored: bool
    text: str
    left_out: tuple[str, ...] = ()


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
        self._indexes: list[SearchIndex] = []

    @classmethod
    def find(cls, start: Path, *, today: date | None = None) -> Memory:
        """The memory that a folder belongs to; `today` replaces the date. Raises NoWorkspace, InvalidConfig."""
        memory = cls(layout.find_workspace(start))
        memory.clock = memory.clock._replace(fixed_day=today)
        return memory

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
        from hipocampus.writing import Writer

        self._complete()
        day, path = self.clock.today(), WritePath.CHECKPOINT
        writer = Writer(self.workspace, self.clock)
        admitted = writer.admitted(drafts, path, actor)
        entries = [writer.rendered(draft, path, {"actor": actor}, day) for draft in admitted]
        try:
            stored = [False] * len(entries) if dry_run else daylog.append_entries(self.workspace, day, entries)
        except (StoreBusy, StoreNotWritable) as error:
            texts = "\n".join(entry.text for entry in entries)
            raise type(error)(f"{error}; this was not stored:\n\n{texts}", hint=error.hint) from error
        name = self.workspace.relative(self.workspace.raw_log(day.isoformat()))
        return [
            Checkpointed(entry.id, f"{day}#{entry.id}", name, entry.title, entry.type, new, entry.text, draft.left_out)
            for draft, entry, new in zip(admitted, entries, stored, strict=True)
        ]

    def session_log(
        self, host: str, session: str, upcoming: Callable[[], Iterable[str]], *, dry_run: bool = False
    ) -> SessionLog:
        """Where the turns of one reading of a transcript go; `upcoming` gives the ids of all that it brings."""
        from hipocampus.log.session_log import SessionLog
        from hipocampus.log.session_name import token
        from hipocampus.log.session_text import Session

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

    @property
    def governance(self) -> Amending:
        """What can be taken back, and what was: forget, release, correct, undo, review, export and import."""
        from hipocampus.amending import Amending

        return Amending(self.workspace, self.config, self.clock, self.count)

    def why(self, pointer: str) -> Provenance:
        """Where an entry comes from, what was made from it and what was done with it. Raises NotFound."""
        from hipocampus.tree import provenance

        return provenance.provenance(self.workspace, pointer, self.clock.today())

    def _complete(self) -> None:
        """Finish a mutation that a kill cut off; costs a look at a folder where there is none."""
        if any(self.workspace.pending.glob("*.json")):
            self.governance.complete()

    def _settle(self) -> bool:
        """As `_complete`, for readers, who are answered anyhow; whether something is left that must not be shown."""
        try:
            self._complete()
        except (StoreBusy, StoreNotWritable):
            return True
        return False

    def _refusals(self, actor: str) -> Refusals:
        from hipocampus.governance import refusal

        self._complete()
        return refusal.refusals(self.workspace, actor)

    def _note(self, refusals: Refusals, path: str) -> None:
        from hipocampus.governance import refusal

        refusal.note(self.workspace, refusals, path, self.clock.now())

    def _spoken(self, turn: Turn) -> Spoken:
        """A turn on the local day of its record; on today's where the host gave no time, or one that can't be."""
        from hipocampus.log.session_name import token
        from hipocampus.log.session_text import Spoken, rendered

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
        self._complete()
        return self._compaction(progress).run(full=full, dry_run=dry_run)

    def compact_if_due(self, progress: Callable[[str], None] = _no_progress) -> Compacted | None:
        """Compact when a trigger says so; None when none does, or when another run is under way."""
        self._complete()
        if not self.due():
            return None
        try:
            return self._compaction(progress).run(wait=0)
        except StoreBusy:
            return None

    def due(self) -> str:
        """Why a compaction is due, or ""."""
        return self.outlook().due

    def outlook(self) -> Outlook:
        """Why a compaction is due, or "", and up to when none becomes due by itself."""
        from hipocampus.tree import state, triggers

        seen = state.load(self.workspace.compact_state)
        return triggers.outlook(self.workspace, self.config, seen, self.clock.now())

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
        is_unsettled = self._settle()
        from hipocampus.index.engine import Filter
        from hipocampus.index.question import Question

        found = self._search(progress).find(Question(text, limit, mode, where or Filter()))
        return self._without_unsettled(found) if is_unsettled else found

    def _without_unsettled(self, found: Found) -> Found:
        """What a search found without what a mutation under way removes: the index still holds it."""
        from dataclasses import replace

        from hipocampus.governance import returned

        kept = (one for one in found.items if returned.may_show(self.workspace, one.source, one.text))
        note = "a mutation was cut off and could not be finished; what it takes back is left out"
        return replace(found, items=tuple(kept), notes=(*found.notes, note))

    def update_index(self, *, rebuild: bool = False, progress: Progress | None = None) -> Updated:
        """Index and embed what changed, or all of it. Raises StoreBusy, and UsageError where search is off."""
        return self._search(progress).update(rebuild=rebuild)

    def index_state(self) -> Updated:
        """What the index holds and what waits. Raises UsageError where search is off."""
        return self._search(None).state()

    def recall(
        self,
        prompt: str,
        *,
        budget: int | None = None,
        session: str = "",
        encoder: str | None = None,
        always: bool = False,
    ) -> Recalled:
        """
        What a prompt brings to mind, as one block of at most `budget` tokens (`recall.maxTokens` unless given).

        With a `session` it shows nothing twice; without one it records nothing. `encoder` is `auto` or `none`,
        `recall.encoder` unless given. `always` passes over the gate.
        """
        from hipocampus.recall.recall import ESTIMATED_MORE

        most = self.config["recall.maxTokens"] if budget is None else budget
        sure = most if self.counts_exactly else max(0, most - ESTIMATED_MORE)
        found = self._recalled(prompt, sure, session, encoder, always=always)._replace(budget=most)
        return found._replace(tokens=self.count(found.context)) if found.context else found

    def remind(self, prompt: str, session: str) -> Recalled:
        """As `recall`, for an agent that waits, and counted: `tokens` is what the parts cost, a little more."""
        from hipocampus.recall import tally

        found = self._recalled(prompt, self.config["recall.maxTokens"], session, None, always=False)
        tally.note(self.workspace, found, self.clock.now().isoformat(timespec="seconds"))
        return found

    def _recalled(self, prompt: str, most: int, session: str, encoder: str | None, *, always: bool) -> Recalled:
        self._settle()
        from hipocampus.recall.recall import Recall, Recalled

        if not self.config["search.enabled"]:
            return Recalled(0, most, "", (), 0, "search is switched off in this workspace")
        wanted = (encoder or self.config["recall.encoder"]) != "none" and self.config["search.vector"]
        loaded, notes = self._encoder() if wanted else (None, ())
        found = Recall(self.workspace, self.clock.today(), self.count, session, loaded, always).find(prompt, most)
        return found._replace(notes=(*notes, *found.notes))

    def _encoder(self) -> tuple[Encoder | None, tuple[str, ...]]:
        """What reads a prompt, and why that is nothing."""
        search = self._search(None)
        return search.opened().encoder, search.notes

    def news(self, session: str = "") -> News:
        """What happened since the last session began, told to `session`, which begins now."""
        self._complete()
        from hipocampus.log.session_name import token
        from hipocampus.recall import news

        return news.take_in(self.workspace, self.clock.now(), token(session))

    def sleep(self, *, progress: Progress | None = None) -> Slept:
        """The nightly job: compact, index, and find concepts. Raises StoreBusy, StoreNotWritable."""
        self._complete()
        from hipocampus.index.updater import no_progress
        from hipocampus.sleep.night import Night

        return Night(self.workspace, self.config, self.clock.now(), self.count, progress or no_progress).run()

    def sleep_if_due(self, *, progress: Progress | None = None) -> Slept | None:
        """Sleep when a trigger of compaction says so; None when none does, or when another run is under way."""
        if not self.due():
            return None
        try:
            return self.sleep(progress=progress)
        except StoreBusy:
            return None

    @property
    def concepts(self) -> ConceptView:
        """The concept index, to look into it."""
        from hipocampus.index.concept_view import ConceptView
        from hipocampus.index.home import CONCEPTS, index_home

        return ConceptView((index_home(self.workspace) or self.workspace.index) / CONCEPTS)

    def read(self, pointer: str) -> Passage:
        """What a pointer, day, period or file name shows. Raises NotFound."""
        self._settle()
        from hipocampus.tree import pointers

        return pointers.resolve(self.workspace, pointer)

    def scan(self, paths: Sequence[Path] = ()) -> Scanned:
        """Secrets in files and folders, or in all that the workspace keeps. Raises NotFound; changes nothing."""
        from hipocampus.governance import scan

        return scan.scan(self.workspace, paths)

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

        today = self.clock.today()
        return Search(self.workspace, self.config, today, self.count, progress or no_progress, self._indexes)

    def _compaction(self, progress: Callable[[str], None]) -> Compaction:
        from hipocampus.tree.compaction import Compaction

        return Compaction(self.workspace, self.config, self.clock.now(), self.count, progress)
