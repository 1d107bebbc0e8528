"""What each moment of a session leads to, in which order, and that a failure keeps nothing else from being done."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hooking import Calls, log_of
from support import CASES

from hipocampus import hooks
from hipocampus.errors import StoreBusy
from hipocampus.governance.gate import Draft
from hipocampus.hosts import moments
from hipocampus.memory import Memory
from hipocampus.setup import quiet, session
from hipocampus.setup.background import CatchUp
from hipocampus.setup.hook_event import Event
from hipocampus.tree import triggers
from hipocampus.tree.state import State

Make = Callable[..., Event]
ENDINGS = [name for name, moment in moments.CODEX.items() if moment in (moments.REST, moments.COMPACT, moments.END)]


@pytest.fixture
def compacted(workspace: Memory) -> Memory:
    """A workspace that was compacted a moment ago, by the clock of the machine."""
    now = Memory(workspace.workspace)
    now.compact()
    return now


@pytest.mark.parametrize("name", ENDINGS)
def test_a_rest_captures_first_and_then_hands_a_due_compaction_over(
    event: Make, calls: Calls, transcript: Path, name: str
) -> None:
    assert session.act(event(name, session_id="s", transcript_path=str(transcript))) == ""
    assert calls.order == ["capture", "start"]
    assert calls.captured[0].session == "s"
    assert calls.started == [None]


def test_a_rest_starts_nothing_where_nothing_is_due(compacted: Memory, event: Make, calls: Calls) -> None:
    session.act(event("Stop"))
    assert calls.order == []
    assert quiet.is_quiet(str(compacted.workspace.root))


def test_a_new_entry_ends_the_quiet_and_few_of_them_begin_it_again(
    compacted: Memory, event: Make, calls: Calls
) -> None:
    session.act(event("Stop"))
    compacted.checkpoint(Draft("One", "- entry"))
    assert not quiet.is_quiet(str(compacted.workspace.root))
    session.act(event("Stop"))
    assert calls.started == []
    assert quiet.is_quiet(str(compacted.workspace.root))


def test_enough_entries_are_a_reason(compacted: Memory, event: Make, calls: Calls) -> None:
    for number in range(5):
        compacted.checkpoint(Draft(f"Entry {number}", "- x"))
    session.act(event("Stop"))
    assert calls.started == [None]


def test_a_capture_that_fails_keeps_no_compaction_from_being_done(
    event: Make, calls: Calls, transcript: Path, monkeypatch: pytest.MonkeyPatch, workspace: Memory
) -> None:
    def busy(*_: object) -> None:
        raise StoreBusy("another process holds log.lock")

    monkeypatch.setattr(session.capturing, "capture", busy)
    fired = event("Stop", transcript_path=str(transcript))
    assert hooks.handle(fired.name, fired.host, fired.payload, fired.folder) == ""
    assert calls.started == [None]
    assert "codex Stop error: StoreBusy: another process holds log.lock" in log_of(workspace)


def test_what_was_captured_is_told_in_the_log(event: Make, calls: Calls, transcript: Path, workspace: Memory) -> None:
    session.act(event("Stop", session_id="s", transcript_path=str(transcript)))
    assert log_of(workspace).endswith(" codex Stop captured 4 turns of session s\n")


def test_a_start_hands_all_work_over_and_tells_what_the_host_does_not_load(
    event: Make, calls: Calls, workspace: Memory
) -> None:
    workspace.workspace.root_node.write_text("## Topics Index\n- bridges: painted green\n", encoding="utf-8")
    answer = session.act(event("SessionStart", session_id="new", source="startup"))
    assert "painted green" in answer
    assert calls.order == ["start"]
    assert calls.started == [CatchUp("codex", "new")]


def test_a_start_after_a_compaction_of_the_context_tells_it_again_and_starts_nothing(
    event: Make, calls: Calls, workspace: Memory
) -> None:
    workspace.workspace.root_node.write_text("## Topics Index\n- bridges: painted green\n", encoding="utf-8")
    assert "painted green" in session.act(event("SessionStart", source="compact"))
    assert calls.started == []


def test_an_empty_memory_has_nothing_to_tell(event: Make, calls: Calls) -> None:
    assert session.act(event("SessionStart")) == ""


CASE = CASES / "13-missing-transcript"


@pytest.mark.parametrize("name", sorted(path.stem for path in CASE.glob("hook-*.json")))
def test_a_transcript_that_is_missing_or_empty_makes_no_day_and_takes_no_other(
    workspace: Memory, fire, tmp_path: Path, name: str
) -> None:
    folder = tmp_path / "home"
    folder.mkdir()
    for path in CASE.glob("*.jsonl"):
        (folder / path.name).write_bytes(path.read_bytes())
    payload = (CASE / f"{name}.json").read_text("utf-8").replace("{{DIR}}/repo", str(tmp_path))
    payload = payload.replace("{{DIR}}", str(folder))
    for event in ("SessionStart", "PreCompact"):
        done = fire(tmp_path, event, payload.encode())
        assert (done.returncode, done.stdout) == (0, b"")
    assert [path.name for path in workspace.workspace.memory.glob("2*.md")] == []
    assert "MARK-FOREIGN" not in "".join(p.read_text("utf-8") for p in workspace.workspace.memory.rglob("*.md"))


@pytest.mark.parametrize(("finished", "until"), [("11:00", "15 14:00"), ("01:00", "16 00:00"), ("22:30", "16 00:00")])
def test_quiet_lasts_to_midnight_or_to_the_end_of_the_cooldown(workspace: Memory, finished: str, until: str) -> None:
    now = datetime(2026, 3, 15, 23 if finished > "12" else 12, tzinfo=ZoneInfo("Asia/Seoul"))
    kept = State(Path(), finished=f"2026-03-15T{finished}:00+09:00")
    assert f"{triggers.quiet_until(workspace.config, kept, now):%d %H:%M}" == until


def test_the_time_of_a_hook_does_not_depend_on_the_project(
    compacted: Memory, event: Make, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R95: a project of any size is not looked at; only folders of the memory are listed."""
    for number in range(200):
        (compacted.workspace.root / "build" / f"{number}").mkdir(parents=True)
    seen: list[str] = []
    for name in ("scandir", "listdir", "walk"):
        real = getattr(os, name)
        monkeypatch.setattr(os, name, lambda path=".", real=real: seen.append(os.fspath(path)) or real(path))
    for name in moments.CODEX:
        session.act(event(name))
    assert {os.path.relpath(path, compacted.workspace.root).split(os.sep)[0] for path in seen} <= {"memory"}


def test_a_slow_background_is_not_waited_for(workspace: Memory, fire, tmp_path: Path) -> None:
    """R18: yesterday's work is due, and the start of a session returns at once."""
    (workspace.workspace.memory / "2026-03-14.md").write_text("## A [project]\n- b\n" * 5_000, encoding="utf-8")
    times = []
    for _ in range(3):
        began = time.monotonic()
        assert fire(tmp_path, "SessionStart", b"{}", "--host", "codex").returncode == 0
        times.append(time.monotonic() - began)
    assert min(times) < 1


def test_sessions_are_watched_before_the_background_begins(workspace: Memory, event: Make, calls: Calls) -> None:
    session.act(event("SessionStart", source="startup", session_id="s"))
    assert (workspace.workspace.cursors / "since").exists()  # or a session that dies at once would look like an old one
    assert calls.order == ["start"]


def test_an_answer_that_is_written_a_moment_after_its_hook_is_captured_by_it(compacted: Memory, tmp_path: Path) -> None:
    path, root = tmp_path / "late.jsonl", str(compacted.workspace.root)
    row = '{"type": "%s", "uuid": "%s", "timestamp": "2026-03-15T09:00:00Z", "message": {"content": "%s"}}\n'
    path.write_text(row % ("user", "u1", "which door?"), encoding="utf-8")
    threading.Timer(0.3, lambda: path.write_text(path.read_text() + row % ("assistant", "a1", "the red one"))).start()
    told = {"session_id": "s", "transcript_path": str(path), "last_assistant_message": "the red one"}
    session.act(Event("Stop", "claude-code", told, root, root))
    assert "Assistant: the red one" in compacted.workspace.raw_log("2026-03-15").read_text("utf-8")
