"""Tables and a plot of what was scored, for people."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from html import escape

from benchmarks.memaware.evidence import wilson
from benchmarks.memaware.protocol import KINDS, Graded, rows
from benchmarks.memaware.scores import Score

TIERS = ("easy", "medium", "hard", "all")
_COLOURS = {"easy": "#8fb8de", "medium": "#4a86c5", "hard": "#1c4e80", "all": "#3a3a3a"}
_BAR, _GAP, _LEFT, _WIDTH = 13, 12, 350, 900


def evidence_table(scores: Sequence[Score]) -> str:
    """The model-free scores as a Markdown table."""
    lines = [
        "| score | easy | medium | hard | all | 95 % interval | median tokens | where found |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for score in scores:
        tiers = " | ".join(f"{score.percent[tier]:.1f}" if tier in score.percent else "" for tier in TIERS)
        low, high = (100 * end for end in score.interval)
        tokens = " | ".join("" if n is None else f"{n:,.0f}" for n in (score.tokens, score.found_tokens))
        lines.append(f"| {score.what} | {tiers} | {low:.1f} to {high:.1f} | {tokens} |")
    return "\n".join(lines) + "\n"


def graded_table(results: Mapping[str, Iterable[Graded]]) -> str:
    """The judged answers of each condition: aware in per cent with intervals, kinds, tokens."""
    kinds = " | ".join(KINDS)
    lines = [
        f"| condition | easy | medium | hard | all | {kinds} | median tokens |",
        "|---|---|---|---|---|" + "---|" * 5,
    ]
    for name, graded in results.items():
        table = rows(graded)
        if not table["all"]:
            continue
        cells = " | ".join(_rate(table[tier]) for tier in TIERS)
        shares = " | ".join(str(sum(line.kind == kind for line in table["all"])) for kind in KINDS)
        tokens = statistics.median(line.tokens_in + line.tokens_out for line in table["all"])
        lines.append(f"| {name} | {cells} | {shares} | {tokens:,.0f} |")
    return "\n".join(lines) + "\n"


def _rate(graded: Sequence[Graded]) -> str:
    hits, total = sum(line.aware for line in graded), len(graded)
    low, high = (100 * end for end in wilson(hits, total))
    return f"{100 * hits / total:.1f} ({low:.1f} to {high:.1f})" if total else "-"


def plot(title: str, bars: Mapping[str, Mapping[str, float]]) -> str:
    """A bar chart as SVG: a group for each name, a bar for each tier, in per cent; reads on light and dark pages."""
    most = max((value for tiers in bars.values() for value in tiers.values()), default=1.0) or 1.0
    scale = (_WIDTH - _LEFT - 60) / most
    parts: list[str] = []
    top = 58
    for name, tiers in bars.items():
        middle = top + _BAR * len(tiers) / 2 + 4
        parts.append(f'<text x="{_LEFT - 10}" y="{middle:.0f}" text-anchor="end">{escape(name)}</text>')
        for tier, value in tiers.items():
            width = max(1.0, value * scale)
            parts.append(
                f'<rect x="{_LEFT}" y="{top}" width="{width:.1f}" height="{_BAR - 2}" fill="{_COLOURS[tier]}"/>'
                f'<text x="{_LEFT + width + 5:.1f}" y="{top + _BAR - 4}" font-size="10">{value:.1f}</text>'
            )
            top += _BAR
        top += _GAP
    legend = "".join(
        f'<rect x="{_LEFT + 90 * at}" y="32" width="11" height="11" fill="{_COLOURS[tier]}"/>'
        f'<text x="{_LEFT + 90 * at + 16}" y="42">{tier}</text>'
        for at, tier in enumerate(TIERS)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{top + 6}" font-family="sans-serif" '
        f'font-size="12"><rect width="100%" height="100%" fill="#ffffff"/>'
        f'<text x="16" y="20" font-size="14" font-weight="bold">{escape(title)}</text>{legend}{"".join(parts)}</svg>\n'
    )
