"""What there is: the nodes with their sizes, and those that an agent may refine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from hipocampus import files
from hipocampus.config import Config
from hipocampus.layout import Workspace
from hipocampus.log import daylog
from hipocampus.text import front_matter
from hipocampus.tree.calendar import Period, month_of, week_of
from hipocampus.tree.shelf import Shelf, period_at
from hipocampus.tree.state import State
from hipocampus.tree.walk import body_room


@dataclass(frozen=True, slots=True)
class NodeInfo:
    """One file of the tree; `depth` is 0 for ROOT.md and 4 for a raw log, `tokens` None where nobody counted."""

    path: str
    level: str
    depth: int
    dates: str
    bytes: int
    tokens: int | None
    status: str
    made_by: str


@dataclass(frozen=True, slots=True)
class Refinable:
    """A node with a digest: at most `room` tokens of body may take its place."""

    path: str
    period: str
    tokens: int
    room: int
    sources: tuple[str, ...]
    sources_sha256: str


def nodes(workspace: Workspace, today: date) -> list[NodeInfo]:
    """ROOT.md, then months, weeks, days and raw logs, newest first, each below its parent."""
    found = [_root(workspace)] if workspace.root_node.is_file() else []
    days = daylog.list_days(workspace, today).days
    months: dict[Period, dict[Period, list[tuple[date, Path]]]] = {}
    for day, path in reversed(days):
        week = week_of(day)
        months.setdefault(month_of(week), {}).setdefault(week, []).append((day, path))
    for month, weeks in months.items():
        found += _node(workspace, month, 1)
        for week, in_week in weeks.items():
            found += _node(workspace, week, 2)
            for day, path in in_week:
                found += _node(workspace, Period(day, day, "daily"), 3)
                size = path.stat().st_size
                found.append(NodeInfo(f"memory/{path.name}", "raw", 4, day.isoformat(), size, None, "", ""))
    return found


def refinable(workspace: Workspace, config: Config, count: Callable[[str], int]) -> list[Refinable]:
    """Nodes made by a digest, oldest first, days before weeks before months."""
    shelf = Shelf(workspace, State(workspace.compact_state))
    rank = {"daily": 0, "weekly": 1, "monthly": 2}
    periods = sorted((p for p in map(period_at, shelf.nodes) if p), key=lambda p: (rank[p.level], p.first))
    return list(_refinable(shelf, periods, config, count))


def _refinable(shelf: Shelf, periods: list[Period], config: Config, count: Callable[[str], int]) -> Iterator[Refinable]:
    for period in periods:
        found = shelf.existing(period.path)
        if found and found.made_by == "extract" and not found.problem:
            fields = front_matter.fields_of(front_matter.split(shelf.text(period.path))[0])
            sources = tuple(fields["source-files"])
            room = body_room(config, period, sources, count)
            yield Refinable(f"memory/{period.path}", period.name, int(fields["tokens"]), room, sources, found.key)


def _root(workspace: Workspace) -> NodeInfo:
    fields = front_matter.fields_of(front_matter.split(files.read_text(workspace.root_node).text)[0])
    size = workspace.root_node.stat().st_size
    dates = str(fields.get("last-updated", ""))
    return NodeInfo("memory/ROOT.md", "root", 0, dates, size, _number(fields.get("tokens")), "tentative", "extract")


def _node(workspace: Workspace, period: Period, depth: int) -> list[NodeInfo]:
    path = workspace.memory / period.path
    if not path.is_file():
        return []
    fields = front_matter.fields_of(front_matter.split(files.read_text(path).text)[0])
    return [
        NodeInfo(
            f"memory/{period.path}",
            period.level,
            depth,
            str(fields.get("dates", period.name)),
            path.stat().st_size,
            _number(fields.get("tokens")),
            str(fields.get("status", "")),
            str(fields.get("made-by", "")),
        )
    ]


def _number(value: object) -> int | None:
    return value if isinstance(value, int) else None
