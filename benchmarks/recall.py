"""
What a prompt's hook costs and gives: latency, the gate, evidence and tokens, all in the process that hosts start.

    python -m benchmarks.recall --store FOLDER --data FOLDER [--years FOLDER] [--only NAME ...]

`--store` is a workspace with the 91 days after a `sleep`, `--data` a dataset of `benchmarks.memaware`, `--years` a
workspace with ten years. Prompts that need no memory stand in `benchmarks/prompts`, one a line. Results go to
`benchmarks/results/recall.md`.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from benchmarks import measure
from benchmarks.memaware.dataset import Dataset
from benchmarks.memaware.evidence import Item, Logs, rates
from benchmarks.report import Report, Row, at_most, holds
from hipocampus.memory import Memory
from hipocampus.recall.recall import Recalled

_HOOK = str(Path(sys.executable).with_name("hipocampus-hook"))
_PROMPTS = Path(__file__).parent / "prompts"
_ASKED = 40


@dataclass(frozen=True)
class Bench:
    """The stores, and the dataset that the first was made from."""

    store: Path
    data: Path
    years: Path | None

    @cached_property
    def dataset(self) -> Dataset:
        """Questions and logs."""
        return Dataset(self.data)

    @cached_property
    def memory(self) -> Memory:
        """The 91 days, on the day of the questions."""
        return Memory.find(self.store, today=self.dataset.today)


def latency(bench: Bench) -> list[Row]:
    """Whole processes, as a host starts them: every question asked once of each store."""
    questions = [
        question.text for question in bench.dataset.questions[:: max(1, len(bench.dataset.questions) // _ASKED)]
    ]
    short = [_fire(bench.store, text) for text in questions]
    rows = _walls("91 days", short, 1.0)
    if bench.years:
        rows += _walls("ten years", [_fire(bench.years, text) for text in questions], 1.5)
    return rows


def gate(bench: Bench) -> list[Row]:
    """Prompts that need no memory, and what the gate costs those that do."""
    rows = []
    for name, least in (("long", 80.0), ("short", 99.0)):
        prompts = (_PROMPTS / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        silent = sum(not bench.memory.recall(prompt).items for prompt in prompts)
        share = 100 * silent / len(prompts)
        shown = f"{share:.1f} %"
        rows.append(
            (
                f"{name} prompts that get nothing",
                f">= {least:g} %",
                shown,
                holds(share >= least),
                f"{silent} of {len(prompts)}",
            )
        )
    return rows


def evidence(bench: Bench) -> list[Row]:
    """The prompt hook's settings on the questions, with and without the gate, and the tokens it took."""
    logs = Logs(bench.dataset.logs)
    found = {q.id: bench.memory.recall(q.text) for q in bench.dataset.questions}
    hits = {q.id: logs.in_items(q, _items(found[q.id])) for q in bench.dataset.questions}
    ungated = {
        q.id: logs.in_items(q, _items(bench.memory.recall(q.text, always=True))) for q in bench.dataset.questions
    }
    percent, without = rates(hits, bench.dataset.questions), rates(ungated, bench.dataset.questions)
    tokens = statistics.median(bench.memory.count(found[ident].context) for ident, hit in hits.items() if hit)
    return [
        _at_least("evidence@1500, all", 25, percent["all"], f"without the gate {without['all']:.1f} %"),
        _at_least("evidence@1500, hard", 4, percent["hard"], f"without the gate {without['hard']:.1f} %"),
        at_most("median tokens where the evidence was found", 700, tokens, "", ""),
    ]


def _fire(folder: Path, prompt: str) -> measure.Run:
    """Claude Code's hook for a prompt; no session, so that nothing is left out as shown before."""
    payload = json.dumps({"session_id": "", "cwd": str(folder), "prompt": prompt})
    return measure.run([_HOOK, "UserPromptSubmit", "--host", "claude-code"], stdin=payload)


def _walls(what: str, runs: Sequence[measure.Run], factor: float) -> list[Row]:
    walls = sorted(1000 * run.wall for run in runs)
    cpu = 1000 * statistics.median(run.cpu for run in runs)
    bare = 1000 * min(measure.run([sys.executable, "-c", "pass"]).wall for _ in range(10))
    remarks = f"{len(runs)} prompts, median {cpu:.0f} ms CPU, best {walls[0]:.0f} ms; `python -c pass` {bare:.0f} ms"
    late = walls[int(0.95 * (len(walls) - 1))]
    return [
        at_most(f"prompt hook, {what}: median", 150 * factor, statistics.median(walls), "ms", remarks),
        at_most(f"prompt hook, {what}: p95", 250 * factor, late, "ms", remarks),
    ]


def _items(found: Recalled) -> list[Item]:
    return [Item(item.source, item.lines, item.text) for item in found.items]


def _at_least(what: str, least: float, measured: float, remarks: str) -> Row:
    return what, f">= {least:g} %", f"{measured:.1f} %", holds(measured >= least), remarks


BENCHMARKS: dict[str, Callable[[Bench], list[Row]]] = {"latency": latency, "gate": gate, "evidence": evidence}


def main() -> None:
    """Run the benchmarks and keep their results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--years", type=Path)
    parser.add_argument("--only", nargs="*", choices=BENCHMARKS, default=list(BENCHMARKS))
    given = parser.parse_args()
    bench = Bench(given.store, given.data, given.years)
    os.environ["HIPOCAMPUS_TODAY"] = bench.dataset.today.isoformat()
    report = Report(
        "recall",
        "Recall: what a prompt costs, and what it brings to mind",
        ("what", "asked", "measured", "reached", "remarks"),
        list(BENCHMARKS),
    )
    sys.stdout.write(report.keep({name: BENCHMARKS[name](bench) for name in given.only}))


if __name__ == "__main__":
    main()
