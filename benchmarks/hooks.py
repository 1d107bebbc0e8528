"""
What a hook costs: with nothing to do, at the start of a session, and when it captures.

    python -m benchmarks.hooks [--scratch DIR] [--only NAME ...]

CPU is user and system time of the whole process, the best of many runs, each beside one of `python -c pass`: on a
shared machine the best one is the least disturbed. Results go to `benchmarks/results/hooks.md`.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks import capture, measure
from benchmarks.report import Report, Row, at_most

_RUNS = 40
_MOST = 1.7
_FILES = 200_000
_HOOK = str(Path(sys.executable).with_name("hipocampus-hook"))


@dataclass(frozen=True)
class Bench:
    """A folder for scratch workspaces."""

    scratch: Path

    def workspace(self, name: str) -> Path:
        """A workspace with some entries and a session, captured and compacted."""
        folder = self.scratch / f"{name}-{uuid.uuid4().hex[:8]}"
        folder.mkdir()
        measure.hipocampus("-C", str(folder), "init")
        for number in range(8):
            measure.hipocampus(
                "-C", str(folder), "checkpoint", f"Entry {number}", "--decision", f"door {number} is red"
            )
        say(folder, 40)
        fire("Stop", rest(folder))
        measure.hipocampus("-C", str(folder), "compact")
        fire("Stop", rest(folder))
        return folder


def say(folder: Path, records: int) -> None:
    """Add records to the transcript of Claude Code that belongs to a workspace."""
    with (folder / "transcript.jsonl").open("a", encoding="utf-8") as file:
        for number in range(records):
            voice = ("user", "assistant")[number % 2]
            message = {"role": voice, "content": f"the bolt {uuid.uuid4().hex} of the bridge needs paint"}
            row = {"type": voice, "uuid": str(uuid.uuid4()), "sessionId": "s1", "timestamp": "2026-03-15T09:00:00Z"}
            file.write(json.dumps({**row, "message": message}) + "\n")


def rest(folder: Path) -> dict[str, object]:
    """What Claude Code tells a hook of the session in a workspace."""
    return {
        "session_id": "s1",
        "transcript_path": str(folder / "transcript.jsonl"),
        "cwd": str(folder),
        "last_assistant_message": "done " * 200,
    }


def fire(event: str, payload: Mapping[str, object], *arguments: str) -> measure.Run:
    """Run the installed hook."""
    return measure.run([_HOOK, event, *arguments], stdin=json.dumps(payload))


def idle(bench: Bench) -> list[Row]:
    """Events that leave nothing to do."""
    empty = bench.scratch / "empty"
    empty.mkdir(exist_ok=True)
    folder = bench.workspace("idle")
    silent = bench.workspace("silent")
    measure.hipocampus("-C", str(silent), "config", "set", "search.enabled", "false")
    return [
        _against_bare("a folder without a workspace", "Stop", {"cwd": str(empty)}),
        _against_bare("Stop, transcript as it was, nothing due", "Stop", rest(folder)),
        _against_bare("UserPromptSubmit, recall off", "UserPromptSubmit", {"cwd": str(silent), "prompt": "any keys?"}),
    ]


def size(bench: Bench) -> list[Row]:
    """The same in a project with many files beside the memory."""
    small, large = bench.workspace("small"), bench.workspace("large")
    for number in range(_FILES):
        folder = large / "build" / str(number // 500)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number}.o").touch()
    rows = []
    for event, what in (("Stop", "nothing to do"), ("SessionStart", "session start")):
        runs = [(fire(event, rest(large)).cpu, fire(event, rest(small)).cpu) for _ in range(_RUNS // 2)]
        ours, theirs = (min(run) for run in zip(*runs, strict=True))
        label = f"{what}: {_FILES:,} files in build/ / none"
        rows.append(at_most(label, 1.2, ours / theirs, "", f"{1000 * ours:.0f} ms / {1000 * theirs:.0f} ms CPU"))
    return rows


def start(bench: Bench) -> list[Row]:
    """A session begins while yesterday's work is due."""
    runs = []
    for number in range(5):
        folder = bench.workspace(f"start{number}")
        (folder / "memory" / "2026-03-14.md").write_text("## Door [project]\n- it is red\n" * 3000)
        runs.append(fire("SessionStart", rest(folder), "--host", "codex"))
        assert "hipocampus-memory" in runs[-1].stdout
    best = min(runs, key=lambda run: run.wall)
    return [at_most("SessionStart with work due, whole process", 1, best.wall, "s", f"{best.cpu:.2f} s CPU, best of 5")]


def stop(bench: Bench) -> list[Row]:
    """The agent has answered: four new records."""
    folder = bench.workspace("capture")
    runs = []
    for _ in range(10):
        say(folder, 4)
        time.sleep(0.05)
        runs.append(fire("Stop", rest(folder)))
    best = min(runs, key=lambda run: run.wall)
    remarks = f"{best.cpu:.2f} s CPU, peak {best.peak_mb:.0f} MB, best of {len(runs)}"
    return [at_most("Stop with 4 new records, whole process", 1, best.wall, "s", remarks)]


def _against_bare(what: str, event: str, payload: Mapping[str, object]) -> Row:
    bare, hook = [], []
    for _ in range(_RUNS):
        bare.append(measure.run([sys.executable, "-c", "pass"]).cpu)
        hook.append(fire(event, payload).cpu)
    ratio = min(hook) / min(bare)
    remarks = f"{1000 * min(hook):.1f} ms / {1000 * min(bare):.1f} ms, best of {_RUNS}"
    return at_most(f"{what}: CPU / `python -c pass`", _MOST, ratio, "", remarks)


BENCHMARKS: dict[str, Callable[[Bench], list[Row]]] = {
    "idle": idle,
    "size": size,
    "start": start,
    "stop": stop,
    "long": lambda bench: capture.end_of_a_long_session(bench.scratch),
    "parallel": lambda bench: capture.many_at_once(bench.scratch),
}
REPORT = Report("hooks", "Hooks", ("what", "asked", "measured", "holds", "remarks"), list(BENCHMARKS))


def main() -> None:
    """Run the benchmarks and write their table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scratch", type=Path)
    parser.add_argument("--only", nargs="+", choices=BENCHMARKS)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as temporary:
        scratch = (arguments.scratch or Path(temporary)).resolve()
        scratch.mkdir(parents=True, exist_ok=True)
        for name in arguments.only or BENCHMARKS:
            rows = BENCHMARKS[name](Bench(scratch))
            for row in rows:
                print(" | ".join(row), file=sys.stderr)
            table = REPORT.keep({name: rows})
    print(table)


if __name__ == "__main__":
    main()
