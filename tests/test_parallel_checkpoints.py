"""Case 31: many processes write to one day, and none of their texts is lost."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from support import command

from hipocampus.log import daylog
from hipocampus.memory import Memory

TODAY = "2026-03-15"


def _start(folder: Path, *args: str, text: str = "") -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        [*command(), *args, "--today", TODAY],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert process.stdin
    process.stdin.write(text.encode())
    process.stdin.close()
    return process


def _codes(processes: Sequence[subprocess.Popen[bytes]]) -> set[int]:
    codes = set()
    for process in processes:
        assert process.stderr
        message = process.stderr.read().decode()
        codes.add(process.wait(timeout=60))
        process.stderr.close()
        assert "Traceback" not in message
    return codes


def _checkpoints(folder: Path, numbers: range) -> list[subprocess.Popen[bytes]]:
    return [_start(folder, "checkpoint", text=f"token TOK-{n}-END\nline b {n}\n") for n in numbers]


def _assert_whole(folder: Path, count: int) -> None:
    text = (folder / "memory" / f"{TODAY}.md").read_text(encoding="utf-8")
    assert sorted(map(int, re.findall(r"TOK-(\d+)-END", text))) == list(range(count))
    assert len(re.findall(r"^## ", text, re.MULTILINE)) == count
    assert re.findall(r"^# .*", text, re.MULTILINE) == [f"# {TODAY}"]
    for n in range(count):
        assert f"token TOK-{n}-END [project]\nline b {n}\n<!-- hipo id=" in text


def test_forty_processes_lose_nothing_and_forty_more_beside_five_compactions_neither(
    workspace: Memory, tmp_path: Path
) -> None:
    assert _codes(_checkpoints(tmp_path, range(40))) == {0}
    _assert_whole(tmp_path, 40)
    compacts = [_start(tmp_path, "compact") for _ in range(5)]
    assert _codes([*compacts, *_checkpoints(tmp_path, range(40, 80))]) == {0}
    _assert_whole(tmp_path, 80)


def test_two_writers_of_the_same_words_store_them_once(workspace: Memory, tmp_path: Path) -> None:
    assert _codes([_start(tmp_path, "checkpoint", text="the same words") for _ in range(4)]) == {0}
    path = tmp_path / "memory" / f"{TODAY}.md"
    assert path.read_text(encoding="utf-8").count("the same words") == 1


def test_a_lock_file_without_a_holder_is_no_obstacle(workspace: Memory, tmp_path: Path) -> None:
    lock = workspace.workspace.log_lock
    lock.parent.mkdir(parents=True, exist_ok=True)
    lock.write_text(str(os.getpid()), encoding="utf-8")
    assert _codes([_start(tmp_path, "checkpoint", text="after a crash")]) == {0}


def test_the_lines_of_another_program_stay_beside_ours(workspace: Memory, tmp_path: Path) -> None:
    path = tmp_path / "memory" / f"{TODAY}.md"
    path.write_text(f"# {TODAY}\n\n", encoding="utf-8")
    started = _checkpoints(tmp_path, range(4))
    for n in range(200):
        with path.open("a", encoding="utf-8") as file:
            file.write(f"- foreign {n}\n")
    assert _codes(started) == {0}
    text = path.read_text(encoding="utf-8")
    assert text.count("- foreign ") == 200
    assert [f"TOK-{n}-END" in text for n in range(4)] == [True] * 4
    assert daylog.list_days(workspace.workspace, workspace.clock.today()).days
