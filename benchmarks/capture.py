"""What capture costs at the end of a long session, and whether anything is lost when many write at once."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).parent.parent
LONG_MB = 300
CHECKPOINTS, CAPTURES = 40, 5
REPEATS = 3
_RUN = [sys.executable, "-m", "hipocampus"]


def capture_rows() -> list[dict[str, Any]]:
    """The measured figures with what is asked of them: `what`, `value`, `unit`, `most`."""
    with tempfile.TemporaryDirectory() as name:
        seconds, cpu, megabytes = _end_of_a_long_session(Path(name))
    with tempfile.TemporaryDirectory() as name:
        lost, doubled = _all_at_once(Path(name))
    return [
        {"what": f"4 records at the end of {LONG_MB} MB", "value": round(seconds, 2), "unit": "s", "most": 1.0},
        {"what": f"4 records at the end of {LONG_MB} MB", "value": round(cpu, 2), "unit": "s of CPU", "most": 1.0},
        {"what": f"4 records at the end of {LONG_MB} MB", "value": round(megabytes), "unit": "MB", "most": 100},
        {"what": f"{CHECKPOINTS} checkpoints + {CAPTURES} captures: lost", "value": lost, "unit": "", "most": 0},
        {"what": f"{CHECKPOINTS} checkpoints + {CAPTURES} captures: doubled", "value": doubled, "unit": "", "most": 0},
    ]


def _end_of_a_long_session(folder: Path) -> tuple[float, float, float]:
    """Best seconds, best CPU seconds and largest megabytes of a whole process that takes in four new records."""
    path = folder / "long.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(LONG_MB):
            file.write(_row(f"ask {number}", f"q{number}"))
            file.write(_row([{"type": "tool_result", "tool_use_id": "t", "content": "x" * 1_000_000}], f"r{number}"))
    _hipocampus(folder, "init", "--no-search")
    _hipocampus(folder, "capture", "--transcript", str(path))
    runs = []
    for repeat in range(REPEATS):
        with path.open("a", encoding="utf-8") as file:
            file.writelines(_row(f"late {repeat}.{number}", f"l{repeat}.{number}") for number in range(4))
        runs.append(_measured(folder, "capture", "--transcript", str(path)))
    if _logs(folder).count("User: late ") != 4 * REPEATS:
        raise AssertionError("the new records are not in the log")
    seconds, cpu, megabytes = zip(*runs, strict=True)
    return min(seconds), min(cpu), max(megabytes)


def _all_at_once(folder: Path) -> tuple[int, int]:
    """How many entries and turns of many processes at once are missing, and how many stand there twice."""
    path = folder / "s.jsonl"
    path.write_text("".join(_row(f"word {number:03}.", f"w{number}") for number in range(200)), encoding="utf-8")
    _hipocampus(folder, "init", "--no-search")
    calls = [["checkpoint", f"Entry {number:03}", "--note", "x"] for number in range(CHECKPOINTS)]
    for number in range(CAPTURES):
        calls.insert(number * len(calls) // CAPTURES, ["capture", "--transcript", str(path)])
    runs = [
        subprocess.Popen([*_RUN, *call], cwd=folder, env=_environment(), stderr=subprocess.DEVNULL) for call in calls
    ]
    if any(run.wait() for run in runs):
        raise AssertionError("a process failed")
    counts = [_logs(folder).count(f"word {number:03}.") for number in range(200)]
    counts += [len(re.findall(rf"^## Entry {number:03} \[", _logs(folder), re.M)) for number in range(CHECKPOINTS)]
    return sum(count == 0 for count in counts), sum(count > 1 for count in counts)


def _row(content: object, ident: str) -> str:
    message = {"role": "user", "content": content}
    return json.dumps({"type": "user", "uuid": ident, "timestamp": "2026-03-02T09:00:00Z", "message": message}) + "\n"


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(PROJECT)}


def _hipocampus(folder: Path, *arguments: str) -> None:
    subprocess.run([*_RUN, *arguments], cwd=folder, env=_environment(), check=True, capture_output=True)


def _measured(folder: Path, *arguments: str) -> tuple[float, float, float]:
    """Seconds, CPU seconds and resident megabytes of one process."""
    started = time.perf_counter()
    run = subprocess.Popen([*_RUN, *arguments], cwd=folder, env=_environment(), stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode:
        raise AssertionError(f"{arguments[0]} failed")
    return time.perf_counter() - started, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def _logs(folder: Path) -> str:
    return "\n".join(path.read_text("utf-8") for path in sorted((folder / "memory").glob("2*.md")))


if __name__ == "__main__":
    for row in capture_rows():
        print(f"{row['what']}: {row['value']} {row['unit']} (at most {row['most']})")
