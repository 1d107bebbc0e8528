"""
What was taken back, as keyed hashes: whether a text says it again can be asked, what it was can't be read.

A tombstone stands for a run of words in their normal form (`text/normal_form.py`), or for a name as it sounds in any
script. It keeps the number of characters of the run and eight bits of its first and last, so that a text is looked
through in one pass with few hashes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Literal

from hipocampus.governance import identifiers, romanized
from hipocampus.governance.identifiers import Target
from hipocampus.governance.ledger import Ledger, Record
from hipocampus.text.normal_form import Token, forms, tokens

Scope = Literal["value", "statement", "place", "name"]
State = Literal["rejected", "superseded", "released", "disputed", "stated"]
STATE_OF: Mapping[str, State] = {
    "forget": "rejected",
    "purge": "rejected",
    "retract": "rejected",
    "release": "released",
    "dispute": "disputed",
    "correct": "superseded",
}
"""What becomes of a statement by each kind of mutation."""
_BYTES = 12


@dataclass(frozen=True, slots=True)
class Tombstone:
    """
    A hash and what it is of.

    A `value` (identifier or name) and a `statement` are kept out of all that is written later; a `place` is a clause
    that means something only where it stood; a `name` is compared by its sound.
    """

    hash: str
    length: int
    hint: int
    scope: Scope
    kind: str = "words"
    state: State | Literal[""] = ""

    def row(self) -> dict[str, Any]:
        """As it stands in the ledger."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in fields.items() if value != ""}


@dataclass(frozen=True, slots=True)
class Hasher:
    """Makes tombstones with the key of a ledger."""

    key: str

    def value(self, text: str) -> list[Tombstone]:
        """Those of an identifier or a name; none for a text without words."""
        wanted = identifiers.target(text)
        found = [self._of(wanted.skeleton, "value", wanted.kind)] if wanted.forms else []
        sound = romanized.key(text) if not wanted.is_identifier and not any(c.isdigit() for c in text) else ""
        return [*found, self._of(sound, "name", "words")] if sound else found

    def statement(self, text: str, scope: Scope = "statement", state: State | Literal[""] = "") -> list[Tombstone]:
        """That of all words of a text; none for a text without words."""
        skeleton = "".join(forms(text))
        return [self._of(skeleton, scope, "words", state)] if skeleton else []

    def _of(self, skeleton: str, scope: Scope, kind: str, state: State | Literal[""] = "") -> Tombstone:
        return Tombstone(digest(self.key, skeleton), len(skeleton), hint(self.key, skeleton), scope, kind, state)


def digest(key: str, skeleton: str) -> str:
    """24 hex digits of a run of words."""
    data = skeleton.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=_BYTES, key=bytes.fromhex(key)).hexdigest()


def hint(key: str, skeleton: str) -> int:
    """Eight bits of the first and the last character."""
    data = (skeleton[0] + skeleton[-1]).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=1, key=bytes.fromhex(key), person=b"hint").digest()[0]


def tombstone_of(row: Mapping[str, Any]) -> Tombstone | None:
    """A tombstone from a line of the ledger; None for a row that makes no sense."""
    try:
        fields = {name: row[name] for name in Tombstone.__slots__ if name in row}
        made = Tombstone(**fields)
        return made if isinstance(made.hash, str) and isinstance(made.length, int) and made.length > 0 else None
    except TypeError:
        return None


@dataclass(frozen=True, slots=True)
class Match:
    """A run of words that was taken back: where it stands, what it is, and by which mutation."""

    start: int
    end: int
    state: State
    scope: Scope
    mutation: str


@dataclass(slots=True)
class TakenBack:
    """Everything that was taken back and is to stay away, ready to be looked for in texts."""

    keys: tuple[str, ...] = ()
    _entries: dict[str, tuple[Tombstone, State, str]] = field(default_factory=dict)
    _hints: dict[int, set[int]] = field(default_factory=dict)
    _by_pair: dict[tuple[str, str, str], int] = field(default_factory=dict)
    _names: int = 0

    def __bool__(self) -> bool:
        return bool(self._entries)

    def add(self, tombstone: Tombstone, state: State, mutation: str) -> None:
        """Look for this one too; what was stated since is no longer looked for."""
        if state == "stated":
            known = self._entries.get(tombstone.hash)
            if known and known[1] != "rejected":
                del self._entries[tombstone.hash]
            return
        self._entries[tombstone.hash] = (tombstone, state, mutation)
        self._hints.setdefault(tombstone.length, set()).add(tombstone.hint)
        self._names += tombstone.scope == "name"

    def find(self, text: str) -> list[Match]:
        """Every run of words in a text that was taken back, in order; of those that begin in one place the longest."""
        if not self._entries:
            return []
        words = tokens(text)
        found: dict[int, Match] = {}
        for match in (*self._runs(text, words), *(self._sounds(text, words) if self._names else ())):
            if match.start not in found or found[match.start].end < match.end:
                found[match.start] = match
        return sorted(found.values(), key=lambda match: match.start)

    def _runs(self, text: str, words: list[Token]) -> Iterator[Match]:
        joined = "".join(word.form for word in words)
        offsets = list(accumulate((len(word.form) for word in words), initial=0))
        at = {offset: number for number, offset in enumerate(offsets)}
        for first, start in enumerate(offsets[:-1]):
            for length, hints in self._hints.items():
                last = at.get(start + length)
                if last is not None:
                    yield from self._hit(text, words[first:last], joined[start : start + length], hints)

    def _hit(self, text: str, run: list[Token], skeleton: str, hints: set[int]) -> Iterator[Match]:
        for key in self.keys:
            if self._hint(key, skeleton) not in hints:
                continue
            known = self._entries.get(digest(key, skeleton))
            if known and known[0].scope != "name" and _stands(known[0], text, run):
                yield Match(run[0].start, run[-1].end, known[1], known[0].scope, known[2])

    def _hint(self, key: str, skeleton: str) -> int:
        pair = (key, skeleton[0], skeleton[-1])
        known = self._by_pair.get(pair)
        if known is None:
            known = self._by_pair[pair] = hint(key, skeleton)
        return known

    def _sounds(self, text: str, words: list[Token]) -> Iterator[Match]:
        """Names in another script or spelling: runs of words that may be names, as they sound."""
        for first, word in enumerate(words):
            for last in range(first, min(first + _LONGEST_NAME, len(words))):
                part = text[word.start : words[last].end]
                if "\n" in part or len(part) > _LONGEST_PART or not romanized.may_be_name(part):
                    break
                sound = romanized.key(part)
                known = next((k for key in self.keys if sound and (k := self._entries.get(digest(key, sound)))), None)
                if known and known[0].scope == "name":
                    yield Match(word.start, words[last].end, known[1], "name", known[2])


_LONGEST_NAME = 6
_LONGEST_PART = 60


def _stands(tombstone: Tombstone, text: str, run: list[Token]) -> bool:
    if tombstone.scope != "value":
        return True
    kind: Any = tombstone.kind
    return identifiers.stands(Target(kind, tuple(word.form for word in run)), text, run)


def taken_back(ledger: Ledger) -> TakenBack:
    """What a ledger keeps away, the newest word on each."""
    found = TakenBack(ledger.keys)
    undone = ledger.undone
    for record in ledger.records:
        if record.id not in undone and record.kind in STATE_OF:
            _add(found, record)
    return found


def removed(ledger: Ledger) -> TakenBack:
    """What a ledger keeps away for good, whoever says it."""
    found = TakenBack(ledger.keys)
    undone = ledger.undone
    for record in ledger.records:
        if record.id not in undone and STATE_OF.get(record.kind) == "rejected":
            _add(found, record)
    return found


def of_mutation(ledger: Ledger, record: Record) -> TakenBack:
    """What one mutation took back, where it stood too."""
    found = TakenBack(ledger.keys)
    add_all(found, record)
    return found


def add_all(found: TakenBack, record: Record) -> None:
    """Look for all that one mutation took back too, where it stood."""
    for tombstone in _tombstones(record.targets):
        if tombstone.state != "stated":
            found.add(tombstone, STATE_OF[record.kind], record.id)


def _add(found: TakenBack, record: Record) -> None:
    for tombstone in _tombstones(record.targets):
        if tombstone.scope != "place":
            found.add(tombstone, tombstone.state or STATE_OF[record.kind], record.id)


def _tombstones(rows: Iterable[Mapping[str, Any]]) -> Iterator[Tombstone]:
    yield from (tombstone for row in rows if (tombstone := tombstone_of(row)))
