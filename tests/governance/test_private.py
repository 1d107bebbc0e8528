"""Private text: what counts as a tag, and what is left when it goes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.governance.private import blank, blank_blocks, drop, unclosed_lines

texts = st.lists(st.sampled_from(["<private>", "</private>", "`", "a", "\n", " ", "## A [user]\n", "- "]), max_size=20)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("help <private>PRIV</private> KEEP", "help KEEP"),
        ("<PRIVATE>PRIV</Private> KEEP", " KEEP"),
        ('a <private reason="x">PRIV</private> b', "a b"),
        ("a <private>\nPRIV\nPRIV\n</private> b", "a b"),
        ("a <private>PRIV <private>PRIV</private> PRIV</private> b", "a b"),
        ("a <private>PRIV\n\nPRIV", "a "),
        ("- <private>PRIV</private>\n- b", "- b"),
        ("a\n<private>\nPRIV\n</private>\nb", "a\nb"),
        ("<private>PRIV</private>", ""),
        ("a </private> b", "a </private> b"),
        ("```\n<private>PRIV</private>x\n```", "```\nx\n```"),
    ],
)
def test_private_text_goes_with_its_tags(text: str, left: str):
    assert drop(text) == left


@pytest.mark.parametrize(
    "text", ["put it between `<private>` and `</private>`", "<privateer>", "private", "a < private", "<private/>"]
)
def test_talk_about_the_tag_stays(text: str):
    assert drop(text) == text


def test_a_file_keeps_its_lines():
    text = "one\n<private>\nPRIV\n</private> two\nthree\n"
    assert blank(text) == "one\n\n\n two\nthree\n"


def test_a_forgotten_tag_in_a_log_hides_its_own_entry_only():
    text = "## A [project]\n<private> PRIV\nPRIV\n## B [user]\nKEEP <private>PRIV</private>\n"
    assert blank(text) == "## A [project]\n\n\n## B [user]\nKEEP \n"
    assert drop(text) == "## A [project]\n"
    assert unclosed_lines(text) == [2]


def test_private_text_over_two_entries_hides_both():
    text = "## A [project]\n<private>PRIV\n## B [user]\nPRIV</private>\n## C [user]\nKEEP\n"
    assert "PRIV" not in blank(text)
    assert "KEEP" in blank(text)


def test_a_private_heading_stays_a_heading():
    assert blank("## <private>PRIV</private> [user]\nKEEP\n") == "## (private) [user]\nKEEP\n"


def test_only_blocks_go_before_entries_are_told_apart():
    text = "## <private>x</private> [user]\n<private>y\n## B [user]\nz</private>\n"
    assert blank_blocks(text) == "## <private>x</private> [user]\n\n\n\n"


@given(texts.map("".join))
def test_lines_keep_their_numbers_whatever_the_tags(text: str):
    assert blank(text).count("\n") == text.count("\n")
    assert unclosed_lines(drop(text)) == []
