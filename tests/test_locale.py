"""Case 89: every command works in the C locale, and files are UTF-8 all the same."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from support import CASES, Ran

from hipocampus.memory import Memory

CASE = CASES / "89-locale-c"
ENV: dict[str, str | None] = {
    "LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "cp1252",
}  # fmt: skip
ASCII_ENV = {**ENV, "PYTHONIOENCODING": None}
TODAY = ("--today", "2026-03-15")


@pytest.fixture
def project(tmp_path: Path, workspace: Memory) -> Path:
    for path in CASE.iterdir():
        shutil.copy(path, tmp_path / "knowledge" / path.name)
    return tmp_path


def _log(project: Path) -> str:
    return (project / "memory" / "2026-03-15.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("env", [ENV, ASCII_ENV])
def test_an_emoji_title_is_stored_as_utf8(project: Path, run: Callable[..., Ran], env: dict[str, str | None]) -> None:
    assert run("checkpoint", "🚀 launch 한글", "--decision", "naïve “quotes”", *TODAY, env=env).code == 0
    assert run("checkpoint", *TODAY, stdin="발표 🎉\nbody – dash", env=env).code == 0
    text = _log(project)
    assert "## 🚀 launch 한글 [project]\n- decisions: naïve “quotes”\n" in text
    assert "## 발표 🎉 [project]\nbody – dash\n" in text


def test_a_note_with_an_invalid_byte_is_used_and_left_as_it_is(project: Path, run: Callable[..., Ran]) -> None:
    before = (project / "knowledge" / "bad.md").read_bytes()
    assert run("compact", env=ENV).code == 0
    root = (project / "memory" / "ROOT.md").read_bytes()
    assert b"knowledge/bad.md" in root
    assert "한글 노트 🚀".encode() in root
    assert (project / "knowledge" / "bad.md").read_bytes() == before


def test_every_output_can_be_printed(project: Path, run: Callable[..., Ran]) -> None:
    run("checkpoint", "🚀 launch 한글", *TODAY, env=ENV)
    run("compact", *TODAY, env=ENV)
    for arguments in (("status",), ("tree",), ("read", "2026-03-15"), ("read", "memory/ROOT.md"), ("config", "list")):
        assert run(*arguments, *TODAY, env=ENV).code == 0, arguments
    assert run("read", "2026-03-15", *TODAY, env=ASCII_ENV).code == 0
    assert "🚀" in run("read", "2026-03-15", "--json", env=ENV).json["text"]


@pytest.mark.parametrize("env", [ENV, ASCII_ENV])
def test_recall_finds_what_is_beyond_ascii_or_broken(
    project: Path, run: Callable[..., Ran], env: dict[str, str | None]
) -> None:
    run("sleep", *TODAY, env=env)
    for prompt, name in (("our LOCTOK notes", "u.md"), ("our BADTOK notes", "bad.md"), ("우리의 한글 노트", "u.md")):
        done = run("recall", "--json", prompt, *TODAY, env=env)
        assert [item["source"] for item in done.json["items"]] == [f"knowledge/{name}"], done.err
        assert run("recall", *TODAY, stdin=prompt, env=env).code == 0


def test_a_folder_with_an_emoji_in_its_name_can_be_named(run: Callable[..., Ran], tmp_path: Path) -> None:
    folder = tmp_path / "proje🚀"
    folder.mkdir()
    assert run("-C", folder, "init", env=ENV).code == 0
    assert run("-C", folder, "checkpoint", "한글", *TODAY, env=ENV).code == 0
    (folder / "knowledge" / "노트.md").write_text("# 노트\nLOCTOK\n", encoding="utf-8")
    assert "LOCTOK" in run("-C", folder, "read", "knowledge/노트.md", env=ENV).out
    assert run("-C", folder, "compact", env=ENV).code == 0
    assert "knowledge/노트.md" in (folder / "memory" / "ROOT.md").read_text(encoding="utf-8")


def test_a_setting_beyond_ascii_is_refused_with_a_message(project: Path, run: Callable[..., Ran]) -> None:
    done = run("config", "set", "timezone", "서울", env=ENV)
    assert (done.code, "unknown time zone" in done.err) == (2, True)
