"""What a night found stays of use after something was taken back, without what was."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from support import Ran, WordEncoder

from hipocampus.index.home import CONCEPTS
from hipocampus.layout import Workspace
from hipocampus.memory import Memory

TODAY = ("--today", "2026-04-15")
Invoke = Callable[..., Ran]


@pytest.fixture
def kitchen(workspace: Memory, word_encoder: WordEncoder, invoke: Invoke) -> Workspace:
    """Three days, slept over; to the encoder a quince is a pear."""
    word_encoder.synonyms["quince"] = "pear"
    store = workspace.workspace
    for day, texts in enumerate(
        (
            ("the pear tart needs butter", "buy butter and a pear"),
            ("the quince jelly is set", "Zanzibar sells quince jelly"),
            ("the oven is at zanzibar heat", "the oven door sticks"),
        ),
        1,
    ):
        entries = "".join(f"## Note {day}{n}\n- {text}\n\n" for n, text in enumerate(texts))
        store.raw_log(f"2026-03-0{day}").write_text(f"# 2026-03-0{day}\n\n{entries}")
    invoke("sleep", *TODAY)
    return store


def rows(path: Path, query: str) -> list[str]:
    with sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True) as base:
        return [" ".join(map(str, row)) for row in base.execute(query)]


def test_other_documents_are_recalled_by_meaning_after_a_forget(kitchen: Workspace, invoke: Invoke):
    invoke("forget", "buy butter and a pear", "--yes", *TODAY)
    found = invoke("recall", "where does one sell a pear and jelly", "--json", *TODAY).json
    assert "memory/2026-03-02.md" in {item["source"] for item in found["items"]}
    assert "buy butter" not in found["context"]


def test_words_find_documents_before_a_search_has_made_their_index_anew(kitchen: Workspace, invoke: Invoke):
    invoke("forget", "buy butter and a pear", "--yes", *TODAY)
    assert not (kitchen.index / "chunks").exists()
    found = invoke("recall", "which oven door sticks", "--json", *TODAY).json
    assert "sticks" in found["context"]
    assert found["notes"] == []


def test_a_concept_that_nobody_names_any_more_goes_from_lists_too(kitchen: Workspace, invoke: Invoke):
    path = kitchen.index / CONCEPTS
    assert "zanzibar" in "\n".join(rows(path, "SELECT term, neighbours FROM anchors"))
    invoke("forget", "zanzibar", "--yes", *TODAY)
    assert path.exists()
    assert b"zanzibar" not in path.read_bytes().lower()
    assert rows(path, "SELECT term FROM anchors WHERE term = 'butter'")


def test_a_concept_that_is_named_elsewhere_stays(kitchen: Workspace, invoke: Invoke):
    invoke("forget", "buy butter and a pear", "--yes", *TODAY)
    assert rows(kitchen.index / CONCEPTS, "SELECT term FROM anchors WHERE term = 'pear'")


def test_the_next_night_makes_what_a_first_one_would(kitchen: Workspace, invoke: Invoke):
    path = kitchen.index / CONCEPTS
    invoke("forget", "Zanzibar sells quince jelly", "--yes", *TODAY)
    invoke("sleep", *TODAY)
    after = path.read_bytes()
    path.unlink()
    invoke("sleep", *TODAY)
    assert path.read_bytes() == after


def test_a_concept_index_that_cannot_be_read_goes(kitchen: Workspace, invoke: Invoke):
    path = kitchen.index / CONCEPTS
    path.write_bytes(b"zanzibar" + path.read_bytes()[:5000])
    assert invoke("forget", "zanzibar", "--yes", *TODAY).code == 0
    assert not path.exists()


def test_a_source_that_was_changed_by_hand_since_is_described_anew(kitchen: Workspace, invoke: Invoke):
    log = kitchen.raw_log("2026-03-03")
    log.write_text(log.read_text().replace("the oven door sticks", "the oven window is clean"))
    invoke("forget", "zanzibar heat", "--yes", *TODAY)
    documents = "\n".join(rows(kitchen.index / CONCEPTS, "SELECT notes FROM documents"))
    assert "window is clean" in documents
    assert "sticks" not in documents
