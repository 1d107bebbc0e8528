"""The search for how much fits a budget."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hipocampus.tree.fitting import largest_fitting


@given(st.lists(st.integers(1, 60), max_size=400), st.integers(0, 9000), st.integers(0, 500))
def test_the_result_fits_and_little_more_would(sizes: list[int], budget: int, guess: int) -> None:
    fitting = largest_fitting(len(sizes), lambda n: sizes[:n], sum, budget, guess)
    assert sum(fitting) <= budget
    if len(fitting) < len(sizes):
        assert sum(sizes[: len(fitting) + 1]) > budget * 0.99 - 60


def test_it_asks_rarely() -> None:
    asked = []
    largest_fitting(5000, lambda n: asked.append(n) or n, lambda n: n * 11, 33_000, 200)
    assert len(asked) <= 6


def test_nothing_fits_an_empty_budget() -> None:
    assert largest_fitting(10, lambda n: list(range(n)), len, 0, 5) == []
