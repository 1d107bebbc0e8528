"""A person whose team shall not notice: tracked files stay as they are, git sees nothing new."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from setup_support import Invoke, files_of

ALL = ("--platform", "claude-code", "--platform", "codex", "--platform", "opencode")


@pytest.fixture
def repository(tmp_path: Path, commit: Callable[[], None]) -> Path:
    (tmp_path / "CLAUDE.md").write_text("# Team\n", encoding="utf-8")
    (tmp_path / ".gitignore").write_text("*.pem\n", encoding="utf-8")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "main.c").write_text("code\n", encoding="utf-8")
    commit()
    return tmp_path


def test_git_sees_nothing_at_all(repository: Path, invoke: Invoke, git: Callable[..., str]) -> None:
    done = invoke("init", "--stealth", *ALL)
    assert (done.code, git("status", "--porcelain")) == (0, "")
    assert (repository / ".claude" / "settings.local.json").is_file()
    assert "@memory/ROOT.md" in (repository / "CLAUDE.local.md").read_text()
    assert "/memory/\n" in (repository / ".git" / "info" / "exclude").read_text()


def test_later_runs_remember_it(repository: Path, invoke: Invoke, git: Callable[..., str]) -> None:
    invoke("init", "--stealth", *ALL, "--today", "2026-03-15")
    before = files_of(repository)
    for command in ("init", "update"):
        done = invoke(command, "--today", "2026-03-15")
        assert (done.code, done.out, files_of(repository) == before) == (0, "", True)
    assert git("status", "--porcelain") == ""


def test_git_s_own_file_gets_its_bytes_back(repository: Path, invoke: Invoke, git: Callable[..., str]) -> None:
    exclude = repository / ".git" / "info" / "exclude"
    exclude.write_text("mine.txt", encoding="utf-8")
    before = files_of(repository)
    invoke("init", "--stealth", *ALL)
    assert invoke("uninstall", "--purge", "--yes").code == 0
    assert (exclude.read_text(), files_of(repository), git("status", "--porcelain")) == ("mine.txt", before, "")


def test_a_tracked_file_of_ours_is_left_alone_and_named(
    repository: Path, invoke: Invoke, commit: Callable[[], None], git: Callable[..., str]
) -> None:
    (repository / "CLAUDE.local.md").write_text("tracked\n", encoding="utf-8")
    commit()
    done = invoke("init", "--stealth", "--platform", "claude-code")
    assert "CLAUDE.local.md is tracked by git: left as it is" in done.err
    assert git("status", "--porcelain") == ""


def test_whoever_asks_for_it_later_gets_the_shared_files_back(
    repository: Path, invoke: Invoke, git: Callable[..., str]
) -> None:
    invoke("init", *ALL)
    assert git("status", "--porcelain") != ""
    invoke("init", "--stealth")
    assert git("status", "--porcelain") == ""


def test_in_a_sub_folder_and_a_worktree_the_right_places_are_hidden(
    repository: Path, tmp_path: Path, invoke: Invoke, git: Callable[..., str]
) -> None:
    tree = tmp_path.parent / f"{tmp_path.name}-tree"
    git("worktree", "add", "-q", str(tree))
    assert invoke("init", "--stealth", *ALL, cwd=tree / "src").code == 0
    assert git("status", "--porcelain", cwd=tree) == ""
    assert "/src/memory/\n" in (repository / ".git" / "info" / "exclude").read_text()
    invoke("uninstall", "--purge", "--yes", cwd=tree / "src")
    assert "hipocampus" not in (repository / ".git" / "info" / "exclude").read_text()


def test_without_git_there_is_nothing_to_hide_from(tmp_path: Path, invoke: Invoke) -> None:
    assert invoke("init", "--stealth", "--platform", "claude-code").code == 0
    assert (tmp_path / ".claude" / "settings.local.json").is_file()
    assert not (tmp_path / ".gitignore").exists()
