"""What the hooks did: lines with a time, put aside once when they are many, and the last event of each host."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipocampus.setup import hook_log


def test_a_line_has_a_time_and_no_line_end_inside(tmp_path: Path):
    hook_log.append(str(tmp_path / "new"), "codex Stop error:\nno\r\nspace \udcff")
    line = (tmp_path / "new" / "hook.log").read_text("utf-8")
    assert line[4:5] + line[10:11] == "-T"
    assert line[20:] == "codex Stop error: no space ?\n"


def test_a_full_log_is_put_aside_once(tmp_path: Path):
    for _ in range(2):
        (tmp_path / "hook.log").write_bytes(b"x" * (hook_log.LARGEST + 1))
        hook_log.append(str(tmp_path), "after")
        assert (tmp_path / "hook.log").read_text("utf-8").endswith(" after\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hook.log", "hook.log.1"]
    assert (tmp_path / "hook.log").stat().st_size < 40


def test_errors_are_found_from_a_time_on_also_in_the_log_that_was_put_aside(tmp_path: Path):
    (tmp_path / "hook.log.1").write_text("2026-03-01T10:00:00 a error: old\n2026-03-02T10:00:00 a error: one\n")
    (tmp_path / "hook.log").write_text("2026-03-03T10:00:00 compact: 3 written\n2026-03-03T10:00:00 b error: two\n\xff")
    assert hook_log.errors(str(tmp_path), "2026-03-02") == [
        "2026-03-02T10:00:00 a error: one",
        "2026-03-03T10:00:00 b error: two",
    ]
    assert hook_log.errors(str(tmp_path / "nowhere"), "2026") == []


def test_the_last_event_of_each_host_is_known_with_its_time(tmp_path: Path):
    hook_log.note_run(str(tmp_path), "codex", "SessionStart")
    hook_log.note_run(str(tmp_path), "codex", "Stop")
    ran = hook_log.last_run(str(tmp_path), "codex")
    assert ran
    assert ran[0] == "Stop"
    assert ran[1] == pytest.approx((tmp_path / "hooks" / "codex").stat().st_mtime)
    assert hook_log.last_run(str(tmp_path), "opencode") is None
