"""Days far larger than anyone writes by hand."""

from __future__ import annotations

import json
import subprocess
import sys
import time

import pytest

# Compacts and prints the peak memory of the process in kilobytes.
MEASURED = """
import json, resource, sys
from datetime import date
from pathlib import Path
from hipocampus.memory import Memory
done = Memory.find(Path(sys.argv[1]), today=date(2026, 3, 20)).compact()
print(json.dumps([resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, done.root_tokens, done.warnings]))
"""


def _measured(store, timeout: float) -> tuple[int, int, list[str]]:
    arguments = [sys.executable, "-c", MEASURED, str(store.root)]
    done = subprocess.run(arguments, check=True, timeout=timeout, capture_output=True)
    return tuple(json.loads(done.stdout))


def _entries(size: int) -> str:
    """About `size` characters: entries of ten lines each, one of them a rule, no two lines alike."""
    line = "- the build of part {0} in Lisbon took {1} minutes and Priya kept the log of run {0}\n"
    entry = 10 * len(line)
    return "".join(
        f"## Part {n}\n" + "".join(line.format(f"{n}-{m}", (n * 7 + m) % 90) for m in range(10))
        for n in range(size // entry)
    )


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["entries", "one session"])
def test_a_day_of_a_hundred_megabytes_is_rolled_up_in_bounded_memory(store, shape: str):
    text = _entries(100_000_000)
    if shape == "one session":
        text = "## Session s1\n" + text.replace("## Part", "User: about part").replace("- the", "Assistant: the")
    store.log("2026-03-02", f"{text}<!-- hipo id=aaaaaa -->\n\n## Rule [feedback]\n- rule: MARK-LAST\n")
    del text
    kilobytes, tokens, warnings = _measured(store, 900)
    assert warnings == []
    assert kilobytes < 1_200_000
    assert tokens <= 3000
    for name in ("daily/2026-03-02.md", "weekly/2026-W10.md", "monthly/2026-03.md", "ROOT.md"):
        assert "MARK-LAST" in store.text(name)


@pytest.mark.parametrize("word", ["word ", "x", "数据", "- ", "`", "→ ", "[", "(temporary ", "    ", "a.", "User: "])
def test_a_line_of_two_megabytes_costs_seconds_at_most(store, word: str):
    store.log(
        "2026-03-02",
        f"## Long [project]\n- {word * (2_000_000 // len(word.encode()))}\n\n## After [project]\n- AFTER\n",
    )
    started = time.perf_counter()
    store.compact("2026-03-20")
    assert time.perf_counter() - started < 20
    assert "AFTER" in store.text("ROOT.md")


def test_a_day_of_two_megabytes_in_small_entries_costs_seconds_at_most(store):
    store.log("2026-03-02", _entries(2_000_000) + "\n## Rule [feedback]\n- rule: MARK-LAST\n")
    started = time.perf_counter()
    store.compact("2026-03-20")
    assert time.perf_counter() - started < 20
    assert "MARK-LAST" in store.text("ROOT.md")
