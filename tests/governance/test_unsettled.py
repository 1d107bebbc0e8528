"""A mutation that a kill cut off, on a disk that takes nothing any more: readers are answered, without what goes."""

from __future__ import annotations

import contextlib
import json

import pytest
from stores import NOON, Killed, amend, answers, dying, holders, later, note, sleep

from hipocampus import files
from hipocampus.errors import StoreNotWritable
from hipocampus.memory import Memory

OLD = "The harbour crane is painted mauve."
KEPT = "The harbour pier is made of oak."


def cut_off(memory: Memory, kind: str, step: int) -> None:
    """Begin a mutation and let the `step`-th change of the disk be the last."""
    with pytest.MonkeyPatch.context() as patch:
        dying(patch, step)
        with contextlib.suppress(Killed):
            amend(memory, kind, "the harbour crane is painted mauve", "It is teal." if kind == "correct" else "")  # type: ignore[arg-type]


def close_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        message = "can't write: Read-only file system"
        raise StoreNotWritable(message, hint="check the folder's permissions")

    for name in ("write_bytes_atomic", "append", "remove", "lock"):
        monkeypatch.setattr(files, name, refuse)


@pytest.fixture
def slept(workspace: Memory) -> Memory:
    """A memory whose index, nodes and concepts all hold both sentences."""
    note(workspace, OLD, title="Harbour crane")
    note(workspace, KEPT, title="Harbour pier")
    sleep(workspace)
    return workspace


@pytest.mark.parametrize("step", [3, 4, 5, 6])
@pytest.mark.parametrize("kind", ["forget", "correct", "release"])
def test_readers_are_answered_without_it(slept: Memory, monkeypatch: pytest.MonkeyPatch, kind: str, step: int):
    cut_off(slept, kind, step)
    assert list(slept.workspace.pending.glob("*.json"))
    close_disk(monkeypatch)
    memory = later(slept, NOON)
    assert "mauve" not in answers(memory, "harbour crane painted")
    assert "oak" in answers(memory, "harbour pier oak")
    asked = "what colour is the harbour crane, and what is the harbour pier made of?"
    context = memory.recall(asked, always=True).context
    assert "oak" in context
    assert "mauve" not in context
    assert "mauve" not in json.dumps(list(memory.governance.export()))


@pytest.mark.parametrize("pointer", ["2026-03-15", "memory/daily/2026-03-15.md", "2026-W11", "2026-03", "ROOT.md"])
def test_read_shows_nothing_of_it(slept: Memory, monkeypatch: pytest.MonkeyPatch, pointer: str):
    assert "mauve" in slept.read(pointer).text
    cut_off(slept, "forget", 3)
    close_disk(monkeypatch)
    assert "mauve" not in later(slept, NOON).read(pointer).text


def test_a_writer_says_what_is_wrong(slept: Memory, monkeypatch: pytest.MonkeyPatch):
    cut_off(slept, "forget", 3)
    close_disk(monkeypatch)
    with pytest.raises(StoreNotWritable):
        note(later(slept, NOON), "Something new.")


def test_a_disk_that_takes_writes_again_gets_what_was_left(slept: Memory):
    cut_off(slept, "forget", 3)
    with pytest.MonkeyPatch.context() as patch:
        close_disk(patch)
        answers(later(slept, NOON), "harbour")
    answers(later(slept, NOON), "harbour")
    assert holders(slept.workspace.root, "mauve") == set()
    assert not list(slept.workspace.pending.glob("*"))
