"""The ledger: what a chain proves, what it survives, and that it never holds the text."""

from __future__ import annotations

import json
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st
from stores import amend, note

from hipocampus import files
from hipocampus.governance import ledger
from hipocampus.governance.ledger import Record
from hipocampus.memory import Memory

AT = "2026-03-15T12:00:00+00:00"


def record(number: int) -> Record:
    return Record(f"{number:08x}", "release", "user", AT, "test")


def test_a_line_that_was_changed_is_found(workspace: Memory):
    ledger.append(workspace.workspace, [record(1), record(2), record(3)])
    path = workspace.workspace.ledger
    path.write_text(path.read_text().replace('"id":"00000002"', '"id":"00000009"'))
    book = workspace.governance.ledger()
    assert [damage.line for damage in book.damages] == [3]
    assert "changed" in book.damages[0].problem


def test_a_line_that_was_taken_out_is_missed(workspace: Memory):
    ledger.append(workspace.workspace, [record(1), record(2), record(3)])
    path = workspace.workspace.ledger
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:2], lines[3]]))
    assert "missing" in workspace.governance.ledger().damages[0].problem


def test_a_torn_last_line_does_not_count_and_nothing_after_it_is_lost(workspace: Memory):
    ledger.append(workspace.workspace, [record(1)])
    path = workspace.workspace.ledger
    whole = path.read_text()
    path.write_text(whole + '{"id": "0000')
    assert workspace.governance.ledger().is_torn
    book = ledger.append(workspace.workspace, [record(2)])
    assert [r.id for r in book.records if r.kind != "begin"] == ["00000001", "00000002"]
    assert [damage.problem for damage in book.damages] == ["it is no line of a ledger"]


def test_two_clones_are_merged_line_by_line(workspace: Memory):
    ledger.append(workspace.workspace, [record(1)])
    common = workspace.workspace.ledger.read_text()
    ledger.append(workspace.workspace, [record(2)])
    ours = workspace.workspace.ledger.read_text()
    workspace.workspace.ledger.write_text(common)
    files.remove(workspace.workspace.chain)  # a clone has no state of its own yet
    ledger.append(workspace.workspace, [record(3)])
    theirs = workspace.workspace.ledger.read_text().removeprefix(common)
    book = ledger.parse(ours + theirs)
    assert book.damages == ()
    assert len(book.heads) == len(book.keys) == 2


def test_the_text_is_nowhere_in_it(workspace: Memory):
    note(workspace, "The safe word is rutabaga.", "The old port is 7000.")
    governance = workspace.governance
    governance.carry_out(governance.plan("forget", "rutabaga"), actor="user", path="test", why="rutabaga leaked")
    amend(workspace, "correct", "the old port is 7000", "The new port is 7443.")
    text = workspace.workspace.ledger.read_text()
    assert not any(word in text for word in ("rutabaga", "old port", "new port", "safe word"))


def test_threads_append_one_after_the_other(workspace: Memory):
    threads = [threading.Thread(target=ledger.append, args=(workspace.workspace, [record(n)])) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    book = workspace.governance.ledger()
    assert book.damages == ()
    assert len(book.records) == 9


@given(st.text() | st.binary().map(lambda data: data.decode("utf-8", "replace")))
def test_any_text_can_be_read_as_a_ledger(text: str):
    book = ledger.parse(text)
    assert len(book.records) + len(book.damages) >= 0


@pytest.mark.parametrize(
    "line", ["[]", "1", "null", '{"chain": 1}', "[" * 5000, json.dumps({"chain": "a", "seq": "1"})]
)
def test_a_line_of_another_shape_is_a_damage(line: str):
    assert [damage.line for damage in ledger.parse(f"{line}\n").damages] == [1]
