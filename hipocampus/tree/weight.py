"""How much a fact deserves a place: computed from its text alone, so that every level of the tree agrees."""

import re
from functools import lru_cache

from hipocampus.text.lexicon import EVENTS
from hipocampus.text.words import words, worth

ANSWER = "answer: "
MENTION = "mentions: "
# What stands in front of a statement of an entry, with its factor; see `statements`.
_PREFIXES = {"decided": 2.0, "deadline": 1.8, "open": 1.6, "asked": 0.6, "see": 0.4, "answer": 0.16, "mentions": 0.1}
_PREFIX = re.compile(r"(decided|deadline|open|asked|answer|mentions): |(see) ")
_AMOUNT = re.compile(r"[$€£¥]\s?\d|\b\d[\d,.]*(?:k|%|am|pm|lbs?|kg|km|gb|mb|ml|oz)?\b", re.I)
_WISH = re.compile(
    r"(?:looking for|planning|thinking|considering|wants? to|interested|excited|trying|likes|glad|heard|curious)\b",
    re.I,
)
_VAGUE = re.compile(r"\b(?:it|its|them|they|that|this|these|those|there|one|ones|he|she)\b", re.I)
_MOST_NUMBERS = 2
_ROOM = 4.0
_LETTERS_A_TOKEN = 4.5
_DENSE_LETTERS_A_TOKEN = 1.3
_PROSE = re.compile(r"[^\W\d_]{3,}")
_FEWEST_PROSE = 0.4


def fact_weight(text: str, *, own: bool = False) -> float:
    """Information of a fact for the room it takes; more for events, amounts, names and decisions.

    Args:
        text: The condensed fact. A small first letter means that it is about the speaker.
        own: Whether it is about the speaker, where the text does not show it.
    """
    parts = words(text)
    if not parts:
        return 0.0
    names = [word for word in parts if word[0].isalpha()]
    value = sum(map(worth, names)) + 1.2 * min(len(parts) - len(names), _MOST_NUMBERS)
    value += 0.8 * min(sum(map(_is_event, names)), 3)
    if _AMOUNT.search(text):
        value += 1.0
    return round(value * _factor(text, own=own) / _room(text), 4)


@lru_cache(maxsize=1 << 16)
def _is_event(word: str) -> bool:
    return word.lower() in EVENTS


def _room(text: str) -> float:
    """About what a fact takes of a line; scripts without spaces need a token for every letter or two."""
    dense = 0 if text.isascii() else sum(letter > "\u2e7f" for letter in text)
    tokens = (len(text) - dense) / _LETTERS_A_TOKEN + dense / _DENSE_LETTERS_A_TOKEN
    return float((_ROOM + tokens) ** 0.8)


def _factor(text: str, *, own: bool) -> float:
    if match := _PREFIX.match(text):
        return 1.3 * _PREFIXES[match[1] or match[2]]
    factor = 1.3 if own or text[:1].islower() else 1.0
    if _WISH.match(text):
        factor *= 0.5
    if not _is_prose(text):
        factor *= 0.3
    return factor * 0.93 if _VAGUE.search(text) else factor


def _is_prose(text: str) -> bool:
    """Whether words make up the text, and not moves of a game, formulas, codes or rows of numbers."""
    letters = sum(map(len, _PROSE.findall(text)))
    return letters >= _FEWEST_PROSE * len(text)
