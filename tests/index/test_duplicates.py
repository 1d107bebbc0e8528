"""One fact once: of what says the same, the one that is nearest to its source is shown."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from project import hit

from hipocampus.index.duplicates import covers, distinct
from hipocampus.index.ranking import Ranked

FACT = "the gateway allows fifty requests per second and tenant, by a token bucket in api/limit.py"
OTHER = "the nightly export of invoices runs at two and writes one file per customer to the archive"
MARCH_2, MARCH_9 = date(2026, 3, 2), date(2026, 3, 9)


def raw(text: str, entry: str = "e1", day: date = MARCH_2, **fields: Any) -> Ranked:
    return found(f"memory/{day}.md", text, layer="raw", entry=entry, day=day, **fields)


def node(text: str, level: str = "daily", line: int = 1) -> Ranked:
    return found(f"memory/{level}/x.md", text, layer="node", day=MARCH_2, line=line)


def found(source: str, text: str, score: float = 0.5, **fields: Any) -> Ranked:
    return Ranked(hit(source, text, **fields), score, 1, 0)


def no_source(_found: Ranked) -> Ranked | None:
    return None


def shown(
    *hits: Ranked, limit: int = 10, source_of: Callable[[Ranked], Ranked | None] = no_source
) -> list[tuple[str, str]]:
    """Source and text of what is shown."""
    return [(one.hit.chunk.source, one.hit.chunk.text) for one in distinct(hits, limit, source_of)]


def test_different_facts_are_all_shown_in_their_order():
    assert [text for _, text in shown(raw(FACT), raw(OTHER, "e2"))] == [FACT, OTHER]


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_no_more_are_shown_than_asked_for(limit: int):
    hits = [raw(f"{word} " * 9 + FACT[number:], f"e{number}") for number, word in enumerate("alpha beta gamma".split())]
    assert len(shown(*hits, limit=limit)) == limit


def test_a_curated_note_takes_the_place_of_a_log_that_says_the_same():
    first, second = distinct(
        [raw(FACT, score=0.9), found("knowledge/a.md", FACT, 0.1), raw(OTHER, "e2", score=0.2)], 10, no_source
    )
    assert (first.hit.chunk.source, first.score) == ("knowledge/a.md", 0.9)
    assert second.hit.chunk.text == OTHER


def test_a_line_of_a_node_is_shown_as_the_entry_it_was_made_from():
    source = raw(FACT)
    assert shown(node(f"{FACT} → 2026-03-02#e1"), source_of=lambda _: source) == [("memory/2026-03-02.md", FACT)]


def test_a_line_of_a_node_whose_source_is_gone_stands_for_itself():
    assert shown(node(FACT)) == [("memory/daily/x.md", FACT)]


def test_a_fact_at_every_level_is_shown_once_whatever_comes_first():
    levels = [node(FACT, level) for level in ("monthly", "weekly", "daily")]
    for hits in ([*levels, raw(FACT)], [raw(FACT), *levels]):
        assert shown(*hits, source_of=lambda _: raw(FACT)) == [("memory/2026-03-02.md", FACT)]


def test_a_line_of_a_node_that_leaves_words_out_repeats_its_source():
    assert shown(raw(FACT), node(FACT.removesuffix(" in api/limit.py"))) == [("memory/2026-03-02.md", FACT)]


def test_the_same_words_of_two_occasions_are_shown_twice_and_no_more():
    hits = [raw(FACT, f"e{day}", date(2026, 3, day)) for day in range(1, 9)]
    assert len(shown(*hits)) == 2


def test_a_chunk_is_shown_once_though_it_was_found_twice():
    assert len(shown(raw(FACT), raw(FACT))) == 1


@pytest.mark.parametrize("text", ["", "ok", "could you say more", "→ 2026-03-02"])
def test_short_texts_are_never_taken_for_copies(text: str):
    assert len(shown(raw(text), raw(text, "e2"), found("knowledge/a.md", text))) == 3


def test_a_source_covers_a_line_that_was_made_from_it_and_nothing_else():
    source = raw(FACT).hit.chunk
    assert covers(source, node(f"{FACT} → 2026-03-02#e1").hit.chunk)
    assert not covers(source, node(OTHER).hit.chunk)


@given(texts=st.lists(st.sampled_from([FACT, OTHER, "", "ok", FACT + OTHER]), max_size=9), limit=st.integers(1, 9))
def test_what_is_shown_was_found_and_each_chunk_is_shown_once(texts: list[str], limit: int):
    makers = [raw, lambda text, name: found(f"knowledge/{name}.md", text), node]
    hits = [makers[number % 3](text, f"e{number}") for number, text in enumerate(texts)]
    ids = [one.hit.chunk.id for one in distinct(hits, limit, no_source)]
    assert len(ids) == len(set(ids)) <= limit
    assert {*ids} <= {one.hit.chunk.id for one in hits}
