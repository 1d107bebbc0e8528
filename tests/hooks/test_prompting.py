"""A prompt that is asked of memory through the hook of each host."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hooking import log_of

from hipocampus.governance.gate import ENTRY_TYPES
from hipocampus.hosts import moments
from hipocampus.memory import Memory
from hipocampus.recall.remember import draft_of, type_of
from hipocampus.recall.shown import Shown
from hipocampus.setup import prompting, session
from hipocampus.setup.hook_event import Event

PROMPT = "what limit did we choose for the payment gateway"
PROMPTS = [(host, name) for host, events in moments.EVENTS.items() for name in events if events[name] == moments.PROMPT]
Ask = Callable[..., str]


@pytest.fixture
def memory(workspace: Memory, monkeypatch: pytest.MonkeyPatch) -> Memory:
    """A decision of last week, after a night's sleep."""
    monkeypatch.setenv("HIPOCAMPUS_TODAY", "2026-03-15")
    log = "## Rate limits [project]\n- decisions: token bucket for the payment gateway, limit 100 a second\n"
    workspace.workspace.raw_log("2026-03-05").write_text(log, encoding="utf-8")
    workspace.sleep()
    return workspace


@pytest.fixture
def ask(memory: Memory) -> Ask:
    """What the model is told with a prompt."""

    def call(prompt: str, session: str = "s1", host: str = "claude-code", name: str = "UserPromptSubmit") -> str:
        root = str(memory.workspace.root)
        printed = prompting.answer(Event(name, host, {"prompt": prompt, "session_id": session}, root, root))
        return str(json.loads(printed)["hookSpecificOutput"]["additionalContext"]) if printed else ""

    return call


@pytest.mark.parametrize(("host", "name"), PROMPTS)
def test_every_host_is_told_what_a_prompt_brings_to_mind(ask: Ask, host: str, name: str) -> None:
    assert "token bucket for the payment gateway" in ask(PROMPT, host=host, name=name)


def test_a_session_is_told_nothing_twice_and_skip_is_told_nothing(ask: Ask) -> None:
    assert ask(f"{PROMPT} #skip") == ""
    assert "token bucket" in ask(PROMPT)
    assert ask(PROMPT) == ""
    assert "token bucket" in ask(PROMPT, session="../s 2")


def test_what_was_told_before_the_host_shortened_its_context_is_told_again(ask: Ask, memory: Memory) -> None:
    root, payload = str(memory.workspace.root), {"session_id": "s1"}
    first = ask(PROMPT)
    session.act(Event("PreCompact", "claude-code", payload, root, root))
    assert ask(PROMPT) == first != ""


def test_one_line_of_the_log_says_what_was_shown_and_why(ask: Ask, memory: Memory) -> None:
    ask(PROMPT)
    (line,) = log_of(memory).splitlines()
    assert "claude-code UserPromptSubmit recalled 1 items in " in line
    assert "2026-03-05#" in line
    assert "(semantic " in line or "(fallthrough " in line


def test_remember_stores_what_was_said_and_tells_where(ask: Ask, memory: Memory) -> None:
    told = ask("#remember always run the linter before a commit")
    log = memory.workspace.raw_log("2026-03-15").read_text(encoding="utf-8")
    assert "## always run the linter before a commit [feedback]" in log
    assert "actor=user" in log
    assert "stored what the user marked with #remember as 2026-03-15#" in told


def test_a_secret_in_what_is_to_be_remembered_does_not_reach_the_disk(ask: Ask, memory: Memory) -> None:
    key = "AKIA" + "Q3EGX7WZ5TPLM2NB"
    ask(f"#remember the key of the bucket is {key}")
    held = [path.read_bytes() for path in memory.workspace.root.rglob("*") if path.is_file()]
    assert not [data for data in held if key.encode() in data]


def test_nothing_to_remember_is_said_and_stops_nobody(ask: Ask, memory: Memory) -> None:
    assert "could not store" in ask("#remember")
    assert "error: not remembered" in log_of(memory)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("never push to main", "feedback"),
        ("prefer tabs", "feedback"),
        ("I'm allergic to nuts", "user"),
        ("my sister lives in Bergen", "user"),
        ("the staging server is called heron", "project"),
    ],
)
def test_the_type_is_told_by_what_is_said(text: str, kind: str) -> None:
    assert type_of(text) == kind
    assert draft_of(text).type in ENTRY_TYPES


def test_no_index_is_made_while_a_prompt_waits(workspace: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HIPOCAMPUS_TODAY", "2026-03-15")
    place = workspace.workspace
    place.raw_log("2026-03-05").write_text("## Keys [project]\n- the keys hang by the door\n", encoding="utf-8")
    root = str(place.root)
    payload = {"prompt": "where do our keys hang", "session_id": "s"}
    prompting.answer(Event("UserPromptSubmit", "codex", payload, root, root))
    assert not (place.index / "chunks").exists()
    assert not (Path(root) / "memory/ROOT.md").exists()


def test_what_old_sessions_were_shown_is_forgotten(workspace: Memory) -> None:
    now = time.time()
    for name, age in (("old", 31), ("young", 29)):
        Shown.of(workspace.workspace, name).add(["2026-03-05#a1"])
        os.utime(workspace.workspace.sessions / f"{name}.shown", (now - age * 86_400,) * 2)
    Shown.forget_old(workspace.workspace, now)
    assert [path.stem for path in workspace.workspace.sessions.iterdir()] == ["young"]
