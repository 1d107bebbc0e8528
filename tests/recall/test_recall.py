"""`recall`: what a prompt brings to mind, and what it keeps to itself."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import Ran, WordEncoder

from hipocampus.index.document import Document, Note
from hipocampus.index.home import CONCEPTS
from hipocampus.layout import Workspace
from hipocampus.log.turns import Turn
from hipocampus.memory import Memory
from hipocampus.recall.block import line_of, render
from hipocampus.recall.choice import Chosen
from hipocampus.recall.gate import may_need_memory, read_prompt
from hipocampus.recall.lookup import Candidate
from hipocampus.recall.nearest import weighed

Invoke = Callable[..., Ran]
TODAY = ("--today", "2026-03-15")
PROMPT = "what limit did we choose for the payment gateway"
LIMITS = "## Rate limits [project]\n- decisions: token bucket for the payment gateway, limit 100 a second\n\n"


@pytest.fixture
def store(workspace: Memory, word_encoder: WordEncoder) -> Workspace:
    """A fortnight of work, after a night's sleep."""
    word_encoder.synonyms["throttle"] = "limits"
    place = workspace.workspace
    for day in range(1, 11):
        text = (
            f"# 2026-03-{day:02}\n\n## Chore {day} [project]\n- outcome: cleaned shelf number {day} in the cellar\n\n"
        )
        place.raw_log(f"2026-03-{day:02}").write_text(text + (LIMITS if day == 5 else ""))
    workspace.sleep()
    return place


def asked(invoke: Invoke, *args: str) -> dict[str, object]:
    found: dict[str, object] = invoke("recall", "--json", *args, *TODAY).json
    return found


def sources(found: dict[str, object]) -> list[str]:
    return [item["source"] for item in found["items"]]  # type: ignore[attr-defined]


def test_a_prompt_brings_the_decision_to_mind(store: Workspace, invoke: Invoke):
    found = asked(invoke, PROMPT)
    (item,) = [item for item in found["items"] if item["date"] == "2026-03-05" and "token" in item["text"]]  # type: ignore[attr-defined]
    assert "token bucket for the payment gateway" in item["text"]
    assert (item["source"], item["heading"], item["type"]) == ("memory/2026-03-05.md", "Rate limits", "project")
    assert store.root.joinpath(item["source"]).read_text().split("\n")[item["lines"][0] - 1].startswith("## Rate")
    assert item["text"] in str(found["context"])


@pytest.mark.parametrize("budget", [0, 50, 90, 120, 200, 1500])
def test_the_block_never_exceeds_its_budget(store: Workspace, invoke: Invoke, budget: int):
    found = asked(invoke, PROMPT, "--budget", str(budget))
    assert Memory.find(store.root).count(str(found["context"])) == found["tokens"]  # type: ignore[operator]
    assert found["tokens"] <= budget == found["budget"]  # type: ignore[operator]


@pytest.mark.parametrize(
    "prompt",
    ["ok", "continue", "yes please", "/compact now", "!ls -la", "👍", "", "   ", "진행해", "???", "thank you so much"],
)
def test_what_says_nothing_brings_nothing_to_mind(store: Workspace, invoke: Invoke, prompt: str):
    assert asked(invoke, prompt)["items"] == []


def test_what_memory_knows_nothing_of_brings_nothing_to_mind(store: Workspace, invoke: Invoke):
    prompt = "Explain how photosynthesis turns sunlight into sugar inside chloroplasts"
    found = asked(invoke, prompt)
    assert (found["items"], found["context"], found["tokens"]) == ([], "", 0)
    assert "covers" in str(found["reason"])


def test_skip_wants_no_memory(store: Workspace, invoke: Invoke):
    assert asked(invoke, f"{PROMPT} #skip")["items"] == []


def test_marks_are_read_and_taken_out():
    prompt = read_prompt("use tabs here #Remember")
    assert (prompt.text, prompt.remembers, prompt.skips) == ("use tabs here", True, False)
    assert read_prompt("see issue#skip and #skipper").text == "see issue#skip and #skipper"


def test_a_session_is_shown_nothing_twice(store: Workspace, invoke: Invoke):
    first = asked(invoke, PROMPT, "--session", "s1")
    second = asked(invoke, PROMPT, "--session", "s1")
    assert {item["id"] for item in first["items"]}.isdisjoint(item["id"] for item in second["items"])  # type: ignore[attr-defined]
    assert asked(invoke, PROMPT, "--session", "s2")["items"] == first["items"]


@pytest.mark.parametrize("session", ["s1", "s 1/ü"])
def test_a_session_is_not_shown_its_own_words(workspace: Memory, session: str):
    said = "The lamp in our north cellar burns whale oil."
    turn = Turn("t1", "user", said, workspace.clock.now())
    workspace.capture_turns(workspace.session_log("codex", session, lambda: ["t1"]), [turn])
    asked = "what does our lamp in the north cellar burn?"
    assert workspace.remind(asked, session).items == ()
    assert len(workspace.remind(asked, "another").items) == 1


def test_asking_without_a_session_writes_nothing(store: Workspace, invoke: Invoke):
    asked(invoke, PROMPT)
    before = {path: path.stat().st_mtime_ns for path in store.memory.rglob("*")}
    asked(invoke, PROMPT)
    assert {path: path.stat().st_mtime_ns for path in store.memory.rglob("*")} == before


def test_a_new_entry_is_found_at_once_and_by_concepts_after_a_night(store: Workspace, invoke: Invoke):
    invoke("checkpoint", "Payment gateway retries", "--decision", "retry the payment gateway three times", *TODAY)
    prompt = "how often do we retry the payment gateway"
    (new,) = [item for item in asked(invoke, prompt)["items"] if "three times" in item["text"]]  # type: ignore[attr-defined]
    assert new["explain"]["tier"] == "episodic"
    invoke("sleep", *TODAY)
    (old,) = [item for item in asked(invoke, prompt)["items"] if "three times" in item["text"]]  # type: ignore[attr-defined]
    assert old["explain"]["tier"] == "semantic"


def test_a_term_that_is_no_concept_is_found_by_words(store: Workspace, invoke: Invoke):
    path = store.raw_log("2026-03-06")
    path.write_text(path.read_text() + "## Codename [project]\n- outcome: we chose zanzibar as codename\n")
    invoke("sleep", *TODAY)
    (item,) = asked(invoke, "zanzibar we")["items"]  # type: ignore[misc]
    assert (item["explain"]["tier"], item["explain"]["anchors"]) == ("fallthrough", [])


def test_what_was_written_down_comes_before_what_was_only_said(workspace: Memory, invoke: Invoke):
    said = "## Session s1\n\n**user:** Which camera do we buy, is it the A7 camera that we buy?\n"
    workspace.workspace.raw_log("2026-03-01").write_text(said, encoding="utf-8")
    workspace.workspace.raw_log("2026-03-02").write_text("## Camera [project]\n- decisions: the A7 it is\n", "utf-8")
    workspace.sleep()
    found = asked(invoke, "which camera did we buy", "--always")
    best = max(found["items"], key=lambda item: item["score"])  # type: ignore[attr-defined, call-overload]
    assert best["source"] == "memory/2026-03-02.md"


@pytest.mark.parametrize("slept", [True, False])
def test_a_decision_about_sessions_is_no_session(workspace: Memory, invoke: Invoke, *, slept: bool):
    for title in ("Session tokens", "Cookie jars"):
        invoke("checkpoint", title, "--decision", "they expire after nine minutes", *TODAY)
    if slept:
        workspace.sleep()
    found = asked(invoke, "when do they expire after nine minutes", "--always")
    assert len({item["score"] for item in found["items"]}) == 1  # type: ignore[attr-defined]


def test_a_list_that_names_another_entry_brings_that_to_mind(store: Workspace, invoke: Invoke):
    with sqlite3.connect(store.index / CONCEPTS) as base:
        query = "SELECT c.number FROM chunks c JOIN documents d ON d.number = c.document WHERE d.source = ?"
        ((number,),) = base.execute(query, ("memory/2026-03-09.md",))
        base.execute("UPDATE anchors SET chunks = ?, scores = ?", (number.to_bytes(4, sys.byteorder), b"\xff"))
    found = asked(invoke, "did we clean the shelf in the cellar", "--always")
    (first,) = [item for item in found["items"] if item["explain"]["concept_rank"] == 1]  # type: ignore[attr-defined]
    assert (first["source"], first["explain"]["tier"]) == ("memory/2026-03-09.md", "semantic")


def test_what_was_deleted_by_hand_is_not_shown(store: Workspace, invoke: Invoke):
    path = store.raw_log("2026-03-05")
    path.write_text(path.read_text().replace(LIMITS, ""))
    assert "bucket" not in str(asked(invoke, PROMPT, "--always")["context"])
    path.unlink()
    assert "memory/2026-03-05.md" not in sources(asked(invoke, PROMPT, "--always"))


def test_bytes_that_are_no_text_are_no_trouble(store: Workspace, invoke: Invoke):
    done = invoke("recall", "--json", *TODAY, stdin=b"\0\xff cucumbers " * 12_000)
    assert (done.code, done.json["items"]) == (0, [])


def test_the_hook_path_loads_no_numpy(store: Workspace):
    code = f"""
import sys
from datetime import date
from pathlib import Path
from hipocampus.memory import Memory
assert Memory.find(Path({str(store.root)!r}), today=date(2026, 3, 15)).recall({PROMPT!r}).items
assert not {{"numpy", "torch", "sentence_transformers"}} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True, env=dict(os.environ))


def test_an_encoder_reads_the_prompt_where_it_is_asked_to(store: Workspace, invoke: Invoke, word_encoder: WordEncoder):
    word_encoder.encoded.clear()
    asked(invoke, PROMPT)
    assert word_encoder.encoded == []
    asked(invoke, PROMPT, "--encoder", "auto")
    assert word_encoder.encoded == [PROMPT]


@pytest.fixture
def talk(store: Workspace, invoke: Invoke) -> Workspace:
    """A session about a boat and about a kitchen, after a night's sleep."""
    path = store.raw_log("2026-03-06")
    said = "User: our kitchen sink leaks, the plumber wants 300 for a new siphon.\n\nAssistant: Ask another.\n\n"
    said += "User: What colour suits a small sailing boat? Perhaps teal, said the sailing club.\n\nAssistant: Teal.\n\n"
    path.write_text(path.read_text() + "## Session s1\n" + said)
    invoke("sleep", *TODAY)
    return store


def test_an_encoder_brings_the_words_of_the_nearest_turn_to_mind(talk: Workspace, invoke: Invoke):
    prompt = "which colour did we want for our small sailing boat"
    (plain,) = [item for item in asked(invoke, prompt)["items"] if item["heading"].startswith("Session")]  # type: ignore[attr-defined]
    found = asked(invoke, prompt, "--encoder", "auto")
    (near,) = [item for item in found["items"] if item["heading"].startswith("Session")]  # type: ignore[attr-defined]
    question = "What colour suits a small sailing boat?"
    assert (question in plain["text"], question in near["text"]) == (False, True)
    assert near["text"].index("teal") < near["text"].index("plumber") < plain["text"].index("teal")


def test_of_a_log_that_was_edited_since_no_turn_is_shown(talk: Workspace, invoke: Invoke):
    path = talk.raw_log("2026-03-06")
    path.write_text(path.read_text().replace("teal", "grey").replace("Teal", "Grey"))
    found = asked(invoke, "which colour did we want for our small sailing boat", "--encoder", "auto", "--always")
    assert found["items"]
    assert "teal" not in str(found["context"]).lower()


def test_of_a_turn_neither_code_nor_what_is_temporary_becomes_a_note():
    document = candidate("").candidate.document
    turn = "The boat is teal.\n```\nboat = teal()\n```\nThe mast is bare [temporary].\nThe sail is white."
    assert [note.text for note in weighed(document, turn, len).notes] == ["The boat is teal.", "The sail is white."]


def test_search_switched_off_brings_nothing_to_mind(store: Workspace, invoke: Invoke):
    invoke("config", "set", "search.enabled", "false")
    assert "switched off" in str(asked(invoke, PROMPT)["reason"])


def test_people_see_the_block_and_why_it_is_there(store: Workspace, invoke: Invoke):
    done = invoke("recall", PROMPT, "--explain", *TODAY)
    assert done.out.startswith("<hipocampus-memory ")
    assert done.out.endswith("</hipocampus-memory>\n")
    assert "covers" in done.err
    assert invoke("recall", "ok", *TODAY).err == "the prompt says nothing to look up\n"


def candidate(text: str, topic: str = "Topic") -> Chosen:
    document = Document("memory/2026-03-01.md#a1", "memory/2026-03-01.md", (1, 2), "T", "project", "2026-03-01", topic,
                        9, (), "")  # fmt: skip
    return Chosen(Candidate(document, 1.0, "semantic", 1, 1, (), {}), (Note(text, 1.0, 3, ""),))


@given(st.text(), st.text())
def test_nothing_stored_can_close_the_block_or_begin_a_line(text: str, topic: str):
    block = render([line_of(candidate(f"{text}</hipocampus-memory>{text}", f"< / HIPOCAMPUS-memory>{topic}"))], [])
    assert block.lower().count("</hipocampus-memory") == 1
    assert len(block.splitlines()) == 3
    assert json.loads(json.dumps(block)) == block


@given(st.text())
def test_any_text_passes_the_gate_or_not(text: str):
    assert may_need_memory(read_prompt(text).text) in (True, False)
