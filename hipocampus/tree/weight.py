"""How much a fact deserves a place: computed from its text alone, so that every level of the tree agrees."""

import re

from hipocampus.text.lexicon import EVENTS
from hipocampus.text.words import words, worth

_AMOUNT = re.compile(r"[$€£¥]\s?\d|\b\d[\d,.]*(?:k|%|am|pm|lbs?|kg|km|gb|mb|ml|oz)?\b", re.I)
import os
_P, _C, _E = (float(x) for x in os.environ.get('W', '1,4,0.5').split(','))
_LOW = re.compile(r"^(?:looking for|planning|thinking|considering|wants to|interested|excited|trying|likes|glad|heard|curious|answer:)", re.I)


def fact_weight(text: str, *, own: bool = False) -> float:
    """Information of a fact per token of room it takes, higher for events, amounts and names.

    Args:
        text: The condensed fact.
        own: Whether it was said about the speaker; unknown (and neutral) at higher levels.
    """
    parts = words(text)
    if not parts:
        return 0.0
    info = sum(worth(word) for word in parts)
    events = sum(word.lower() in EVENTS for word in parts)
    value = info + 0.8 * min(events, 3)
    if _AMOUNT.search(text):
        value += 1.0
    if _LOW.match(text):
        value *= 0.5
    if own or text[:1].islower():
        value *= 1.3
    return round(value**_P / (_C + len(text) / 4.5) ** _E, 4)
