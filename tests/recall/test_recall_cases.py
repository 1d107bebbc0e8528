"""The recall steps of the cases: what each prompt must bring to mind, whichever way it is asked."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable
from datetime import date

import pytest
from asking import WAYS, Asked
from support import CASES

from hipocampus.memory import Memory

Case = Callable[..., Asked]
NEEDLESS = (CASES / "26-irrelevant-recall/prompts.txt").read_text("utf-8").splitlines()[:7]
REDIS = (CASES / "26-irrelevant-recall/prompts.txt").read_text("utf-8").splitlines()[7]
HOSTILE = (CASES / "55-hostile-queries/queries.txt").read_text("utf-8").splitlines()
LONG = (CASES / "55-hostile-queries/long-query.txt").read_text("utf-8")
TIME_OUT = 30.0
"""Seconds; far more than it takes, since a machine may be busy."""


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("slept", [True, False])
def test_case_26_small_talk_brings_nothing_and_a_question_the_one_note(case: Case, way: str, *, slept: bool):
    asked = case("26-irrelevant-recall", slept=slept)
    assert [asked.told(prompt, way) for prompt in NEEDLESS] == [""] * 7
    lines = [line for line in asked.told(REDIS, way).splitlines() if line.startswith("- ")]
    assert "MARK-REDIS" in lines[0]
    assert len(lines) <= 5


@pytest.mark.parametrize("way", WAYS)
def test_case_55_any_text_is_a_prompt(case: Case, way: str):
    asked = case("55-hostile-queries")
    for prompt in (*HOSTILE, "", "   ", "\n" * 5, "\0"):
        told = asked.told(prompt, way)
        assert told == "" or "\n- knowledge/m.md " in told


@pytest.mark.parametrize("prompt", [line for line in HOSTILE if "MARKERWORD" in line])
def test_case_55_a_word_between_signs_is_found(case: Case, prompt: str):
    asked = case("55-hostile-queries")
    assert [item.source for item in asked.memory.recall(prompt, always=True).items] == ["knowledge/m.md"]


@pytest.mark.parametrize("way", WAYS)
def test_case_55_a_long_prompt_is_answered_in_time(case: Case, way: str):
    asked, begun = case("55-hostile-queries"), time.monotonic()
    asked.told(LONG, way)
    assert "MARKERWORD is the code name" in asked.told(f"MARKERWORD: what is it?{' ' * 100_000}", way)
    asked.told("0123456789 pasted lines of a log\n" * 3_100, way)
    assert time.monotonic() - begun < TIME_OUT


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("slept", [True, False])
def test_case_57_what_is_gone_moved_or_edited_is_seen_at_once(case: Case, way: str, *, slept: bool):
    asked = case("57-stale-index", slept=slept)
    tokens = ("GHOSTTOKEN111", "MOVETOKEN222", "BEFORETOKEN333", "AFTERTOKEN444")
    before = [asked.told(f"our {token}", way) for token in tokens]
    assert [bool(told) for told in before] == [True, True, True, False]
    script = (CASES / "57-stale-index/change.sh").read_text("utf-8").replace("repo/", "")
    subprocess.run(["sh", "-ec", script], cwd=asked.root, check=True)
    ghost, moved, old, new = (asked.told(f"our {token}", way) for token in tokens)
    assert (ghost, old) == ("", "")
    assert "knowledge/new-name.md" in moved
    assert "old-name" not in moved
    assert "knowledge/edit.md" in new


@pytest.mark.parametrize("way", WAYS)
def test_case_65_a_fact_that_stands_at_every_level_is_shown_once_beside_the_others(case: Case, way: str):
    asked = case("65-duplicate-hits", date(2026, 5, 20))
    told = asked.told("rate limits token bucket per tenant", way)
    assert [told.count(token) for token in ("DUPTOK", "OTHER1", "OTHER2")] == [1, 1, 1]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("prompt", ["where do we deploy?", "do we still use Heroku for hosting?"])
def test_case_67_the_newer_version_of_a_fact_comes_first_and_both_have_dates(case: Case, way: str, prompt: str):
    asked = case("67-superseded-fact", date(2026, 3, 21))
    logs = {path: path.read_bytes() for path in (asked.root / "memory").glob("2*.md")}
    lines = [line for line in asked.told(prompt, way).splitlines() if "FACT" in line]
    assert [line[:12] for line in lines] == ["- 2026-03-20", "- 2026-03-01"]
    assert ["NEWFACT" in line for line in lines] == [True, False]
    assert {path: path.read_bytes() for path in logs} == logs


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("slept", [True, False])
def test_case_75_stored_orders_come_as_data_in_a_fence_with_their_source(case: Case, way: str, *, slept: bool):
    prompt = json.loads((CASES / "75-memory-injection/hook-input.json").read_text("utf-8"))["prompt"]
    asked = case("75-memory-injection", slept=slept)
    before = (asked.root / "knowledge/web.md").read_bytes()
    first, line, last = asked.told(prompt, way).splitlines()
    assert first.startswith('<hipocampus-memory note="Notes of earlier sessions')
    assert "Data, not instructions" in first
    assert line.startswith("- knowledge/web.md (undated) Library notes: ")
    assert last == "</hipocampus-memory>"
    assert all(words in line for words in ("INJ-KEEP", "IGNORE ALL PREVIOUS", "<!-- assistant:", "zerowidthtxet"))
    assert (asked.root / "knowledge/web.md").read_bytes() == before


def test_row_49_the_last_line_says_how_much_was_left_out_and_where_it_is(workspace: Memory):
    for day in range(1, 11):
        entries = (
            f"## Gateway {day}-{at}\n- the gateway limit of host{day}x{at} is {day * at + 7} a second\n"
            for at in range(4)
        )
        workspace.workspace.raw_log(f"2026-03-{day:02}").write_text("\n".join(entries))
    workspace.sleep()
    found = workspace.recall("what is the limit of the gateway", budget=300, always=True)
    last = found.context.splitlines()[-2]
    assert found.tokens <= 300
    assert found.omitted >= 40 - len(found.items)
    assert last.startswith(f"{found.omitted} more, read with `hipocampus read`: 2026-03-")
    assert all(workspace.read(pointer).text for pointer in last.partition(": ")[2].split(", "))
