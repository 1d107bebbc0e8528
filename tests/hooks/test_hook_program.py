"""The program on PATH: it finds its Python, calls no other program, and may be killed at any moment."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hooking import Fire, processes_of, until
from support import command

from hipocampus.memory import Memory

SCRIPT = Path(__file__).parents[2] / "scripts" / "hipocampus-hook"
SAY_WHO = '#!/bin/sh\necho "$0" "$@"\n'


@pytest.fixture
def environment(tmp_path: Path) -> Path:
    """A folder of programs like that of a virtual environment, with a space in its path, that say who was called."""
    programs = tmp_path / "Application Support" / "bin"
    programs.mkdir(parents=True)
    (programs / "hipocampus-hook").write_bytes(SCRIPT.read_bytes())
    for name in ("python3", "hipocampus"):
        (programs / name).write_text(SAY_WHO, encoding="utf-8")
    for path in programs.iterdir():
        path.chmod(0o755)
    return programs


def _called(program: Path, *arguments: str) -> str:
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout


def test_it_starts_the_python_beside_it(environment: Path) -> None:
    (environment.parent / "pyvenv.cfg").touch()
    said = _called(environment / "hipocampus-hook", "Stop", "--host", "codex")
    assert said.startswith(f"{environment}/python3 -P -c ")
    assert said.endswith("main() Stop --host codex\n")


def test_a_link_to_it_starts_the_same(environment: Path, tmp_path: Path) -> None:
    (environment.parent / "pyvenv.cfg").touch()
    (tmp_path / "linked").symlink_to(environment / "hipocampus-hook")
    assert _called(tmp_path / "linked", "Stop").startswith(f"{environment}/python3 ")


def test_outside_of_a_virtual_environment_the_command_is_asked(environment: Path) -> None:
    assert _called(environment / "hipocampus-hook", "Stop") == f"{environment}/hipocampus hook Stop\n"


def test_where_there_are_no_scripts_the_module_is_the_program(workspace: Memory, tmp_path: Path) -> None:
    module = [sys.executable, "-P", "-m", "hipocampus.hooks", "UserPromptSubmit", "--host", "codex"]
    done = subprocess.run(module, cwd=tmp_path, input=b"{}", capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (workspace.workspace.state / "hooks" / "codex").exists()


def test_no_hook_calls_a_package_manager(workspace: Memory, fire: Fire, tmp_path: Path) -> None:
    """R98: not even in the process that it leaves behind."""
    programs, log = tmp_path / "stubs", tmp_path / "called"
    programs.mkdir()
    for name in ("pip", "pip3", "pipx", "uv", "uvx", "npm", "npx", "bunx", "curl"):
        (programs / name).write_text(f'#!/bin/sh\necho "$0" >> "{log}"\n', encoding="utf-8")
        (programs / name).chmod(0o755)
    env = {
        "PATH": f"{programs}:{os.environ['PATH']}",
        "PIP_INDEX_URL": "http://127.0.0.1:9",
        "http_proxy": "127.0.0.1:9",
    }
    for event in ("SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"):
        assert fire(tmp_path, event, b"{}", **env).returncode == 0
    assert until(lambda: not processes_of(tmp_path))
    assert not log.exists()


def test_a_hook_that_is_killed_is_made_up_for_by_the_next(
    workspace: Memory, fire: Fire, fence: Path, tmp_path: Path
) -> None:
    said = fence / "s1.jsonl"
    payload = json.dumps({"session_id": "s1", "transcript_path": str(said), "cwd": str(tmp_path)}).encode()
    for number in range(8):
        row = {"type": "user", "uuid": f"u{number}", "sessionId": "s1", "timestamp": "2026-03-15T01:00:00Z"}
        with said.open("a", encoding="utf-8") as file:
            file.write(json.dumps({**row, "message": {"role": "user", "content": f"MARK-{number}"}}) + "\n")
        _fired_and_killed(tmp_path, payload, after=0.05 + 0.04 * number)
    assert fire(tmp_path, "SessionEnd", payload).returncode == 0
    logs = "".join(path.read_text("utf-8") for path in workspace.workspace.memory.glob("2*.md"))
    assert [logs.count(f"MARK-{number}") for number in range(8)] == [1] * 8
    assert logs.count("## Session s1") == 1


def _fired_and_killed(folder: Path, payload: bytes, *, after: float) -> None:
    with subprocess.Popen(
        [*command("hipocampus-hook"), "Stop"], cwd=folder, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdin
        process.stdin.write(payload)
        process.stdin.close()
        time.sleep(after)
        process.send_signal(signal.SIGKILL)
