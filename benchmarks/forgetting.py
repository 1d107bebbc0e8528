"""
Forgetting: under attack, in a store of months, and under kill -9.

    python -m benchmarks.forgetting [--templates N] [--store DIR] [--only NAME ...] [--cases FILE]

`attacks` and `templates` go against the real store: facts in, mutations, the ten best texts, substrings. The cases of
this repository were written before anything matched them, but the matching was then mended with them in sight;
`--cases` runs others of the same form. `store` and `kills` need a workspace with raw logs of months that was slept
over; it is copied.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from benchmarks import forgetting_kills, forgetting_store
from benchmarks.forgetting_kills import Killed
from benchmarks.forgetting_store import Store
from benchmarks.report import Report, Row

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "forgetting"))

from forgetting_cases import ATTACKS, Case, read, templates

from hipocampus.testing import ForgetAdapter

_FORGOTTEN = 12
_KILLS = 100
_KILLED_DAYS = 10
REPORT = Report(
    "forgetting", "Forgetting", ("cases", "held", "of", "share"), ("attacks", "templates", "store", "kills")
)


def holds(adapter: ForgetAdapter, case: Case) -> bool:
    """Whether the answers to a case hold what they must and nothing that they must not."""
    adapter.reset()
    for fact in case.facts:
        adapter.inscribe(fact)
    for mutation in case.mutations:
        if mutation.kind == "supersede":
            adapter.supersede(mutation.query, mutation.new)
        elif mutation.kind == "release":
            adapter.release(mutation.query)
        else:
            adapter.purge(mutation.query)
    found = "\n".join(adapter.recall_texts(case.query, 10))
    return all(text in found for text in case.must_hold) and not any(text in found for text in case.must_not_hold)


def rows(name: str, cases: Iterable[Case]) -> list[Row]:
    """A row for each category, and one for all."""
    counts: Counter[str] = Counter()
    held: Counter[str] = Counter()
    started = time.perf_counter()
    with ForgetAdapter() as adapter:
        for case in cases:
            counts[case.category] += 1
            held[case.category] += holds(adapter, case)
    each = [_row(f"{name}: {category}", held[category], counts[category]) for category in counts]
    seconds = (time.perf_counter() - started) / max(counts.total(), 1)
    return [*each, _row(f"**{name}**, {seconds:.2f} s a case", held.total(), counts.total())]


def _row(name: str, held: int, count: int) -> Row:
    return name, str(held), str(count), f"{held / max(count, 1):.1%}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run, keep the results, print them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--templates", type=int, default=1000, help="How many drawn cases.")
    parser.add_argument("--cases", type=Path, help="A file of cases instead of those of this repository.")
    parser.add_argument("--store", type=Path, help="A workspace with raw logs of months, slept over.")
    parser.add_argument("--only", nargs="+", choices=REPORT.order)
    options = parser.parse_args(arguments)
    if options.cases:
        print(*(" | ".join(row) for row in rows("given", read(options.cases))), sep="\n")
        return
    runs: dict[str, Callable[[], list[Row]]] = {
        "attacks": lambda: rows("attacks", read(ATTACKS)),
        "templates": lambda: rows("templates", templates(options.templates)),
    }
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        if options.store:
            runs |= _in_a_store(options.store, Path(scratch))
        for name in options.only or runs:
            table = REPORT.keep({name: runs[name]()})
    print(table)


def _in_a_store(store: Path, scratch: Path) -> dict[str, Callable[[], list[Row]]]:
    logs = sorted((store / "memory").glob("2*.md"))
    return {
        "store": lambda: forgetting_store.rows(Store.copied(store, scratch), _FORGOTTEN),
        "kills": lambda: forgetting_kills.rows(Killed.prepare(logs[:_KILLED_DAYS], scratch), _KILLS),
    }


if __name__ == "__main__":
    main()
