"""What recall did is counted and shown by `status`, and so is the concept index that it asks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support import Ran

from hipocampus.index.home import CONCEPTS
from hipocampus.memory import Memory

Invoke = Callable[..., Ran]
TODAY = ("--today", "2026-03-15")
PROMPT = "what limit did we choose for the payment gateway"
LIMITS = "## Rate limits [project]\n- decisions: token bucket for the payment gateway, limit 100 a second\n"


@pytest.fixture
def memory(workspace: Memory) -> Memory:
    """Two decisions of last week, after a night's sleep."""
    for day in ("2026-03-05", "2026-03-06"):
        workspace.workspace.raw_log(day).write_text(LIMITS.replace("bucket", f"bucket {day}"), encoding="utf-8")
    workspace.sleep()
    return workspace


def lines(done: Ran, name: str) -> list[str]:
    return [line.removeprefix(name).strip() for line in done.out.splitlines() if line.startswith(name)]


def test_status_shows_what_the_last_prompt_was_told(memory: Memory, invoke: Invoke):
    told = len(memory.remind(PROMPT, "s1").items)
    last, counted = lines(invoke("status", *TODAY), "recall")
    assert last == f"last 2026-03-15 12:00: {told} lines"
    assert counted.startswith("1 of 1 prompts answered, with lines found ")
    assert told > 0


def test_a_prompt_that_the_gate_turned_away_is_counted_with_the_reason(memory: Memory, invoke: Invoke):
    memory.remind("ok", "s1")
    assert lines(invoke("status", *TODAY), "recall")[0].endswith(": nothing, the prompt says nothing to look up")
    assert invoke("status", "--json", *TODAY).json["recall"]["prompts"] == 1


def test_lines_are_counted_by_how_they_were_found(memory: Memory, invoke: Invoke):
    memory.remind(PROMPT, "s1")
    memory.workspace.raw_log("2026-03-15").write_text(LIMITS.replace("bucket", "bucket today"), encoding="utf-8")
    memory.remind(PROMPT, "s1")
    counted = invoke("status", "--json", *TODAY).json["recall"]
    assert (counted["concept_hits"] + counted["fallthrough"], counted["episodic_hits"]) == (1, 1)
    assert (counted["prompts"], counted["answered"], counted["lines"]) == (2, 2, 1)


def test_asking_on_the_command_line_counts_nothing(memory: Memory, invoke: Invoke):
    invoke("recall", PROMPT, *TODAY)
    assert lines(invoke("status", *TODAY), "recall") == ["no prompt yet"]


@pytest.mark.parametrize("kept", ["", "[]", "{}", '{"prompts": "x"}'])
def test_a_damaged_count_begins_anew(memory: Memory, invoke: Invoke, kept: str):
    memory.workspace.tally.write_text(kept)
    assert lines(invoke("status", *TODAY), "recall") == ["no prompt yet"]
    memory.remind(PROMPT, "s1")
    assert invoke("status", "--json", *TODAY).json["recall"]["prompts"] == 1


def test_status_shows_the_concept_index_and_what_changed_since(memory: Memory, invoke: Invoke):
    state = invoke("status", "--json", *TODAY).json["concepts"]
    assert (state["chunks"], state["documents"], state["stale_sources"]) == (2, 2, 0)
    assert state["size"] == (memory.workspace.index / CONCEPTS).stat().st_size
    assert state["anchors"] > 0
    memory.workspace.raw_log("2026-03-06").unlink()
    memory.workspace.raw_log("2026-03-07").write_text(LIMITS)
    (line,) = lines(invoke("status", *TODAY), "concepts")
    assert line.endswith(", 2 files changed since")


def test_status_says_where_there_are_no_concepts_or_damaged_ones(memory: Memory, invoke: Invoke):
    (memory.workspace.index / CONCEPTS).write_bytes(b"damaged" * 1000)
    done = invoke("status", *TODAY)
    assert (lines(done, "concepts"), lines(done, "state")) == (["none"], ["healthy"])
    assert "recall finds by words alone: " in done.err
    (memory.workspace.index / CONCEPTS).unlink()
    assert "by words alone" not in invoke("status", *TODAY).err
