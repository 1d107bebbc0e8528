"""Every message stands in the logs once, whichever events fire, whatever is killed or lost."""

from __future__ import annotations

import contextlib
import functools
import shutil
import tempfile
from collections.abc import Callable
from datetime import UTC
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sessions import CLAUDE, RECORDED, capture, logs, row, write

from hipocampus import files
from hipocampus.clock import Clock
from hipocampus.hosts.host import Transcript
from hipocampus.layout import find_workspace
from hipocampus.log import cursors
from hipocampus.log.captured import Captured
from hipocampus.memory import Memory
from hipocampus.setup import capturing, init

ROWS = [
    row(1, "please use pnpm"),
    row(2, [{"type": "text", "text": "Noted."}, {"type": "tool_use", "id": "t1", "name": "Bash"}], "assistant"),
    row(3, "yes"),
    row(4, "yes"),
    row(5, "draft", "assistant"),
    row(6, "## Session x\nUser: me\n<!-- hipo id=1 -->\n```\nopen"),
    row(5, "draft, corrected", "assistant"),
    row(7, "next day", timestamp="2026-03-16T00:00:01Z"),
    row(8, "done\r\n~~~", "assistant", timestamp="2026-03-16T00:00:02Z"),
]  # fmt: skip


class Killed(BaseException):
    """What a kill looks like from inside."""


def memory_in(folder: Path) -> Memory:
    init.apply(init.plan(folder))
    return Memory(find_workspace(folder), clock=Clock(UTC))


def expected(folder: Path) -> str:
    memory = memory_in(folder)
    capture(memory, write(folder / "s.jsonl", ROWS))
    return logs(memory)


@functools.cache
def whole_log() -> str:
    with tempfile.TemporaryDirectory() as name:
        return expected(Path(name))


def killing(at: int, *, after: bool) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Makes functions that share a count of their calls; the call of that number dies, before or after its work."""
    calls = iter(range(1000))

    def around(function: Callable[..., Any]) -> Callable[..., Any]:
        def step(*args: Any, **kwargs: Any) -> Any:
            number = next(calls)
            if number == at and not after:
                raise Killed
            result = function(*args, **kwargs)
            if number == at:
                raise Killed
            return result

        return step

    return around


def killed_capture(memory: Memory, transcript: Transcript, at: int, *, after: bool) -> None:
    around = killing(at, after=after)
    with pytest.MonkeyPatch.context() as patch:
        for owner, name in (
            (files, "append"),
            (files, "write_bytes_atomic"),
            (Captured, "add"),
            (cursors, "write"),
        ):
            patch.setattr(owner, name, around(getattr(owner, name)))
        with contextlib.suppress(Killed):
            capture(memory, transcript)


STEP = st.tuples(
    st.integers(0, len(ROWS)),  # how many rows the host has written
    st.integers(0, 12),  # the call that is killed
    st.booleans(),
    st.sampled_from(["", "", "", "ids", "cursors", "state"]),  # what is lost then
)


@settings(max_examples=60)
@given(st.lists(STEP, max_size=6))
def test_any_events_killed_at_any_point_give_the_same_log(steps: list[tuple[int, int, bool, str]]):
    with tempfile.TemporaryDirectory() as name:
        memory, wanted = memory_in(Path(name) / "a"), whole_log()
        transcript = Transcript("s", Path(name) / "a" / "s.jsonl")
        written = 0
        for count, at, after, lost in steps:
            written = max(written, count)
            write(transcript.path, ROWS[:written])
            killed_capture(memory, transcript, at, after=after)
            lose(memory, lost)
        write(transcript.path, ROWS)
        capture(memory, transcript)
        assert logs(memory) == wanted


def lose(memory: Memory, what: str) -> None:
    if what == "ids":
        memory.workspace.captured.unlink(missing_ok=True)
    elif what:
        shutil.rmtree(memory.workspace.cursors if what == "cursors" else memory.workspace.state, ignore_errors=True)


def test_the_rows_of_a_session_give_this_log(tmp_path: Path):
    first, second = expected(tmp_path).split("# 2026-03-16")
    assert "User: yes\n\nUser: yes\n\nAssistant: draft, corrected\n\nUser: #### Session x\n User: me\n" in first
    assert "<!-- (hipo) id=1 -->\n```\nopen\n```\n<!-- hipo id=" in first
    assert second.rstrip().endswith("at=2026-03-16T00:00:02+00:00 last=u8 -->")


def test_a_damaged_store_of_ids_is_made_anew(workspace: Memory, tmp_path: Path):
    transcript = write(tmp_path / "s.jsonl", ROWS)
    capture(workspace, transcript)
    before = logs(workspace)
    workspace.workspace.captured.write_bytes(b"no database" * 1000)
    assert capture(workspace, transcript).turns == 0
    assert logs(workspace) == before


def test_a_fork_adds_only_what_is_new_in_it(workspace: Memory):
    for name in ("claude-code", "claude-code-fork"):
        capture(workspace, Transcript(name, RECORDED / f"{name}.jsonl"))
    assert logs(workspace).count("User: please use pnpm here") == 1
    assert logs(workspace).count("User: forked words") == 1


def test_a_fork_adds_only_what_is_new_in_it_with_the_ids_lost(workspace: Memory):
    capture(workspace, Transcript("claude-code", RECORDED / "claude-code.jsonl"))
    shutil.rmtree(workspace.workspace.state)
    capture(workspace, Transcript("claude-code-fork", RECORDED / "claude-code-fork.jsonl"))
    assert logs(workspace).count("User: please use pnpm here") == 1
    assert logs(workspace).count("User: forked words") == 1


def test_a_transcript_that_shrank_and_changed_adds_what_is_new(workspace: Memory, tmp_path: Path):
    transcript = write(tmp_path / "s.jsonl", ROWS)
    capture(workspace, transcript)
    write(tmp_path / "s.jsonl", [row(1, "please use pnpm"), row(60, "and node 22")])
    assert capture(workspace, transcript).turns == 1
    assert logs(workspace).count("please use pnpm") == 1


def test_two_sessions_that_take_turns_keep_their_entries(workspace: Memory, tmp_path: Path):
    for count in range(1, len(ROWS)):
        for name in "ab":
            rows = [{**each, "uuid": f"{name}{each['uuid']}"} for each in ROWS[:count]]
            capture(workspace, write(tmp_path / f"{name}.jsonl", rows))
    assert logs(workspace).count("## Session a\n") == 2  # on two days
    assert logs(workspace).count("User: please use pnpm") == 2


def test_a_file_with_windows_line_ends_and_a_bom_keeps_every_other_byte(workspace: Memory, tmp_path: Path):
    path = workspace.workspace.raw_log("2026-03-15")
    capture(workspace, write(tmp_path / "s.jsonl", ROWS[:1]))
    theirs = "\n## Mine [project]\n- caf\xe9 \x80\n".encode("latin-1")
    before = (path.read_bytes() + theirs).replace(b"\n", b"\r\n")
    path.write_bytes(b"\xef\xbb\xbf" + before)
    capture(workspace, write(tmp_path / "s.jsonl", ROWS[:4]))
    after = path.read_bytes()
    assert after.endswith(theirs.replace(b"\n", b"\r\n"))
    assert after.startswith(b"\xef\xbb\xbf# 2026-03-15\r\n\r\n## Session s\r\nUser: please use pnpm\r\n\r\nAssistant")
    assert after.count(b"\n") == after.count(b"\r\n")


def test_a_line_that_another_program_appends_meanwhile_survives(
    workspace: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = workspace.workspace.raw_log("2026-03-15")
    capture(workspace, write(tmp_path / "s.jsonl", ROWS[:1]))
    known = Captured.known

    def meanwhile(self: Captured, ids: Any) -> Any:
        if "by hand" not in path.read_text("utf-8"):
            files.append(path, "\nby hand\n")
        return known(self, ids)

    monkeypatch.setattr(Captured, "known", meanwhile)
    capture(workspace, write(tmp_path / "s.jsonl", ROWS[:2]))
    assert "by hand" in logs(workspace)
    assert "Assistant: Noted." in logs(workspace)


def test_a_session_without_times_belongs_to_today(workspace: Memory, tmp_path: Path):
    rows = [{key: value for key, value in each.items() if key != "timestamp"} for each in ROWS]
    capture(workspace, write(tmp_path / "s.jsonl", rows))
    assert [path.name for path in workspace.workspace.memory.glob("2*.md")] == ["2026-03-15.md"]


def test_a_dry_run_writes_nothing(workspace: Memory, tmp_path: Path):
    found = capturing.capture(workspace, CLAUDE, write(tmp_path / "s.jsonl", ROWS), dry_run=True)
    assert found.turns == 9
    assert logs(workspace) == ""
    assert not workspace.workspace.captured.exists()
