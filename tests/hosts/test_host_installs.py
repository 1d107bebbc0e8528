"""What `init` writes for real hosts, and that nothing of it is left after `uninstall`."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from installs import machine

from hipocampus.hosts.edits import Hook
from hipocampus.hosts.host import Install, Machine
from hipocampus.hosts.registry import HOSTS
from hipocampus.layout import Workspace
from hipocampus.setup import hook_log, init, uninstall
from hipocampus.setup.edits.commands import quoted
from hipocampus.setup.init import Choice

SETTINGS = '{\n\t// mine\n\t"model": "x/y",\n}\n'
BEFORE = {
    ".claude/settings.json": '{"hooks": {"PreCompact": [{"hooks": [{"type": "command", "command": "say bye"}]}]}}',
    ".codex/hooks.json": '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done","timeout":5}]}]}}\n',
    "opencode.jsonc": SETTINGS,
    "CLAUDE.md": "# Mine\r\n\r\nBe brief.\r\n",
    "AGENTS.md": "Run the tests",
    ".agents/skills/mine/SKILL.md": "---\nname: mine\n---\n",
    ".opencode/plugin/mine.js": "export default {}\n",
}


@pytest.fixture
def here(tmp_path: Path) -> Machine:
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "hipocampus-hook").write_text("#!/bin/sh\n")
    (programs / "hipocampus-hook").chmod(0o755)
    return machine(tmp_path / "home", PATH=str(programs))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project whose three agents have settings of their own."""
    for name, text in BEFORE.items():
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return tmp_path / "project"


def files_in(project: Path) -> dict[str, bytes]:
    return {
        path.relative_to(project).as_posix(): path.read_bytes()
        for path in project.rglob("*")
        if path.is_file() and ".hipocampus" not in path.parts
    }


def set_up(project: Path, here: Machine, *names: str, is_stealth: bool = False) -> None:
    init.apply(init.plan(project, Choice(platforms=names, is_stealth=is_stealth), hosts=HOSTS, machine=here))


def take_out(project: Path, here: Machine, *names: str) -> None:
    uninstall.apply(uninstall.plan(Workspace(project), names, hosts=HOSTS, machine=here, purge=not names))


def test_hooks_of_others_stay_beside_ours(project: Path, here: Machine):
    set_up(project, here, *HOSTS)
    claude = json.loads((project / ".claude/settings.json").read_text())["hooks"]
    codex = json.loads((project / ".codex/hooks.json").read_text())["hooks"]
    assert [group["hooks"][0]["command"] for group in claude["PreCompact"]] == [
        "say bye",
        "hipocampus-hook PreCompact --host claude-code || exit 0",
    ]
    assert codex["Stop"][0]["hooks"][0] == {"type": "command", "command": "say done", "timeout": 5}
    assert codex["SessionStart"][0]["hooks"][0]["additionalContextLimit"] == 5000


def test_opencode_settings_with_comments_are_edited_in_place(project: Path, here: Machine):
    set_up(project, here, "opencode")
    text = (project / "opencode.jsonc").read_text()
    assert text.startswith('{\n\t// mine\n\t"model": "x/y",\n')
    assert '"memory/ROOT.md"' in text
    assert "$schema" not in text
    assert not (project / "opencode.json").exists()


def test_what_init_wrote_uninstall_takes_out_to_the_byte(project: Path, here: Machine):
    before = files_in(project)
    set_up(project, here, *HOSTS)
    assert files_in(project) != before
    take_out(project, here)
    assert files_in(project) == before


def test_an_empty_project_is_empty_again(tmp_path: Path, here: Machine):
    project = tmp_path / "project"
    project.mkdir()
    set_up(project, here, *HOSTS)
    assert json.loads((project / "opencode.json").read_text())["$schema"] == "https://opencode.ai/config.json"
    take_out(project, here)
    assert list(project.iterdir()) == []


def test_a_schema_that_the_host_wrote_into_our_file_does_not_keep_it(tmp_path: Path, here: Machine):
    project = tmp_path / "project"
    project.mkdir()
    set_up(project, here, "opencode")
    written = json.loads((project / "opencode.json").read_text())
    (project / "opencode.json").write_text(json.dumps(written, indent=4))
    take_out(project, here)
    assert list(project.iterdir()) == []


def test_one_host_goes_and_the_others_keep_what_they_share(project: Path, here: Machine):
    set_up(project, here, *HOSTS)
    take_out(project, here, "codex")
    assert (project / ".codex/hooks.json").read_bytes() == BEFORE[".codex/hooks.json"].encode()
    assert "hipocampus:start" in (project / "AGENTS.md").read_text()
    assert (project / ".agents/skills/hipocampus-core/SKILL.md").exists()
    take_out(project, here, "opencode")
    assert (project / "AGENTS.md").read_text() == BEFORE["AGENTS.md"]
    assert {path.name for path in (project / ".agents/skills").iterdir()} == {"mine"}
    assert (project / ".claude/skills/hipocampus-core/SKILL.md").exists()


@pytest.mark.parametrize("names", [(name,) for name in HOSTS] + [tuple(HOSTS)])
def test_running_init_again_changes_nothing(project: Path, here: Machine, names: tuple[str, ...]):
    (project / "AGENTS.md").unlink()
    set_up(project, here, *names)
    before = files_in(project)
    assert init.plan(project, hosts=HOSTS, machine=here).changes == []
    set_up(project, here, *names)
    assert files_in(project) == before


def test_an_agents_md_alone_is_still_read_by_claude_code(tmp_path: Path, here: Machine):
    project = tmp_path / "project"
    project.mkdir()
    (project / "AGENTS.md").write_text("Run the tests.\n")
    set_up(project, here, "claude-code")
    assert "\n@AGENTS.md\n" in (project / "CLAUDE.md").read_text()
    set_up(project, here, "codex")
    assert "\n@AGENTS.md\n" in (project / "CLAUDE.md").read_text()
    take_out(project, here)
    assert files_in(project) == {"AGENTS.md": b"Run the tests.\n"}


def _handlers(project: Path) -> list[dict[str, object]]:
    """Every hook that stands in the settings of Claude Code and Codex."""
    texts = [(project / name).read_text("utf-8") for name in (".claude/settings.json", ".codex/hooks.json")]
    groups = [group for text in texts for event in json.loads(text)["hooks"].values() for group in event]
    return [handler for group in groups for handler in group["hooks"]]


def test_every_timeout_that_is_written_is_one_of_seconds(tmp_path: Path, here: Machine):
    set_up(tmp_path, here, *HOSTS)
    timeouts = [handler["timeout"] for handler in _handlers(tmp_path)]
    assert len(timeouts) == 10
    assert all(isinstance(seconds, int) and 1 <= seconds <= 60 for seconds in timeouts)


@pytest.mark.parametrize("folder", ["my repo (1)", "it's & that"])
def test_a_shell_reaches_our_program_from_every_command_whatever_the_folders_are_called(tmp_path: Path, folder: str):
    project, environment = tmp_path / folder, tmp_path / f"User Name {folder}"
    project.mkdir()
    (environment / "bin").mkdir(parents=True)
    shutil.copy(Path(sys.executable).with_name("hipocampus-hook"), environment / "bin")
    (environment / "bin" / "python3").symlink_to(sys.executable)
    shutil.copy(Path(sys.prefix) / "pyvenv.cfg", environment)
    (environment / "lib").symlink_to(Path(sys.prefix) / "lib")
    install = Install(
        project, quoted(str(environment / "bin" / "hipocampus-hook"), "linux"), is_shared=True, is_stealth=False,
        hosts=tuple(HOSTS),
    )  # fmt: skip
    set_up(project, machine(tmp_path), *HOSTS)
    state = str(project / "memory" / ".hipocampus")
    for host in ("claude-code", "codex"):
        for edit in (edit for edit in HOSTS[host].edits(install) if isinstance(edit, Hook)):
            command = ["sh", "-c", str(edit.handler["command"])]
            done = subprocess.run(command, cwd=project, input=b"{}", capture_output=True, check=False)
            assert (done.returncode, done.stderr) == (0, b"")
            assert hook_log.last_run(state, host)[0] == edit.event  # type: ignore[index]
