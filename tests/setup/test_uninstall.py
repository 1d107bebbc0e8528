"""Case 81: what init did is undone, what people did stays, and the memory goes only when somebody says so."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from setup_support import Invoke, files_of
from support import CASES

CASE = CASES / "81-uninstall-roundtrip" / "repo"
MEMORY = ("memory/", "knowledge/", "plans/", "SCRATCHPAD.md", "WORKING.md", "TASK-QUEUE.md", "hipocampus.config.json")


@pytest.fixture
def repository(tmp_path: Path, commit: Callable[[], None]) -> Path:
    shutil.copytree(CASE, tmp_path, dirs_exist_ok=True)
    (tmp_path / "gitignore").rename(tmp_path / ".gitignore")
    commit()
    return tmp_path


def _status(git: Callable[..., str]) -> list[str]:
    return [line for line in git("status", "--porcelain").splitlines() if not line[3:].startswith(MEMORY)]


def test_git_sees_no_difference_afterwards_but_the_memory(
    repository: Path, invoke: Invoke, git: Callable[..., str]
) -> None:
    for name in ("claude-code", "codex", "opencode"):
        assert invoke("init", "--platform", name).code == 0
    done = invoke("uninstall")
    assert (done.code, _status(git), git("diff")) == (0, [], "")
    assert "stays: hipocampus.config.json" in done.err
    assert not any((repository / name).exists() for name in (".codex", ".opencode", ".agents", "AGENTS.md"))
    assert not (repository / ".claude" / "skills").exists()


def test_what_a_person_adds_to_our_files_stays(repository: Path, invoke: Invoke) -> None:
    invoke("init")
    before = (repository / "CLAUDE.md").read_bytes()
    with (repository / ".gitignore").open("a", encoding="utf-8") as file:
        file.write("secret.env\n")
    (repository / "CLAUDE.md").write_bytes(b"# Top\n" + before + b"bottom\n")
    invoke("uninstall")
    assert (repository / ".gitignore").read_text() == "node_modules/\n*.pem\nsecret.env\n"
    assert (repository / "CLAUDE.md").read_bytes() == b"# Top\n" + (CASE / "CLAUDE.md").read_bytes() + b"\nbottom\n"


def test_a_purge_removes_what_init_made_and_nothing_else(repository: Path, invoke: Invoke) -> None:
    before = files_of(repository)
    invoke("init")
    invoke("checkpoint", "x", "--note", "y")
    (repository / "knowledge" / "ours.md").write_text("# Ours\n", encoding="utf-8")
    (repository / "memory" / "photo.jpg").write_bytes(b"theirs")
    done = invoke("uninstall", "--purge", "--yes")
    assert done.code == 0
    assert files_of(repository) == {**before, "memory/photo.jpg": b"theirs"}
    assert "stays: knowledge/onboarding.md, memory/photo.jpg, plans/q1.md" in done.err.replace("WORKING.md, ", "")


def test_in_an_empty_folder_a_purge_leaves_nothing(tmp_path: Path, invoke: Invoke) -> None:
    invoke("init", "--platform", "claude-code", "--platform", "opencode")
    invoke("checkpoint", "x", "--note", "y")
    invoke("uninstall", "--purge", "--yes")
    assert list(tmp_path.iterdir()) == []


def test_a_purge_that_nobody_confirmed_removes_nothing_and_shows_the_list(repository: Path, invoke: Invoke) -> None:
    invoke("init")
    before = files_of(repository)
    done = invoke("uninstall", "--purge")
    assert (done.code, "  memory/ROOT.md\n" in done.err, "--yes" in done.err) == (2, True, True)
    assert files_of(repository) == before


@pytest.mark.parametrize(
    "arguments",
    [("--help",), ("--platform",), ("--platform", ""), ("--platform", "../src"), ("--purge", "--help"), ("--tenant",),
     ("--purge", "--yes", "--platform", "codex"), ("--dry-run",), ("--dry-run", "--purge"), ("extra",)],
)  # fmt: skip
def test_no_help_no_missing_value_and_no_odd_name_removes_anything(
    repository: Path, invoke: Invoke, arguments: tuple[str, ...]
) -> None:
    invoke("init")
    before = files_of(repository)
    done = invoke("uninstall", *arguments)
    assert done.code == (0 if arguments[-1] in ("--help", "--dry-run") or arguments[0] == "--dry-run" else 2)
    assert files_of(repository) == before


def test_one_agent_goes_and_the_others_keep_what_they_share(tmp_path: Path, invoke: Invoke) -> None:
    invoke("init", "--platform", "opencode", "--platform", "codex")
    before = files_of(tmp_path)
    done = invoke("uninstall", "--platform", "codex")
    gone = {*before} - {*files_of(tmp_path)}
    assert (done.code, gone) == (0, {".codex/hooks.json"})
    assert json.loads((tmp_path / "hipocampus.config.json").read_text())["platform"] == ["opencode"]
    assert not (tmp_path / ".codex").exists()
    invoke("uninstall", "--platform", "opencode")
    assert not any((tmp_path / name).exists() for name in (".agents", "AGENTS.md", "opencode.json", ".opencode"))


def test_without_the_record_our_marks_are_enough(repository: Path, invoke: Invoke, git: Callable[..., str]) -> None:
    invoke("init", "--platform", "claude-code", "--platform", "opencode")
    shutil.rmtree(repository / "memory" / ".hipocampus")
    assert invoke("uninstall").code == 0
    assert (_status(git), git("diff")) == ([], "")


def test_a_second_run_and_a_run_before_init_say_so(tmp_path: Path, invoke: Invoke) -> None:
    assert invoke("uninstall").code == 3
    invoke("init", "--platform", "codex")
    invoke("uninstall")
    before = files_of(tmp_path)
    done = invoke("uninstall")
    assert (done.code, done.out, "nothing to do" in done.err) == (0, "", True)
    assert files_of(tmp_path) == before


def test_a_skill_that_somebody_changed_stays_and_is_named(tmp_path: Path, invoke: Invoke) -> None:
    invoke("init", "--platform", "claude-code")
    skill = tmp_path / ".claude" / "skills" / "hipocampus-core" / "SKILL.md"
    skill.write_text("mine\n", encoding="utf-8")
    assert "SKILL.md is not as we wrote it" in invoke("init").err
    done = invoke("uninstall")
    assert skill.read_text() == "mine\n"
    assert "was changed by somebody else and stays" in done.err


def test_as_json_it_lists_what_went_and_what_stays(repository: Path, invoke: Invoke) -> None:
    invoke("init")
    found = invoke("uninstall", "--json").json
    assert found["hosts"] == ["claude-code"]
    assert {".claude/settings.json", "CLAUDE.md", ".gitignore"} <= {*found["restored"]}
    assert found["removed"] == [".claude/skills/hipocampus-core/SKILL.md"]
    assert "memory/" in found["kept"]


def test_a_broken_file_that_we_never_touched_does_not_stand_in_the_way(tmp_path: Path, invoke: Invoke) -> None:
    invoke("init", "--platform", "claude-code")
    (tmp_path / "opencode.json").write_text("{ broken", encoding="utf-8")
    done = invoke("uninstall")
    assert (done.code, "opencode.json, line 1" in done.err) == (0, True)
    assert (tmp_path / "opencode.json").read_text() == "{ broken"


def test_a_broken_file_of_ours_stops_everything_before_anything_is_changed(tmp_path: Path, invoke: Invoke) -> None:
    invoke("init", "--platform", "claude-code")
    (tmp_path / ".claude" / "settings.json").write_text("{ broken", encoding="utf-8")
    before = files_of(tmp_path)
    done = invoke("uninstall")
    assert (done.code, ".claude/settings.json, line 1" in done.err, files_of(tmp_path) == before) == (4, True, True)


def test_a_memory_that_is_a_link_is_not_purged(tmp_path: Path, invoke: Invoke) -> None:
    elsewhere = tmp_path.parent / f"{tmp_path.name}-elsewhere"
    elsewhere.mkdir()
    (elsewhere / "2026-03-14.md").write_text("## Theirs\n", encoding="utf-8")
    (tmp_path / "memory").symlink_to(elsewhere)
    invoke("init")
    done = invoke("uninstall", "--purge", "--yes")
    assert (done.code, "stays: memory" in done.err) == (0, True)
    assert (elsewhere / "2026-03-14.md").read_text() == "## Theirs\n"
