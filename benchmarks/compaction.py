"""
How fast, how small and how telling: the compaction tree on three months of real logs and on ten years.

    python -m benchmarks.compaction --shared DIR [--scratch DIR] [--years 10] [--only NAME ...]

`--shared` holds `data/memaware/` and `tools/score_recall.py`. Results go to `benchmarks/results/compaction.md`.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from benchmarks import longlogs, measure
from benchmarks.report import Report
from benchmarks.stores import TODAY, Scratch
from hipocampus.memory import Memory

Rows = list[tuple[str, str, str, str]]


@dataclass(frozen=True)
class Bench(Scratch):
    """One run; every `step` days the full tree is compared with the grown one."""

    step: int

    def store(self, name: str, *, root_tokens: int = 3000, logs: bool = True) -> Path:
        """A fresh workspace with the 91 days."""
        return self.workspace(name, {"compaction": {"rootMaxTokens": root_tokens}}, logs=logs)


def full_compact(bench: Bench) -> Rows:
    """Full compact of the 91 days against counting the same text once."""
    paths = [str(path) for path in sorted(bench.sessions.glob("*.md"))]
    store = bench.store("full")
    counting, compacting = [], []
    for _ in range(3):
        counted = measure.run([sys.executable, "-m", "benchmarks.count_once", *paths])
        counting.append(float(counted.stdout))
        shutil.rmtree(store / "memory" / ".hipocampus", ignore_errors=True)
        compacting.append(measure.hipocampus("-C", str(store), "--today", str(TODAY), "--json", "compact", "--full"))
    once, done = sorted(counting)[1], measure.medians(compacting)
    return [
        (
            "full compact of 91 days / tiktoken counts the same text once",
            "<= 10",
            f"{done.wall / once:.1f}",
            f"{done.wall:.1f} s / {once:.2f} s, whole process against counting alone",
        ),
        ("peak memory of the full compact", "<= 400 MB", f"{done.peak_mb:.0f} MB", ""),
    ]


def nothing_new(bench: Bench) -> Rows:
    """A second run with nothing new."""
    store = bench.store("second")
    measure.hipocampus("-C", str(store), "--today", str(TODAY), "compact")
    before = _stamps(store)
    again = [measure.hipocampus("-C", str(store), "--today", str(TODAY), "--json", "compact") for _ in range(5)]
    same = "writes nothing" if _stamps(store) == before else "WRITES"
    return [
        (
            "second run with nothing new, 91 days",
            "<= 0.3 s, writes nothing",
            f"{measure.medians(again).wall:.2f} s, {same}",
            "",
        )
    ]


def one_entry(bench: Bench) -> Rows:
    """One new entry in a store of 91 days and in one of years."""
    short = bench.store("short")
    long = bench.scratch / f"years{bench.years}"
    if not (long / "memory" / "ROOT.md").exists():
        bench.store(long.name, logs=False)
        written = longlogs.write_years(bench.sessions, long / "memory", TODAY, round(365.25 * bench.years))
        print(f"{bench.years} years: {written / 1e6:.0f} MB", file=sys.stderr)
    for store in (short, long):
        measure.hipocampus("-C", str(store), "--today", str(TODAY), "compact")
    times: dict[Path, list[measure.Run]] = {short: [], long: []}
    for number in range(5):
        for store, runs in times.items():
            entry = ("checkpoint", f"Entry {number}", "--decision", f"colour {number} was chosen for the door")
            measure.hipocampus("-C", str(store), "--today", str(TODAY), *entry)
            runs.append(measure.hipocampus("-C", str(store), "--today", str(TODAY), "--json", "compact"))
    small, large = measure.medians(times[short]), measure.medians(times[long])
    return [
        ("one new entry, 91 days", "<= 1 s", f"{small.wall:.2f} s", f"peak {small.peak_mb:.0f} MB"),
        (f"one new entry, {bench.years} years", "<= 1 s", f"{large.wall:.2f} s", f"peak {large.peak_mb:.0f} MB"),
        ("the second / the first", "<= 2", f"{large.wall / small.wall:.2f}", "medians of 5, in turn"),
    ]


def identical(bench: Bench) -> Rows:
    """Incremental day by day against a full build, byte for byte."""
    grown, rebuilt = bench.store("grown", logs=False), bench.store("rebuilt", logs=False)
    days = sorted(bench.sessions.glob("*.md"))
    compared = different = 0
    for number, path in enumerate(days, 1):
        today = date.fromisoformat(path.stem)
        for store in (grown, rebuilt):
            shutil.copy2(path, store / "memory")
        Memory.find(grown, today=today).compact()
        if number % bench.step == 0 or number == len(days):
            Memory.find(rebuilt, today=today).compact(full=True)
            compared += 1
            different += _tree(grown) != _tree(rebuilt)
            print(f"{today}: {'different' if different else 'same'}", file=sys.stderr)
    label = "every day" if bench.step == 1 else f"every {bench.step} days and the last"
    return [
        (
            "`compact --full` against the incremental result, day by day",
            "byte-identical",
            f"{compared - different} of {compared} identical",
            f"compared {label}",
        )
    ]


def evidence(bench: Bench) -> Rows:
    """Root evidence on the dev questions."""
    rows: Rows = []
    for budget, least in ((3000, "10 %"), (10_000, "26 %")):
        store = bench.store(f"root{budget}", root_tokens=budget)
        memory = Memory.find(store, today=TODAY)
        memory.compact()
        root = store / "memory" / "ROOT.md"
        scored = measure.run(
            [
                sys.executable,
                str(bench.shared / "tools" / "score_recall.py"),
                "--logs",
                str(bench.sessions),
                "--questions",
                str(bench.shared / "data" / "memaware" / "questions-dev.json"),
                "--root",
                str(root),
                "--json",
            ]
        )
        table = json.loads(scored.stdout)["root"]
        tiers = ", ".join(f"{tier} {table[tier]}" for tier in ("easy", "medium", "hard"))
        counted = memory.count(root.read_text(encoding="utf-8"))
        rows.append(
            (
                f"root evidence with {budget:,} tokens (dev questions)",
                f">= {least}",
                f"{table['all']} %",
                f"{tiers}; {counted} tokens",
            )
        )
    return rows


def version(_bench: Bench) -> Rows:
    """CPU time of `hipocampus --version` against importing click."""
    ours, theirs = [], []
    for _ in range(21):
        ours.append(measure.hipocampus("--version"))
        theirs.append(measure.run([sys.executable, "-c", "import click"]))
    a, b = measure.medians(ours).cpu, measure.medians(theirs).cpu
    return [
        (
            '`hipocampus --version` / `python -c "import click"`, CPU',
            "<= 2",
            f"{a / b:.2f}",
            f"{a * 1000:.0f} ms / {b * 1000:.0f} ms",
        )
    ]


BENCHMARKS: dict[str, Callable[[Bench], Rows]] = {
    "version": version,
    "full": full_compact,
    "second": nothing_new,
    "evidence": evidence,
    "identical": identical,
    "entry": one_entry,
}
REPORT = Report("compaction", "Compaction", ("what", "at least", "measured", "remarks"), list(BENCHMARKS))


def main() -> None:
    """Run the benchmarks and write their table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--scratch", type=Path)
    parser.add_argument("--years", type=int, default=10)
    parser.add_argument("--step", type=int, default=1, help="compare every STEP days in `identical`")
    parser.add_argument("--only", nargs="+", choices=BENCHMARKS)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        bench = Bench(arguments.shared.resolve(), arguments.scratch or Path(temporary), arguments.years, arguments.step)
        rows: dict[str, Rows] = {}
        for name in arguments.only or BENCHMARKS:
            rows[name] = BENCHMARKS[name](bench)
            for row in rows[name]:
                print(" | ".join(row), file=sys.stderr)
    print(REPORT.keep(rows))


def _stamps(store: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in sorted((store / "memory").rglob("*")) if path.is_file()}


def _tree(store: Path) -> dict[str, bytes]:
    folders = ("daily", "weekly", "monthly")
    nodes = [path for folder in folders for path in (store / "memory" / folder).glob("*.md")]
    return {path.relative_to(store).as_posix(): path.read_bytes() for path in (*nodes, store / "memory" / "ROOT.md")}


if __name__ == "__main__":
    main()
