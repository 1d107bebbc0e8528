"""
MemAware: prepare the data, score what stood on the page, run the published protocol, report.

    python -m benchmarks.memaware prepare CLONE DATA           copy logs and questions out of a clone of the dataset
    python -m benchmarks.memaware evidence DATA                scores that need no model
    python -m benchmarks.memaware run DATA --answer MODEL --judge MODEL [--condition NAME]
    python -m benchmarks.memaware score                        what the judged answers come to
    python -m benchmarks.memaware report                       tables and the plot from what is kept

A MODEL is openai:NAME, anthropic:NAME or command:PROGRAM (see models.py).
Results are kept in benchmarks/results/memaware.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.memaware import conditions, protocol, report
from benchmarks.memaware.dataset import Dataset, DatasetError, counts, prepare
from benchmarks.memaware.evidence import Logs
from benchmarks.memaware.models import ModelError, model_named
from benchmarks.memaware.scores import Score, Scorer, store_at
from hipocampus.memory import Memory

RESULTS = Path(__file__).parent.parent / "results" / "memaware"
ROOTS = (3000, 10000)


def main(
    arguments: Sequence[str] | None = None, *, results: Path = RESULTS, environ: Mapping[str, str] = os.environ
) -> int:
    """Run one command; returns its exit code."""
    given = _parser().parse_args(arguments)
    try:
        return int(given.call(given, results, environ))
    except (DatasetError, ModelError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


def _prepare(given: argparse.Namespace, _results: Path, _environ: Mapping[str, str]) -> int:
    dataset = prepare(given.clone, given.data, given.questions)
    print(
        f"{len(dataset.logs)} days and {len(dataset.questions)} questions {counts(dataset.questions)} in {given.data}"
    )
    return 0


def _evidence(given: argparse.Namespace, results: Path, _environ: Mapping[str, str]) -> int:
    dataset = Dataset(given.data)
    scorer = Scorer(dataset.questions, Logs(dataset.logs), _memories(dataset), _say)
    scores = scorer.run()
    results.mkdir(parents=True, exist_ok=True)
    kept = {"questions": counts(dataset.questions), "scores": [asdict(score) for score in scores]}
    (results / "evidence.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    print(report.evidence_table(scores), end="")
    return 0


def _run(given: argparse.Namespace, results: Path, environ: Mapping[str, str]) -> int:
    dataset = Dataset(given.data)
    questions = dataset.questions[: given.limit]
    memory = _memories(dataset, (given.root,))[given.root]
    page = conditions.Page.of(memory)
    chosen = [conditions.CONDITIONS[name] for name in given.condition or conditions.CONDITIONS]
    tasks = [
        protocol.Task(c.name, lambda text, c=c: page.context(c, text), results / f"{c.name}-{given.root}.jsonl")  # type: ignore[misc]
        for c in chosen
    ]
    cost = protocol.estimate({t.condition: t.context for t in tasks}, questions, memory.count)
    for name, tokens in cost.items():
        print(f"{name}: at most {tokens:,} tokens for {len(questions)} questions")
    if given.most_tokens is not None and sum(cost.values()) > given.most_tokens:
        print(f"that is more than --most-tokens {given.most_tokens:,}: nothing was asked", file=sys.stderr)
        return 1
    if given.dry_run:
        return 0
    models = model_named(given.answer, environ), model_named(given.judge, environ)
    runner = protocol.Runner(*models, protocol.Meter(given.most_tokens), given.at_once)
    left = 0
    for task in tasks:
        left += runner.run(task, questions, lambda line: _say(f"{line.condition} {line.question_id}: {line.kind}"))
    print(report.graded_table(_graded(results)), end="")
    if left:
        print(f"{left} questions have no answer yet: run again to ask them", file=sys.stderr)
    return 1 if left else 0


def _score(_given: argparse.Namespace, results: Path, _environ: Mapping[str, str]) -> int:
    print(report.graded_table(_graded(results)), end="")
    return 0


def _report(_given: argparse.Namespace, results: Path, _environ: Mapping[str, str]) -> int:
    kept = json.loads((results / "evidence.json").read_text(encoding="utf-8"))
    scores = [Score(**{**row, "interval": tuple(row["interval"])}) for row in kept["scores"]]
    asked = ", ".join(f"{number} {tier}" for tier, number in kept["questions"].items())
    text = f"# MemAware\n\nNo model took part in these; {asked} questions.\n\n{report.evidence_table(scores)}"
    judged = _graded(results)
    text += f"\n## Judged answers\n\n{report.graded_table(judged)}" if any(judged.values()) else ""
    (results / "README.md").write_text(text, encoding="utf-8")
    bars = {score.what: score.percent for score in scores if "evidence" in score.what}
    (results / "evidence.svg").write_text(report.plot("What was on the page, per cent of questions", bars), "utf-8")
    print(text, end="")
    return 0


def _graded(results: Path) -> dict[str, list[protocol.Graded]]:
    return {file.stem: list(protocol.read(file)) for file in sorted(results.glob("*.jsonl"))}


def _memories(dataset: Dataset, roots: Sequence[int] = ROOTS) -> dict[int, Memory]:
    """A store for each budget of ROOT.md beside the data, made by the installed command; the first one is searched."""
    memories = {}
    for budget in roots:
        folder = dataset.folder / f"store-{budget}"
        store_at(folder, dataset.logs, budget)
        command = [sys.executable, "-m", "hipocampus", "-C", str(folder), "--today", str(dataset.today)]
        subprocess.run([*command, "compact" if memories else "sleep"], check=True)
        memories[budget] = Memory.find(folder, today=dataset.today)
    return memories


def _say(text: str) -> None:
    print(text, file=sys.stderr)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="memaware", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("prepare")
    one.add_argument("clone", type=Path)
    one.add_argument("data", type=Path)
    one.add_argument("--questions", type=Path, help="use these questions instead of the clone's")
    one.set_defaults(call=_prepare)
    one = commands.add_parser("evidence")
    one.add_argument("data", type=Path)
    one.set_defaults(call=_evidence)
    one = commands.add_parser("run")
    one.add_argument("data", type=Path)
    one.add_argument("--answer", required=True, metavar="MODEL")
    one.add_argument("--judge", required=True, metavar="MODEL")
    one.add_argument("--condition", action="append", choices=list(conditions.CONDITIONS))
    one.add_argument("--root", type=int, choices=ROOTS, default=ROOTS[0], help="tokens of ROOT.md")
    one.add_argument("--limit", type=int, help="ask the first N questions only")
    one.add_argument("--at-once", type=int, default=4)
    one.add_argument("--most-tokens", type=int, help="refuse, and stop, beyond so many")
    one.add_argument("--dry-run", action="store_true", help="say what it would cost and ask nothing")
    one.set_defaults(call=_run)
    for name, call in (("score", _score), ("report", _report)):
        commands.add_parser(name).set_defaults(call=call)
    return parser


if __name__ == "__main__":
    sys.exit(main())
