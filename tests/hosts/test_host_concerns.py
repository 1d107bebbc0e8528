"""What keeps hooks from running although they are in place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from installs import edits, hooks, install, machine

from hipocampus.hosts import codex_trust
from hipocampus.hosts.moments import CODEX
from hipocampus.hosts.registry import HOSTS

# As the app server of Codex 0.171 gave them for these very hooks (method hooks/list).
REAL_HASHES = {
    "SessionStart": "sha256:c9e5db0a0bc170b59231f344600ca6c213ff4be97e1a6a1c16ddd5ce156862a0",
    "UserPromptSubmit": "sha256:56c87894ed1d452db467891b82016bad9f3a770146908830e63a9dd901e8f406",
    "Stop": "sha256:8258038f70e1c94b3eb12fb38bb953d72c644bdfc21451a5f9457a3ba4a4d626",
    "PreCompact": "sha256:a62e8133527dde468b1525969c0d6a63165bda2bb2b05fa654a1410a60c20a5d",
    "SessionEnd": "sha256:bcb09455107bd34cdcaf782525cbee9019ca873f30be6dbb2de3953c2e6b4c5a",
}
REAL_TIMEOUTS = {"SessionStart": 10, "UserPromptSubmit": 5, "Stop": 20, "PreCompact": 20, "SessionEnd": 3}


def texts(name: str, project: Path, home: Path, **environ: str) -> list[str]:
    found = list(HOSTS[name].concerns(install(project, name), machine(home, **environ)))
    assert all(concern.hint for concern in found)
    return [concern.text for concern in found]


@pytest.fixture
def codex(tmp_path: Path) -> Path:
    """A trusted project with our hooks, none of them approved; the person's home beside it."""
    project, home = tmp_path / "project", tmp_path / "home"
    (project / ".codex").mkdir(parents=True)
    (home / ".codex").mkdir(parents=True)
    groups: dict[str, list[object]] = {}
    for event, hook in hooks(edits(install(project, "codex"))).items():
        matcher = {"matcher": hook.matcher} if hook.matcher else {}
        groups[event] = [{"hooks": [{"type": "command", "command": "say hi"}]}, {**matcher, "hooks": [hook.handler]}]
    (project / ".codex/hooks.json").write_text(json.dumps({"hooks": groups}))
    (home / ".codex/config.toml").write_text(f'[projects."{project}"]\ntrust_level = "trusted"\n')
    return project


def approve(project: Path, home: Path, *, hashes: dict[str, str] | None = None) -> None:
    config = home / ".codex/config.toml"
    lines = [config.read_text()]
    for event, place, digest in codex_trust._our_hooks(project / ".codex/hooks.json"):
        wanted = (hashes or {}).get(event, digest)
        lines += [f'[hooks.state."{project}/.codex/hooks.json:{place}"]', f'trusted_hash = "{wanted}"']
    config.write_text("\n".join(lines))


@pytest.mark.parametrize("event", CODEX)
def test_the_hash_of_a_hook_is_the_one_that_codex_computes(event: str):
    command = f"hipocampus-hook {event} --host codex || exit 0"
    handler = {"type": "command", "command": command, "timeout": REAL_TIMEOUTS[event]}
    limit = {"additionalContextLimit": 4000} if event == "SessionStart" else {}
    matcher = "startup|resume|clear|compact" if event == "SessionStart" else None
    assert codex_trust.trusted_hash(event, matcher, handler | limit) == REAL_HASHES[event]


def test_hooks_that_nobody_approved_are_named(codex: Path, tmp_path: Path):
    (text,) = texts("codex", codex, tmp_path / "home")
    assert text == "hooks wait to be approved: PreCompact, SessionEnd, SessionStart, Stop, UserPromptSubmit"


def test_approved_hooks_are_no_concern(codex: Path, tmp_path: Path):
    approve(codex, tmp_path / "home")
    assert texts("codex", codex, tmp_path / "home") == []


def test_a_hook_that_was_changed_since_waits_again(codex: Path, tmp_path: Path):
    approve(codex, tmp_path / "home", hashes={"Stop": "sha256:0"})
    assert texts("codex", codex, tmp_path / "home") == ["hooks wait to be approved: Stop"]


def test_a_hook_that_a_person_switched_off_is_named(codex: Path, tmp_path: Path):
    approve(codex, tmp_path / "home")
    config = tmp_path / "home/.codex/config.toml"
    config.write_text(config.read_text().replace(':stop:1:0"]', ':stop:1:0"]\nenabled = false'))
    assert texts("codex", codex, tmp_path / "home") == ["hooks are switched off: Stop"]


def test_a_project_that_is_not_trusted_comes_first(codex: Path, tmp_path: Path):
    (tmp_path / "home/.codex/config.toml").write_text("")
    assert texts("codex", codex, tmp_path / "home") == ["the project is not trusted, so its hooks don't run"]


def test_the_trust_of_a_repository_holds_for_its_folders(codex: Path, tmp_path: Path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "home/.codex/config.toml").write_text(f'[projects."{tmp_path}"]\ntrust_level = "trusted"\n')
    approve(codex, tmp_path / "home")
    assert texts("codex", codex, tmp_path / "home") == []


def test_hooks_that_are_switched_off_are_a_concern(codex: Path, tmp_path: Path):
    approve(codex, tmp_path / "home")
    (codex / ".codex/config.toml").write_text("[features]\nhooks = false\n")
    (text,) = texts("codex", codex, tmp_path / "home")
    assert text.endswith("config.toml switches hooks off")


@pytest.mark.parametrize("junk", [b"", b"\x00", b"[[[", b"[projects]\n", b"projects = 3", b"\xff\xfe", b"hooks = []"])
def test_settings_that_make_no_sense_count_as_none(codex: Path, tmp_path: Path, junk: bytes):
    (tmp_path / "home/.codex/config.toml").write_bytes(junk)
    assert texts("codex", codex, tmp_path / "home") == ["the project is not trusted, so its hooks don't run"]


@pytest.mark.parametrize("junk", ["", "[]", '{"hooks": 3}', '{"hooks": {"Stop": [3, {"hooks": [4]}]}}', "{" * 100_000])
def test_a_hooks_file_that_makes_no_sense_has_no_hooks(codex: Path, tmp_path: Path, junk: str):
    (codex / ".codex/hooks.json").write_text(junk)
    assert texts("codex", codex, tmp_path / "home") == []


def test_claude_code_says_when_all_hooks_are_off(tmp_path: Path):
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude/settings.local.json").write_text('{"disableAllHooks": true}')
    (text,) = texts("claude-code", tmp_path, tmp_path / "home")
    assert text.endswith("settings.local.json switches all hooks off")


def test_claude_code_without_transcripts_can_not_be_remembered(tmp_path: Path):
    (text,) = texts("claude-code", tmp_path, tmp_path, CLAUDE_CODE_SKIP_PROMPT_HISTORY="1")
    assert "no transcripts" in text


def test_opencode_that_leaves_the_project_out_is_a_concern(tmp_path: Path):
    assert texts("opencode", tmp_path, tmp_path) == []
    assert len(texts("opencode", tmp_path, tmp_path, OPENCODE_DISABLE_PROJECT_CONFIG="1")) == 1
