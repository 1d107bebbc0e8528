"""`update`: ours as this version writes it, and a folder of the JavaScript hipocampus 0.5 taken over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import SKILL
from setup_support import Invoke

OLD_SETTINGS = {
    "hooks": {
        "PreCompact": [
            {
                "matcher": "",
                "hooks": [{"type": "command", "command": "npx hipocampus compact --stdin", "timeout": 30000}],
            },
            {"hooks": [{"type": "command", "command": "./mine.sh"}]},
        ],
        "TaskCompleted": [{"hooks": [{"type": "command", "command": "hipocampus compact", "timeout": 30000}]}],
    }
}
OLD_BLOCK = "# P\n<!-- hipocampus:protocol:start -->\nold words\n<!-- hipocampus:protocol:end -->\nKEEP\n"
OLD_CONFIG = {"platform": "claude-code", "domains": {"a": 1}, "search": {"vector": False, "embedModel": "qwen3"}}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    (tmp_path / ".claude" / "skills" / "hipocampus-core").mkdir(parents=True)
    (tmp_path / ".claude" / "settings.json").write_text(json.dumps(OLD_SETTINGS, indent=2), encoding="utf-8")
    (tmp_path / ".claude" / "skills" / "hipocampus-core" / "SKILL.md").write_text(
        "---\nname: hipocampus-core\n---\nold\n"
    )
    (tmp_path / "CLAUDE.md").write_text(OLD_BLOCK, encoding="utf-8")
    (tmp_path / "hipocampus.config.json").write_text(json.dumps(OLD_CONFIG), encoding="utf-8")
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "2026-03-14.md").write_text("## Old\n- MARKER fact\n", encoding="utf-8")
    return tmp_path


def test_the_old_hooks_give_way_to_ours_and_a_foreign_one_stays(old: Path, invoke: Invoke) -> None:
    assert invoke("update").code == 0
    hooks = json.loads((old / ".claude" / "settings.json").read_text())["hooks"]
    assert {*hooks} == {"PreCompact", "SessionStart", "Stop"}
    commands = [handler["command"] for group in hooks["PreCompact"] for handler in group["hooks"]]
    assert (commands[0], commands[1].split()[0], len(commands)) == ("./mine.sh", "hipocampus-hook", 2)


def test_the_old_block_and_skill_are_replaced_and_what_surrounds_them_stays(old: Path, invoke: Invoke) -> None:
    invoke("update")
    text = (old / "CLAUDE.md").read_text()
    assert (text[:4], text[-5:], text.count("hipocampus:start"), "old words" in text) == ("# P\n", "KEEP\n", 1, False)
    assert (old / ".claude" / "skills" / "hipocampus-core" / "SKILL.md").read_text() == SKILL


def test_settings_and_memory_of_the_old_tool_are_kept(old: Path, invoke: Invoke) -> None:
    invoke("update", "--today", "2026-03-15")
    assert json.loads((old / "hipocampus.config.json").read_text()) == OLD_CONFIG
    assert "MARKER" in (old / "memory" / "ROOT.md").read_text()


def test_the_list_that_the_old_tool_wrote_for_codex_becomes_the_object_that_codex_reads(
    tmp_path: Path, invoke: Invoke
) -> None:
    path = tmp_path / ".codex" / "hooks.json"
    path.parent.mkdir()
    path.write_text('[{"event": "session_start", "command": "npx hipocampus compact", "timeout": 5000}]\n')
    assert invoke("init").code == 0
    assert {*json.loads(path.read_text())["hooks"]} == {"SessionStart", "Stop"}


def test_a_stale_command_is_replaced_and_not_doubled(tmp_path: Path, invoke: Invoke) -> None:
    invoke("init", "--platform", "claude-code")
    path = tmp_path / ".claude" / "settings.json"
    before = path.read_text()
    path.write_text(before.replace("hipocampus-hook Stop --host x", "/old/venv/bin/hipocampus-hook Stop"))
    assert invoke("update").out == "made .claude/settings.json\n"
    assert json.loads(path.read_text()) == json.loads(before)


def test_outside_of_a_workspace_there_is_nothing_to_update(tmp_path: Path, invoke: Invoke) -> None:
    assert invoke("update").code == 3
    assert list(tmp_path.iterdir()) == []


def test_a_dry_run_changes_nothing(old: Path, invoke: Invoke) -> None:
    before = (old / ".claude" / "settings.json").read_bytes()
    assert "would make CLAUDE.md\n" in invoke("update", "--dry-run").out
    assert (old / ".claude" / "settings.json").read_bytes() == before
