"""OpenCode itself, with `opencode run`, against a model on loopback: what stands in the raw log when."""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass

import pytest
from clients import (
    DECIDED,
    OPEN_WORK,
    Desk,
    NewDesk,
    OpenCode,
    ask,
    end_while_answering,
)
from model_api import CALLS_A_TOOL, STALLS, TOOL_COMMAND

CLIENT = OpenCode()
FIRST, FORKED = f"Feed the herons, {CALLS_A_TOOL}", "And the cranes?"
LAST = f"Count the grey ones, {STALLS}"


@dataclass(frozen=True, slots=True)
class Sessions:
    """The raw log after a run with a tool, after one that was killed, and after one that forks the first."""

    desk: Desk
    after_first: str
    after_kill: str
    after_fork: str


@pytest.fixture(scope="module")
def sessions(new_desk: NewDesk) -> Sessions:
    """OpenCode computes for six seconds at each start, so that few runs serve all tests."""
    desk = new_desk(CLIENT)
    ask(CLIENT, desk, FIRST)
    desk.logs(desk.model.answer)
    after_first = desk.log
    end_while_answering(CLIENT, desk, LAST, signal.SIGKILL)
    after_kill = desk.log
    first = re.findall("^## Session (.*)$", after_first, re.M)
    ask(CLIENT, desk, FORKED, "--session", *first, "--fork")
    desk.logs(LAST)
    desk.logs(FORKED)
    return Sessions(desk, after_first, after_kill, desk.log)


def test_the_index_and_the_open_work_reach_the_model_at_the_start(sessions: Sessions) -> None:
    seen = next(request.text for request in sessions.desk.model.requests if request.body.get("tools"))
    assert (seen.count(DECIDED), seen.count(OPEN_WORK)) == (1, 1)


def test_a_prompt_is_in_the_log_when_the_program_has_ended(sessions: Sessions) -> None:
    log = sessions.after_first
    assert (log.count(f"User: {FIRST}\n"), log.count(f"Assistant: {sessions.desk.model.answer}\n")) == (1, 1)


def test_a_tool_is_one_line_and_its_output_none(sessions: Sessions) -> None:
    lines = [line for line in sessions.after_first.splitlines() if line.startswith("Tool: ")]
    assert len(lines) == 1
    assert TOOL_COMMAND in lines[0]
    assert sessions.after_first.count("from-the-tool") == 1


def test_the_last_words_of_a_killed_session_are_in_the_log_after_the_next_start(sessions: Sessions) -> None:
    assert LAST not in sessions.after_kill
    assert sessions.after_fork.count(f"User: {LAST}\n") == 1


def test_a_fork_doubles_nothing(sessions: Sessions) -> None:
    log = sessions.after_fork
    assert (log.count(FIRST), log.count(f"User: {FORKED}\n")) == (1, 1)
    assert log.count(f"Assistant: {sessions.desk.model.answer}\n") == 2


def test_after_uninstall_git_is_clean_and_the_client_runs_without_us(sessions: Sessions) -> None:
    desk = sessions.desk
    desk.hipocampus("uninstall", "--purge", "--yes")
    assert desk.git("status", "--short") == ""
    desk.model.requests.clear()
    assert desk.model.answer in ask(CLIENT, desk, "Are you alone?").out
    assert DECIDED not in desk.model.text
    assert desk.git("status", "--short") == ""


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM], ids=["sigint", "sigterm"])
def test_the_last_words_of_a_stopped_run_are_in_the_log_after_the_next_start(
    new_desk: NewDesk, how: signal.Signals
) -> None:
    desk = new_desk(CLIENT)
    end_while_answering(CLIENT, desk, LAST, how)
    assert LAST not in desk.log
    ask(CLIENT, desk, "Are you back?")
    assert desk.logs(LAST)
