"""Case 37: the day of an entry is the local one, in the configured zone or that of the system."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import UTC, date, datetime

import pytest
from support import CASES, Ran

from hipocampus.clock import Clock, zone_named
from hipocampus.errors import InvalidConfig
from hipocampus.governance.gate import Draft
from hipocampus.memory import Memory

ROWS = [
    line.split("\t") for line in (CASES / "37-local-day" / "table.tsv").read_text(encoding="utf-8").splitlines()[1:]
]


def _assert_agree(memory: Memory, expected: str, local_time: str) -> None:
    entry = memory.checkpoint(Draft("Late work", "- decision: go home"))
    memory.compact()
    text = (memory.workspace.root / entry.path).read_text(encoding="utf-8")
    assert entry.path == f"memory/{expected}.md"
    assert text.startswith(f"# {expected}\n")
    assert re.search(rf" at={expected}T{local_time}", text)
    root = memory.workspace.root_node.read_text(encoding="utf-8")
    assert f"last-updated: {expected}" in root
    assert memory.workspace.memory.joinpath("daily", f"{expected}.md").is_file()
    (found,) = memory.recall("what did we say of our late work?").items
    assert (found.date, found.id) == (expected, entry.pointer)
    assert memory.news().lines[0].startswith(f"{entry.pointer} {local_time} Late work")


@pytest.mark.parametrize(("zone", "instant", "expected"), ROWS)
def test_the_zone_of_the_system_decides_the_day(
    workspace: Memory, monkeypatch: pytest.MonkeyPatch, zone: str, instant: str, expected: str
) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    moment = datetime.fromisoformat(instant)
    memory = Memory(workspace.workspace, clock=Clock(instant=lambda: moment))
    _assert_agree(memory, expected, moment.astimezone(zone_named(zone)).strftime("%H:%M"))


@pytest.mark.parametrize(("zone", "instant", "expected"), ROWS)
def test_the_configured_zone_wins_over_that_of_the_system(zone: str, instant: str, expected: str) -> None:
    moment = datetime.fromisoformat(instant)
    assert Clock(zone_named(zone), instant=lambda: moment).today() == date.fromisoformat(expected)


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago"])
def test_the_commands_use_the_zone_of_the_settings(
    run: Callable[..., Ran], invoke: Callable[..., Ran], zone: str
) -> None:
    invoke("init")
    invoke("config", "set", "timezone", zone)
    before = datetime.now(zone_named(zone))
    entry = run("checkpoint", "Here", "--json", "--note", "now").json["entries"][0]
    after = datetime.now(zone_named(zone))
    assert entry["path"] in {f"memory/{moment:%Y-%m-%d}.md" for moment in (before, after)}
    assert f"T{before:%H:}" in entry["text"] or f"T{after:%H:}" in entry["text"]
    assert run("status", "--json").json["today"] == f"{after:%Y-%m-%d}"


def test_a_given_today_changes_the_day_and_not_the_time(workspace: Memory) -> None:
    clock = Clock(UTC, date(2024, 2, 29), lambda: datetime(2026, 3, 31, 23, 59, tzinfo=UTC))
    assert clock.now() == datetime(2024, 2, 29, 23, 59, tzinfo=UTC)


@pytest.mark.parametrize("name", ["Mars/Base", "../../etc/passwd", "/etc/localtime", "", "Europe", "a\0b", "x" * 300])
def test_a_zone_that_nobody_knows_is_refused(name: str) -> None:
    with pytest.raises(InvalidConfig, match="unknown time zone"):
        zone_named(name)
