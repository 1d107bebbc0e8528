"""The body of a digest node: the facts that fit, chosen without a model."""

from collections.abc import Callable, Sequence

from hipocampus.tree.facts import Fact
from hipocampus.tree.packing import Style, fill, ranked

_LEAST_TOKENS_A_FACT = 7
DAILY, WEEKLY, MONTHLY = Style(), Style(ids=False, merge=True), Style(ids=False, merge=True)


def digest(facts: Sequence[Fact], budget: int, count: Callable[[str], int], style: Style = DAILY) -> str:
    """Lines of the most telling facts, never more than `budget` tokens."""
    weights = [fact.weight for fact in facts]
    return fill(ranked(weights, facts.__getitem__, budget // _LEAST_TOKENS_A_FACT), budget, count, style)
