"""The grammar of a raw log, there and back, for any text."""

from __future__ import annotations

import time
from datetime import date

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hipocampus.errors import UsageError
from hipocampus.governance import gate
from hipocampus.governance.gate import Draft, WritePath
from hipocampus.log import entry as grammar
from hipocampus.log.entry import ENTRY_TYPES, fenced_lines

DAY = date(2026, 3, 15)
# Lines that mean something to the grammar, between any other text.
_MARKS = st.sampled_from([
    "## Session x", "## Heading", "## Typed [user]", "# 2026-03-15", "# Title", "#", "##", "```", "~~~", "````",
    "  ```", "```python", "<!-- hipo end -->", "<!-- hipo id=abcdef actor=user -->", "<!--hipo-->", "---", "", " ",
    "User: hi", "Assistant: yes", "\t## x", "- item", "\r", "\x85", "\u2028", "\ufeff## x", "## \ufeff", "\x0c",
    "\x1c## x",
])  # fmt: skip
_LINES = st.lists(st.one_of(_MARKS, st.text(max_size=12)), max_size=12).map("\n".join)
_DRAFTS = st.builds(Draft, st.one_of(_MARKS, st.text(max_size=40)), _LINES, st.sampled_from(ENTRY_TYPES))
_BEFORE = st.sampled_from(
    ["", "# 2026-03-15\n\n", "hand-written\n", "## By hand\n- x\n", "## Session a\nUser: hi\n```\n## no\n"]
)


def _admitted(draft: Draft) -> Draft:
    try:
        return gate.admit(draft, WritePath.CHECKPOINT)
    except UsageError:
        assume(False)  # noqa: FBT003  nothing was said
        raise


def _rendered(draft: Draft) -> str:
    return grammar.render(draft.title, draft.type, draft.body, {"id": "0a1b2c", "actor": "agent"})


@settings(max_examples=400)
@given(_DRAFTS)
def test_what_was_admitted_comes_back_as_one_entry(draft: Draft) -> None:
    said = _admitted(draft)
    (found,) = grammar.parse(_rendered(said), DAY)
    assert (found.title, found.type, found.body) == (said.title, said.type, said.body)
    assert (found.id, found.meta["actor"], found.is_session) == ("0a1b2c", "agent", False)


@settings(max_examples=200)
@given(_DRAFTS)
def test_the_gate_lets_its_own_output_through_unchanged(draft: Draft) -> None:
    said = _admitted(draft)
    assert gate.admit(said, WritePath.CHECKPOINT) == said


@settings(max_examples=300)
@given(_BEFORE, st.lists(_DRAFTS, min_size=1, max_size=3))
def test_appended_entries_change_none_before_them(before: str, drafts: list[Draft]) -> None:
    end = f"{grammar.SESSION_END}\n" if grammar.is_open(before) else ""
    text = before + end
    earlier = [(e.title, e.type, e.body) for e in grammar.parse(before, DAY)]
    admitted = [_admitted(draft) for draft in drafts]
    for said in admitted:
        assert not grammar.is_open(text)
        text += "\n" + _rendered(said)
    found = [(e.title, e.type, e.body) for e in grammar.parse(text, DAY)]
    assert found == [*earlier, *((said.title, said.type, said.body) for said in admitted)]


@settings(max_examples=300)
@given(st.lists(st.one_of(_MARKS, st.text(max_size=10)), max_size=30).map("\n".join))
def test_any_text_is_parsed_and_no_line_with_words_is_lost(text: str) -> None:
    entries = grammar.parse(text, DAY)
    covered = {n for e in entries for n in range(e.first_line, e.last_line + 1)}
    lines = text.split("\n")
    loose = [line for n, line in enumerate(lines, 1) if n not in covered and line.strip()]
    assert all(line.startswith(("# ", "<!-- hipo ")) for line in loose)
    assert len({e.id for e in entries}) == len(entries)


@settings(max_examples=200)
@given(_LINES)
def test_ids_of_hand_written_entries_hold_when_others_are_appended(text: str) -> None:
    assume(not grammar.is_open(text))
    before = [e.id for e in grammar.parse(text, DAY)]
    after = [e.id for e in grammar.parse(f"{text}\n## Next [user]\n- x\n", DAY)]
    assert after[: len(before)] == before


def test_only_the_next_session_ends_a_session() -> None:
    text = "## Session a\nUser: see\n# Title\n## Other [user]\nAssistant: ok\n## Session b\nUser: hi\n"
    entries = grammar.parse(text, DAY)
    assert [e.title for e in entries] == ["Session a", "Session b"]
    assert "## Other [user]" in entries[0].body


@pytest.mark.parametrize("title", ["Session notes", "Session", "session x", "Sessions"])
def test_a_typed_entry_about_a_session_is_no_transcript(title: str) -> None:
    (entry,) = grammar.parse(f"## {title} [project]\nx\n", DAY)
    assert (entry.title, entry.is_session) == (title, False)


def test_an_id_depends_on_what_is_said_and_not_on_blanks_at_line_ends() -> None:
    assert grammar.entry_id(DAY, "T", "user", "a  \nb\n\n") == grammar.entry_id(DAY, " T ", "user", "a\nb")
    assert grammar.entry_id(DAY, "T", "user", "a\nb") != grammar.entry_id(DAY, "T", "user", "a\n b")


@pytest.mark.parametrize("lines", [["```", "~~~"], ["~~~ text", "```"], ["```py", "~~~"]])
def test_a_log_of_nothing_but_fences_is_read_in_linear_time(lines: list[str]) -> None:
    started = time.process_time()
    fenced_lines(lines * 50_000)
    assert time.process_time() - started < 5
