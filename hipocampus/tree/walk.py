"""
The walk over the tree from the raw logs up: which nodes have to be rebuilt, and what they will say.

A node is rebuilt when the digest over its sources, its budget, its summary and the version of this code
differs from the one in its front matter; nothing that stands in a text decides it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from itertools import accumulate, groupby
from pathlib import Path
from typing import get_args

from hipocampus.config import Config
from hipocampus.governance import redaction
from hipocampus.layout import Workspace
from hipocampus.log import daylog
from hipocampus.tree import body as bodies
from hipocampus.tree import node
from hipocampus.tree import state as states
from hipocampus.tree.body import Body, Section
from hipocampus.tree.calendar import Period, Status, day_of, month_of, week_of
from hipocampus.tree.node import Node
from hipocampus.tree.operation import Operation
from hipocampus.tree.shelf import Existing, Shelf, period_at
from hipocampus.tree.state import Seen

# Part of every node's digest: raise it when the same sources would give another body.
DIGEST_VERSION = 1
# A twentieth of a budget is kept for the topics in the front matter.
_TOPICS_SHARE = 20
# Days that stand for themselves in ROOT.md; what is older stands in its month.
FINE_DAYS = 120
# A token has at least one character: what the hash of a body may cost at most.
_MARK_TOKENS = 16


@dataclass(frozen=True, slots=True)
class Planned:
    """
    A node as it will be, with those below it; `body` is None when it stays as it is on disk.

    `name` is its path relative to the workspace.
    """

    period: Period
    name: str
    sha256: str
    made_by: str
    body: str | None = None
    children: tuple[Planned, ...] = ()


@dataclass(slots=True)
class TreeWalk:
    """
    Walks the tree once and hands every change to `emit`, children before their parents.

    Afterwards `months` are the trees that ROOT.md is made of, `extracts` the paths of nodes that a digest
    had to shorten, `reopened` those that were fixed and changed all the same. `derived` are files that speed up
    the next run: new text, or None for one that stays as it is.
    """

    workspace: Workspace
    config: Config
    shelf: Shelf
    today: date
    count: Callable[[str], int]
    emit: Callable[[Operation], None]
    full: bool = False
    progress: Callable[[str], None] = lambda _name: None
    months: list[Planned] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    extracts: list[str] = field(default_factory=list)
    reopened: list[str] = field(default_factory=list)
    unchanged: int = 0
    derived: dict[Path, str | None] = field(default_factory=dict)

    def run(self) -> None:
        """Walk. Raises OSError for a node that can't be read, and whatever `emit` raises."""
        listing = daylog.list_days(self.workspace, self.today)
        self.warnings.extend(listing.warnings)
        planned: list[Planned] = []
        readable = groupby(self._readable(listing.days), key=lambda item: week_of(item[0]))
        by_week = [(week, list(in_week)) for week, in_week in readable]
        for month, in_month in groupby(by_week, key=lambda item: month_of(item[0])):
            weeks = []
            for week, in_week in in_month:
                days = [self._day(day, path, sha256) for day, path, sha256 in in_week]
                weeks.append(self._parent(week, days))
                planned += [*days, weeks[-1]]
            self.months.append(self._parent(month, weeks))
        names = {made.name.removeprefix("memory/") for made in (*planned, *self.months)}
        self._orphans(sorted(set(self.shelf.nodes) - names))
        self._forget_vanished({f"memory/{path.name}" for _, path in listing.days})

    def body(self, planned: Planned) -> str:
        """The body of a node, as built or as it stands on disk."""
        return self.shelf.body(planned.period.path) if planned.body is None else planned.body

    def _readable(self, days: Iterable[tuple[date, Path]]) -> list[tuple[date, Path, str]]:
        """Each day with the hash of its raw log; one that can't be read must not keep the others out of the tree."""
        found: list[tuple[date, Path, str]] = []
        for day, path in days:
            name = f"memory/{path.name}"
            try:
                sha256 = states.look(self.shelf.state, name, path, path.stat()).sha256
                found.append((day, path, redaction.digest(self.workspace, path, sha256)))
            except OSError as error:
                self.warnings.append(f"{name} was left out: {error.strerror or error}")
        return found

    def _day(self, day: date, path: Path, sha256: str) -> Planned:
        return self._node(day_of(day), {f"memory/{path.name}": sha256}, lambda: day_sections(path, day))

    def _parent(self, period: Period, children: Sequence[Planned]) -> Planned:
        sources = {child.name: child.sha256 for child in children}
        made = self._node(period, sources, lambda: bodies.sections_of(map(self.body, children)))
        return replace(made, children=tuple(children))

    def _node(self, period: Period, sources: Mapping[str, str], sections: Callable[[], list[Section]]) -> Planned:
        self.progress(period.name)
        key = node_key(self.config, period, sources)
        summary = self.shelf.summary(period, key)
        path = period.path
        old = self.shelf.existing(path)
        if old and old.key == key and not old.problem and not self.full and _says(old, summary):
            return self._kept(period, path, old)
        room = body_room(self.config, period, tuple(sources), self.count)
        body = self._built(period, sections(), room) if summary is None else self._written_by_agent(summary)
        return self._made(period, tuple(sources), key, body, old)

    def _built(self, period: Period, sections: list[Section], room: int) -> Body:
        from hipocampus.tree import builder  # and with it all that knows language: only when a node is built

        return builder.node_body(period.level, period.name, sections, room, self.count)

    def _written_by_agent(self, summary: str) -> Body:
        from hipocampus.tree import builder

        return Body(summary, "agent", builder.topics_of(bodies.parse(summary)))

    def _kept(self, period: Period, path: str, old: Existing) -> Planned:
        name, status = f"memory/{path}", period.status(self.today)
        self._note_extract(name, old.made_by)
        if old.status == status:
            self.unchanged += 1
        else:
            text = node.with_status(self.shelf.text(path), status)
            self.emit(Operation("write", name, text, Seen(0, 0, old.sha256, old.key, status, old.made_by)))
        return Planned(period, name, old.sha256, old.made_by)

    def _made(self, period: Period, sources: tuple[str, ...], key: str, body: Body, old: Existing | None) -> Planned:
        name = f"memory/{period.path}"
        made = _node_of(period, sources, key, body, self)
        seen = Seen(0, 0, node.sha256(body.text), key, made.status, made.made_by)
        self._note_extract(name, made.made_by)
        text = made.text()
        if old and self.shelf.text(period.path) == text:
            self.unchanged += 1
        else:
            self._replace(name, old, key)
            self.emit(Operation("write", name, text, seen))
        return Planned(period, name, seen.sha256, made.made_by, body.text)

    def _replace(self, name: str, old: Existing | None, key: str) -> None:
        if old and old.problem:
            self.emit(Operation("set-aside", name))
            self.warnings.append(f"{name} was set aside and rebuilt: {old.problem}")
        elif old and old.status == "fixed" and old.key != key:
            self.reopened.append(name)

    def _note_extract(self, name: str, made_by: str) -> None:
        if made_by == "extract":
            self.extracts.append(name)

    def _orphans(self, paths: Sequence[str]) -> None:
        """Nodes without a source: ours are taken out of the tree, others are only reported."""
        for path in paths:
            name, old, period = f"memory/{path}", self.shelf.existing(path), period_at(path)
            if period is None or not old or not old.key:
                self.warnings.append(f"{name} was left alone: no raw log belongs to it")
            elif period.first > self.today or self.workspace.raw_log(period.name).exists():
                continue  # its raw log was left out of this run, and that was said
            elif path.startswith("daily/"):
                self.emit(Operation("set-aside", name))
                self.warnings.append(f"{name} was set aside: its raw log is gone")
            else:
                self.emit(Operation("remove", name))

    def _forget_vanished(self, present: set[str]) -> None:
        state = self.shelf.state
        for name in [n for n in state.seen if n not in present and re.match(r"memory/\d", n)]:
            state.forget(name)


def finest(nodes: Iterable[Planned], today: date) -> Iterator[Planned]:
    """The nodes that ROOT.md is made of: recent days, older months, and what an agent wrote instead of either."""
    for planned in nodes:
        old = planned.period.last < today - timedelta(days=FINE_DAYS)
        if old or planned.made_by == "agent" or not planned.children:
            yield planned
        else:
            yield from finest(planned.children, today)


def _says(old: Existing, summary: str | None) -> bool:
    """Whether a node has the body it should have, that of its summary or else one of ours, and a status."""
    if old.status not in get_args(Status):
        return False
    return old.made_by != "agent" if summary is None else old.sha256 == node.sha256(summary)


def day_sections(path: Path, day: date) -> list[Section]:
    """What a daily node is made of. Raises OSError."""
    return bodies.sections_of_day(redaction.read_day(path, day))


def node_key(config: Config, period: Period, sources: Mapping[str, str]) -> str:
    """Digest over all that decides a node's body, but for a summary."""
    budget = config.max_tokens(period.level)
    return node.sources_key([DIGEST_VERSION, redaction.VERSION, budget, list(sources.items())])


def body_room(config: Config, period: Period, sources: tuple[str, ...], count: Callable[[str], int]) -> int:
    """Tokens that a node's budget leaves for its body, whatever its hashes cost."""
    budget = config.max_tokens(period.level)
    bare = Node(period, "tentative", sources, "0a" * 32, (), budget, "verbatim", "")
    return max(0, budget - count(bare.text()) - _MARK_TOKENS - budget // _TOPICS_SHARE)


def _node_of(period: Period, sources: tuple[str, ...], key: str, body: Body, walk: TreeWalk) -> Node:
    """The node with as many of its topics as the budget allows, whether it is fixed or not."""
    bare = Node(period, "tentative", sources, key, (), walk.count(body.text), body.made_by, body.text)
    budget = walk.config.max_tokens(period.level)
    left = budget - walk.count(bare.text())
    costs = accumulate(walk.count(json.dumps(topic, ensure_ascii=False) + ", ") for topic in body.topics)
    listed = sum(cost <= left for cost in costs)
    made = replace(bare, topics=body.topics[:listed])
    while made.topics and walk.count(made.text()) > budget:  # what YAML wants escaped costs more
        made = replace(made, topics=made.topics[:-1])
    return replace(made, status=period.status(walk.today))
