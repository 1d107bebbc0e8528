"""Small memories for tests of governance: how each write path is walked, and where bytes are looked for."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hipocampus import files
from hipocampus.clock import Clock
from hipocampus.governance.amendment import Amendment
from hipocampus.governance.gate import Draft, WritePath
from hipocampus.index.vector_file import known_header, map_records
from hipocampus.layout import CONFIG_NAME, Workspace
from hipocampus.log.turns import Turn
from hipocampus.memory import Memory

NOON = datetime(2026, 3, 15, 12, 0, tzinfo=UTC)


def memory_at(workspace: Workspace, now: datetime = NOON) -> Memory:
    """The memory of a folder, made if there is none, at an instant."""
    workspace.memory.mkdir(parents=True, exist_ok=True)
    if not workspace.config.exists():
        (workspace.root / CONFIG_NAME).write_text("{}\n")
    return Memory(workspace, clock=Clock(UTC, instant=lambda: now))


def later(memory: Memory, now: datetime) -> Memory:
    """The same memory at another instant, in a new object."""
    return Memory(memory.workspace, clock=Clock(UTC, instant=lambda: now))


def note(memory: Memory, *texts: str, title: str = "Notes", actor: str = "agent") -> None:
    """An entry with one bullet a text."""
    memory.checkpoint(Draft(title, "\n".join(f"- {text}" for text in texts)), actor=actor)


def amend(memory: Memory, kind: Amendment, query: str, new: str = "", until: str = "") -> str:
    """Carry a request out as a person; the id of the mutation."""
    governance = memory.governance
    return governance.carry_out(governance.plan(kind, query, new=new, until=until), actor="user", path="test").id


def derive(memory: Memory) -> None:
    """Make all that is derived."""
    memory.compact()
    memory.search("anything")
    memory.update_index()


def sleep(memory: Memory) -> None:
    """Make all that a night makes, and what recall keeps."""
    derive(memory)
    memory.sleep()
    memory.recall("what is said of the gate and the vault here?")


def answers(memory: Memory, query: str, limit: int = 10) -> str:
    """All that a search answers."""
    return "\n".join(f"{item.heading} {item.text}" for item in memory.search(query, limit=limit).items)


def holders(folder: Path, *words: str) -> set[str]:
    """The files below a folder with any of the words in their bytes, in any case; the table of tokens aside."""
    wanted = [word.lower().encode() for word in words]
    files = (path for path in folder.rglob("*") if path.is_file() and "cache" not in path.parts)
    return {
        path.relative_to(folder).as_posix() for path in files if any(w in path.read_bytes().lower() for w in wanted)
    }


def turns(*texts: str) -> list[Turn]:
    """What a user said, a turn each."""
    return [Turn(f"r{number}", "user", text, NOON) for number, text in enumerate(texts)]


def capture(memory: Memory, *texts: str, session: str = "s1") -> None:
    """A transcript as a host hands it over."""
    said = turns(*texts)
    memory.capture_turns(memory.session_log("claude-code", session, lambda: [turn.id for turn in said]), said)


def _summary(memory: Memory, text: str) -> None:
    """An agent's summary of today, over whatever the day holds."""
    memory.compact()
    path = memory.workspace.memory / "daily" / "2026-03-15.md"
    front = path.read_text().split("---\n")[1]
    memory.write_node(f"---\n{front}---\n\n# 2026-03-15\n\n- the day in short\n- {text}\n")


def _import(memory: Memory, text: str) -> None:
    row = {"date": "2026-03-15", "title": "Imported", "type": "project", "body": f"- kept\n- {text}"}
    memory.governance.take_in(json.dumps(row))


def _correct(memory: Memory, text: str) -> None:
    amend(memory, "correct", "the old colour is mauve", f"The day went well. {text}")


WRITERS: dict[WritePath, Callable[[Memory, str], None]] = {
    WritePath.CHECKPOINT: lambda memory, text: note(memory, "kept", text),
    WritePath.CAPTURE: lambda memory, text: capture(memory, f"kept\n{text}"),
    WritePath.SUMMARY: _summary,
    WritePath.CORRECTION: _correct,
    WritePath.IMPORT: _import,
}
"""Every way into a memory, each with something that may be written beside the text."""


def texts_of(memory: Memory) -> Iterable[str]:
    """The raw logs and summaries as bytes on disk."""
    folder = memory.workspace.memory
    return (path.read_text() for path in (*folder.glob("2*.md"), *memory.workspace.summaries.rglob("*.md")))


def vector_keys(memory: Memory) -> set[str]:
    """The keys of the texts that have a vector in the file, dropped or not."""
    folder = memory.workspace.index / "vectors"
    header = known_header(folder)
    return {bytes(key).hex() for key in map_records(folder, header)["key"]} if header else set()


class Killed(BaseException):
    """In the place of a kill."""


def dying(monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    """Let the `step`-th change of the disk be the last."""
    counter = itertools.count()
    for name in ("write_bytes_atomic", "append", "remove"):
        whole = getattr(files, name)

        def call(*args: object, whole: object = whole, **kwargs: object) -> object:
            if next(counter) >= step:
                raise Killed
            return whole(*args, **kwargs)  # type: ignore[operator]

        monkeypatch.setattr(files, name, call)
