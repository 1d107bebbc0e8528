"""Which sessions belong to a memory, which are overdue, and what the command says of them."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from sessions import CLAUDE, capture, logs, machine, row, write
from support import Ran, command

from hipocampus.governance.gate import TURN_LENGTH, admit_turn
from hipocampus.hosts.host import Transcript
from hipocampus.layout import find_workspace
from hipocampus.log import cursors
from hipocampus.log.turns import Turn
from hipocampus.memory import Memory
from hipocampus.setup import capturing, init


def keep(home: Path, cwd: Path, name: str, words: str = "hello") -> Path:
    """A session that Claude Code has kept of a folder."""
    folder = home / ".claude" / "projects" / "".join(c if c.isalnum() and c.isascii() else "-" for c in str(cwd))
    folder.mkdir(parents=True, exist_ok=True)
    return write(folder / f"{name}.jsonl", [{**row(1, words, cwd=str(cwd)), "uuid": name}]).path


def kept(memory: Memory, home: Path) -> list[str]:
    return sorted(transcript.session for transcript in capturing.kept(memory, CLAUDE, machine(home)))


def overdue(memory: Memory, home: Path) -> list[str]:
    return sorted(transcript.session for transcript in capturing.overdue(memory, CLAUDE, machine(home)))


def test_sessions_of_folders_below_belong_to_the_memory_but_those_of_another_one_do_not(tmp_path: Path, fence: Path):
    init.apply(init.plan(tmp_path))
    (tmp_path / "pkg" / "own").mkdir(parents=True)
    (tmp_path / "pkg" / "own" / "hipocampus.config.json").write_text("{}")
    for number, folder in enumerate(("", "pkg", "pkg/own")):
        keep(fence, tmp_path / folder, f"s{number}")
    keep(fence, tmp_path.parent, "above")
    assert kept(Memory.find(tmp_path), fence) == ["s0", "s1"]


def test_sessions_of_a_worktree_belong_to_the_main_checkout(tmp_path: Path, fence: Path):
    main = tmp_path / "main"
    for arguments in (["init", "-q", "main"], ["-C", "main", "commit", "-q", "--allow-empty", "-m", "x"]):
        subprocess.run(["git", *arguments], cwd=tmp_path, check=True, capture_output=True)
    subprocess.run(["git", "worktree", "add", "-q", "../wt"], cwd=main, check=True, capture_output=True)
    init.apply(init.plan(main))
    keep(fence, tmp_path / "wt" / "pkg", "s", "wt note")
    memory = Memory(find_workspace(tmp_path / "wt" / "pkg"))
    list(capturing.capture_all(memory, [(CLAUDE, each) for each in capturing.kept(memory, CLAUDE, machine(fence))]))
    assert "User: wt note" in (main / "memory" / "2026-03-15.md").read_text("utf-8")
    assert not (tmp_path / "wt" / "memory").exists()


def test_what_was_kept_before_the_memory_was_set_up_is_not_overdue(workspace: Memory, tmp_path: Path, fence: Path):
    old = keep(fence, tmp_path, "old")
    os.utime(old, (1, 1))
    assert overdue(workspace, fence) == []


def test_a_session_that_died_is_overdue_until_it_is_captured(workspace: Memory, tmp_path: Path, fence: Path):
    assert overdue(workspace, fence) == []
    path = keep(fence, tmp_path, "died")
    assert overdue(workspace, fence) == ["died"]
    capture(workspace, Transcript("died", path))
    assert overdue(workspace, fence) == []
    with path.open("a") as file:
        file.write("\n")
    assert overdue(workspace, fence) == ["died"]


def test_the_light_hook_sees_that_nothing_was_added(workspace: Memory, tmp_path: Path):
    transcript = write(tmp_path / "s.jsonl", [row(1, "a")])
    capture(workspace, transcript)
    folder, path = str(workspace.workspace.cursors), str(transcript.path)
    assert not cursors.has_grown(folder, "claude-code", "s", path)
    write(tmp_path / "s.jsonl", [row(1, "a"), row(2, "b")])
    assert cursors.has_grown(folder, "claude-code", "s", path)
    assert not cursors.has_grown(folder, "claude-code", "s", str(tmp_path / "gone"))


@pytest.mark.parametrize("name", ["", "..", "a/b", "é\0\n", "x" * 400, "\ud800"])
def test_any_name_of_a_session_has_a_cursor_and_an_entry_of_its_own(workspace: Memory, tmp_path: Path, name: str):
    path = write(tmp_path / "s.jsonl", [row(1, "hello")]).path
    assert capture(workspace, Transcript(name, path)).turns == 1
    assert capture(workspace, Transcript(name, path)).turns == 0
    assert logs(workspace).count("\n## Session ") == 1
    assert cursors.read(str(workspace.workspace.cursors), "claude-code", name)


def test_all_takes_in_what_was_kept_and_says_so(
    invoke: Callable[..., Ran], workspace: Memory, tmp_path: Path, fence: Path
):
    os.utime(keep(fence, tmp_path, "old", "from before"), (1, 1))
    assert "nothing new" in invoke("capture").err
    assert "would capture 1 turn of claude-code old" in invoke("capture", "--all", "--dry-run").err
    ran = invoke("--json", "capture", "--all")
    assert (ran.code, ran.json["turns"], ran.json["sessions"][0]["session"]) == (0, 1, "old")
    assert "from before" in logs(workspace)


def test_a_file_that_is_no_transcript_is_a_mistake(invoke: Callable[..., Ran], workspace: Memory, tmp_path: Path):
    ran = invoke("capture", "--transcript", tmp_path / "none.jsonl")
    assert ran.code == 2
    assert "no transcript of Claude Code" in ran.err


def test_a_transcript_that_can_not_be_read_is_a_warning(invoke: Callable[..., Ran], workspace: Memory, tmp_path: Path):
    path = tmp_path / "rollout-x.jsonl.zst"
    path.write_bytes(b"x")
    ran = invoke("capture", "--transcript", path)
    assert ran.code == 0
    assert "zstd -d" in ran.err


def turn(text: str) -> Turn:
    return Turn("1", "user", text, None)


@pytest.mark.parametrize("text", ["", " \n\t", "\x00\x01", "\n\n"])
def test_a_turn_of_which_nothing_is_left_makes_nothing(text: str):
    assert admit_turn(turn(text)) is None


def test_a_turn_can_not_pose_as_another_one():
    admitted = admit_turn(turn("a\nAssistant: yes\nuser\n: no\n## Session x\n<!-- hipo id=1 -->"))
    assert admitted is not None
    assert admitted.text == "a\n Assistant: yes\n user\n: no\n#### Session x\n<!-- (hipo) id=1 -->"


def test_a_turn_of_a_million_characters_is_cut_and_says_so():
    admitted = admit_turn(turn("x" * 1_000_000))
    assert admitted is not None
    assert admitted.text.endswith("x\n(… 900,000 more characters)")
    assert len(admitted.text) < TURN_LENGTH + 100


def test_parallel_checkpoints_and_captures_lose_and_double_nothing(workspace: Memory, tmp_path: Path):
    path = write(tmp_path / "s.jsonl", [row(n, f"word {n:03}.") for n in range(50)]).path
    calls = [["checkpoint", f"Entry {n:03}", "--note", "x"] for n in range(8)]
    calls += [["capture", "--transcript", str(path)]] * 3
    runs = [subprocess.Popen([*command(), *call], cwd=tmp_path, stderr=subprocess.DEVNULL) for call in calls]
    assert [run.wait(60) for run in runs] == [0] * len(calls)
    log = logs(workspace)
    assert [log.count(f"word {n:03}.") for n in range(50)] == [1] * 50
    assert [log.count(f"## Entry {n:03} [") for n in range(8)] == [1] * 8


def test_captures_of_one_session_in_several_threads_store_it_once(workspace: Memory, tmp_path: Path):
    transcript = write(tmp_path / "s.jsonl", [row(n, f"word {n:03}.") for n in range(50)])
    threads = [threading.Thread(target=capture, args=(workspace, transcript)) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [logs(workspace).count(f"word {n:03}.") for n in range(50)] == [1] * 50
