"""What was removed for good and stands in a file again, by hand or from a backup: only doctor tells of it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from stores import NOON, amend, answers, holders, later, note, sleep
from support import Ran

from hipocampus.governance import returned
from hipocampus.memory import Memory

AGAIN = "The vault word is kumquat."
KEPT = "The gate word is lychee."
Call = Callable[..., Ran]


def derived(memory: Memory) -> set[str]:
    """The files made by us that hold the word."""
    made = ("memory/daily/", "memory/weekly/", "memory/monthly/", "memory/ROOT.md", "memory/.hipocampus/")
    return {name for name in holders(memory.workspace.root, "kumquat") if name.startswith(made)}


@pytest.fixture
def forgetful(workspace: Memory) -> Memory:
    """A memory in which a sentence was forgotten."""
    note(workspace, AGAIN, KEPT, title="Words")
    sleep(workspace)
    amend(workspace, "forget", "the vault word is kumquat")
    return workspace


def by_hand(memory: Memory, name: str) -> None:
    path = memory.workspace.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    before = path.read_text() if path.exists() else "# Words\n\n"
    path.write_text(f"{before}\n- {AGAIN}\n- The fence is green.\n")


@pytest.mark.parametrize("name", ["memory/2026-03-14.md", "memory/2026-03-15.md", "knowledge/words.md", "WORKING.md"])
def test_a_file_written_by_hand_brings_nothing_back(forgetful: Memory, name: str):
    by_hand(forgetful, name)
    memory = later(forgetful, NOON)
    sleep(memory)
    assert derived(memory) == set()
    assert "kumquat" not in answers(memory, "vault word")
    assert "kumquat" not in memory.recall("what is the vault word of the fence?", always=True).context
    assert "fence is green" in answers(memory, "fence green")
    assert AGAIN in (memory.workspace.root / name).read_text()


def test_recall_sees_it_before_any_night(forgetful: Memory):
    by_hand(forgetful, "memory/2026-03-15.md")
    context = forgetful.recall("what are the gate word and the vault word of the fence?", always=True).context
    assert "lychee" in context
    assert "kumquat" not in context


def test_a_backup_that_was_put_back_with_its_times_brings_nothing_back(workspace: Memory):
    note(workspace, AGAIN, KEPT, title="Words")
    log = workspace.workspace.raw_log("2026-03-15")
    backup, times = log.read_bytes(), log.stat()
    sleep(workspace)
    amend(workspace, "forget", "kumquat")
    log.write_bytes(backup)
    os.utime(log, ns=(times.st_atime_ns, times.st_mtime_ns))
    sleep(workspace)
    assert derived(workspace) == set()
    assert "lychee" in answers(workspace, "gate word")
    assert "kumquat" not in workspace.read("2026-03-15").text


def test_a_node_edited_by_hand_is_set_aside_without_it(forgetful: Memory):
    by_hand(forgetful, "memory/daily/2026-03-15.md")
    sleep(forgetful)
    assert derived(forgetful) == set()
    assert "fence is green" in "".join(path.read_text() for path in forgetful.workspace.set_aside.rglob("*.md"))


def test_a_root_written_by_hand_brings_nothing_back(forgetful: Memory):
    forgetful.workspace.root_node.write_text(f"# Topics\n\n- {AGAIN}\n- The fence is green.\n")
    sleep(forgetful)
    assert holders(forgetful.workspace.root, "kumquat") == set()
    assert "fence is green" in forgetful.workspace.root_node.read_text()


def test_nothing_of_it_is_exported(forgetful: Memory):
    by_hand(forgetful, "memory/2026-03-14.md")
    exported = json.dumps(list(forgetful.governance.export()))
    assert "lychee" in exported
    assert "kumquat" not in exported


def test_doctor_names_the_line(forgetful: Memory, invoke: Call):
    by_hand(forgetful, "knowledge/words.md")
    told = invoke("doctor")
    assert told.code == 4
    assert "knowledge/words.md:4 says again what" in told.out
    assert "kumquat" not in told.out
    invoke("forget", "the vault word is kumquat", "--yes", "--today", "2026-03-15")
    assert "says again" not in invoke("doctor").out


def test_what_was_only_hidden_a_person_may_write_again(workspace: Memory):
    note(workspace, AGAIN, KEPT)
    amend(workspace, "release", "the vault word is kumquat")
    by_hand(workspace, "knowledge/words.md")
    assert "kumquat" in answers(workspace, "vault word")


def test_a_ledger_of_another_clone_reaches_nodes_that_are_up_to_date(workspace: Memory, tmp_path: Path):
    note(workspace, AGAIN, KEPT)
    workspace.compact()
    other = tmp_path / "clone"
    other.mkdir()
    (other / "hipocampus.config.json").write_text("{}\n")
    (other / "memory").mkdir()
    (other / "memory" / "2026-03-15.md").write_bytes(workspace.workspace.raw_log("2026-03-15").read_bytes())
    from hipocampus.layout import Workspace

    clone = Memory(Workspace(other), clock=workspace.clock)
    amend(clone, "forget", "the vault word is kumquat")
    workspace.workspace.ledger.write_bytes(clone.workspace.ledger.read_bytes())
    workspace.compact()
    assert "kumquat" not in (workspace.workspace.memory / "daily" / "2026-03-15.md").read_text()
    assert "kumquat" not in workspace.workspace.root_node.read_text()


def test_a_later_forget_clears_no_file_that_it_did_not_look_through(forgetful: Memory):
    by_hand(forgetful, "knowledge/words.md")
    amend(forgetful, "forget", "the fence is green")
    sleep(later(forgetful, NOON))
    assert derived(forgetful) == set()


def test_files_are_looked_through_once(forgetful: Memory, monkeypatch: pytest.MonkeyPatch):
    by_hand(forgetful, "knowledge/other.md")
    (forgetful.workspace.root / "knowledge" / "other.md").write_text("# Other\n\n- The fence is green.\n")
    forgetful.compact()
    read = []
    monkeypatch.setattr(returned, "_is_found", lambda _watch, path, _look: read.append(path))
    later(forgetful, NOON).update_index(rebuild=True)
    assert not {forgetful.workspace.raw_log("2026-03-15"), forgetful.workspace.root / "knowledge" / "other.md"} & set(
        read
    )
