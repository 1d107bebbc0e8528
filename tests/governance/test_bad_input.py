"""Requests at the edges: days long past, two at once, scripts of all kinds."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from stores import NOON, amend, answers, holders, later, memory_at, note, sleep
from support import command

from hipocampus.errors import CheckFailed, NotFound
from hipocampus.layout import Workspace
from hipocampus.memory import Memory

MONTHS_LATER = NOON + timedelta(days=100)
# A request, what else says it, and a neighbour that has to stay.
SCRIPTS = [
    ("保管庫の合言葉は金柑です。", "金柑", "猫は灰色です。"),
    ("金库的暗号是金桔。", "金桔", "猫是灰色的。"),
    ("금고의 암호는 금귤이다.", "금귤", "고양이는 회색이다."),
    ("The vault sign is 🦑🔑 kraken.", "kraken", "The gate sign is 🐈 tomcat."),
    ("Der Tresor heißt Zu\u0308richsee.", "Zürichsee", "Das Tor heißt Bodensee."),
    ("كلمة سر الخزنة هي برتقال.", "برتقال", "القطة رمادية."),
    ("סיסמת הכספת היא תפוז.", "תפוז", "החתול אפור."),
    ("Слово сейфа - кумкват.", "кумкват", "Кот серый."),
]


def test_text_in_fixed_nodes_is_gone_from_all_of_them(workspace: Memory):
    note(workspace, "The vault word is kumquat.", "The gate word is lychee.")
    memory = later(workspace, MONTHS_LATER)
    sleep(memory)
    node = memory.workspace.memory / "weekly" / "2026-W11.md"
    assert "status: fixed" in node.read_text()
    amend(memory, "forget", "the vault word is kumquat")
    assert "status: fixed" in node.read_text()
    assert "lychee" in node.read_text()
    assert holders(memory.workspace.root, "kumquat") == set()


@pytest.mark.parametrize(("sentence", "value", "neighbour"), SCRIPTS)
def test_any_script_is_forgotten_with_its_neighbour_kept(workspace: Memory, sentence: str, value: str, neighbour: str):
    note(workspace, sentence, neighbour)
    sleep(workspace)
    amend(workspace, "forget", sentence)
    assert holders(workspace.workspace.root, value, sentence) == set()
    assert neighbour.rstrip(".。") in answers(workspace, neighbour)
    with pytest.raises(CheckFailed):
        note(workspace, sentence, title=sentence)


@pytest.mark.parametrize(("sentence", "value", "neighbour"), SCRIPTS)
def test_any_script_is_corrected(workspace: Memory, sentence: str, value: str, neighbour: str):
    note(workspace, sentence, neighbour)
    amend(workspace, "correct", sentence, "The vault word is lychee.")
    shown = answers(workspace, f"{sentence} vault word")
    assert "lychee" in shown
    assert value not in shown


def test_a_letter_in_two_code_points_is_the_letter_in_one(workspace: Memory):
    note(workspace, "The lake is Zu\u0308richsee.", "The gate word is lychee.")
    amend(workspace, "purge", "Z\u00fcrichsee")
    assert holders(workspace.workspace.root, "richsee") == set()


@pytest.mark.parametrize("texts", [("kumquat", "lychee"), ("kumquat", "kumquat")], ids=["two texts", "one text"])
def test_two_commands_at_once_leave_one_chain_and_no_text(tmp_path: Path, texts: Sequence[str]):
    memory = memory_at(Workspace(tmp_path))
    note(memory, "The vault word is kumquat.", "The gate word is lychee.", "The door is red.")
    sleep(memory)
    started = [
        subprocess.Popen([*command(), "-C", str(tmp_path), "--today", "2026-03-15", "forget", text, "--yes"])
        for text in texts
    ]
    codes = [process.wait(60) for process in started]
    assert 0 in codes
    assert set(codes) <= ({0} if len(set(texts)) > 1 else {0, NotFound.exit_code})
    again = later(memory, NOON)
    assert again.governance.ledger().damages == ()
    assert holders(tmp_path, *texts) == set()
    assert "red" in answers(again, "door")
