"""Cases 24, 78, 79, 82: `init` adds to the files of agents and loses nothing of theirs."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from setup_support import Invoke, files_of
from support import CASES

from hipocampus.setup.edits import jsonc

ALL = ("--platform", "claude-code", "--platform", "codex", "--platform", "opencode")


def _settings(folder: Path) -> Path:
    return folder / ".claude" / "settings.json"


def _commands(path: Path, event: str) -> list[str]:
    hooks: Any = jsonc.parse(path.read_text(encoding="utf-8"), path.name).plain["hooks"]
    return [handler["command"] for group in hooks[event] for handler in group["hooks"]]


def test_all_agents_in_use_are_set_up_at_once(tmp_path: Path, invoke: Invoke) -> None:
    (tmp_path / "CLAUDE.md").write_text("# Rules\n", encoding="utf-8")
    (tmp_path / ".codex").mkdir()
    found = invoke("init", "--json").json
    assert found["hosts"] == ["claude-code", "codex"]
    assert json.loads((tmp_path / "hipocampus.config.json").read_text())["platform"] == ["claude-code", "codex"]
    assert {".claude/settings.json", ".codex/hooks.json", "AGENTS.md"} <= {*found["made"]}


def test_a_named_agent_is_taken_alone_and_later_ones_add_up(tmp_path: Path, invoke: Invoke) -> None:
    (tmp_path / ".codex").mkdir()
    done = invoke("init", "--platform", "claude-code")
    assert not (tmp_path / ".codex" / "hooks.json").exists()
    assert "Codex is in use here too: `hipocampus init --platform codex` sets it up" in done.err
    assert invoke("init", "--platform", "codex", "--json").json["hosts"] == ["claude-code", "codex"]
    assert invoke("init", "--json").json["made"] == []


def test_a_name_in_the_settings_that_we_do_not_know_stays(tmp_path: Path, invoke: Invoke) -> None:
    (tmp_path / "hipocampus.config.json").write_text('{"platform": "openclaw", "x": 1}', encoding="utf-8")
    assert invoke("init", "--platform", "codex").code == 0
    assert json.loads((tmp_path / "hipocampus.config.json").read_text()) == {"platform": ["openclaw", "codex"], "x": 1}


def test_an_unknown_agent_is_a_usage_error_and_makes_nothing(tmp_path: Path, invoke: Invoke) -> None:
    for arguments in (("--platform", "clippy"), ("--platform",), ("--platform", "../x"), ("--platform", "")):
        assert invoke("init", *arguments).code == 2
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def merged(tmp_path: Path) -> Path:
    shutil.copytree(CASES / "78-settings-merge" / "repo", tmp_path, dirs_exist_ok=True)
    return tmp_path


def test_hooks_stand_beside_those_of_others_and_nothing_else_changes(merged: Path, invoke: Invoke) -> None:
    before = json.loads(_settings(merged).read_text())
    invoke("init")
    after = json.loads(_settings(merged).read_text())
    assert list(after) == list(before)
    assert {**after, "hooks": before["hooks"]} == before
    assert _commands(_settings(merged), "PreCompact")[0] == "./tools/backup.sh"
    assert "/opt/hipocampus-lookalike/run.sh" in _commands(_settings(merged), "SessionStart")
    assert '\n                "matcher": "startup|compact",\n' in _settings(merged).read_text()


def test_a_second_init_changes_no_byte(merged: Path, invoke: Invoke) -> None:
    invoke("init", *ALL, "--today", "2026-03-15")
    before = files_of(merged)
    done = invoke("init", "--today", "2026-03-15")
    assert (done.code, done.out, files_of(merged) == before) == (0, "", True)


def test_there_is_a_backup_of_each_file_that_was_there(merged: Path, invoke: Invoke) -> None:
    before = _settings(merged).read_bytes()
    invoke("init")
    assert before in [path.read_bytes() for path in (merged / "memory" / ".hipocampus" / "backups").iterdir()]


def test_a_hook_of_somebody_else_in_our_group_stays_when_ours_goes(merged: Path, invoke: Invoke) -> None:
    before = json.loads(_settings(merged).read_text())
    invoke("init")
    text = _settings(merged).read_text()
    ours = json.dumps(_commands(_settings(merged), "Stop")[0])
    mine = '"type": "command", "command": "./mine.sh"},\n {"type": "command", "command": ' + ours
    _settings(merged).write_text(text.replace('"type": "command",\n                        "command": ' + ours, mine))
    assert _commands(_settings(merged), "Stop")[0] == "./mine.sh"
    assert invoke("uninstall").code == 0
    after = json.loads(_settings(merged).read_text())
    assert after["hooks"].pop("Stop") == [{"hooks": [{"type": "command", "command": "./mine.sh"}]}]
    assert after == before


@pytest.mark.parametrize("name", ["a-comments", "b-trailing", "c-bom", "e-empty"])
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_comments_commas_and_marks_survive_both_ways(tmp_path: Path, invoke: Invoke, name: str, newline: bytes) -> None:
    before = (CASES / "79-settings-jsonc" / f"{name}.json").read_bytes().replace(b"\n", newline)
    _settings(tmp_path).parent.mkdir()
    _settings(tmp_path).write_bytes(before)
    assert invoke("init").code == 0
    after = _settings(tmp_path).read_bytes()
    assert len(_commands(_settings(tmp_path), "Stop")) == 1
    assert (b"// team rules" in after, after[:3], b"\r\n" in after) == (
        b"// team rules" in before, after[:3] if not before else before[:3], b"\r\n" in before
    )  # fmt: skip
    invoke("uninstall")
    assert _settings(tmp_path).read_bytes() == before


@pytest.mark.parametrize(
    "text", ['{\n  "model": "opus",\n  "hooks": {\n', "[]\n", '{"hooks": []}', '{"hooks": {"Stop": {}}}']
)
def test_a_file_of_another_shape_is_left_alone_and_named(tmp_path: Path, invoke: Invoke, text: str) -> None:
    _settings(tmp_path).parent.mkdir()
    _settings(tmp_path).write_text(text)
    done = invoke("init")
    assert (done.code, ".claude/settings.json" in done.err, "add this yourself" in done.err) == (4, True, True)
    assert {*files_of(tmp_path)} == {".claude/settings.json"}
    assert _settings(tmp_path).read_text() == text


def test_a_jsonc_file_is_edited_in_place_and_gets_no_twin(tmp_path: Path, invoke: Invoke) -> None:
    path = tmp_path / "opencode.jsonc"
    shutil.copy(CASES / "79-settings-jsonc" / "opencode.jsonc", path)
    before = path.read_bytes()
    invoke("init", "--platform", "opencode")
    assert jsonc.parse(path.read_text(), "x").plain["instructions"] == ["memory/ROOT.md", "WORKING.md"]
    assert not (tmp_path / "opencode.json").exists()
    invoke("uninstall")
    assert path.read_bytes() == before


def test_codex_keeps_its_hooks_in_the_object_that_it_reads(tmp_path: Path, invoke: Invoke) -> None:
    shutil.copytree(CASES / "24-codex-hooks" / "repo", tmp_path, dirs_exist_ok=True)
    path = tmp_path / ".codex" / "hooks.json"
    before = path.read_bytes()
    invoke("init")
    assert [len(_commands(path, event)) for event in ("SessionStart", "Stop")] == [2, 2]
    assert _commands(path, "Stop")[0] == "./tools/stop.sh"
    invoke("uninstall")
    assert path.read_bytes() == before


def test_hooks_in_toml_go_in_and_out(tmp_path: Path, invoke: Invoke) -> None:
    path = tmp_path / ".codex" / "config.toml"
    path.parent.mkdir()
    before = '# mine\nmodel = "x"\n\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "./mine.sh"\n'
    path.write_text(before)
    invoke("init")
    assert path.read_text().count("hipocampus-hook") == 2
    invoke("uninstall")
    assert path.read_text() == before


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_three_runs_make_one_block_and_keep_what_people_write_between_them(
    tmp_path: Path, invoke: Invoke, newline: str
) -> None:
    case, path = CASES / "82-init-idempotent", tmp_path / "CLAUDE.md"
    path.write_bytes((case / "repo" / "CLAUDE.md").read_text().replace("\n", newline).encode())
    invoke("init")
    with path.open("ab") as file:
        file.write((case / "edit.txt").read_text().replace("\n", newline).encode())
    invoke("init", "--platform", "opencode")
    invoke("init")
    text = path.read_bytes().decode()
    assert text.count("hipocampus:start") == 1
    assert all(f"KEEP-{where}" in text for where in ("TOP", "MID", "BOTTOM"))
    assert "\n" not in text.replace(newline, "")


def test_a_start_line_without_an_end_is_mended_and_costs_no_word(tmp_path: Path, invoke: Invoke) -> None:
    path = tmp_path / "CLAUDE.md"
    shutil.copy(CASES / "82-init-idempotent" / "broken-start-only.md", path)
    before = path.read_bytes()
    done = invoke("init")
    assert "CLAUDE.md: a marker line had lost its other half" in done.err
    assert all(line in path.read_text() for line in ("# P\n", "old text\nKEEP-AFTER", "\n@memory/ROOT.md\n"))
    assert "protocol:start" not in path.read_text()
    assert before in [kept.read_bytes() for kept in (tmp_path / "memory" / ".hipocampus" / "backups").iterdir()]
    assert invoke("init").out == ""


def test_a_name_in_prose_is_no_import(tmp_path: Path, invoke: Invoke) -> None:
    shutil.copy(CASES / "82-init-idempotent" / "mention.md", tmp_path / "CLAUDE.md")
    invoke("init")
    lines = (tmp_path / "CLAUDE.md").read_text().splitlines()
    assert {"@memory/ROOT.md", "@SCRATCHPAD.md", "Never edit `@SCRATCHPAD.md` by hand. KEEP-M"} <= {*lines}


def test_a_foreign_file_in_the_place_of_ours_stays_and_is_named(tmp_path: Path, invoke: Invoke) -> None:
    plugin = tmp_path / ".opencode" / "plugin" / "hipocampus.js"
    plugin.parent.mkdir(parents=True)
    plugin.write_text("// mine\n", encoding="utf-8")
    assert "hipocampus.js is not as we wrote it" in invoke("init", "--platform", "opencode").err
    invoke("uninstall")
    assert plugin.read_text() == "// mine\n"


def test_a_link_that_leads_out_of_the_project_is_not_followed(tmp_path: Path, invoke: Invoke) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    outside.mkdir()
    (tmp_path / ".claude").symlink_to(outside)
    done = invoke("init")
    assert (done.code, "leads out of the project" in done.err, list(outside.iterdir())) == (0, True, [])


def test_a_dry_run_names_the_files_of_agents_and_makes_none(tmp_path: Path, invoke: Invoke) -> None:
    done = invoke("init", *ALL, "--dry-run")
    assert (done.code, "would make .codex/hooks.json\n" in done.out, list(tmp_path.iterdir())) == (0, True, [])


KILLED = """
import os, sys
from hipocampus import files
from hipocampus.hosts import registry
sys.path[:0] = sys.argv[2:]
from conftest import Claude, Codex
registry.HOSTS = {host.name: host for host in (Claude(), Codex())}
left, write = int(sys.argv[1]), files.write_atomic
def counted(*args, **kwargs):
    global left
    left -= 1
    if left < 0:
        os._exit(137)
    write(*args, **kwargs)
files.write_atomic = counted
from hipocampus.cli import main
main.run(["init", "--platform", "claude-code", "--platform", "codex"])
"""


def test_whatever_write_is_the_last_before_a_kill_the_next_run_completes_it(
    tmp_path: Path, merged: Path, invoke: Invoke, commit: Callable[[], None], git: Callable[..., str]
) -> None:
    commit()
    tests = Path(__file__).parent
    for writes in range(0, 14, 2):
        killed = subprocess.run(
            [sys.executable, "-c", KILLED, str(writes), str(tests), str(tests.parent)],
            cwd=tmp_path, check=False, capture_output=True,
        )  # fmt: skip
        assert killed.returncode == 137
        assert invoke("init", "--platform", "claude-code", "--platform", "codex").code == 0
        assert (
            len(_commands(_settings(tmp_path), "Stop")) == len(_commands(tmp_path / ".codex/hooks.json", "Stop")) == 1
        )
        assert invoke("uninstall", "--purge", "--yes").code == 0
        assert git("status", "--porcelain", "--ignored") == ""


@pytest.mark.parametrize("payload", (CASES / "91-path-traversal" / "payloads.txt").read_text("utf-8").split("\n")[:-1])
def test_no_name_of_an_agent_leads_out_of_the_project(tmp_path: Path, invoke: Invoke, payload: str) -> None:
    invoke("init")
    before = files_of(tmp_path)
    for command in ("init", "uninstall"):
        assert invoke(command, f"--platform={payload}").code == 2
    assert files_of(tmp_path) == before


def test_no_package_manager_and_no_network_is_needed(tmp_path: Path, run: Callable[..., Any], on_path: Path) -> None:
    for name in ("pip", "uv", "uvx", "pipx", "npm", "npx", "curl"):
        program = on_path.with_name(name)
        program.write_text(f"#!/bin/sh\ntouch '{tmp_path}/called-{name}'\n", encoding="utf-8")
        program.chmod(0o755)
    env = {"PIP_INDEX_URL": "http://127.0.0.1:9/", "https_proxy": "http://127.0.0.1:9/"}
    for arguments in (("init",), ("update",), ("uninstall", "--purge", "--yes")):
        assert run(*arguments, env=env).code == 0
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_utf_16_is_left_alone_and_named(tmp_path: Path, invoke: Invoke) -> None:
    (tmp_path / "CLAUDE.md").write_bytes("# Rules\n".encode("utf-16"))
    done = invoke("init")
    assert (done.code, "CLAUDE.md is UTF-16" in done.err) == (4, True)
    assert {*files_of(tmp_path)} == {"CLAUDE.md"}
