"""What capture costs at the end of a long session, and whether anything is lost when many write at once."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from benchmarks import measure
from benchmarks.report import Row, at_most

LONG_MB = 300
CHECKPOINTS, CAPTURES = 40, 5
WORDS = 200
_RUNS = 5


def end_of_a_long_session(scratch: Path) -> list[Row]:
    """A whole process takes in four new records at the end of a transcript that is nearly all output of tools."""
    folder = _workspace(scratch / "long")
    path = folder / "long.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(LONG_MB):
            file.write(_row(f"ask {number}", f"q{number}"))
            file.write(_row([{"type": "tool_result", "tool_use_id": "t", "content": "x" * 1_000_000}], f"r{number}"))
    command = ("-C", str(folder), "capture", "--transcript", str(path))
    measure.hipocampus(*command)
    runs = []
    for run in range(_RUNS):
        with path.open("a", encoding="utf-8") as file:
            file.writelines(_row(f"late {run}.{number}", f"l{run}.{number}") for number in range(4))
        runs.append(measure.hipocampus(*command))
    assert _logs(folder).count("User: late ") == 4 * _RUNS
    path.unlink()
    best, what = min(runs, key=lambda run: run.wall), f"capture of 4 records at the end of {LONG_MB} MB"
    return [
        at_most(f"{what}, whole process", 1, best.wall, "s", f"{best.cpu:.2f} s CPU, best of {_RUNS}"),
        at_most("its peak memory", 100, max(run.peak_mb for run in runs), "MB", ""),
    ]


def many_at_once(scratch: Path) -> list[Row]:
    """Checkpoints and captures of one session, all started at the same time."""
    folder = _workspace(scratch / "parallel")
    path = folder / "s.jsonl"
    path.write_text("".join(_row(f"word {number:03}.", f"w{number}") for number in range(WORDS)), encoding="utf-8")
    calls = [["checkpoint", f"Entry {number:03}", "--note", "x"] for number in range(CHECKPOINTS)]
    calls += [["capture", "--transcript", str(path)]] * CAPTURES
    program = [sys.executable, "-m", "hipocampus", "-C", str(folder)]
    runs = [subprocess.Popen([*program, *call], stderr=subprocess.DEVNULL) for call in calls]
    failed = sum(bool(run.wait()) for run in runs)
    logs = _logs(folder)
    counts = [logs.count(f"word {number:03}.") for number in range(WORDS)]
    counts += [len(re.findall(rf"^## Entry {number:03} \[", logs, re.M)) for number in range(CHECKPOINTS)]
    what = f"{CHECKPOINTS} checkpoints and {CAPTURES} captures at once"
    return [
        at_most(
            f"{what}: lost", 0, counts.count(0), "", f"of {len(counts)} entries and turns, {failed} processes failed"
        ),
        at_most(f"{what}: doubled", 0, sum(count > 1 for count in counts), "", ""),
    ]


def _workspace(folder: Path) -> Path:
    folder.mkdir()
    measure.hipocampus("-C", str(folder), "init", "--no-search")
    return folder


def _row(content: object, ident: str) -> str:
    message = {"role": "user", "content": content}
    return json.dumps({"type": "user", "uuid": ident, "timestamp": "2026-03-02T09:00:00Z", "message": message}) + "\n"


def _logs(folder: Path) -> str:
    return "\n".join(path.read_text("utf-8") for path in sorted((folder / "memory").glob("2*.md")))
