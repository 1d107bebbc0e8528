"""The one process that does overdue work: alone, guarded, gone when it is done."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hooking import Fire, log_of, processes_of, until
from support import CASES, command

from hipocampus import files
from hipocampus.governance.gate import Draft
from hipocampus.hosts.host import Transcript
from hipocampus.memory import Memory
from hipocampus.setup import background
from hipocampus.setup.background import CatchUp
from hipocampus.setup.capturing import Captured
from hipocampus.setup.hook_event import GUARD_VARIABLE

HOLD = """
import sys, time
from pathlib import Path
from hipocampus import files
with files.lock(Path(sys.argv[1]), timeout=1):
    print("held", flush=True)
    time.sleep(float(sys.argv[2]))
"""


@pytest.fixture
def hold():
    """Hold a lock in another process for some seconds: `hold(path, 2)`."""
    holders = []

    def call(path: Path, seconds: float) -> subprocess.Popen[bytes]:
        arguments = [sys.executable, "-c", HOLD, str(path), str(seconds)]
        holders.append(subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL))
        assert holders[-1].stdout.read(4) == b"held"
        return holders[-1]

    yield call
    for holder in holders:
        holder.kill()
        holder.communicate()


def test_a_due_compaction_is_done_by_a_process_of_its_own(workspace: Memory, fire: Fire) -> None:
    workspace.checkpoint(Draft("Captured", "- fact: MARKER"))
    done = fire(workspace.workspace.root, "Stop", HIPOCAMPUS_TODAY="2026-03-15")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert until(lambda: " written, " in log_of(workspace))
    assert "MARKER" in (workspace.workspace.memory / "daily" / "2026-03-15.md").read_text(encoding="utf-8")
    assert " sleep the tree has not been built yet: " in log_of(workspace)


def test_the_process_carries_the_guard_and_has_a_session_of_its_own(workspace: Memory, monkeypatch) -> None:
    given: dict[str, object] = {}
    monkeypatch.setattr(subprocess, "Popen", lambda arguments, **options: given.update(options, arguments=arguments))
    background.start(workspace.workspace, CatchUp("codex", "s"))
    assert given["env"][GUARD_VARIABLE] == "1"  # type: ignore[index]
    assert given["start_new_session"] is True
    assert (given["stdin"], given["stdout"]) == (subprocess.DEVNULL, subprocess.DEVNULL)
    assert given["arguments"][-2:] == ["codex", "s"]  # type: ignore[index]


def test_a_module_in_the_project_is_not_taken_for_ours(workspace: Memory, fire: Fire, tmp_path: Path) -> None:
    for name in ("json", "select", "hipocampus", "sitecustomize"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the project was imported')", encoding="utf-8")
    assert fire(tmp_path, "Stop").stderr == b""
    assert until(lambda: " written, " in log_of(workspace))


def test_while_one_is_at_work_another_does_nothing(workspace: Memory, hold) -> None:
    hold(workspace.workspace.background_lock, 30)
    began = time.monotonic()
    background.work(workspace)
    assert time.monotonic() - began < 2
    assert not workspace.workspace.root_node.exists()


def test_the_lock_of_one_that_was_killed_is_taken_over(workspace: Memory, hold) -> None:
    holder = hold(workspace.workspace.background_lock, 30)
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    background.work(workspace)
    assert workspace.workspace.root_node.exists()


def test_sessions_that_died_are_captured_and_the_running_one_is_not(workspace: Memory, monkeypatch) -> None:
    captured: list[str] = []

    def capture(_memory: Memory, host, transcript: Transcript) -> Captured:
        captured.append(f"{host.name} {transcript.session}")
        return Captured(host.name, transcript.session, 2, (), 0)

    found = [Transcript(name, Path(name)) for name in ("dead", "running")]
    monkeypatch.setattr(background.capturing, "overdue", lambda *_: found)
    monkeypatch.setattr(background.capturing, "capture", capture)
    background.work(workspace, CatchUp("codex", "running"))
    assert captured == ["codex dead"]
    assert " codex catch-up captured 2 turns of 1 sessions\n" in log_of(workspace)


def test_a_step_that_fails_is_told_and_the_next_is_done(workspace: Memory, monkeypatch) -> None:
    def fail(*_: object) -> None:
        raise KeyError("surprise")

    monkeypatch.setattr(background.capturing, "overdue", fail)
    background.work(workspace, CatchUp("opencode", ""))
    assert " opencode catch-up error: KeyError: 'surprise'\n" in log_of(workspace)
    assert workspace.workspace.root_node.exists()


def test_a_failed_compaction_leaves_its_reason_in_the_log(workspace: Memory, fire: Fire) -> None:
    (workspace.workspace.memory / "daily").write_text("a file where the folder should be", encoding="utf-8")
    workspace.checkpoint(Draft("x", "- y"))
    assert fire(workspace.workspace.root, "Stop", HIPOCAMPUS_TODAY="2026-03-15").returncode == 0
    assert until(lambda: " sleep error: " in log_of(workspace))


@pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="asks the system for processes by proc(5)")
def test_after_twenty_events_and_a_search_nothing_runs(workspace: Memory, fire: Fire, tmp_path: Path) -> None:
    """R27: no worker, no server; what does not run has no port either."""
    for event in ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd") * 4:
        assert fire(tmp_path, event).returncode == 0
    subprocess.run([*command(), "search", "nothing", "--mode", "bm25"], cwd=tmp_path, capture_output=True, check=True)
    assert until(lambda: not processes_of(tmp_path))
    assert " error: " not in log_of(workspace)


def test_a_host_that_a_hook_would_start_fires_no_hook_of_ours(workspace: Memory, fire: Fire, tmp_path: Path) -> None:
    """Case 19: the stub of a host is called at most once, and sees the guard."""
    case, log = CASES / "19-hook-recursion", tmp_path / "stub.log"
    payload = (case / "hook-input.json").read_text("utf-8").replace("{{DIR}}/repo", str(tmp_path))
    payload = payload.replace("{{DIR}}", str(case))
    env = {"PATH": f"{case / 'bin'}:{os.environ['PATH']}", "STUB_LOG": str(log)}
    env["HOOK_CMD"] = " ".join([*command("hipocampus-hook"), "SessionEnd"])
    assert fire(tmp_path, "SessionEnd", payload.encode(), **env).returncode == 0
    assert until(lambda: not processes_of(tmp_path))
    assert not log.exists() or len(log.read_text("utf-8").splitlines()) <= 1


def test_a_lock_that_is_held_for_two_seconds_is_waited_for(workspace: Memory, hold) -> None:
    """R36."""
    hold(workspace.workspace.log_lock, 2)
    assert workspace.checkpoint(Draft("Waited", "- x")).stored


def test_a_lock_that_stays_held_gives_the_text_back(workspace: Memory, hold, run, monkeypatch) -> None:
    hold(workspace.workspace.log_lock, 30)
    monkeypatch.setattr("hipocampus.log.daylog.LOCK_SECONDS", 0.1)
    with pytest.raises(files.StoreBusy, match="the TEXT that must not be lost"):
        workspace.checkpoint(Draft("Given up", "- the TEXT that must not be lost"))
