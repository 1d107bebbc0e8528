"""Chunks as rows: what they are called, where they stand, and that they come back as they were."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from engine_conformance import indexed
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.index import rows
from hipocampus.index.chunk import Chunk

ANY_TEXT = st.text(st.characters(codec=None), max_size=60)
CHUNKS = st.builds(
    Chunk, source=ANY_TEXT, first_line=st.integers(1, 10**9), last_line=st.integers(1, 10**9),
    headings=st.lists(ANY_TEXT, max_size=3).map(tuple), text=ANY_TEXT,
    type=st.sampled_from(["project", "user", "feedback", "reference"]), day=st.none() | st.dates(),
    layer=st.sampled_from(["raw", "node", "hot", "curated"]), entry=ANY_TEXT,
    voice=st.sampled_from(["", "user", "assistant"]), piece=st.integers(0, 99), tenant=ANY_TEXT,
)  # fmt: skip


@given(chunk=CHUNKS, tokens=st.integers(0, 10**9))
def test_any_chunk_comes_back_as_it_was(chunk: Chunk, tokens: int):
    item = indexed("a.md", "text")
    row = rows.chunk_row(type(item)(chunk, tokens, (), ()))
    assert rows.restored(row) == (chunk, tokens)


@given(one=ANY_TEXT, other=ANY_TEXT)
def test_two_names_never_stand_for_each_other(one: str, other: str):
    assert (rows.exact(one) == rows.exact(other)) == (one == other)
    assert rows.exact(one).isascii()


@pytest.mark.parametrize(
    ("source", "fields", "document", "area"),
    [
        ("memory/2026-03-02.md", {"layer": "raw", "entry": "e1"}, "memory/2026-03-02.md#e1", "raw"),
        ("memory/daily/2026-03-02.md", {"layer": "node", "line": 7}, "memory/daily/2026-03-02.md#L7", "node"),
        ("knowledge/deep/a.md", {}, "knowledge/deep/a.md", "knowledge"),
        ("plans/q2.md", {}, "plans/q2.md", "plans"), ("WORKING.md", {"layer": "hot"}, "WORKING.md", "hot"),
    ],
)  # fmt: skip
def test_a_chunk_has_a_document_and_an_area(source: str, fields: dict[str, Any], document: str, area: str):
    chunk = indexed(source, "text", **fields).chunk
    assert (rows.document_of(chunk), rows.area_of(chunk)) == (document, area)


def test_the_chunks_of_an_entry_are_one_document_and_the_lines_of_a_node_none():
    items = [indexed("memory/2026-03-02.md", f"part {n}", layer="raw", entry="e1", piece=n) for n in range(3)]
    items += [indexed("memory/2026-03-02.md", "other", layer="raw", entry="e2")]
    items += [indexed("memory/daily/2026-03-02.md", "line", layer="node")]
    assert len(list(rows.document_rows(items))) == 2


def test_what_an_assistant_said_is_none_of_the_users_own_terms():
    items = [
        indexed("memory/2026-03-02.md", text, layer="raw", entry="e1", voice=voice, piece=piece, day=date(2026, 3, 2))
        for piece, (voice, text) in enumerate([("user", "question"), ("assistant", "answer")])
    ]
    (row,) = (row.to_dict() for row in rows.document_rows(items))
    assert (row["terms"], row["own_terms"]) == (["question answer"], ["question"])
