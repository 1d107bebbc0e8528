"""Tokens counted without tiktoken are those that tiktoken counts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.text import ranks, tokens
from hipocampus.text.bytepairs import BytePairs

TABLE = ranks.load(None)
KNOWN = TABLE.by_token()
OURS = BytePairs(TABLE).count
# What the split pattern treats differently, beside any text at all.
_SIGNS = "aZß1² \t\r\n\u00a0\u3000.'sſtTRreEvmlLdD’é\u0301汉かな한국ǅʰ٣Ⅷ🚀\u200d\ufe0f/-_\ud83d\udcff\x00"
TRICKY = st.text(st.sampled_from(_SIGNS))
CODE = sorted(Path(tokens.__file__).parent.glob("*.py"))


@pytest.fixture(scope="module")
def theirs() -> Callable[[str], int]:
    count = tokens.tiktoken_count(TABLE)
    assert count
    return count


@given(st.text(st.characters(exclude_categories=())) | TRICKY)
def test_any_text_has_as_many_tokens_as_tiktoken_finds(theirs: Callable[[str], int], text: str) -> None:
    assert OURS(text) == theirs(text)


@given(st.text("abehinorst", min_size=20, max_size=400))
def test_long_made_up_words_have_as_many_tokens_as_tiktoken_finds(theirs: Callable[[str], int], text: str) -> None:
    assert OURS(text) == theirs(text)


@pytest.mark.parametrize("path", CODE, ids=lambda path: path.name)
def test_code_has_as_many_tokens_as_tiktoken_finds(theirs: Callable[[str], int], path: Path) -> None:
    text = path.read_text("utf-8")
    assert OURS(text) == theirs(text)


@pytest.mark.parametrize("text", ["x" * 20_000, " " * 5000, "=-" * 4000, "한국어" * 2000, "🚀" * 3000, "ab\n" * 3000])
def test_a_huge_piece_is_counted_right(theirs: Callable[[str], int], text: str) -> None:
    assert OURS(text) == theirs(text)


def test_a_process_that_counts_much_goes_over_to_tiktoken(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[bool] = []
    monkeypatch.setattr(tokens, "tiktoken_count", lambda _table: built.append(True))
    count = tokens._Growing(TABLE).count
    assert count("a word or two") == count("a word or two") == 4
    assert not built
    for _ in range(3):
        count("many words " * 60_000)
    assert built == [True]


def test_every_token_of_the_table_is_found_in_order_of_rank() -> None:
    assert len(KNOWN) == 199_998
    places = [TABLE.place(token) for token in KNOWN]
    assert places == sorted(set(places))
    assert places[0] > 0


@given(st.binary(max_size=300))
def test_what_is_no_token_has_no_place(data: bytes) -> None:
    assert bool(TABLE.place(data)) == (data in KNOWN)
