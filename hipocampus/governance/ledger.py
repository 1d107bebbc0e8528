"""
`memory/ledger.jsonl`: every mutation of a memory, a line each, appended and never changed.

    {"id": "3f9ac2e1", "kind": "forget", "actor": "user", "at": "2026-03-15T14:02:11+09:00", "path": "cli", "why": "",
     "where": ["memory/2026-03-12.md"], "targets": [...], "chain": "a81f", "seq": 4, "prev": "…", "sha256": "…"}

A line never holds the text that was taken back: `targets` are keyed hashes (`tombstones.py`). Each clone of a memory
writes a chain of its own, in which a line names the hash of the one before, so that git can merge two ledgers line by
line. The chain shows what was changed or taken out of its middle; lines cut off its end leave no trace in it. The
keys of the hashes stand in the first line of each chain: they keep the text from readers, not from somebody who has
the file and guesses.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from hipocampus import files
from hipocampus.layout import Workspace

Kind = Literal[
    "begin", "forget", "purge", "release", "dispute", "correct", "retract", "undo", "refuse", "import", "done"
]
LOCK_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Record:
    """
    One line: what was done by whom and where; `of` is the mutation that an `undo` or a `done` belongs to.

    `targets` are rows of `tombstones.Tombstone`; `before` and `after` are the sha256 of each file that was changed.
    """

    id: str
    kind: Kind
    actor: str
    at: str
    path: str = ""
    why: str = ""
    of: str = ""
    where: tuple[str, ...] = ()
    targets: tuple[Mapping[str, Any], ...] = ()
    before: Mapping[str, str] = field(default_factory=dict)
    after: Mapping[str, str] = field(default_factory=dict)
    until: str = ""
    key: str = ""

    def document(self) -> dict[str, Any]:
        """The fields that say something."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items() if value}


@dataclass(frozen=True, slots=True)
class Damage:
    """A line that is not what was appended, and why; lines count from 1."""

    line: int
    problem: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """A ledger as it was read; `damages` are the lines that are not in order, `heads` the last line of each chain."""

    records: tuple[Record, ...] = ()
    damages: tuple[Damage, ...] = ()
    heads: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    is_torn: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of all chains."""
        return tuple(record.key for record in self.records if record.key)

    @property
    def undone(self) -> frozenset[str]:
        """The mutations that were taken back."""
        return frozenset(record.of for record in self.records if record.kind == "undo")

    @property
    def finished(self) -> frozenset[str]:
        """The mutations that were carried out to the end."""
        return frozenset(record.of for record in self.records if record.kind == "done")

    def named(self, ident: str) -> Record | None:
        """The mutation of an id."""
        return next((r for r in self.records if r.id == ident and r.kind not in ("done", "begin")), None)


def new_id() -> str:
    """Eight hex digits for a mutation."""
    return secrets.token_hex(4)


def load(workspace: Workspace) -> Ledger:
    """The ledger of a workspace; an empty one where there is none. Raises OSError."""
    try:
        data = workspace.ledger.read_bytes()
    except FileNotFoundError:
        return Ledger()
    return parse(data.decode("utf-8", "replace"))


def parse(text: str) -> Ledger:
    """A ledger from its text. Never fails: a line that makes no sense is a damage, a torn last one is only torn."""
    records: list[Record] = []
    damages: list[Damage] = []
    heads: dict[str, tuple[int, str]] = {}
    lines = text.split("\n")
    is_torn = bool(lines.pop())
    for number, line in enumerate(lines, 1):
        document = _document(line)
        if document is None:
            damages.append(Damage(number, "it is no line of a ledger"))
            continue
        records.append(_record(document))
        damages += [Damage(number, problem) for problem in _breaks(document, heads)]
        heads[document["chain"]] = (document["seq"], document["sha256"])
    return Ledger(tuple(records), tuple(damages), heads, is_torn)


def _document(line: str) -> dict[str, Any] | None:
    try:
        document = json.loads(line)
        known = isinstance(document["chain"], str) and isinstance(document["seq"], int)
        shaped = known and all(isinstance(document[name], str) for name in ("id", "kind", "sha256"))
        return document if shaped and isinstance(document.get("targets", []), list) else None
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _record(document: Mapping[str, Any]) -> Record:
    fields = {name: document[name] for name in Record.__slots__ if name in document}
    for name in ("where", "targets"):
        fields[name] = tuple(fields.get(name, ()))
    return Record(**{"actor": "", "at": "", **fields})


def _breaks(document: Mapping[str, Any], heads: Mapping[str, tuple[int, str]]) -> list[str]:
    """What is wrong with a line beside those before it."""
    problems = []
    if document["sha256"] != _sha256(document):
        problems.append("it was changed after it was written")
    seq, last = heads.get(document["chain"], (0, ""))
    if document["seq"] != seq + 1 or document.get("prev", "") != last:
        problems.append(f"a line of the chain {document['chain']} before it is missing or was changed")
    return problems


def _sha256(document: Mapping[str, Any]) -> str:
    said = {name: value for name, value in document.items() if name != "sha256"}
    text = json.dumps(said, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def append(workspace: Workspace, records: Sequence[Record]) -> Ledger:
    """
    Append lines to the chain of this clone, in one write; a torn last line before them is ended.

    Raises StoreBusy after 20 seconds and StoreNotWritable.
    """
    with files.lock(workspace.ledger_lock, timeout=LOCK_SECONDS):
        ledger = load(workspace)
        chain = _own_chain(workspace, ledger)
        first = [] if chain in ledger.heads or records[0].kind == "begin" else [_beginning(records[0].at)]
        text = "\n" if ledger.is_torn else ""
        text += "".join(f"{line}\n" for line in _lines([*first, *records], chain, ledger.heads))
        files.append(workspace.ledger, text)
    return load(workspace)


def begun(workspace: Workspace, at: str) -> Ledger:
    """The ledger, with a key to hash with. Raises as `append`."""
    ledger = load(workspace)
    return ledger if ledger.keys else append(workspace, [_beginning(at)])


def _beginning(at: str) -> Record:
    return Record(new_id(), "begin", "", at, key=secrets.token_hex(16))


def _own_chain(workspace: Workspace, ledger: Ledger) -> str:
    """The name of this clone's chain: kept beside the index, so that a copy that git makes begins its own."""
    try:
        name = workspace.chain.read_text("ascii").strip()
    except (OSError, ValueError):
        name = ""
    if not name:
        name = secrets.token_hex(4)
        while name in ledger.heads:
            name = secrets.token_hex(4)
        files.write_atomic(workspace.chain, f"{name}\n")
    return name


def _lines(records: Iterable[Record], chain: str, heads: Mapping[str, tuple[int, str]]) -> Iterable[str]:
    seq, prev = heads.get(chain, (0, ""))
    for record in records:
        seq += 1
        document = record.document() | {"chain": chain, "seq": seq, "prev": prev}
        prev = _sha256(document)
        yield json.dumps(document | {"sha256": prev}, ensure_ascii=True, separators=(",", ":"))
