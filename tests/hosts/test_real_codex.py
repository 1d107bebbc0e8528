"""Codex itself, with `codex exec`, against a model on loopback: what stands in the raw log when."""

from __future__ import annotations

import signal
from dataclasses import dataclass

import pytest
from clients import DECIDED, OPEN_WORK, Codex, Desk, NewDesk, ask, end_while_answering
from model_api import CALLS_A_TOOL, STALLS, TOOL_COMMAND
from terminal import wait_until

CLIENT = Codex()
FIRST, SECOND, NEXT = f"Feed the herons, {CALLS_A_TOOL}", "And the cranes?", "Are you back?"
LAST = f"Count the grey ones, {STALLS}"


@dataclass(frozen=True, slots=True)
class Sessions:
    """Two runs of `codex exec`: one with a tool, one that resumes it."""

    desk: Desk
    after_first: str
    after_resume: str


@pytest.fixture(scope="module")
def sessions(new_desk: NewDesk) -> Sessions:
    desk = new_desk(CLIENT)
    ask(CLIENT, desk, FIRST)
    after_first = desk.log
    ask(CLIENT, desk, SECOND, "resume", "--last")
    return Sessions(desk, after_first, desk.log)


def test_the_index_and_the_open_work_reach_the_model_at_the_start(sessions: Sessions) -> None:
    seen = sessions.desk.model.requests[0].text
    assert (seen.count(DECIDED), seen.count(OPEN_WORK)) == (1, 1)


def test_a_prompt_is_in_the_log_when_the_program_ends(sessions: Sessions) -> None:
    log = sessions.after_first
    assert (log.count(f"User: {FIRST}"), log.count(f"Assistant: {sessions.desk.model.answer}")) == (1, 1)


def test_a_tool_is_one_line_and_its_output_none(sessions: Sessions) -> None:
    lines = [line for line in sessions.after_first.splitlines() if line.startswith("Tool: ")]
    assert len(lines) == 1
    assert TOOL_COMMAND in lines[0]
    assert sessions.after_first.count("from-the-tool") == 1


def test_a_resumed_session_doubles_nothing(sessions: Sessions) -> None:
    log = sessions.after_resume
    assert (log.count(FIRST), log.count(f"User: {SECOND}")) == (1, 1)
    assert log.count(f"Assistant: {sessions.desk.model.answer}") == 2


def test_what_the_host_and_we_put_in_is_nobodys_word(sessions: Sessions) -> None:
    wrappers = ("<environment_context>", "<permissions", "<skills_instructions>", "AGENTS.md instructions", OPEN_WORK)
    assert not [wrapper for wrapper in wrappers if wrapper in sessions.after_resume]


@pytest.mark.parametrize(
    ("how", "is_told"),
    [(signal.SIGINT, True), (signal.SIGTERM, False), (signal.SIGKILL, False)],
    ids=["sigint", "sigterm", "sigkill"],
)
def test_the_last_words_are_in_the_log_at_the_next_start_at_the_latest(
    new_desk: NewDesk, how: signal.Signals, *, is_told: bool
) -> None:
    desk = new_desk(CLIENT)
    end_while_answering(CLIENT, desk, LAST, how)
    assert desk.logs(LAST, 3 if is_told else 0) is is_told
    ask(CLIENT, desk, NEXT)
    assert desk.logs(f"User: {LAST}")
    assert (desk.log.count(LAST), desk.log.count(f"User: {NEXT}")) == (1, 1)


@dataclass(frozen=True, slots=True)
class Shortened:
    """A session in a terminal whose context is shortened after an answer."""

    desk: Desk
    before_end: str
    at_end: str


@pytest.fixture(scope="module")
def shortened(new_desk: NewDesk) -> Shortened:
    desk = new_desk(CLIENT)
    terminal = CLIENT.terminal(desk)
    try:
        terminal.type(SECOND)
        assert desk.logs(desk.model.answer), terminal.text[-2000:]
        terminal.type("/compact")
        assert wait_until(lambda: desk.last_event(CLIENT) == "PreCompact"), terminal.text[-2000:]
        assert wait_until(lambda: "compacted" in terminal.text), terminal.text[-2000:]
        before_end = desk.log
        terminal.type("/quit")
        terminal.process.wait(30)
    finally:
        terminal.close()
    return Shortened(desk, before_end, desk.log)


def test_the_summary_of_a_shortened_context_is_nobodys_word(shortened: Shortened) -> None:
    for log in (shortened.before_end, shortened.at_end):
        assert (log.count(f"User: {SECOND}"), log.count(f"Assistant: {shortened.desk.model.answer}")) == (1, 1)


def test_our_hook_says_nothing_to_the_one_who_summarises(shortened: Shortened) -> None:
    asked = [request.last_words for request in shortened.desk.model.requests]
    assert len(asked) > 1
    assert not [words for words in asked if "hipocampus" in words]


def test_after_uninstall_git_is_clean_and_the_client_runs_without_us(sessions: Sessions) -> None:
    desk = sessions.desk
    desk.hipocampus("uninstall", "--purge", "--yes")
    assert desk.git("status", "--short") == ""
    desk.model.requests.clear()
    assert desk.model.answer in ask(CLIENT, desk, "Are you alone?").out
    assert DECIDED not in desk.model.text
    assert desk.git("status", "--short") == ""
