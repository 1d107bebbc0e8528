"""The part of a text that is shown for a query: where most of its words are, never longer than asked for."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.text.excerpt import excerpt
from hipocampus.text.terms import query_terms

ANY_TEXT = st.text(st.characters(codec=None), max_size=300)


def shown(text: str, query: str, width: int = 300) -> str:
    """The excerpt, with brackets around what matches."""
    parts = excerpt(text, set(query_terms(query, ("en",))), "en", width)
    return "".join(f"[{part.text}]" if part.matches else part.text for part in parts)


def test_a_short_text_is_shown_whole_with_its_matches():
    assert shown("Tokens in\n  a bucket", "token") == "[Tokens] in a bucket"


@pytest.mark.parametrize(
    ("text", "query", "marked"),
    [
        ("We limited requests.", "limiting request", "We [limited] [requests.]"),
        ("call parseHTTPResponse() twice", "http", "call [parseHTTPResponse()] twice"),
        ("오늘 배포했다", "배포", "오늘 [배포했다]"),
        ("重试上限改为三次", "上限", "[重试上限改为三次]"), ("Café", "cafe", "[Café]"),
    ],
)  # fmt: skip
def test_words_match_as_they_do_in_a_search(text: str, query: str, marked: str):
    assert shown(text, query) == marked


def test_of_a_long_text_the_stretch_with_the_most_matches_is_shown():
    text = "token first " + "filler " * 50 + "token bucket here " + "filler " * 50
    assert shown(text, "token bucket", 40) == "… filler filler filler [token] [bucket] here …"


def test_without_a_match_the_beginning_is_shown():
    assert shown("one two three four", "nothing", 10) == "one two …"
    assert shown("one two three four", "", 10) == "one two …"


def test_a_word_that_is_wider_than_the_excerpt_is_cut():
    assert shown("x" * 1000, "y", 20) == "x" * 20


@pytest.mark.parametrize("text", ["", "   ", "\n\n"])
def test_of_nothing_nothing_is_shown(text: str):
    assert excerpt(text, {"token"}, "en", 300) == []


@given(text=ANY_TEXT, query=ANY_TEXT, width=st.integers(1, 120))
def test_an_excerpt_is_a_stretch_of_the_text_and_never_wider(text: str, query: str, width: int):
    parts = excerpt(text, set(query_terms(query, ("en",))), "en", width)
    joined = "".join(part.text for part in parts if part.matches or part.text not in {"… ", " …"})
    whole = " ".join(token[:width] for token in re.findall(r"\S+", text))
    assert len(joined) <= width
    assert joined in whole
    assert bool(joined) == bool(whole)
