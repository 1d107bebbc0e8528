"""
Words in the form in which they are compared when somebody wants one forgotten: however it was written, it is the same.

Compatibility forms (NFKC), case, accents, look-alike letters and invisible characters don't count. The pairs of
look-alikes are those of Unicode's confusables.txt (UTS #39) that stand for a letter of the English alphabet in
Cyrillic, Greek, Armenian and extended Latin.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import regex

_PAIRS = (
    ("а b в c с d ԁ e е g ԍ h н һ i і j ј k к l ӏ m м n п o о p р q ԛ s ѕ t т u ц v ѵ w ԝ x х y у ү z з"),
    ("a α b β e ε i ι k κ n η o ο σ p ρ t τ u υ v ν w ω x χ y γ"),
    ("o օ u ս n ո h հ g ց q զ l լ f ք j յ"),
    (
        "a ɑ b ɓ ƀ c ƈ d ɗ đ ð e ə ɛ f ƒ g ɡ ɠ h ħ ɦ i ı ɩ ɪ j ɉ k ƙ l ł ɫ n ŋ ɴ o ø ɵ"
        " p ƥ q ʠ r ɍ ɼ s ʂ t ŧ ƭ u ʊ w ɯ y ʏ z ƶ"
    ),
)
# Pairs of one script that are no look-alikes of anything in a word of that script alone.
_SPELLED = {"æ": "ae", "œ": "oe", "þ": "th", "ß": "ss", "ĳ": "ij", "’": "'"}
_INVISIBLE = "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u3164\ufeff\uffa0"
_WORD = regex.compile(rf"[\p{{L}}\p{{N}}](?:[\p{{L}}\p{{N}}\p{{M}}]|[\p{{Cf}}{_INVISIBLE}]+(?=[\p{{L}}\p{{N}}]))*+")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}ー\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]")
_HANGUL = regex.compile(r"\p{Hangul}+")
# Korean writes its particles onto the word (the commonest of Sohn, The Korean Language, 1999, chapter 8).
_PARTICLES = regex.compile(
    r"(?<=\p{Hangul}\p{Hangul})(?:에서는|에게서|으로는|이라는|까지|부터|에서|에게|으로|한테|께서|처럼|보다|이랑|마다|조차"
    r"|씨는|씨가|님은|님이|은|는|이|가|을|를|의|에|와|과|도|로|만|씨|님|야|아)$"
)
# Canonical combining classes of accents above and below, and of the vowel points of Hebrew and Arabic.
_ACCENTS = {*range(10, 37), *range(200, 241)}


def _look_alikes() -> dict[str, str]:
    table: dict[str, str] = {}
    for row in _PAIRS:
        letter = "a"
        for sign in row.split():
            if sign.isascii():
                letter = sign
            else:
                table[sign] = letter
    return table | _SPELLED


_LOOK_ALIKE = _look_alikes()


class Token(NamedTuple):
    """A word in a text, `start` to `end`, and its normal form; where no blanks are written, a single character."""

    start: int
    end: int
    form: str


@lru_cache(maxsize=1 << 16)
def normal_form(word: str) -> str:
    """The normal form of a word: "" for one of invisible characters alone."""
    return "".join(map(_normal_character, word))


@lru_cache(maxsize=1 << 14)
def _normal_character(character: str) -> str:
    if character.isascii():
        return character.lower()
    if unicodedata.category(character) == "Cf" or character in _INVISIBLE or "\ufe00" <= character <= "\ufe0f":
        return ""
    plain = "".join(part for part in unicodedata.normalize("NFKD", character) if _counts(part))
    return "".join(_LOOK_ALIKE.get(part, _digit(part)) for part in plain.casefold())


def _counts(part: str) -> bool:
    return unicodedata.category(part) != "Mn" or unicodedata.combining(part) not in _ACCENTS


def _digit(character: str) -> str:
    value = unicodedata.decimal(character, None)
    return character if value is None else str(value)


def tokens(text: str) -> list[Token]:
    """
    The words of a text in order.

    Characters of scripts without blanks stand alone, a particle of Korean is a word of its own. An underscore parts
    words, as all other signs do.
    """
    found: list[Token] = []
    for match in _WORD.finditer(text):
        word = match[0]
        if word.isascii():
            found.append(Token(match.start(), match.end(), word.lower()))
        else:
            found += _parted(word, match.start())
    return found


def _parted(word: str, start: int) -> list[Token]:
    bounds = {0, len(word)}
    for sign in _UNSPACED.finditer(word):
        bounds |= {sign.start(), sign.end()}
    for run in _HANGUL.finditer(word):
        bounds |= {run.start(), run.end()}
        if particle := _PARTICLES.search(run[0]):
            bounds.add(run.start() + particle.start())
    edges = sorted(bounds)
    parts = (Token(start + a, start + b, normal_form(word[a:b])) for a, b in pairwise(edges))
    return [part for part in parts if part.form]


def forms(text: str) -> tuple[str, ...]:
    """The normal forms of the words of a text."""
    return tuple(token.form for token in tokens(text))
