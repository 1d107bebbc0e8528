"""Case 83: what git may see of a memory, checked by git itself."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from support import CASES, Ran

from hipocampus.errors import CheckFailed
from hipocampus.setup import gitignore

FOREIGN = ("src/memory/alloc.c", "docs/plans/q1.md")
OURS = ("memory/ROOT.md", "memory/2026-03-15.md", "SCRATCHPAD.md", "knowledge/new.md", "plans/new.md")
STATE = ("memory/.hipocampus/compact.json", "memory/.hipocampus/cache/x")


def _git(folder: Path, *args: str) -> str:
    return subprocess.run(["git", *args], cwd=folder, capture_output=True, check=False, text=True).stdout


def _ignored(folder: Path, names: tuple[str, ...]) -> list[str]:
    return [name for name in names if _git(folder, "check-ignore", "--no-index", name)]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    shutil.copytree(CASES / "83-gitignore-scope", tmp_path, dirs_exist_ok=True)
    (tmp_path / "gitignore").rename(tmp_path / ".gitignore")
    _git(tmp_path, "init", "-q")
    _git(tmp_path, "add", "-A")
    _git(tmp_path, "commit", "-q", "-m", "before")
    return tmp_path


def test_only_the_memory_of_this_folder_is_ignored(repository: Path, invoke: Callable[..., Ran]) -> None:
    assert invoke("init").code == 0
    assert _ignored(repository, FOREIGN) == []
    assert _ignored(repository, OURS + STATE) == list(OURS + STATE)


def test_with_the_switch_only_derived_files_are_ignored(repository: Path, invoke: Callable[..., Ran]) -> None:
    done = invoke("init", "--commit-memory")
    assert (done.code, "already tracks" in done.err) == (0, False)
    assert _ignored(repository, FOREIGN + OURS) == []
    assert _ignored(repository, STATE) == list(STATE)


def test_the_choice_can_be_taken_back_and_forth(repository: Path, invoke: Callable[..., Ran]) -> None:
    invoke("init")
    first = (repository / ".gitignore").read_bytes()
    invoke("init", "--commit-memory")
    assert _ignored(repository, OURS) == []
    assert invoke("init").err.count("nothing to do") == 1  # keeps the choice
    assert _ignored(repository, OURS) == []
    invoke("init", "--ignore-memory")
    assert (repository / ".gitignore").read_bytes() == first


def test_files_that_git_already_tracks_are_named(repository: Path, invoke: Callable[..., Ran]) -> None:
    done = invoke("init")
    assert "already tracks" in done.err
    assert "memory/old.md" in done.err
    assert "knowledge/handbook.md" in done.err


def test_the_lines_of_the_user_stay(repository: Path, invoke: Callable[..., Ran]) -> None:
    path = repository / ".gitignore"
    path.write_bytes(b"secret.env\r\n*.pem\r\n\xff\xfe odd bytes\r\nlast line without an end")
    before = path.read_bytes()
    invoke("init")
    after = path.read_bytes()
    assert after.startswith(before)
    assert b"\n" not in after.replace(b"\r\n", b"")


def test_a_mixed_file_keeps_each_line_end(repository: Path, invoke: Callable[..., Ran]) -> None:
    path = repository / ".gitignore"
    path.write_bytes(b"\xef\xbb\xbfa\r\nb\nc\n")
    invoke("init")
    invoke("init", "--commit-memory")
    assert path.read_bytes().startswith(b"\xef\xbb\xbfa\r\nb\nc\n")


@pytest.mark.parametrize("text", ["# hipocampus:start\n/memory/\n", "/memory/\n# hipocampus:end\n"])
def test_a_torn_block_is_not_mended_by_guessing(repository: Path, invoke: Callable[..., Ran], text: str) -> None:
    (repository / ".gitignore").write_text(text, encoding="utf-8")
    done = invoke("init")
    assert (done.code, "hint:" in done.err) == (4, True)
    assert (repository / ".gitignore").read_text(encoding="utf-8") == text
    assert not (repository / "hipocampus.config.json").exists()


def test_lines_behind_the_block_survive_a_change_of_mind() -> None:
    text = gitignore.with_block("a\n", commit_memory=False) + "secret.env\n"
    changed = gitignore.with_block(text, commit_memory=True)
    assert changed.endswith("# hipocampus:end\nsecret.env\n")
    assert gitignore.with_block(changed, commit_memory=False) == text


def test_a_start_line_alone_raises() -> None:
    with pytest.raises(CheckFailed):
        gitignore.with_block("# hipocampus:start\nsecret.env\n", commit_memory=None)
