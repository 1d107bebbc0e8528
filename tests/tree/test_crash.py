"""Runs that die, meet each other, or meet writers: real processes."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta

import pytest

from hipocampus.files import TEMPORARY_PREFIX

# A compaction that is killed at its n-th replacement of a file, before or after it.
KILLED = """
import os, signal, sys
from datetime import date
from pathlib import Path
from hipocampus.memory import Memory

left, moment = int(sys.argv[2]), sys.argv[3]
real = Path.replace

def replace(self, target):
    global left
    left -= 1
    if left == 0 and moment == "before":
        os.kill(os.getpid(), signal.SIGKILL)
    result = real(self, target)
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return result

Path.replace = replace
Memory.find(Path(sys.argv[1]), today=date(2026, 3, 20)).compact()
"""


@pytest.fixture
def ten_days(store):
    dice = random.Random(5)
    for n in range(10):
        store.chatter(str(date(2026, 2, 25) + timedelta(days=n)), dice, entries=2)
    return store


def _kill(store, replacement: int, moment: str) -> int:
    arguments = [sys.executable, "-c", KILLED, str(store.root), str(replacement), moment]
    return subprocess.run(arguments, check=False, timeout=60, capture_output=True).returncode


def _is_sound(store, twin_folder) -> None:
    """The next run repairs: no leftovers, nothing set aside, the bytes of a build from scratch."""
    done = store.compact("2026-03-20")
    assert done.warnings == ()
    assert not list(store.root.rglob(f"{TEMPORARY_PREFIX}*"))
    assert not (store.memory / ".hipocampus/set-aside").exists()
    twin = store.copy(twin_folder)
    twin.compact("2026-03-20")
    assert store.tree() == twin.tree()


@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("replacement", [1, 2, 5, 11, 15, 16, 17, 18])
def test_a_killed_first_run_is_repaired_by_the_next(ten_days, tmp_path, replacement: int, moment: str):
    code = _kill(ten_days, replacement, moment)
    assert code == -signal.SIGKILL or replacement > 15
    _is_sound(ten_days, tmp_path / "twin")


@pytest.mark.parametrize("replacement", [1, 3, 5])
def test_a_killed_later_run_is_repaired_by_the_next(ten_days, tmp_path, replacement: int):
    ten_days.compact("2026-03-19")
    ten_days.entry("2026-02-27", "Late", "Priya sold the Lighthouse for 40 dollars")
    ten_days.entry("2026-03-03", "Late", "Jonas sold the Harbour for 70 dollars")
    assert _kill(ten_days, replacement, "before") == -signal.SIGKILL
    _is_sound(ten_days, tmp_path / "twin")


def test_a_run_killed_from_outside_is_repaired_by_the_next(store, tmp_path):
    dice = random.Random(9)
    for n in range(60):
        store.chatter(str(date(2026, 1, 10) + timedelta(days=n)), dice, entries=3)
    for wanted in (3, 20, 45):
        run = subprocess.Popen(
            [sys.executable, "-m", "hipocampus", "-C", str(store.root), "--today", "2026-03-20", "compact"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        while run.poll() is None and len(list((store.memory / "daily").glob("*.md"))) < wanted:
            pass
        run.kill()
        run.wait()
    _is_sound(store, tmp_path / "twin")


def test_what_a_living_process_is_writing_stays(store):
    place = store.root / "memory" / f"{TEMPORARY_PREFIX}{os.getppid()}-x1"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("half a no")
    store.compact("2026-03-20")
    assert place.exists()


def test_leftovers_of_a_killed_run_are_removed_wherever_it_wrote(store):
    folders = ("", "daily", "weekly", "monthly", "summaries/daily", ".hipocampus", ".hipocampus/set-aside/daily")
    for folder in folders:
        store.write(f"memory/{folder}/{TEMPORARY_PREFIX}x1", "half a no")
    store.compact("2026-03-20")
    assert not list(store.root.rglob(f"{TEMPORARY_PREFIX}*"))


def test_compactions_at_once_all_succeed_and_the_tree_is_right(ten_days, tmp_path, run):
    with ThreadPoolExecutor(4) as pool:
        runs = [pool.submit(run, "-C", ten_days.root, "--today", "2026-03-20", "compact") for _ in range(4)]
    assert [ran.result().code for ran in runs] == [0] * 4
    _is_sound(ten_days, tmp_path / "twin")


def test_entries_written_during_compactions_are_not_lost(ten_days, run):
    root, today = ten_days.root, ("--today", "2026-03-20")
    with ThreadPoolExecutor(4) as pool:
        points = [
            pool.submit(run, "-C", root, *today, "checkpoint", f"Point {n}", "--note", f"TOKEN{n}END")
            for n in range(10)
        ]
        runs = [pool.submit(run, "-C", root, *today, "compact") for _ in range(5)]
    assert [ran.result().code for ran in (*points, *runs)] == [0] * 15
    ten_days.compact("2026-03-20")
    for n in range(10):
        assert ten_days.body("daily/2026-03-20.md").count(f"TOKEN{n}END") == 1


def test_a_run_that_the_disk_refuses_leaves_what_was_there(ten_days, monkeypatch):
    from hipocampus import files
    from hipocampus.errors import StoreNotWritable

    ten_days.compact("2026-03-19")
    ten_days.entry("2026-03-03", "Late", "Jonas sold the Harbour for 70 dollars")
    before, real = ten_days.tree(), files.write_atomic

    def full(path, text, **options):
        if path.name == "2026-W10.md":
            raise StoreNotWritable("no space left")
        real(path, text, **options)

    monkeypatch.setattr(files, "write_atomic", full)
    with pytest.raises(StoreNotWritable):
        ten_days.compact("2026-03-20")
    assert ten_days.tree()["weekly/2026-W10.md"] == before["weekly/2026-W10.md"]
    monkeypatch.undo()
    ten_days.compact("2026-03-20")
    assert "Harbour" in ten_days.body("monthly/2026-03.md")


def test_a_first_dry_run_of_the_command_writes_no_file(ten_days, run):
    before = ten_days.times()
    done = run("-C", ten_days.root, "--today", "2026-03-20", "compact", "--dry-run")
    assert done.code == 0
    assert "memory/ROOT.md" in done.out
    assert ten_days.times() == before
