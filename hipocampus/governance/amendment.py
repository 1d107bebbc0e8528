"""
Taking something back: what a request would change, as a plan, and the steps that change it.

The steps are in an order that a kill can't hurt: the intent goes to the ledger and to `pending/`, then each file is
rewritten in one step, then a replacement is written, and a last line of the ledger closes the mutation. Each step
may be done twice. Whoever finds a file in `pending/` does what is left of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from hipocampus import files
from hipocampus.errors import CheckFailed, NotFound, UsageError
from hipocampus.governance import identifiers, ledger, marks, pages, pending, returned, selection, tombstones
from hipocampus.governance.ledger import Record
from hipocampus.governance.pages import Located, Page
from hipocampus.governance.pending import Pending
from hipocampus.governance.selection import Chosen, Similar
from hipocampus.governance.tombstones import Hasher, Tombstone
from hipocampus.layout import Workspace
from hipocampus.log import entry as grammar
from hipocampus.log.day_names import day_named
from hipocampus.log.daylog import LOCK_SECONDS
from hipocampus.text.normal_form import forms
from hipocampus.text.words import is_common

Amendment = Literal["forget", "purge", "release", "dispute", "correct", "retract"]
REMOVES: frozenset[str] = frozenset({"forget", "purge"})
"""Mutations after which nothing of the text is left."""
_EVERYTHING = frozenset({"", "*", ".", "%", ".*", "all", "everything"})
_CORRECTION = "Correction"
_ENDINGS = ".!?…。！？\"'”’)]"


@dataclass(frozen=True, slots=True)
class Request:
    """What somebody wants: `new` is to take the place of what `query` means, which was true until the day `until`."""

    kind: Amendment
    query: str
    new: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A part of a file that a mutation takes back: `start` to `end` of its text, in a line counted from 1."""

    name: str
    line: int
    start: int
    end: int
    text: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Plan:
    """
    What a request would do. `files` are the names of what would change with the sha256 that each has now.

    `values` are the identifiers or names that are kept away from then on; `new` is the text that takes the place,
    `title` that of the entry it will stand in.
    """

    id: str
    kind: Amendment
    query: str
    found: tuple[Found, ...]
    values: tuple[str, ...]
    files: Mapping[str, str]
    new: str = ""
    until: str = ""
    title: str = ""

    @property
    def lines(self) -> dict[str, list[int]]:
        """The lines of each file from which something is taken back."""
        return {name: sorted({one.line for one in self.found if one.name == name}) for name in self.files}

    @property
    def touches_own_files(self) -> bool:
        """Whether files that people and agents curate would be edited."""
        return any(not name.startswith("memory/") for name in self.files)


@dataclass(frozen=True, slots=True)
class By:
    """Who takes something back, by which way, when (aware local time), and why."""

    actor: str
    path: str
    now: datetime
    why: str = ""


def plan(workspace: Workspace, asked: Request, similar: Similar | None = None) -> Plan:
    """
    What a request means, and changes nothing.

    Raises UsageError for a request that means everything or nothing, NotFound where nothing says it, and CheckFailed
    for a replacement that was itself taken back for good.
    """
    kind, query, new, until = asked.kind, asked.query, asked.new, asked.until
    if query.strip().casefold() in _EVERYTHING or not identifiers.target(query).forms:
        message = f"{query!r} does not say what to {kind}"
        raise UsageError(message, hint="name a value, a person, an entry (2026-03-15#3f9ac2) or what was said")
    every = list(pages.pages(workspace))
    book = ledger.load(workspace)
    _check_new(book, new, query, kind)
    found = _of_entry(workspace, every, query) or _meant(every, book, kind, query, similar)
    if not found:
        message = f"nothing here says {query!r}"
        raise NotFound(message, hint="`hipocampus search` shows the words that are used")
    if until:
        new = new or f"{found[0].sentence.rstrip(_ENDINGS)} (until {until})."
    hit = {page.name: page.sha256 for page in every if any(one.name == page.name for one in found)}
    title = _title(every, found[0]) if new else ""
    return Plan(ledger.new_id(), kind, query, tuple(found), _values(kind, query, found), hit, new, until, title)


def _title(every: Sequence[Page], first: Found) -> str:
    """What a correction is called: as the entry that it corrects, unless that is a transcript or only the sentence."""
    page = next(page for page in every if page.name == first.name)
    day = day_named(page.path.stem)
    for entry in grammar.parse(page.file.text, day) if day else ():
        if entry.first_line < first.line <= entry.last_line and entry.title and not entry.is_session:
            return marks.shown(entry.title).strip() or _CORRECTION
    return _CORRECTION


def _check_new(book: ledger.Ledger, new: str, query: str, kind: Amendment) -> None:
    if kind == "correct" and new.strip() == query.strip():
        message = "the correction says what is there already"
        raise UsageError(message, hint="give the text that is right now")
    if any(match.state == "rejected" for match in tombstones.taken_back(book).find(new)):
        message = "the correction holds something that was forgotten"
        raise CheckFailed(message, hint="`hipocampus ledger` lists what was; `hipocampus undo` takes back a retraction")


def _of_entry(workspace: Workspace, every: Sequence[Page], query: str) -> list[Found]:
    """All of the entry that a request names by its id."""
    day, _, ident = query.strip().removeprefix("→").strip().rpartition("#")
    for page in every if ident.isalnum() and (day or len(ident) == 6) else ():
        dated = day_named(page.path.stem) if page.path.parent == workspace.memory else None
        if dated is None or (day and day != dated.isoformat()):
            continue
        for entry in grammar.parse(page.file.text, dated):
            if entry.id == ident:
                lines = range(entry.first_line - 1, entry.last_line)
                return [_whole(located) for located in pages.statements(page, lines.__contains__)]
    return []


def _whole(located: Located) -> Found:
    text = located.statement.text
    return Found(located.page.name, located.line, located.start, located.start + len(text), text, text)


def _meant(
    every: Sequence[Page], book: ledger.Ledger, kind: Amendment, query: str, similar: Similar | None
) -> list[Found]:
    located = pages.gathered(every, query)
    statements = [one.statement for one in located]
    if kind in ("correct", "retract"):
        chosen = selection.claimed(query, statements, similar=similar)
        chosen = [follower for one in chosen for follower in _newest(located, book, one)]
    else:
        chosen = selection.meant(query, statements, similar=similar)
    unique = {(one.at, one.start, one.end): one for one in chosen}
    return [_found(located[one.at], one) for one in unique.values()]


def _newest(located: Sequence[Located], book: ledger.Ledger, chosen: Chosen) -> Iterator[Chosen]:
    """A statement, or what took its place since."""
    seen: set[str] = set()
    open_ends = [chosen]
    while open_ends:
        one = open_ends.pop()
        mutation = located[one.at].mutation
        if not mutation:
            yield one
        elif mutation not in seen:
            seen.add(mutation)
            open_ends += _successors(located, book, mutation)


def _successors(located: Sequence[Located], book: ledger.Ledger, mutation: str) -> Iterator[Chosen]:
    record = book.named(mutation)
    stated = {row.get("hash") for row in record.targets if row.get("state") == "stated"} if record else set()
    for at, one in enumerate(located):
        own = {stone.hash for key in book.keys for stone in Hasher(key).statement(one.statement.text)}
        if own & stated and mutation not in one.mutation:
            yield Chosen(at, 0, len(one.statement.text))


def _found(located: Located, chosen: Chosen) -> Found:
    text = located.statement.text
    start, end = located.start + chosen.start, located.start + chosen.end
    return Found(located.page.name, located.line, start, end, text[chosen.start : chosen.end], text)


def _values(kind: Amendment, query: str, found: Sequence[Found]) -> tuple[str, ...]:
    """What is kept away as a value: what a hard removal names exactly, but no plain word of a language."""
    asked = selection.request(query).strip(" \t\"'`")
    wanted = identifiers.target(asked)
    stands = any(identifiers.find(wanted, one.sentence) for one in found)
    is_name = all(not word[:1].islower() or not word[:1].isascii() for word in asked.split()) and len(asked) < 80
    if kind not in REMOVES or not (wanted.is_identifier or (is_name and (stands or kind == "purge"))):
        return ()
    return (asked,)


def carry_out(workspace: Workspace, made: Plan, by: By, keys: Collection[str] = ()) -> Pending:
    """
    Do what a plan says; one mutation at a time. `keys` name the vectors of the texts around what is taken back.

    Raises StoreBusy and StoreNotWritable; what was begun is completed by the next command.
    """
    at = by.now.isoformat(timespec="seconds")
    with files.lock(workspace.mutation_lock, timeout=LOCK_SECONDS):
        book = ledger.begun(workspace, at)
        record = Record(
            id=made.id,
            kind=made.kind,
            actor=by.actor,
            at=at,
            path=by.path,
            why=_without(made, by.why),
            where=tuple(sorted(made.files)),
            targets=tuple(stone.row() for stone in _targets(made, Hasher(book.keys[0]))),
            before=made.files,
            until=made.until,
        )
        spans = {name: [(one.start, one.end) for one in made.found if one.name == name] for name in made.files}
        day = by.now.date().isoformat()
        begun = Pending(record, made.new, made.title, day, made.lines, tuple(sorted(keys)))
        pending.write(workspace, begun)
        book = ledger.append(workspace, [record])
        clear = returned.clear(workspace) & record.before.keys()
        _take_out(workspace, record, spans, day)
        returned.carry_over(workspace, book, record, clear)
    return begun


def _without(made: Plan, why: str) -> str:
    """A reason, unless it repeats a word of what is taken back."""
    taken = {form for text in (made.query, *(one.text for one in made.found)) for form in forms(text)}
    return "" if any(form in taken and not is_common(form) for form in forms(why)) else why


def _targets(made: Plan, hasher: Hasher) -> Iterator[Tombstone]:
    seen = set()
    for stone in (
        *(stone for value in made.values for stone in hasher.value(value)),
        *(stone for one in made.found for stone in _of_found(one, hasher)),
        *(stone for sentence in _sentences(made.new) for stone in hasher.statement(sentence, state="stated")),
    ):
        if stone not in seen:
            seen.add(stone)
            yield stone


def _of_found(found: Found, hasher: Hasher) -> Iterator[Tombstone]:
    yield from hasher.statement(found.sentence)
    if found.text != found.sentence:
        yield from hasher.statement(found.text, "place")


def _sentences(text: str) -> list[str]:
    from hipocampus.governance.units import units

    return [unit.text for unit in units(text)]


def _take_out(workspace: Workspace, record: Record, spans: Mapping[str, Sequence[Sequence[int]]], day: str) -> None:
    """Rewrite each file; one that is not as it was planned for is looked through anew."""
    with files.lock(workspace.log_lock, timeout=LOCK_SECONDS):
        again = tombstones.of_mutation(ledger.load(workspace), record)
        for page in pages.pages(workspace, record.where):
            is_planned = page.sha256 == record.before.get(page.name)
            parts = [(a, b) for a, b in spans.get(page.name, ())] if is_planned else _standing(page, again)
            text = _changed(page.file.text, parts, record, day)
            if text != page.file.text:
                pages.rewrite(page, text)


def _standing(page: Page, wanted: tombstones.TakenBack) -> list[tuple[int, int]]:
    """Where the statements of a mutation stand in a page that was changed meanwhile."""
    text, hidden = marks.opened(page.file.text)
    found = []
    for match in wanted.find(text):
        end = match.end
        while end < len(text) and text[end] in _ENDINGS:
            end += 1
        if match.scope in ("statement", "place") and not any(m.start <= match.start < m.end for m in hidden):
            found.append((match.start, end))
    return found


def _changed(text: str, parts: Sequence[tuple[int, int]], record: Record, day: str) -> str:
    if record.kind in REMOVES:
        whole = [_with_mark(text, part) for part in parts]
        return marks.remove(text, whole, record.id)
    state: marks.Hidden = {"release": "released", "dispute": "disputed"}.get(record.kind, "superseded")  # type: ignore[assignment]
    return marks.hide(text, parts, state, record.id, day)


def _with_mark(text: str, part: tuple[int, int]) -> tuple[int, int]:
    """A part together with the comments of a mark that hides all of it."""
    for mark in marks.find(text):
        if mark.inner <= part[0] and part[1] <= mark.inner_end and part == (mark.inner, mark.inner_end):
            return mark.start, mark.end
    return part


def complete(workspace: Workspace, one: Pending) -> None:
    """Do again what a kill may have cut off: the intent, and the files. Raises StoreBusy, StoreNotWritable."""
    with files.lock(workspace.mutation_lock, timeout=LOCK_SECONDS):
        if ledger.load(workspace).named(one.record.id) is None:
            ledger.append(workspace, [one.record])
        _take_out(workspace, replace(one.record, before={}), {}, one.day)
        returned.carry_over(workspace, ledger.load(workspace), one.record)


def hidden(workspace: Workspace, record: Record) -> frozenset[str]:
    """The texts that a mutation hid and did not remove."""
    texts = (page.file.text for page in pages.pages(workspace, record.where))
    found = ((text, mark) for text in texts for mark in marks.find(text) if mark.mutation == record.id)
    return frozenset(text[mark.inner : mark.inner_end] for text, mark in found)


def close(workspace: Workspace, record: Record, by: By) -> None:
    """Write that a mutation is done, and how its files are now. Raises StoreBusy, StoreNotWritable."""
    after = {page.name: page.sha256 for page in pages.pages(workspace, record.where)}
    done = Record(ledger.new_id(), "done", by.actor, by.now.isoformat(timespec="seconds"), of=record.id, after=after)
    if record.id not in ledger.load(workspace).finished:
        ledger.append(workspace, [done])
    pending.remove(workspace, record.id)
