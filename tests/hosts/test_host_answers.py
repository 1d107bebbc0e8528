"""What hooks print: nothing, or one JSON object within the host's cap."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.hosts import answers
from hipocampus.hosts.moments import EVENTS
from hipocampus.hosts.registry import HOSTS

CLAUDE, CODEX = HOSTS["claude-code"], HOSTS["codex"]


def carried(output: str) -> str:
    return json.loads(output)["hookSpecificOutput"]["additionalContext"]


@pytest.mark.parametrize("host", [CLAUDE, CODEX])
@pytest.mark.parametrize("event", answers.CARRYING)
def test_a_context_is_one_json_object_that_names_its_event(host, event: str):
    output = host.answer(event, "we chose a token bucket")
    assert json.loads(output) == {
        "hookSpecificOutput": {"hookEventName": event, "additionalContext": "we chose a token bucket"}
    }


@pytest.mark.parametrize("name", HOSTS)
def test_the_other_events_carry_nothing(name: str):
    silent = set(EVENTS[name]) - set(answers.CARRYING)
    assert {HOSTS[name].answer(event, "text") for event in silent} == {""}


@pytest.mark.parametrize("context", ["", " \n"])
def test_no_context_is_no_output(context: str):
    assert CLAUDE.answer("SessionStart", context) == CODEX.answer("SessionStart", context) == ""


def test_claude_code_gets_less_than_its_cap_of_characters():
    context = carried(CLAUDE.answer("SessionStart", "\n".join(["x" * 99] * 300)))
    assert 7_500 < len(context) <= 8_000
    assert context.endswith(answers.LEFT_OUT)


def test_codex_gets_less_than_its_cap_of_bytes():
    context = carried(CODEX.answer("SessionStart", "記憶\n" * 10_000))
    assert 19_000 < len(context.encode()) <= 20_000


def test_codex_takes_less_with_a_prompt():
    assert len(carried(CODEX.answer("UserPromptSubmit", "word\n" * 9_000))) <= 10_000


def test_a_cut_context_keeps_the_line_that_closes_its_fence():
    context = answers.cut("<memory>\n" + "fact\n" * 5_000 + "</memory>", 1_000, answers.utf16_units)
    assert context.startswith("<memory>\nfact\n")
    assert context.splitlines()[-2:] == [answers.LEFT_OUT, "</memory>"]


@pytest.mark.parametrize("context", ["\udcff\x00" * 50_000, "x" * 1_000_000, "😀" * 9_000])
@pytest.mark.parametrize("host", [CLAUDE, CODEX])
def test_any_context_gives_plain_ascii_within_the_cap(host, context: str):
    output = host.answer("SessionStart", context)
    assert output.isascii()
    assert "\n" not in output
    assert answers.utf16_units(carried(output)) <= host.context_limit


@given(st.text(), st.integers(200, 400))
def test_what_is_cut_always_fits(text: str, limit: int):
    for size in (answers.utf16_units, answers.utf8_bytes):
        assert size(answers.cut(text * 20, limit, size)) <= limit
