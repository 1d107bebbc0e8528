"""How many of the first things fit a budget, asking as rarely as possible because each answer is costly."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Rendered = TypeVar("Rendered")
# A result this close below the budget is good enough: the rest would not hold another fact.
_SLACK = 0.01


def largest_fitting(
    total: int, render: Callable[[int], Rendered], size: Callable[[Rendered], int], budget: int, guess: int
) -> Rendered:
    """
    `render(n)` for the largest n up to `total` whose `size` stays within `budget`, or one close to it.

    Sizes grow about linearly with n, so each try is set where a line through the last answer meets the
    budget. `render(0)` must fit; it is the answer where nothing else does.
    """
    low, high = 0, total
    best = render(0)
    attempt = min(max(guess, 1), total)
    while low < high:
        rendered = render(attempt)
        measured = size(rendered)
        if measured <= budget:
            low, best = attempt, rendered
            if measured >= budget * (1 - _SLACK):
                break
        else:
            high = attempt - 1
        projected = round(attempt * budget / max(1, measured) * (1 - _SLACK / 2))
        attempt = min(max(projected, low + 1), high)
        if high - low > 8 and attempt in (low + 1, high) and measured:
            attempt = (low + high + 1) // 2 if projected < low or projected > high else attempt
    return best
