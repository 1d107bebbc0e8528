"""Facts of structured entries: bullets, fields, tables, prose."""

from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from hipocampus.tree.statements import LONGEST_STATEMENT, clipped, entry_facts, topic_of

DAY = date(2026, 3, 15)


def texts(body: str, title: str = "Rate limits") -> list[str]:
    return [fact.text for fact in entry_facts(title, "project", body, DAY, "2026-03-15#3f9ac2")]


def test_decisions_come_before_analysis_of_the_same_words() -> None:
    found = texts("- analysis: token bucket handles bursts\n- decisions: token bucket handles bursts well")
    assert found[0] == "decided: token bucket handles bursts well"


def test_a_bullet_goes_on_over_indented_lines() -> None:
    assert texts("- outcome: middleware in api/limit.py\n  and a test") == ["middleware in api/limit.py and a test"]


def test_a_semicolon_separates_statements() -> None:
    assert set(texts("- pool of 5; pooler missing")) == {"pool of 5", "pooler missing"}


def test_a_table_row_is_one_statement_and_its_ruler_none() -> None:
    assert set(texts("| bucket | size |\n|---|---|\n| branch | 300 |")) == {"bucket, size", "branch, 300"}


def test_prose_is_split_into_sentences() -> None:
    assert set(texts("The cache was cold. Warming takes 40 s.")) == {"The cache was cold.", "Warming takes 40 s."}


def test_open_items_keep_their_mark() -> None:
    assert texts("- open: Mirela writes to the owner") == ["open: Mirela writes to the owner"]


def test_a_title_becomes_a_label_that_a_line_can_carry() -> None:
    assert topic_of("Governance: the plan; part 2") == "Governance – the plan, part 2"


def test_a_long_statement_is_cut_where_a_clause_ends() -> None:
    text = "two servers at one host, " * 6 + "because " + "backups take long " * 20
    assert clipped(text, 160).endswith("host")


@given(st.text(max_size=900), st.integers(20, 300))
def test_clipping_never_exceeds_its_length(text: str, longest: int) -> None:
    assert len(clipped(text, longest)) <= longest


@given(st.text(max_size=2000))
def test_any_body_gives_facts_of_bounded_length(body: str) -> None:
    assert all(0 < len(text) <= LONGEST_STATEMENT and ";" not in text for text in texts(body))
