"""Claude Code itself, in a terminal and with `-p`, against a model on loopback: what stands in the raw log when."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

import pytest
from clients import DECIDED, OPEN_WORK, ClaudeCode, Desk, NewDesk, ask
from model_api import CALLS_A_TOOL, STALLS, TOOL_COMMAND
from terminal import CLEAR_LINE, CONTROL_C, ENTER, ESCAPE, Terminal, wait_until

CLIENT = ClaudeCode()
ENDS = ("exit", "ctrl-c", "sigterm", "sigkill")
ANSWERED, INTERRUPTED, LAST, NEXT = (
    "Which herons nest here?",
    f"Count the grey ones, {STALLS}",
    f"Count the white ones, {STALLS}",
    "Are you back?",
)
WRAPPERS = (
    "[Request interrupted",
    "<command-",
    "<local-command",
    "<system-reminder>",
    "This session is being continued",
)


@dataclass(frozen=True, slots=True)
class Session:
    """The raw log at the moments of one session in a terminal, and all that the model saw of it."""

    desk: Desk
    after_answer: str
    after_interruption: str
    before_summary: str
    at_end: str
    after_next_start: str

    def request_with(self, words: str) -> str:
        """The first request to the model with some words in its last message."""
        return next(request.text for request in self.desk.model.requests if words in request.last_words)


@pytest.fixture(scope="module")
def sessions(new_desk: NewDesk) -> Iterator[dict[str, Future[Session]]]:
    """A session for each way to end it; two run at a time, since a client mostly waits."""
    with ThreadPoolExecutor(2) as pool:
        yield {how: pool.submit(_session, new_desk(CLIENT), how) for how in ENDS}


@pytest.fixture(params=ENDS)
def session(request: pytest.FixtureRequest, sessions: dict[str, Future[Session]]) -> Session:
    return sessions[request.param].result()


def _session(desk: Desk, how: str) -> Session:
    """
    One session in a terminal, ended in one of four ways while the model is in the middle of an answer.

    A prompt is answered; one is interrupted with Escape, so that no Stop comes; `/compact` is given up before the
    summary is there; the last prompt is half answered when the session ends. A killed one is followed by another.
    """
    terminal = CLIENT.terminal(desk)
    try:
        terminal.type(ANSWERED)
        desk.logs(desk.model.answer)
        after_answer = desk.log
        _say_and_stall(desk, terminal, INTERRUPTED)
        terminal.press(ESCAPE, CLEAR_LINE)
        after_interruption = desk.log
        _say_and_stall(desk, terminal, f"/compact {STALLS}")
        before_summary = desk.log
        terminal.press(ESCAPE, CLEAR_LINE)
        _say_and_stall(desk, terminal, LAST)
        _end(terminal, how)
    finally:
        terminal.close()
    at_end = desk.log
    if how == "sigkill":
        ask(CLIENT, desk, NEXT)
        desk.logs(LAST)
    return Session(desk, after_answer, after_interruption, before_summary, at_end, desk.log)


def _say_and_stall(desk: Desk, terminal: Terminal, prompt: str) -> None:
    desk.model.stalled.clear()
    terminal.type(prompt)
    assert desk.model.stalled.wait(30), terminal.text[-2000:]
    wait_until(lambda: False, 0.6)  # the client writes its own transcript a moment later


def _end(terminal: Terminal, how: str) -> None:
    if how == "exit":
        terminal.press(ESCAPE, CLEAR_LINE, "/exit", ENTER)
    elif how == "ctrl-c":
        terminal.press(CONTROL_C, CONTROL_C, CONTROL_C)
    else:
        terminal.process.send_signal(signal.SIGTERM if how == "sigterm" else signal.SIGKILL)
    terminal.process.wait(30)


def test_the_index_and_the_open_work_reach_the_model_at_the_start(session: Session) -> None:
    seen = session.request_with(ANSWERED)
    assert (seen.count(DECIDED), seen.count(OPEN_WORK)) == (1, 1)


def test_an_answered_prompt_is_in_the_log_at_once(session: Session) -> None:
    assert f"User: {ANSWERED}" in session.after_answer
    assert f"Assistant: {session.desk.model.answer}" in session.after_answer


def test_an_interrupted_prompt_is_in_the_log_before_the_context_is_shortened(session: Session) -> None:
    assert INTERRUPTED not in session.after_interruption
    assert INTERRUPTED in session.before_summary


def test_our_hook_says_nothing_to_the_one_who_summarises(session: Session) -> None:
    asked = session.request_with("Additional Instructions:")
    assert "hipocampus" not in asked.rpartition("Additional Instructions:")[2]


def test_the_last_words_are_in_the_log_when_the_session_ends(session: Session, request: pytest.FixtureRequest) -> None:
    is_told = request.node.callspec.params["session"] != "sigkill"
    assert (LAST in session.at_end) is is_told


def test_the_last_words_of_any_session_are_in_the_log_at_the_next_start(session: Session) -> None:
    assert f"User: {LAST}" in session.after_next_start


def test_half_an_answer_is_kept_where_the_client_keeps_it(session: Session, request: pytest.FixtureRequest) -> None:
    how = request.node.callspec.params["session"]
    halves = session.after_next_start.partition(f"User: {LAST}")[2].partition("\n<!--")[0]
    assert (f"Assistant: {session.desk.model.answer}" in halves) is (how in ("exit", "ctrl-c"))


def test_whatever_the_end_nothing_is_doubled_and_nothing_is_a_wrapper(session: Session) -> None:
    log = session.after_next_start
    assert [log.count(words) for words in (ANSWERED, INTERRUPTED, LAST)] == [1, 1, 1]
    assert not [wrapper for wrapper in WRAPPERS if wrapper in log]


@dataclass(frozen=True, slots=True)
class Printed:
    """Three runs of `claude -p`: one with a tool, one that continues it in a fork, one in a worktree."""

    desk: Desk
    after_first: str
    after_fork: str
    seen_in_worktree: str
    after_worktree: str


@pytest.fixture(scope="module")
def printed(new_desk: NewDesk) -> Printed:
    desk = new_desk(CLIENT)
    ask(CLIENT, desk, f"Feed the herons, {CALLS_A_TOOL}", "--allowedTools", "Bash")
    after_first = desk.log
    ask(CLIENT, desk, "And the cranes?", "--continue", "--fork-session")
    after_fork = desk.log
    desk.git("add", ".")
    desk.git("commit", "-q", "-m", "Memory")
    desk.git("worktree", "add", "-q", "../branch")
    desk.model.requests.clear()
    ask(CLIENT, replace(desk, repo=desk.repo.parent / "branch"), "What about the geese?")
    desk.git("reset", "-q", "HEAD~1")
    return Printed(desk, after_first, after_fork, desk.model.text, desk.log)


def test_a_prompt_without_a_terminal_is_in_the_log_when_the_program_ends(printed: Printed) -> None:
    assert printed.after_first.count(f"User: Feed the herons, {CALLS_A_TOOL}") == 1
    assert printed.after_first.count(f"Assistant: {printed.desk.model.answer}") == 1


def test_a_tool_is_one_line_and_its_output_none(printed: Printed) -> None:
    assert printed.after_first.count(f"Tool: Bash: {TOOL_COMMAND}") == 1
    assert printed.after_first.count("from-the-tool") == 1


def test_a_fork_doubles_nothing(printed: Printed) -> None:
    log = printed.after_fork
    assert log.count("Feed the herons") == 1
    assert log.count("User: And the cranes?") == 1
    assert log.count(f"Assistant: {printed.desk.model.answer}") == 2


def test_a_worktree_shares_the_memory_and_is_told_what_its_imports_do_not_reach(printed: Printed) -> None:
    assert (printed.seen_in_worktree.count(DECIDED), printed.seen_in_worktree.count(OPEN_WORK)) == (1, 1)
    assert printed.after_worktree.count("User: What about the geese?") == 1


def test_after_uninstall_git_is_clean_and_the_client_runs_without_us(printed: Printed) -> None:
    desk = printed.desk
    desk.hipocampus("uninstall", "--purge", "--yes")
    assert desk.git("status", "--short") == ""
    desk.model.requests.clear()
    assert desk.model.answer in ask(CLIENT, desk, "Are you alone?").out
    assert DECIDED not in desk.model.text
    assert desk.git("status", "--short") == ""
