"""A forked session of OpenCode: its messages stand in the database twice, the second time under new ids."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from pathlib import Path

import pytest

from hipocampus.hosts.host import Transcript
from hipocampus.hosts.registry import HOSTS
from hipocampus.memory import Memory
from hipocampus.setup import capturing

HOST = HOSTS["opencode"]
FIRST = 1_773_565_200_000


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Session `a` and its fork `b`, in which the talk goes on."""
    path = tmp_path / "opencode.db"
    with contextlib.closing(sqlite3.connect(path)) as made, made:
        made.execute("CREATE TABLE message (id TEXT, session_id TEXT, time_created INT, data TEXT)")
        made.execute("CREATE TABLE part (id TEXT, message_id TEXT, data TEXT)")
        for session, said in (("a", ["Yes", "Done"]), ("b", ["Yes", "Done", "Yes", "Done"])):
            for number, text in enumerate(said):
                ident, when = f"{session}{number}", FIRST + number * 1000
                data = {"role": ("user", "assistant")[number % 2], "time": {"created": when, "completed": when}}
                made.execute("INSERT INTO message VALUES (?, ?, ?, ?)", (ident, session, when, json.dumps(data)))
                part = json.dumps({"type": "text", "text": text})
                made.execute("INSERT INTO part VALUES (?, ?, ?)", (f"p{ident}", ident, part))
    return path


def test_a_fork_brings_only_what_was_said_in_it(workspace: Memory, database: Path) -> None:
    captured = [capturing.capture(workspace, HOST, Transcript(session, database)).turns for session in "ab"]
    assert captured == [2, 2]


def test_the_same_words_at_another_time_are_said_again(workspace: Memory, database: Path) -> None:
    assert capturing.capture(workspace, HOST, Transcript("b", database)).turns == 4
