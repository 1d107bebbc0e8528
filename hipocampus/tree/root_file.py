"""ROOT.md on disk: what it is made from, whether it is due, and one from another hand that is taken over."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from hipocampus import files
from hipocampus.governance import redaction
from hipocampus.text import front_matter
from hipocampus.tree import curated, node
from hipocampus.tree.curated import CuratedFile
from hipocampus.tree.operation import Operation
from hipocampus.tree.state import Seen
from hipocampus.tree.walk import DIGEST_VERSION, TreeWalk, finest

if TYPE_CHECKING:
    from hipocampus.tree.root import RootSources

NAME = "memory/ROOT.md"
# What the hash of a body may cost more than that of an empty one.
_MARK_TOKENS = 12
_TOKENS = re.compile(r"^tokens: (\d+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Present:
    text: str
    key: str
    is_foreign: bool = False
    is_edited: bool = False


def update(walk: TreeWalk) -> int:
    """Bring ROOT.md up to date after a walk over the tree; returns its tokens. Raises what `walk.emit` raises."""
    present = _present(walk)
    taken_over = _take_over(walk, present)
    found, warnings = curated.find(walk.workspace, walk.shelf.state)
    walk.warnings.extend(warnings)
    key = _key(walk, found, taken_over)
    if present.key == key and not present.is_edited and not walk.full:
        walk.unchanged += 1
        return int(match[1]) if (match := _TOKENS.search(present.text)) else walk.count(present.text)
    text, tokens, mark = _text(walk, key, _sources(walk, found, taken_over))
    if text == present.text:
        walk.unchanged += 1
        return tokens
    if present.is_edited:
        walk.emit(Operation("set-aside", NAME))
        walk.warnings.append(f"{NAME} was set aside and rebuilt: it was edited by hand")
    walk.emit(Operation("write", NAME, text, Seen(0, 0, mark, key)))
    return tokens


def _present(walk: TreeWalk) -> _Present:
    path = walk.workspace.root_node
    if not path.is_file():
        return _Present("", "")
    text = files.read_text(path).text
    front, body = front_matter.split(text)
    known = walk.shelf.state.seen.get(NAME)
    if known and known.sha256 == node.sha256(body):
        return _Present(text, known.key)
    fields = front_matter.fields_of(front)
    key = str(fields.get("sources-sha256", ""))
    edited = bool(key) and str(fields.get("body-sha256")) != node.body_mark(body)
    return _Present(text, key, is_foreign=not key and bool(body.strip()), is_edited=edited)


def _take_over(walk: TreeWalk, present: _Present) -> str:
    """The text of a ROOT.md that was not ours, from now on a source; "" when there never was one."""
    path = walk.workspace.imported_root
    name = walk.workspace.relative(path)
    kept = redaction.read_text(path) if path.is_file() else ""
    if not present.is_foreign:
        return kept
    text = redaction.screened(present.text, walk.workspace.root_node)
    if kept and kept != text:
        walk.emit(Operation("set-aside", NAME))
        walk.warnings.append(f"{NAME} was set aside and rebuilt: it was not made by this program")
        return kept
    walk.emit(Operation("write", name, text))
    walk.warnings.append(f"{NAME} was not made by this program; it was kept as {name} and its lines live on")
    return text


def _key(walk: TreeWalk, found: list[CuratedFile], taken_over: str) -> str:
    nodes = [(planned.period.name, planned.sha256) for planned in finest(walk.months, walk.today)]
    notes = [(file.name, file.sha256) for file in found]
    budget = walk.config.max_tokens("root")
    versions = [DIGEST_VERSION, redaction.VERSION]
    return node.sources_key([*versions, walk.today.isoformat(), budget, nodes, notes, node.sha256(taken_over)])


def _sources(walk: TreeWalk, found: list[CuratedFile], taken_over: str) -> RootSources:
    from hipocampus.tree import imported, node_facts
    from hipocampus.tree.root import RootSources

    rules, offers = node_facts.collect(walk)
    foreign = imported.sources(taken_over, walk.today)
    return RootSources(
        rules=[*rules, *foreign.rules],
        facts=[*offers, *foreign.facts],
        curated=[fact for file in found for fact in curated.facts(file)],
        pinned=foreign.pinned,
    )


def _text(walk: TreeWalk, key: str, sources: RootSources) -> tuple[str, int, str]:
    """The file, its tokens, and the hash of its body."""
    from hipocampus.tree.root import root_body

    budget = walk.config.max_tokens("root")
    room = budget - walk.count(_file("", walk.today, key, budget)) - _MARK_TOKENS
    body = root_body(sources, walk.today, room, walk.count)
    tokens = walk.count(_file(body, walk.today, key, budget))
    tokens = walk.count(_file(body, walk.today, key, tokens))  # the number itself may take another token
    return _file(body, walk.today, key, tokens), tokens, node.sha256(body)


def _file(body: str, today: date, key: str, tokens: int) -> str:
    return (
        front_matter.render(
            {
                "type": "root",
                "status": "tentative",
                "last-updated": today.isoformat(),
                "sources-sha256": key,
                "tokens": tokens,
                "body-sha256": node.body_mark(body),
            }
        )
        + body
    )
