"""That no compaction is due is known by looks at four files, and only as long as they are as they were."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from hipocampus.setup import quiet

LOG = "2026-03-15.md"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace in which none is due for an hour."""
    (tmp_path / "memory" / ".hipocampus").mkdir(parents=True)
    for name in ("hipocampus.config.json", f"memory/{LOG}", "memory/.hipocampus/compact.json"):
        (tmp_path / name).write_text("{}", encoding="utf-8")
    quiet.note(str(tmp_path), time.time() + 3600, LOG, quiet.looks(str(tmp_path), LOG))
    return tmp_path


def test_it_is_quiet_as_long_as_nothing_changes(root: Path):
    assert quiet.is_quiet(str(root))


@pytest.mark.parametrize("name", ["hipocampus.config.json", f"memory/{LOG}", "memory/.hipocampus/compact.json"])
@pytest.mark.parametrize("change", [Path.unlink, lambda path: path.write_text("{ }", encoding="utf-8"), Path.touch])
def test_a_file_that_changed_ends_it(root: Path, name: str, change):
    os.utime(root / name, (1, 1))
    quiet.note(str(root), time.time() + 3600, LOG, quiet.looks(str(root), LOG))
    change(root / name)
    assert not quiet.is_quiet(str(root))


def test_a_raw_log_of_another_day_ends_it(root: Path):
    os.utime(root / "memory", (1, 1))
    quiet.note(str(root), time.time() + 3600, LOG, quiet.looks(str(root), LOG))
    (root / "memory" / "2026-03-14.md").write_text("late", encoding="utf-8")
    assert not quiet.is_quiet(str(root))


def test_time_ends_it_and_so_does_a_clock_that_was_put_back(root: Path, monkeypatch: pytest.MonkeyPatch):
    now = time.time()
    for moved in (3601, -60):
        monkeypatch.setattr(time, "time", lambda moved=moved: now + moved)
        assert not quiet.is_quiet(str(root))


def test_a_day_that_is_given_is_nothing_it_knows_about(root: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HIPOCAMPUS_TODAY", "2026-03-15")
    assert not quiet.is_quiet(str(root))


@pytest.mark.parametrize("text", ["", "\0", "a\nb\nc\nd\n", "1\n2\n", "1\n9e99\n../../x\n-\n", "\udcff" * 20_000])
def test_a_damaged_note_says_nothing(root: Path, text: str):
    (root / "memory" / ".hipocampus" / "quiet").write_text(text, encoding="utf-8", errors="surrogateescape")
    assert not quiet.is_quiet(str(root))
