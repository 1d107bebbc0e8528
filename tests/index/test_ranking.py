"""The order of what was found: sides fused by rank, documents before further chunks of one, the newer of equals."""

from __future__ import annotations

import random
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from project import hit

from hipocampus.index.fusion import RANK_OFFSET, VALUE_SHARE
from hipocampus.index.ranking import FURTHER_CHUNK, Ranked, Weights, nearness, ranked

BOTH = Weights()
HITS = st.lists(
    st.builds(
        lambda number, line, scores: hit(
            f"knowledge/{number}.md", f"text {number} {line}", line=line,
            lexical=scores[0], context=scores[1], similarity=scores[2],
        ),
        st.integers(0, 5), st.integers(1, 9), st.tuples(*[st.sampled_from([0.0, 0.25, 0.5, 1.0, 7.5])] * 3),
    ),
    unique_by=lambda found: found.chunk.id, max_size=12,
)  # fmt: skip


def order(found: list[Ranked]) -> list[str]:
    return [one.hit.chunk.source.removeprefix("knowledge/").removesuffix(".md") for one in found]


def test_nothing_found_is_nothing_ranked():
    assert ranked([], BOTH) == []


def test_what_both_sides_found_comes_before_what_one_side_found():
    hits = [hit("words.md", lexical=9.0), hit("both.md", lexical=5.0, similarity=0.5), hit("near.md", similarity=0.9)]
    assert order(ranked(hits, BOTH))[0] == "both"


def test_a_score_is_the_sum_of_what_ranks_and_values_give():
    hits = [hit("a.md", lexical=9.0, similarity=0.1), hit("b.md", lexical=5.0, similarity=0.5)]
    first, second = ranked(hits, Weights(1.0, 2.0))
    assert (first.lexical_rank, first.vector_rank, second.lexical_rank, second.vector_rank) == (2, 1, 1, 2)
    lexical, vector = 1 / (RANK_OFFSET + 2) + VALUE_SHARE * 5 / 9, 1 / (RANK_OFFSET + 1) + VALUE_SHARE
    assert first.score == pytest.approx(lexical + 2 * vector)


def test_a_second_chunk_that_is_near_brings_its_document_nearer():
    twice = [hit("twice.md", f"part {line}", line=line, similarity=0.5) for line in (1, 5)]
    assert order(ranked([*twice, hit("once.md", similarity=0.55)], BOTH))[0] == "twice"
    assert nearness([0.5, -0.2]) == 0.5


def test_a_side_that_did_not_find_a_document_gives_it_rank_0():
    near, words = ranked([hit("words.md", lexical=1.0), hit("near.md", similarity=0.4)], Weights(1.0, 1.5))
    assert (near.lexical_rank, near.vector_rank) == (0, 1)
    assert (words.lexical_rank, words.vector_rank) == (1, 0)


@pytest.mark.parametrize(("weights", "first"), [(Weights(1, 0), "words"), (Weights(0, 1), "near")])
def test_a_side_without_weight_does_not_count(weights: Weights, first: str):
    hits = [hit("words.md", lexical=2.0, similarity=0.1), hit("near.md", lexical=1.0, similarity=0.9)]
    assert order(ranked(hits, weights))[0] == first


def test_the_score_of_the_whole_document_counts_beside_that_of_the_chunk():
    hits = [hit("chunk.md", lexical=5.0, context=2.0), hit("document.md", lexical=4.0, context=6.0)]
    assert order(ranked(hits, BOTH)) == ["document", "chunk"]


def test_a_document_with_many_chunks_leaves_room_for_others():
    long = [hit("long.md", f"part {line}", line=line, lexical=9.0 - line, context=9.0) for line in range(1, 9)]
    found = ranked([*long, hit("other.md", lexical=1.0, context=1.0)], BOTH)
    assert order(found)[:3] == ["long", "other", "long"]
    assert found[2].score == pytest.approx(found[0].score * FURTHER_CHUNK)


def test_the_best_chunk_of_a_document_stands_for_it():
    chunks = [hit("a.md", f"part {line}", line=line, lexical=score) for line, score in ((1, 1.0), (5, 3.0), (9, 2.0))]
    assert [found.hit.chunk.first_line for found in ranked(chunks, BOTH)] == [5, 9, 1]


def test_of_equals_in_one_document_the_earlier_comes_first():
    chunks = [hit("a.md", f"part {line}", line=line, lexical=1.0) for line in (9, 1, 5)]
    assert [found.hit.chunk.first_line for found in ranked(chunks, BOTH)] == [1, 5, 9]


def test_of_equal_scores_the_newer_comes_first_and_what_has_no_day_last():
    days = {"old": date(2026, 3, 1), "new": date(2026, 3, 20), "none": None}
    hits = [
        hit("old.md", day=days["old"], lexical=2.0, similarity=0.1),
        hit("none.md", day=days["none"], lexical=0.0, similarity=0.0),
        hit("new.md", day=days["new"], lexical=1.0, similarity=0.2),
    ]
    assert order(ranked(hits, BOTH)) == ["new", "old", "none"]


@given(hits=HITS, seed=st.integers(0, 99))
def test_the_order_of_the_hits_does_not_matter(hits: list, seed: int):
    shuffled = hits.copy()
    random.Random(seed).shuffle(shuffled)
    assert ranked(shuffled, BOTH) == ranked(hits, BOTH)


@given(hits=HITS, lexical=st.floats(0, 3), vector=st.floats(0, 3))
def test_every_hit_comes_once_in_the_order_of_scores(hits: list, lexical: float, vector: float):
    found = ranked(hits, Weights(lexical, vector))
    assert sorted(one.hit.chunk.id for one in found) == sorted(one.chunk.id for one in hits)
    scores = [one.score for one in found]
    assert scores == sorted(scores, reverse=True)
    assert all(score >= 0 for score in scores)
