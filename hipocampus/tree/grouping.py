"""Bring facts of one matter together, over days and labels."""

import heapq
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from hipocampus.text.lexicon import EVENTS, PRESENT, UNITS
from hipocampus.text.words import is_common, stem, words
from hipocampus.tree.facts import Fact

OTHER = "other"
_NO_TOPIC = frozenset(stem(word) for word in {*EVENTS, *UNITS, *PRESENT, *PRESENT.values()})
_IN_TEXT, _IN_LABEL = 0.6, 1.0
_PAIR_BOND, _BOND = 2.0, 1.6
FEWEST = 2
"""A shared word makes a topic when so many facts hold it, two of them in their label, or one fact more."""


@dataclass(frozen=True, slots=True)
class Line:
    """A topic and its facts."""

    topic: str
    facts: tuple[Fact, ...]


def grouped(facts: Sequence[Fact], fewest: int = FEWEST) -> tuple[list[Line], list[Fact]]:
    """Topics that at least `fewest` facts share, the largest first, and the facts that belong to none."""
    holders: defaultdict[str, dict[int, float]] = defaultdict(dict)
    surfaces: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for at, fact in enumerate(facts):
        for text, share in ((fact.text, _IN_TEXT), (fact.topic, _IN_LABEL)):
            for word in words(text):
                if _names_a_topic(word):
                    holders[stem(word)][at] = share
                    surfaces[stem(word)][word] += 1
    heap = [
        (-sum(held.values()), key)
        for key, held in holders.items()
        if len(held) >= fewest and sum(held.values()) >= _BOND
    ]
    heapq.heapify(heap)
    free = set(range(len(facts)))
    lines: list[Line] = []
    while heap:
        score, key = heapq.heappop(heap)
        members = [at for at in holders[key] if at in free]
        now = -sum(holders[key][at] for at in members)
        if len(members) < fewest or -now < (_PAIR_BOND if len(members) == 2 else _BOND):
            continue
        if heap and now > heap[0][0] and now > score:
            heapq.heappush(heap, (now, key))
            continue
        free.difference_update(members)
        lines.append(Line(_surface(surfaces[key]), tuple(chronological([facts[at] for at in members]))))
    return lines, [facts[at] for at in sorted(free)]


def _names_a_topic(word: str) -> bool:
    return (
        len(word) > 2
        and not word[0].isdigit()
        and word[0] not in "$€£"
        and not is_common(word)
        and stem(word) not in _NO_TOPIC
    )


def _surface(counts: Counter[str]) -> str:
    return max(counts, key=lambda word: (counts[word], word))


def chronological(facts: Sequence[Fact]) -> list[Fact]:
    """Facts by day and source; facts of one source keep their order."""
    return sorted(facts, key=lambda fact: (str(fact.day or ""), fact.pointer))
