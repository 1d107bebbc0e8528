"""A lock between processes: one holds it, others wait or give up, with and without the system's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipocampus import files
from hipocampus.errors import StoreBusy, StoreNotWritable


@pytest.fixture(params=["by the system", "by filelock"])
def path(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a lock is to be."""

    def missing(_handle: int) -> bool:
        raise ImportError

    if request.param == "by filelock":
        monkeypatch.setattr(files, "_flocked", missing)
    return tmp_path / "made" / "a.lock"


def test_who_does_not_get_it_in_time_is_told_who_has_it(path: Path):
    with (
        files.lock(path, timeout=1),
        pytest.raises(StoreBusy, match=r"another process holds a\.lock"),
        files.lock(path, timeout=0.01),
    ):
        pass


def test_it_is_free_again_also_after_a_failure(path: Path):
    with pytest.raises(ZeroDivisionError), files.lock(path, timeout=0):
        _ = 1 / 0
    with files.lock(path, timeout=0):
        pass


def test_a_lock_whose_file_was_removed_holds_nobody_up(path: Path):
    with files.lock(path, timeout=0):
        path.unlink()
        with files.lock(path, timeout=0):
            assert path.exists()


def test_a_folder_that_takes_no_lock_says_so(path: Path):
    path.parent.write_text("a file")
    with pytest.raises(StoreNotWritable, match=r"can't write .*a\.lock"), files.lock(path, timeout=0):
        pass
