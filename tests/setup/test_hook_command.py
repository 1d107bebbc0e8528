"""Case 21, row R22: how the hook is started, and which commands are taken for ours."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from setup_support import Invoke

from hipocampus.hosts.host import Machine
from hipocampus.setup import joined
from hipocampus.setup.edits.commands import is_ours, quoted


@pytest.mark.parametrize("folder", ["User Name", "my repo (1)", "it's & that", "a$b`c", 'q"uote', "plain"])
def test_a_shell_starts_a_program_in_any_folder(tmp_path: Path, folder: str) -> None:
    program = tmp_path / folder / "hipocampus-hook"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho reached\n", encoding="utf-8")
    program.chmod(0o755)
    command = f"{quoted(str(program), 'linux')} Stop --host codex || exit 0"
    assert subprocess.run(["sh", "-c", command], capture_output=True, check=False).stdout == b"reached\n"
    assert is_ours(command)


def test_windows_gets_double_quotes_and_never_single_ones() -> None:
    assert quoted(r"C:\Users\A B\x.exe", "win32") == r'"C:\Users\A B\x.exe"'
    assert "'" not in quoted(r"C:\x.exe", "win32")


def test_a_program_that_every_shell_finds_needs_no_path(tmp_path: Path, on_path: Path) -> None:
    machine = Machine(tmp_path, {"PATH": str(on_path.parent)}, "linux")
    found = joined.install_of(tmp_path, machine, (), is_stealth=False)
    assert (found.hook, found.is_shared) == ("hipocampus-hook", True)


@pytest.mark.parametrize("active", ["", "VIRTUAL_ENV"])
def test_else_its_path_is_quoted_and_only_for_this_machine(tmp_path: Path, on_path: Path, active: str) -> None:
    environ = {"PATH": str(on_path.parent), active: str(on_path.parent)} if active else {"PATH": ""}
    found = joined.install_of(tmp_path, Machine(tmp_path, environ, "linux"), (), is_stealth=False)
    assert Path(shlex.split(found.hook)[0]).parent == Path(sys.executable).parent
    assert (found.is_shared, is_ours(f"{found.hook} Stop")) == (False, True)


def test_a_path_of_this_machine_stays_out_of_shared_files(tmp_path: Path, invoke: Invoke) -> None:
    invoke("init", "--platform", "claude-code", env={"PATH": "/usr/bin:/bin"})
    assert not (tmp_path / ".claude" / "settings.json").exists()
    assert "hipocampus-hook" in (tmp_path / ".claude" / "settings.local.json").read_text()
    invoke("init")
    assert not (tmp_path / ".claude" / "settings.local.json").exists()
    assert "hipocampus-hook" in (tmp_path / ".claude" / "settings.json").read_text()


@pytest.mark.parametrize(
    "command",
    [
        "hipocampus-hook Stop --host claude-code || exit 0",
        "command -v hipocampus-hook >/dev/null 2>&1 && hipocampus-hook Stop",
        "if command -v hipocampus-hook >/dev/null; then hipocampus-hook Stop; fi",
        "'/opt/my venv/bin/hipocampus-hook' Stop",
        r'"C:\Program Files\x\hipocampus-hook.exe" Stop',
        "A=1 exec /usr/bin/hipocampus-hook Stop",
        "/opt/python -P -m hipocampus.hooks Stop",
        "npx hipocampus compact --stdin",
        "npx -y hipocampus@0.5.3 compact --stdin",
        "hipocampus compact --stdin",
        'node "/usr/lib/node_modules/hipocampus/cli/compact.mjs" --stdin',
    ],
)
def test_a_command_that_starts_our_hook_is_ours(command: str) -> None:
    assert is_ours(command)


@pytest.mark.parametrize(
    "command",
    [
        "/opt/hipocampus-lookalike/run.sh",
        "/opt/hipocampus-hook/run.sh",
        "echo hipocampus-hook",
        "./notify.sh 'hipocampus-hook Stop'",
        "hipocampus-hook Stop; ./mine.sh",
        "hipocampus search x",
        "my-hipocampus-hook",
        "npx other hipocampus",
        "",
        None,
        7,
    ],
)
def test_a_command_that_only_names_us_is_not_ours(command: object) -> None:
    assert not is_ours(command)
