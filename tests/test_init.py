"""`init`: makes what is missing, keeps what is there, and can be run again."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

from support import Ran

from hipocampus.layout import CURATED_FOLDERS, HOT_FILES

MADE = {"memory", "hipocampus.config.json", ".gitignore", *HOT_FILES, *CURATED_FOLDERS}


def _snapshot(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every file with its bytes and its time."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def test_a_plain_folder_gets_all_of_a_memory(invoke: Callable[..., Ran], tmp_path: Path) -> None:
    done = invoke("init")
    assert done.code == 0
    assert {path.name for path in tmp_path.iterdir()} == MADE
    assert (tmp_path / "memory" / "ROOT.md").is_file()
    assert set(done.out.split()) >= {"memory/", "knowledge/", "SCRATCHPAD.md", ".gitignore"}
    assert "Next: hipocampus checkpoint" in done.err


def test_a_second_run_changes_no_byte_and_no_time(invoke: Callable[..., Ran], tmp_path: Path) -> None:
    invoke("init", "--today", "2026-03-15")
    invoke("checkpoint", "x", "--note", "y", "--today", "2026-03-15")
    invoke("compact", "--today", "2026-03-15")
    before = _snapshot(tmp_path)
    done = invoke("init", "--today", "2026-03-15")
    assert (done.code, done.out, "nothing to do" in done.err) == (0, "", True)
    assert _snapshot(tmp_path) == before


def test_a_dry_run_says_what_it_would_make_and_makes_nothing(invoke: Callable[..., Ran], tmp_path: Path) -> None:
    done = invoke("init", "--dry-run")
    assert done.code == 0
    assert "would make memory/\n" in done.out
    assert "would make .gitignore\n" in done.out
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_already_is_kept(invoke: Callable[..., Ran], tmp_path: Path) -> None:
    texts = {"WORKING.md": "mine\r\n", "hipocampus.config.json": '{"platform": "codex"}', ".gitignore": "*.pem"}
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text.encode())
    (tmp_path / "knowledge").mkdir()
    (tmp_path / "knowledge" / "limits.md").write_text("# Limits\n", encoding="utf-8")
    done = invoke("init")
    assert (tmp_path / "WORKING.md").read_bytes() == b"mine\r\n"
    assert (tmp_path / "hipocampus.config.json").read_text(encoding="utf-8") == '{"platform": "codex"}'
    assert (tmp_path / ".gitignore").read_text(encoding="utf-8").startswith("*.pem\n# hipocampus:start\n")
    assert "WORKING.md" not in done.out
    assert "knowledge/limits.md" in (tmp_path / "memory" / "ROOT.md").read_text(encoding="utf-8")


def test_raw_logs_that_are_there_already_are_rolled_up(invoke: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "2026-03-14.md").write_text("## Old\n- MARKER fact\n", encoding="utf-8")
    invoke("init", "--today", "2026-03-15")
    assert "MARKER" in (tmp_path / "memory" / "daily" / "2026-03-14.md").read_text(encoding="utf-8")


def test_git_is_not_needed(invoke: Callable[..., Ran], tmp_path: Path) -> None:
    empty = tmp_path / "bin"
    empty.mkdir()
    folder = tmp_path / "project"
    folder.mkdir()
    assert invoke("init", cwd=folder, env={"PATH": str(empty)}).code == 0


def test_in_a_sub_folder_no_second_memory_is_made(invoke: Callable[..., Ran], tmp_path: Path) -> None:
    invoke("init")
    below = tmp_path / "src" / "deep"
    below.mkdir(parents=True)
    (tmp_path / "WORKING.md").unlink()
    done = invoke("init", cwd=below)
    assert (done.code, done.out) == (0, "made WORKING.md\n")
    assert list(below.iterdir()) == []


def test_as_json_it_names_the_workspace_and_what_was_made(invoke: Callable[..., Ran], tmp_path: Path) -> None:
    found = invoke("init", "--json").json
    assert (found["workspace"], found["dry_run"], found["warnings"]) == (str(tmp_path), False, [])
    assert {"memory/", "SCRATCHPAD.md", "memory/ROOT.md"} <= set(found["made"])
    assert invoke("init", "--json").json["made"] == []


def test_a_file_in_the_place_of_the_memory_is_named(invoke: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "memory").write_text("I was here", encoding="utf-8")
    done = invoke("init")
    assert (done.code, "memory" in done.err) == (1, True)
    assert (tmp_path / "memory").read_text(encoding="utf-8") == "I was here"


def test_a_repository_stays_clean(invoke: Callable[..., Ran], tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    invoke("init")
    listed = subprocess.run(["git", "status", "--short"], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert listed.stdout.split() == ["??", ".gitignore", "??", "hipocampus.config.json"]
