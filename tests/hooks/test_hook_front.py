"""The front of the hook: exits 0 whatever comes in, finds its workspace, and knows when there is nothing to do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hooking import Calls, Fire, log_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import CASES, Ran, command

from hipocampus import hooks, layout
from hipocampus.errors import NoWorkspace
from hipocampus.hosts import moments
from hipocampus.memory import Memory
from hipocampus.setup import quiet, session
from hipocampus.setup.hook_event import GUARD_VARIABLE, Event

CASE = CASES / "15-bad-hook-stdin"
BAD = {path.name: path.read_bytes() for path in sorted(CASE.iterdir()) if path.suffix != ".md"} | {
    "number": b"9" * 5000, "bytes": b"\xff\xfe\x00", "long cwd": b'{"cwd": "' + b"x" * 9000 + b'"}',
    "nul cwd": b'{"cwd": "a\\u0000b"}', "lone surrogate": b'{"cwd": "\\ud800", "session_id": "\\udfff"}',
    "nul session": b'{"session_id": "a\\u0000/../b", "transcript_path": "\\u0000"}',
}  # fmt: skip
EVENTS = sorted({event for events in moments.EVENTS.values() for event in events})


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize("name", BAD)
@pytest.mark.usefixtures("calls")
def test_bad_input_is_no_reason_to_stop_an_agent(workspace: Memory, capfdbinary, monkeypatch, name, event) -> None:
    reading, writing = os.pipe()
    os.write(writing, BAD[name])
    os.close(writing)
    with os.fdopen(reading) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        hooks.run([event], workspace.workspace.root)
    assert capfdbinary.readouterr() == (b"", b"")


@pytest.mark.parametrize("name", BAD)
def test_bad_input_exits_0_as_a_program_too(workspace: Memory, fire: Fire, name: str) -> None:
    done = fire(workspace.workspace.root, "UserPromptSubmit", BAD[name])
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("redirect", ["<&-", "<&- >&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_reason_either(workspace: Memory, tmp_path: Path, redirect: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f'"$@" {redirect}', "sh", *command("hipocampus-hook"), "SessionStart", "--host", "codex"],
        cwd=tmp_path, capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert " error: " not in log_of(workspace)


@pytest.mark.parametrize("sent", [b"", b'{"session_id": "s"}', b'{"session_id": '])
def test_stdin_that_stays_open_is_not_waited_for(workspace: Memory, sent: bytes) -> None:
    began = time.monotonic()
    with subprocess.Popen(
        [*command("hipocampus-hook"), "UserPromptSubmit"], cwd=workspace.workspace.root, stdin=subprocess.PIPE
    ) as process:
        assert process.stdin
        process.stdin.write(sent)
        process.stdin.flush()
        assert process.wait(timeout=20) == 0
        assert time.monotonic() - began < 3  # 1.5 s, and the start of a process on a busy machine


@pytest.mark.parametrize("arguments", [["NoSuchEvent"], ["--help"], [""], ["Stop", "--host"], ["Stop", "--host", "x"]])
def test_an_event_that_means_nothing_exits_0(tmp_path: Path, fire: Fire, arguments: list[str]) -> None:
    done = fire(tmp_path, arguments[0], b"{}", *arguments[1:])
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("arguments", [["hook"], ["hook", "Stop", "--host"], ["hook", "--nonsense", "x"]])
def test_the_command_exits_0_as_the_program_does(run: Callable[..., Ran], arguments: list[str]) -> None:
    assert run(*arguments).code == 0


def test_the_command_does_what_the_program_does(workspace: Memory, run: Callable[..., Ran], tmp_path: Path) -> None:
    workspace.workspace.root_node.write_text("## Active Context\n- the MARK\n", encoding="utf-8")
    done = run("-C", tmp_path, "hook", "SessionStart", "--host", "codex", stdin="{}", cwd=tmp_path.parent)
    assert "the MARK" in done.json["hookSpecificOutput"]["additionalContext"]


def test_a_fault_of_ours_is_one_line_on_stderr_and_in_the_log(
    workspace: Memory, event: Callable[..., Event], monkeypatch, capsys
) -> None:
    def fail(_event: Event) -> str:
        raise KeyError("sur\nprise")

    monkeypatch.setattr(session, "act", fail)
    assert hooks.handle("SessionStart", "codex", {}, str(workspace.workspace.root)) == ""
    assert capsys.readouterr().err.count("\n") == 1
    assert "codex SessionStart error: KeyError: 'sur\\nprise'\n" in log_of(workspace)


def test_ctrl_c_ends_a_hook_without_a_traceback(monkeypatch, capfd) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(hooks, "handle", interrupt)
    monkeypatch.setattr(sys, "stdin", None)
    hooks.run(["Stop"])
    assert capfd.readouterr() == ("", "hipocampus: KeyboardInterrupt:\n")


def test_a_hook_of_our_own_process_does_nothing(workspace: Memory, fire: Fire) -> None:
    done = fire(workspace.workspace.root, "SessionStart", b"{}", "--host", "codex", **{GUARD_VARIABLE: "1"})
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not (workspace.workspace.state / "hooks").exists()


def test_a_sub_agent_leaves_nothing_to_do(event: Callable[..., Event], calls: Calls, tmp_path: Path) -> None:
    payload = {"agent_id": "a1", "cwd": str(tmp_path), "session_id": "s"}
    assert [hooks.handle(name, "claude-code", payload, str(tmp_path)) for name in ("SessionStart", "Stop")] == ["", ""]
    assert calls.order == []


def test_a_memory_that_can_not_be_written_is_spoken_of(workspace: Memory, monkeypatch, capsys) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert hooks.handle("Stop", "codex", {}, str(workspace.workspace.root)) == ""
    assert "nothing is remembered" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["{", '{"timezone": "Mars/Base"}', '{"search": 5}'])
def test_broken_settings_are_spoken_of_and_the_hook_exits_0(workspace: Memory, fire: Fire, text: str) -> None:
    workspace.workspace.config.write_text(text, encoding="utf-8")
    done = fire(workspace.workspace.root, "Stop")
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (0, b"", 1)
    assert b"hipocampus.config.json" in done.stderr
    assert "claude-code Stop error: InvalidConfig: " in log_of(workspace)


def test_without_a_host_the_event_names_it() -> None:
    assert hooks._named(["Stop"]) == ("Stop", "claude-code")
    assert hooks._named(["session.idle"]) == ("session.idle", "opencode")
    assert hooks._named(["Stop", "--host", "codex"]) == ("Stop", "codex")
    assert hooks._named(["session.idle", "--host", "codex"]) == ("", "")


FOLDERS = ["", "a", "a/b", "a/b/c"]


@given(
    configs=st.sets(st.sampled_from(FOLDERS)),
    gits=st.dictionaries(st.sampled_from(FOLDERS), st.sampled_from(["folder", "worktree", "nonsense"])),
    start=st.sampled_from(FOLDERS),
)
@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_it_finds_the_workspace_that_everybody_else_finds(tmp_path_factory, configs, gits, start) -> None:
    top = tmp_path_factory.mktemp("trees")
    main = _main_checkout(top)
    for folder in FOLDERS:
        (top / "own" / folder).mkdir(parents=True, exist_ok=True)
    for folder in configs:
        (top / "own" / folder / layout.CONFIG_NAME).write_text("{}", encoding="utf-8")
    for folder, kind in gits.items():
        git = top / "own" / folder / ".git"
        _ = git.mkdir() if kind == "folder" else git.write_text(f"gitdir: {main}" if kind == "worktree" else "?")
    try:
        wanted = str(layout.find_workspace(top / "own" / start).root)
    except NoWorkspace:
        wanted = ""
    assert hooks.workspace_root(str(top / "own" / start)) == wanted


def _main_checkout(top: Path) -> Path:
    """A main checkout with a memory; returns what the `.git` of a worktree of it points to."""
    own = top / "main" / ".git" / "worktrees" / "own"
    own.mkdir(parents=True)
    (own / "commondir").write_text("../..\n", encoding="utf-8")
    (top / "main" / layout.CONFIG_NAME).write_text("{}", encoding="utf-8")
    return own


def test_the_folder_in_the_payload_decides(workspace: Memory, calls: Calls, tmp_path_factory, capsys) -> None:
    elsewhere, here = str(tmp_path_factory.mktemp("elsewhere")), str(workspace.workspace.root)
    hooks.handle("SessionStart", "codex", {"cwd": elsewhere}, here)
    assert calls.started == []
    hooks.handle("SessionStart", "codex", {"cwd": here}, elsewhere)
    assert len(calls.started) == 1
    assert "no hipocampus workspace" in capsys.readouterr().err


def test_a_rest_without_anything_new_is_idle(workspace: Memory, event, calls: Calls, transcript: Path) -> None:
    fired = event("Stop", session_id="s", transcript_path=str(transcript.with_name("gone")))
    workspace.compact()
    assert not hooks.is_idle(fired)  # nobody has asked the triggers yet
    root, log = str(workspace.workspace.root), "2026-03-15.md"
    quiet.note(root, time.time() + 60, log, quiet.looks(root, log))
    assert hooks.is_idle(fired)
    assert not hooks.is_idle(event("Stop", session_id="s", transcript_path=str(transcript)))
    assert not hooks.is_idle(event("Stop", session_id="s"))  # only the host knows where it keeps the session


def test_a_prompt_is_idle_where_search_is_off(workspace: Memory, event, monkeypatch) -> None:
    monkeypatch.setattr(os.path, "isdir", lambda _path: True)  # as if there were a room for recall
    assert not hooks.is_idle(event("UserPromptSubmit"))
    workspace.workspace.config.write_text(json.dumps({"search": {"enabled": False}}), encoding="utf-8")
    assert hooks.is_idle(event("UserPromptSubmit"))


def test_a_start_is_never_idle(event) -> None:
    assert not hooks.is_idle(event("SessionStart"))


def test_the_last_event_of_a_host_is_kept(workspace: Memory, fire: Fire) -> None:
    fire(workspace.workspace.root, "UserPromptSubmit", b"{}", "--host", "codex")
    assert (workspace.workspace.state / "hooks" / "codex").read_text("utf-8") == "UserPromptSubmit\n"
