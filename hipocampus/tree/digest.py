"""The body of a digest node: the facts that fit, chosen without a model."""

from collections.abc import Callable, Sequence

from hipocampus.tree.facts import Fact
from hipocampus.tree.packing import Style, fill, ranked

DAILY, WEEKLY, MONTHLY = Style(), Style(ids=False, merge=True), Style(ids=False, merge=True)


def digest(facts: Sequence[Fact], budget: int, count: Callable[[str], int], style: Style = DAILY) -> str:
    """Lines of the most telling facts, never more than `budget` tokens."""
    return fill(ranked(facts), budget, count, style)
