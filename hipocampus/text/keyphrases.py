"""The topic label of a text: one to three words that occur together and again."""

import re
from collections import Counter

from hipocampus.text.words import is_cjk, is_common, is_stop, stem

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_CONFIRMED = 12
_BREAK = re.compile(r"[.,;:!?()\[\]{}\"“”\n|/<>*#=]+|\s[-–—]\s")
_VERBAL = frozenset(
    """
using looking trying getting making taking planning thinking considering trouble someone wanting hoping
wondering going
""".split()
)


def phrases(text: str, longest: int = 3) -> list[tuple[str, ...]]:
    """Candidate phrases: runs of telling words, and everyday words between or after them."""
    found: list[tuple[str, ...]] = []
    for part in _BREAK.split(text):
        run: list[str] = []
        for word in [*_WORD.findall(part), ""]:
            if word and not is_stop(word) and word.lower() not in _VERBAL:
                run.append(word)
                continue
            found.extend(_windows(run, longest))
            run = []
    return found


def _windows(run: list[str], longest: int) -> list[tuple[str, ...]]:
    starts = [at for at, word in enumerate(run) if _may_begin(word)]
    return [
        tuple(run[at : at + size])
        for size in range(1, longest + 1)
        for at in starts
        if at + size <= len(run) and (size == 1 or not run[at + size - 1].isdigit())
    ]


def _may_begin(word: str) -> bool:
    return not is_common(word) and not word.isdigit() and (len(word) > 2 or word.isupper())


def topic_label(lead: str, support: str = "", default: str = "notes") -> str:
    """A readable label for a text.

    Args:
        lead: What the talk is about in its own words, most telling part first.
        support: More text on the same matter; it only confirms candidates from `lead`.
        default: The label when nothing stands out.
    """
    if is_cjk(lead):
        return _cjk_label(lead) or default
    counts: Counter[tuple[str, ...]] = Counter()
    first: dict[tuple[str, ...], tuple[int, str]] = {}
    for at, phrase in enumerate(phrases(lead)):
        key = tuple(stem(word) for word in phrase)
        counts[key] += 1
        first.setdefault(key, (at, " ".join(phrase)))
    likely = sorted(counts, key=lambda key: (-_score(counts[key], first[key]), first[key][0]))[:_CONFIRMED]
    best = max(
        likely,
        key=lambda key: (_score(counts[key] + _support(first[key][1], support), first[key]), -first[key][0]),
        default=None,
    )
    return first[best][1] if best else default


def _score(count: float, first: tuple[int, str]) -> float:
    at, surface = first
    telling = sum(1.0 if not is_common(word) else 0.3 for word in surface.split(" "))
    return float(count * telling**1.2 / (1.0 + 0.01 * at) * (1.15 if surface[0].isupper() else 1.0))


def _support(surface: str, support: str) -> float:
    return 0.35 * min(support.count(surface), 12)


def _cjk_label(text: str) -> str:
    run = re.search(r"[^\s\W_]{2,12}", text)
    return run[0] if run else ""
