"""Mutations of a workspace: what changes, what stays byte for byte, what a kill leaves, what can be undone."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from stores import (
    NOON,
    Killed,
    amend,
    answers,
    capture,
    derive,
    dying,
    holders,
    later,
    memory_at,
    note,
    sleep,
    vector_keys,
)

from hipocampus.errors import CheckFailed, NotFound, UsageError
from hipocampus.governance.gate import Draft
from hipocampus.layout import Workspace
from hipocampus.memory import Memory


def log(memory: Memory) -> str:
    return (memory.workspace.memory / "2026-03-15.md").read_text()


def test_a_marker_stays_where_text_was_removed(workspace: Memory):
    note(workspace, "The safe word is rutabaga.", "The cat is grey.")
    mutation = amend(workspace, "forget", "rutabaga")
    assert f"- [forgotten {mutation}]\n- The cat is grey.\n" in log(workspace)


def test_an_entry_is_forgotten_by_its_pointer_with_its_title(workspace: Memory):
    note(workspace, "It is under the stairs.", title="The hidden key")
    pointer = workspace.checkpoint(Draft("The hidden key", "- It is under the stairs.")).pointer
    note(workspace, "The cat is grey.")
    amend(workspace, "forget", pointer)
    assert not holders(workspace.workspace.root, "stairs", "hidden key")
    assert "grey" in answers(workspace, "cat")


@pytest.mark.parametrize("query", ["", "*", "  ", "all", "🎉", "..."])
def test_everything_and_nothing_can_not_be_forgotten(workspace: Memory, query: str):
    note(workspace, "The cat is grey.")
    before = log(workspace)
    with pytest.raises(UsageError):
        amend(workspace, "forget", query)
    assert log(workspace) == before


def test_what_is_not_there_is_not_forgotten_and_nothing_is_written(workspace: Memory):
    note(workspace, "The cat is grey.")
    with pytest.raises(NotFound):
        amend(workspace, "forget", "zeppelin@example.com")
    assert not workspace.workspace.ledger.exists()


def test_a_release_is_undone_byte_for_byte(workspace: Memory):
    note(workspace, "Dana lives in Berlin.", "Eve lives in Berlin.")
    capture(workspace, "Dana called. She was late.")
    before = log(workspace)
    amend(workspace, "release", "Dana")
    assert "Dana" not in answers(workspace, "Dana Berlin called")
    workspace.governance.undo(actor="user", path="test", ident="")
    assert log(workspace) == before
    assert "Dana" in answers(workspace, "Dana Berlin called")


def test_a_correction_is_undone_with_its_new_text(workspace: Memory):
    note(workspace, "We deploy to Heroku.")
    before = log(workspace)
    amend(workspace, "correct", "we deploy to Heroku", "We deploy to Fly.io.")
    workspace.governance.undo("", actor="user", path="test")
    assert log(workspace).strip() == before.strip()


def test_what_was_removed_can_not_be_undone(workspace: Memory):
    note(workspace, "The safe word is rutabaga.")
    mutation = amend(workspace, "purge", "rutabaga")
    with pytest.raises(CheckFailed, match="for good"):
        workspace.governance.undo(mutation, actor="user", path="test")


def test_a_correction_that_says_something_forgotten_is_refused(workspace: Memory):
    note(workspace, "The contact is dora@example.com.", "The helper is Emil.")
    amend(workspace, "forget", "dora@example.com")
    with pytest.raises(CheckFailed):
        amend(workspace, "correct", "the helper is Emil", "The helper is DORA@example.com.")
    assert "Emil" in log(workspace)


def test_curated_and_hot_files_are_edited_too_and_the_plan_says_so(workspace: Memory):
    note(workspace, "The safe word is rutabaga.")
    root = workspace.workspace.root
    (root / "knowledge").mkdir(exist_ok=True)
    (root / "knowledge" / "words.md").write_bytes(b"# Words\r\n\r\nThe safe word is rutabaga.\r\nThe cat is grey.\r\n")
    plan = workspace.governance.plan("forget", "rutabaga")
    assert plan.touches_own_files
    workspace.governance.carry_out(plan, actor="user", path="test")
    assert (root / "knowledge" / "words.md").read_bytes().endswith(b"]\r\nThe cat is grey.\r\n")
    assert not holders(root, "rutabaga")


def test_an_agents_summary_of_a_day_from_which_text_was_removed_goes(workspace: Memory):
    note(workspace, "The safe word is rutabaga.")
    workspace.compact()
    front = (workspace.workspace.memory / "daily" / "2026-03-15.md").read_text().split("---\n")[1]
    workspace.write_node(f"---\n{front}---\n\n# 2026-03-15\n\n- a root vegetable guards the safe\n")
    amend(workspace, "forget", "rutabaga")
    assert not holders(workspace.workspace.root, "root vegetable", "rutabaga")


def test_a_person_may_say_again_what_was_only_replaced_and_an_agent_may_not(workspace: Memory):
    note(workspace, "We deploy to Heroku.")
    amend(workspace, "correct", "we deploy to Heroku", "We deploy to Fly.io.")
    with pytest.raises(CheckFailed):
        workspace.checkpoint(Draft("", "We deploy to Heroku."), actor="agent")
    assert workspace.checkpoint(Draft("", "We deploy to Heroku."), actor="user").stored


def test_a_chain_of_corrections_is_followed_to_its_end(workspace: Memory):
    note(workspace, "The ORM is Pony.")
    amend(workspace, "correct", "the ORM is Pony", "The ORM is Tortoise.")
    amend(workspace, "correct", "the ORM is Pony", "The ORM is Peewee.")
    found = answers(workspace, "the ORM")
    assert "Peewee" in found
    assert "Tortoise" not in found


def test_disputed_statements_are_not_found_and_read_says_nothing_of_them(workspace: Memory):
    note(workspace, "The limit is 50 requests.", "The cat is grey.")
    amend(workspace, "dispute", "the limit is 50 requests")
    derive(workspace)
    assert "50 requests" not in answers(workspace, "limit requests")
    assert "50 requests" not in workspace.read("2026-03-15").text


def test_the_newest_state_stands_in_root(workspace: Memory):
    note(workspace, "We deploy to Heroku.", title="Hosting")
    workspace.compact()
    amend(workspace, "correct", "we deploy to Heroku", "We deploy to Fly.io.")
    root = workspace.workspace.root_node.read_text()
    assert "Fly.io" in root
    assert "Heroku" not in root


def test_new_entries_propose_corrections_that_a_person_decides_on(workspace: Memory):
    note(workspace, "We deploy to Heroku.", title="Hosting")
    note(workspace, "We moved from Heroku to Fly.io last week.", title="Move")
    [proposal] = workspace.governance.proposals()
    assert "We deploy to Heroku" in answers(workspace, "deploy Heroku")
    workspace.governance.accept(proposal, actor="user")
    assert "We deploy to Heroku" not in answers(workspace, "deploy Heroku")
    assert workspace.governance.proposals() == []


def test_a_declined_proposal_is_not_made_again(workspace: Memory):
    note(workspace, "We deploy to Heroku.", title="Hosting")
    note(workspace, "We moved from Heroku to Fly.io last week.", title="Move")
    [proposal] = workspace.governance.proposals()
    workspace.governance.decline(proposal, actor="user")
    assert workspace.governance.proposals() == []


def test_two_plans_of_the_same_text_are_carried_out_one_after_the_other(workspace: Memory):
    note(workspace, "The safe word is rutabaga.", "Dana lives in Berlin.")
    first, second = (workspace.governance.plan("forget", query) for query in ("rutabaga", "Dana"))
    for plan in (first, second):
        workspace.governance.carry_out(plan, actor="user", path="test")
    assert not holders(workspace.workspace.root, "rutabaga", "dana")


@pytest.mark.parametrize("step", range(14))
@pytest.mark.parametrize("kind", ["forget", "correct"])
def test_a_kill_at_any_step_is_completed_by_the_next_command(tmp_path: Path, step: int, kind: str):
    memory = memory_at(Workspace(tmp_path))
    note(memory, "The safe word is rutabaga.", "The cat is grey.", title="Words")
    derive(memory)
    with pytest.MonkeyPatch.context() as patch:
        dying(patch, step)
        with contextlib.suppress(Killed):
            amend(memory, kind, "the safe word is rutabaga", "The safe word is turnip." if kind == "correct" else "")  # type: ignore[arg-type]
    again = later(memory, NOON)
    again.governance.complete()
    derive(again)
    begun = any(record.kind == kind for record in again.governance.ledger().records)
    shown = answers(again, "safe word")
    assert ("rutabaga" in shown) != ((begun and "turnip" in shown) or (begun and kind == "forget"))
    if begun and kind == "forget":
        assert not holders(tmp_path, "rutabaga")
    assert log(again).count("safe word is turnip") <= 1
    assert not list(again.workspace.pending.glob("*"))
    assert "grey" in answers(again, "cat")


def test_vectors_and_copies_follow_after_a_kill_too(tmp_path: Path):
    a, b = memory_at(Workspace(tmp_path)), memory_at(Workspace(tmp_path / "tenants" / "b"))
    note(a, "The safe word is rutabaga.", title="Words")
    b.governance.take_in("\n".join(json.dumps(row) for row in a.governance.export()))
    sleep(a)
    before = vector_keys(a)
    with pytest.MonkeyPatch.context() as patch:
        dying(patch, 4)
        with contextlib.suppress(Killed):
            amend(a, "forget", "rutabaga")
    assert list(a.workspace.pending.glob("*.json"))
    later(a, NOON).governance.complete()
    assert not before & vector_keys(a)
    assert not holders(tmp_path, "rutabaga")


COMMANDS = {
    "forget": ["forget", "rutabaga", "--yes"],
    "correct": ["correct", "the safe word is rutabaga", "The safe word is turnip.", "--yes"],
}


@pytest.mark.slow
@pytest.mark.parametrize("number", range(50))
@pytest.mark.parametrize("kind", COMMANDS)
def test_kill_9_leaves_nothing_half_done(tmp_path: Path, number: int, kind: str):
    memory = memory_at(Workspace(tmp_path))
    note(memory, "The safe word is rutabaga.", "The cat is grey.")
    derive(memory)
    command = [sys.executable, "-m", "hipocampus", "-C", str(tmp_path), "--today", "2026-03-15", *COMMANDS[kind]]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        child.wait(random.Random(number).uniform(0.2, 2.0))
    except subprocess.TimeoutExpired:
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
    again = later(memory, NOON)
    again.governance.complete()
    derive(again)
    assert again.governance.ledger().damages == ()
    assert not list(again.workspace.pending.glob("*"))
    shown = answers(again, "safe word")
    if kind == "forget":
        assert ("rutabaga" in log(again)) == bool(holders(tmp_path, "rutabaga")) == ("rutabaga" in shown)
    else:
        assert ("rutabaga" in shown) != ("turnip" in shown)
    assert "grey" in answers(again, "cat")


@pytest.mark.parametrize("command", ["compact", "search", "read", "checkpoint"])
def test_any_command_completes_what_was_cut_off(tmp_path: Path, command: str):
    memory = memory_at(Workspace(tmp_path))
    note(memory, "The safe word is rutabaga.", "The cat is grey.")
    with pytest.MonkeyPatch.context() as patch:
        dying(patch, 3)
        with contextlib.suppress(Killed):
            amend(memory, "forget", "rutabaga")
    assert list(memory.workspace.pending.glob("*.json"))
    again = later(memory, NOON)
    if command == "compact":
        again.compact()
    elif command == "search":
        again.search("cat")
    elif command == "read":
        again.read("2026-03-15")
    else:
        note(again, "More.")
    assert not list(again.workspace.pending.glob("*.json"))
    assert "rutabaga" not in log(again)
