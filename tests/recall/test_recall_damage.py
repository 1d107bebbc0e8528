"""What recall does without: a whole concept index, the model, the network, the rest of the project."""

from __future__ import annotations

import json
import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from asking import WAYS, Asked
from support import Ran, WordEncoder

from hipocampus.errors import EncoderUnavailable
from hipocampus.index import search
from hipocampus.index.concept_file import ConceptFile
from hipocampus.index.encoders import load_encoder
from hipocampus.index.home import CONCEPTS
from hipocampus.memory import Memory
from hipocampus.setup import init

PROMPT = "what limit did we choose for the payment gateway"
BY_WORDS = "found by words alone: "
Damage = Callable[[Path], None]


def _set_format(path: Path, number: str) -> None:
    with sqlite3.connect(path) as base:
        base.execute("UPDATE meta SET value = ? WHERE key = 'format'", (number,))


def _cut_lists(path: Path) -> None:
    with sqlite3.connect(path) as base:
        base.execute("UPDATE anchors SET chunks = x'00'")


DAMAGES: dict[str, Damage] = {
    "missing": Path.unlink,
    "empty": lambda path: os.truncate(path, 0),
    "half": lambda path: os.truncate(path, path.stat().st_size // 2),
    "no database": lambda path: path.write_bytes(b"damaged" * 1000) and None,
    "lists that are cut": _cut_lists,
    "older": lambda path: _set_format(path, "1"),
    "newer": lambda path: _set_format(path, "99"),
}


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Ten days of chores and a decision on two of them, after a night's sleep."""
    init.apply(init.plan(tmp_path))
    for day in range(1, 11):
        chores = "".join(f"## Chore {day}-{at}\n- outcome: cleaned shelf {day * at} there\n\n" for at in range(4))
        decision = f"## Rate limits\n- decisions: token bucket for the payment gateway {day}\n" if day < 3 else ""
        (tmp_path / f"memory/2026-03-{day:02}.md").write_text(chores + decision)
    made = Asked(tmp_path, date(2026, 3, 15), monkeypatch)
    made.memory.sleep()
    return made


def concepts(asked: Asked) -> Path:
    return asked.memory.workspace.index / CONCEPTS


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("damage", DAMAGES)
def test_without_a_whole_concept_index_words_find_and_the_next_sleep_mends_it(asked: Asked, damage: str, way: str):
    built = concepts(asked).read_bytes()
    DAMAGES[damage](concepts(asked))
    assert "token bucket for the payment gateway" in asked.told(PROMPT, way)
    asked.memory.sleep()
    assert concepts(asked).read_bytes() == built
    assert asked.memory.recall(PROMPT).notes == ()


@pytest.mark.parametrize("damage", DAMAGES)
def test_one_line_says_that_words_alone_found(asked: Asked, invoke: Callable[..., Ran], damage: str):
    DAMAGES[damage](concepts(asked))
    (note,) = asked.memory.recall(PROMPT).notes
    assert note.startswith(BY_WORDS)
    assert "`hipocampus sleep` makes it" in note
    assert [line.partition(BY_WORDS)[1] for line in invoke("recall", PROMPT).err.splitlines()] == [BY_WORDS]
    asked.told(PROMPT, "hook")
    assert asked.memory.workspace.hook_log.read_text().count(BY_WORDS) == 1


def test_whatever_byte_is_wrong_recall_answers(asked: Asked):
    dice, built = random.Random(1), concepts(asked).read_bytes()
    for _ in range(60):
        damaged = bytearray(built)
        first, size = dice.randrange(len(built)), dice.choice((1, 16, 4096))
        damaged[first : first + size] = dice.randbytes(len(damaged[first : first + size]))
        concepts(asked).write_bytes(damaged)
        assert asked.memory.recall(PROMPT, always=True).items


@pytest.mark.parametrize("way", WAYS)
def test_a_store_with_nothing_in_it_brings_nothing_to_mind(
    workspace: Memory, monkeypatch: pytest.MonkeyPatch, way: str
):
    empty = Asked(workspace.workspace.root, date(2026, 3, 15), monkeypatch)
    assert empty.told(PROMPT, way) == ""
    empty.memory.sleep()
    assert empty.told(PROMPT, way) == ""


@pytest.mark.parametrize("way", WAYS)
def test_a_prompt_of_100_kb_is_read_at_its_ends(asked: Asked, way: str):
    pasted = "0123456789 a pasted line of a log\n" * 3_000
    for prompt in (f"{PROMPT}\n{pasted}", f"{pasted}\n{PROMPT}"):
        assert "token bucket" in asked.told(prompt, way)
    assert asked.told("x" * 100_000, way) == ""


def test_row_61_without_the_model_words_and_concepts_answer_and_one_line_says_so(
    asked: Asked, monkeypatch: pytest.MonkeyPatch, invoke: Callable[..., Ran], no_network: list[str]
):
    monkeypatch.setattr(search, "load_encoder", load_encoder)
    invoke("config", "set", "search.embedModel", "some-owner/some-model")
    done = invoke("recall", "--encoder", "auto", PROMPT)
    assert (done.code, "token bucket" in done.out) == (0, True)
    (line,) = done.err.splitlines()
    assert "the model some-owner/some-model is not on this machine" in line
    assert no_network == []


def test_row_61_with_the_model_nothing_is_asked_of_the_network(
    asked: Asked, word_encoder: WordEncoder, no_network: list[str]
):
    word_encoder.encoded.clear()
    assert asked.memory.recall(PROMPT, encoder="auto").items
    assert (word_encoder.encoded, no_network) == ([PROMPT], [])


def test_row_62_a_model_that_does_not_run_leaves_the_prompt_to_words_and_concepts(
    asked: Asked, word_encoder: WordEncoder, monkeypatch: pytest.MonkeyPatch
):
    def fails(_texts: object) -> None:
        message = "the model x does not run: out of memory"
        raise EncoderUnavailable(message, hint="take a smaller one")

    monkeypatch.setattr(word_encoder, "encode", fails)
    found = asked.memory.recall(PROMPT, encoder="auto")
    assert "token bucket" in found.context
    assert found.notes == ("no encoder reads the prompt: the model x does not run: out of memory; take a smaller one",)


SPY = """
import json, os, sys
touched = []
def note(event, args):
    if event in ("open", "os.listdir", "os.scandir") and args and isinstance(args[0], (str, bytes, os.PathLike)):
        touched.append(os.path.realpath(os.fsdecode(args[0])))
from hipocampus import hooks
sys.addaudithook(note)
hooks.run([sys.argv[1], "--host", "codex"])
print("\\n" + json.dumps(touched))
"""


@pytest.mark.parametrize("event", ["UserPromptSubmit", "SessionStart"])
def test_row_95_only_memory_and_notes_are_looked_at_however_large_the_project_is(asked: Asked, event: str):
    for name in ("build/deep/er", "node_modules/a"):
        (asked.root / name).mkdir(parents=True)
    payload = json.dumps({"prompt": PROMPT, "session_id": "s", "cwd": str(asked.root)})
    done = subprocess.run(
        [sys.executable, "-c", SPY, event], input=payload, cwd=asked.root, capture_output=True, text=True, check=True,
        env={**os.environ, "HIPOCAMPUS_TODAY": "2026-03-15"},
    )  # fmt: skip
    inside = [Path(path).relative_to(asked.root) for path in json.loads(done.stdout.splitlines()[-1])
              if Path(path).is_relative_to(asked.root)]  # fmt: skip
    folders = {path.parts[0] for path in inside if len(path.parts) > 1}
    assert "token bucket" in done.stdout
    assert Path() not in inside
    assert folders <= {"memory", "knowledge", "plans", ".claude"}


def test_what_the_check_of_a_concept_index_reads_is_all_of_it(asked: Asked):
    file = ConceptFile(concepts(asked))
    file.check()
    file.close()
