"""The hook: exits 0 whatever comes in, says nothing on stdout, and starts a compaction only when one is due."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import command

from hipocampus import hooks
from hipocampus.governance.gate import Draft
from hipocampus.memory import Memory

BAD_INPUTS = {
    "empty": b"", "not json": b"not json", "cut": b'{"cwd": "/', "array": b"[1, 2]", "deep": b'{"a":' * 3000,
    "number": b"9" * 5000, "bytes": b"\xff\xfe\x00", "null": b"null", "long cwd": b'{"cwd": "' + b"x" * 9000 + b'"}',
    "nul cwd": b'{"cwd": "a\\u0000b"}', "cwd a list": b'{"cwd": ["/"]}', "cwd nowhere": b'{"cwd": "/no/such/folder"}',
}  # fmt: skip


def _hook(folder: Path, event: str, data: bytes = b"{}", **env: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*command("hipocampus-hook"), event],
        cwd=folder, input=data, env={**os.environ, **env}, capture_output=True, check=False, timeout=20,
    )  # fmt: skip


def _log(memory: Memory) -> str:
    path = memory.workspace.hook_log
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _until(memory: Memory, text: str) -> bool:
    """Wait for the detached process to speak in the log."""
    for _ in range(200):
        if text in _log(memory):
            return True
        time.sleep(0.05)
    return False


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """Workspaces for which a compaction was started, and none that really is."""
    found: list[object] = []
    monkeypatch.setattr(hooks, "_start_compaction", found.append)
    return found  # type: ignore[return-value]


@pytest.mark.parametrize("name", BAD_INPUTS)
def test_bad_input_is_no_reason_to_stop_an_agent(workspace: Memory, name: str) -> None:
    workspace.compact()
    done = _hook(workspace.workspace.root, "UserPromptSubmit", BAD_INPUTS[name])
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("redirect", ["<&-", "<&- >&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_reason_either(workspace: Memory, tmp_path: Path, redirect: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f'"$@" {redirect}', "sh", *command("hipocampus-hook"), "Stop"],
        cwd=tmp_path, capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert _until(workspace, "a compaction is due")


def test_stdin_that_stays_open_without_data_is_not_waited_for(workspace: Memory) -> None:
    began = time.monotonic()
    process = subprocess.Popen(
        [*command("hipocampus-hook"), "UserPromptSubmit"], cwd=workspace.workspace.root, stdin=subprocess.PIPE
    )
    with process:
        assert process.wait(timeout=20) == 0
        assert time.monotonic() - began < 3


@pytest.mark.parametrize("arguments", [[], ["NoSuchEvent"], ["--help"], ["Stop", "extra"]])
def test_any_event_name_exits_0(tmp_path: Path, arguments: list[str]) -> None:
    done = subprocess.run(
        [*command("hipocampus-hook"), *arguments], cwd=tmp_path, input=b"{}", capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, b"")


def test_a_fault_of_ours_is_one_line_on_stderr(
    workspace: Memory, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("surprise")

    ended: list[int] = []
    monkeypatch.setattr(hooks, "handle", fail)
    monkeypatch.setattr(os, "_exit", ended.append)
    monkeypatch.setattr(sys, "argv", ["hipocampus-hook", "Stop"])
    monkeypatch.setattr(sys, "stdin", None)
    hooks.main()
    assert (ended, capsys.readouterr().err) == ([0], "hipocampus: KeyError: 'surprise'\n")


def test_a_due_compaction_is_done_by_a_process_of_its_own(workspace: Memory) -> None:
    workspace.checkpoint(Draft("Captured", "- fact: MARKER"))
    done = _hook(workspace.workspace.root, "Stop", HIPOCAMPUS_TODAY="2026-03-15")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert _until(workspace, " written, ")
    assert "MARKER" in (workspace.workspace.memory / "daily" / "2026-03-15.md").read_text(encoding="utf-8")
    assert " Stop: a compaction is due\n" in _log(workspace)


@pytest.mark.parametrize("event", ["UserPromptSubmit", "PreToolUse", "", "stop"])
def test_no_other_event_starts_one(workspace: Memory, started: list[object], event: str) -> None:
    assert hooks.handle(event, {}, workspace.workspace.root) is False
    assert started == []


@pytest.mark.parametrize("event", sorted(hooks.RESTING_EVENTS))
def test_each_resting_event_starts_one_when_it_is_due(workspace: Memory, started: list[object], event: str) -> None:
    assert hooks.handle(event, {}, workspace.workspace.root) is True
    assert started == [workspace.workspace]


def test_none_is_started_when_nothing_is_due(
    workspace: Memory, started: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HIPOCAMPUS_TODAY", "2026-03-15")
    workspace.compact()
    assert hooks.handle("Stop", {}, workspace.workspace.root) is False
    assert (started, _log(workspace)) == ([], "")


def test_the_folder_in_the_payload_decides(workspace: Memory, started: list[object], tmp_path: Path) -> None:
    elsewhere = tmp_path.parent / f"{tmp_path.name}-elsewhere"
    elsewhere.mkdir()
    assert hooks.handle("Stop", {"cwd": str(tmp_path)}, elsewhere) is True
    assert hooks.handle("Stop", {"cwd": str(elsewhere)}, tmp_path) is False


def test_a_hook_of_our_own_process_does_nothing(workspace: Memory) -> None:
    done = _hook(workspace.workspace.root, "Stop", **{hooks.GUARD_VARIABLE: "1"})
    assert (done.returncode, done.stdout, done.stderr, _log(workspace)) == (0, b"", b"", "")


def test_the_started_process_carries_the_guard(workspace: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, object] = {}
    monkeypatch.setattr(subprocess, "Popen", lambda arguments, **options: given.update(options, arguments=arguments))
    workspace.workspace.state.mkdir(parents=True, exist_ok=True)
    hooks.handle("Stop", {}, workspace.workspace.root)
    assert given["env"][hooks.GUARD_VARIABLE] == "1"  # type: ignore[index]
    assert given["start_new_session"] is True
    assert given["arguments"][-2:] == ["compact", "--if-due"]  # type: ignore[index]


@pytest.mark.parametrize("text", ["{", '{"timezone": "Mars/Base"}'])
def test_broken_settings_are_spoken_of_and_the_hook_exits_0(workspace: Memory, text: str) -> None:
    workspace.workspace.config.write_text(text, encoding="utf-8")
    done = _hook(workspace.workspace.root, "Stop")
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (0, b"", 1)
    assert b"hipocampus.config.json" in done.stderr
    assert "hipocampus.config.json" in _log(workspace)


def test_a_failed_compaction_leaves_its_reason_in_the_log(workspace: Memory) -> None:
    level = workspace.workspace.memory / "daily"
    workspace.checkpoint(Draft("x", "- y"))
    level.write_text("a file where the folder of nodes should be", encoding="utf-8")
    assert _hook(workspace.workspace.root, "Stop", HIPOCAMPUS_TODAY="2026-03-15").returncode == 0
    assert _until(workspace, "error: ")


def test_a_full_log_is_put_aside_once(workspace: Memory) -> None:
    path = workspace.workspace.hook_log
    path.parent.mkdir(parents=True, exist_ok=True)
    for _ in range(2):
        path.write_bytes(b"x" * (hooks.LARGEST_LOG + 1))
        hooks.log(workspace.workspace, "after\nrotation")
        assert path.read_text(encoding="utf-8").endswith(" after rotation\n")
    assert sorted(p.name for p in path.parent.glob("hook.log*")) == ["hook.log", "hook.log.1"]


def test_the_payload_is_read_as_utf8_json() -> None:
    import io

    assert hooks.read_payload(io.BytesIO(json.dumps({"cwd": "/프로젝트"}).encode())) == {"cwd": "/프로젝트"}
