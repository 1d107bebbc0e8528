"""Tombstones: the same value however it is written, nothing else, in linear time."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.governance.tombstones import Hasher, TakenBack, Tombstone, tombstone_of

KEY = "0f" * 16
HASHER = Hasher(KEY)


def away(*stones: Tombstone) -> TakenBack:
    found = TakenBack((KEY,))
    for stone in stones:
        found.add(stone, "rejected", "3f9ac2e1")
    return found


def test_a_value_is_found_in_any_spelling():
    wanted = away(*HASHER.value("dave@example.com"))
    for text in (
        "DAVE@EXAMPLE.COM",
        "<dave@example.com>",
        "dаve@example.com",
        "da\u200bve@example.com",
        "ｄａｖｅ@example.com",
    ):
        assert wanted.find(f"write to {text} today"), text


@pytest.mark.parametrize("text", ["dave@example.com.au", "adave@example.com", "x.dave@example.com", "dave at example"])
def test_another_value_is_not_found(text: str):
    assert away(*HASHER.value("dave@example.com")).find(text) == []


def test_a_name_is_found_in_another_script():
    wanted = away(*HASHER.value("Ivan Petrov"))
    assert wanted.find("вчера Иван Петров звонил")
    assert wanted.find("Ivan Petrov called")
    assert not wanted.find("Ivan Sidorov called")


def test_a_statement_is_found_inside_a_longer_text():
    wanted = away(*HASHER.statement("We deploy to Heroku."))
    [match] = wanted.find("As ever: WE  DEPLOY – to Heroku, on Mondays")
    assert (match.state, match.scope) == ("rejected", "statement")
    assert not wanted.find("We deploy to Heroku2")


def test_what_was_stated_since_is_looked_for_no_more():
    found = away()
    [stone] = HASHER.statement("The branch is main.")
    found.add(stone, "superseded", "1")
    found.add(stone, "stated", "2")
    assert not found.find("The branch is main.")


def test_what_was_rejected_stays_so_whatever_is_stated():
    [stone] = HASHER.statement("The branch is main.")
    found = away(stone)
    found.add(stone, "stated", "2")
    assert found.find("The branch is main.")


@given(st.text(min_size=1, max_size=60))
def test_any_text_is_found_again(text: str):
    stones = HASHER.statement(text)
    assert bool(stones) == bool(away(*stones).find(f"before. {text} .behind")) or not stones


@given(st.dictionaries(st.text(max_size=8), st.integers() | st.text(max_size=5) | st.none(), max_size=5))
def test_a_row_of_any_shape_is_a_tombstone_or_none(row: dict[str, object]):
    assert tombstone_of(row) is None or isinstance(tombstone_of(row), Tombstone)


@pytest.mark.parametrize("text", ["a " * 200_000, "a" * 400_000, "-" * 400_000, "田" * 100_000, "A " * 100_000])
def test_long_texts_take_linear_time(text: str):
    wanted = away(*HASHER.value("Ivan Petrov"), *HASHER.statement("a a a a a a a a b"))
    started = time.perf_counter()
    wanted.find(text)
    assert time.perf_counter() - started < 20
