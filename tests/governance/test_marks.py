"""Marks of what was taken back: hidden and shown again byte for byte, with as many lines as before."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hipocampus.governance import marks

ID = "3f9ac2e1"
DAY = "2026-03-20"
TEXTS = st.text(alphabet=st.characters(exclude_categories=["Cs"]) | st.sampled_from(list("~<!->\n -*.")), max_size=80)


def hidden(text: str, part: str, state: marks.Hidden = "superseded") -> str:
    at = text.index(part)
    return marks.hide(text, [(at, at + len(part))], state, ID, DAY)


def test_what_is_hidden_is_not_shown_and_the_line_goes_with_it():
    text = hidden("- a b.\n- c d.\n", "a b.")
    assert marks.shown(text) == "\n- c d.\n"


def test_history_shows_what_was_superseded_and_not_what_was_released():
    assert "~~a b.~~ (superseded 2026-03-20)" in marks.shown(hidden("- a b.", "a b."), history=True)
    assert "a b" not in marks.shown(hidden("- a b.", "a b.", "released"), history=True)


def test_a_part_that_is_hidden_already_is_not_hidden_twice():
    once = hidden("- a b.", "a b.")
    assert marks.hide(once, [(2, 20)], "released", "00000000", DAY) == once


def test_a_comment_that_nothing_closes_hides_nothing():
    text = f"<!-- superseded {ID} {DAY} -->~~open\nnext line~~<!-- /{ID} -->"
    assert marks.shown(text) == text


def test_one_marker_stands_for_all_that_was_removed_from_a_line():
    text = "- One here. Two here. Three stays.\n"
    assert marks.remove(text, [(2, 11), (12, 21)], ID) == f"- [forgotten {ID}] Three stays.\n"


@given(TEXTS, st.data())
def test_what_was_hidden_comes_back_byte_for_byte(text: str, data: st.DataObject):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    done = marks.hide(text, [(start, end)], "released", ID, DAY)
    assert marks.restore(done, ID) == text


@given(TEXTS, st.data())
def test_lines_stay_where_they_are(text: str, data: st.DataObject):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    for done in (marks.hide(text, [(start, end)], "released", ID, DAY), marks.remove(text, [(start, end)], ID)):
        assert done.count("\n") == text.count("\n")
        assert marks.shown(done).count("\n") == text.count("\n")


@given(TEXTS)
def test_opened_text_has_the_length_of_the_text(text: str):
    assert len(marks.opened(text)[0]) == len(text)
