"""
Index terms: what a text and a query are cut into, so that they meet.

Both sides go through the same analysis. Words are folded (width, case, accents) and stemmed; code identifiers, paths,
addresses and versions come out whole and in parts; scripts written without spaces come out as pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise

from hipocampus.text.languages import SNOWBALL, detect, function_words, stemmed_as
from hipocampus.text.late_pattern import LatePattern

LONGEST = 64
"""Characters of a term; what is longer is cut, in texts and queries alike."""
MOST_QUERY_TERMS = 256
_QUERY = 20_000
"""Characters of a query that are looked at, half of them at its end."""

_FRAME = '*,;:!?()[]{}"`|'
"""Around words; none of it is part of a term."""
_MOST_PIECES = 1 << 17
_WORD = r"[^\x00-/:-@\[-^`{-\x7f]"
"""After `_clean` every character beyond ASCII belongs to a word, also marks, which `\\w` lacks."""
_TOKEN = re.compile(
    rf"""
    (?<!{_WORD})(?:[A-Za-z]\+\+|[A-Za-z]\#(?!{_WORD})|\#\d+(?!{_WORD}))         # C++, C#, #123
    |(?<![\w.])(?P<number>\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?)(?!{_WORD})          # 1,200
    |(?<![\d:.])\d{{1,2}}:\d\d(?::\d\d)?(?![\d:])                               # 14:02
    |(?<![\w.])(?P<date>\d{{4}}-\d\d(?:-\d\d)?)(?:T(?=\d)|(?![\w-]))            # 2026-03-15
    |(?P<compound>(?:(?<![\w./])\.(?=[A-Za-z]))?{_WORD}+(?:[-./@']{_WORD}+)*)
    """,
    re.X,
)


_SCHEME = LatePattern(r"\b[A-Za-z][A-Za-z+.-]{1,15}://")
_ACCENTS = LatePattern("(?<![\u0400-\u04ff])[\u0300-\u036f]+|[\u0300\u0301]|(?<=[еЕ])\u0308")
"""Combining marks of Latin, Greek and Cyrillic; й, ї and ў are letters of their own."""
_POINTS = LatePattern("[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]")
"""Vowel points of Hebrew and Arabic, which few people write, and the Arabic stretcher."""
_STRAY = LatePattern("[\udc80-\udcff]")
_SYMBOL = LatePattern(r"[^\w\x00-\x7f]")
_LETTERS = str.maketrans(
    {"’": "'", "‘": "'", "ʼ": "'", "‐": "-", "‑": "-"}
    | dict(zip("øØłŁđĐæÆœŒıðÐþÞ", "o O l L d D ae Ae oe Oe i d D th Th".split(), strict=True))
    | {zero + digit: str(digit) for zero in (0x0660, 0x06F0, 0x0966) for digit in range(10)}
)
_INVISIBLE = LatePattern("[\ufe00-\ufe0f\U000e0100-\U000e01ef\U0001f3fb-\U0001f3ff\u180b-\u180e\u034f\u20d0-\u20ff]")
_EMOJI = LatePattern("[\u231a-\u23ff\u2600-\u27bf\u2b1b-\u2b55\U0001f000-\U0001faff]")
_SPACELESS = LatePattern(
    "(?P<cjk>[\uac00-\ud7a3\u1100-\u11ff]+|[\u3005-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]+)"
    "|[\u0e00-\u0eff]+|[\u1000-\u109f\u1780-\u17ff]+"
)
"""Hangul; Han with Kana; Thai and Lao; Myanmar and Khmer."""
_VERSION = LatePattern(r"[vV]?(\d+\.\d+)(?:\.\w+)*")
_INITIALS = LatePattern(r"[A-Za-z](?:\.[A-Za-z])+")
_HEXES = LatePattern(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_CAMEL = LatePattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_HUMP = re.compile(r"[a-z\d][A-Z]|[A-Z]{2}[a-z]")
_ACRONYMS = LatePattern(r"[A-Z]+s")
_FIXED = re.compile(r"[\x00-`{-\x7f]")
_CONTRACTED = frozenset("t m d ll re ve".split())
_ELIDED = frozenset("l d j m t s c n qu".split())


def index_terms(text: str, language: str) -> list[str]:
    """
    The terms of a stored text, in order and as often as they occur.

    `language` comes from `languages.detect`; with "" Latin words are stemmed as English. No term holds whitespace or
    a control character, none is longer than `LONGEST`, and all can be encoded.
    """
    return list(chain.from_iterable(map(_pieces(language).__getitem__, text.split())))


def query_terms(text: str, languages: Sequence[str]) -> list[str]:
    """
    The distinct terms of a query, in order: each word in the stemmed forms of every language that the index holds.

    Function words of the query's language are left out unless nothing else remains. Of a long query the first and the
    last 10,000 characters of distinct words count, and the first and the last 128 terms: people ask before or after
    what they paste, and which of the terms are rare is known to the index alone.
    """
    pieces = _ends(" ".join(dict.fromkeys(text.split())), _QUERY).split()
    words = list(dict.fromkeys(word for piece in pieces for word in _words(piece, _query_grams)))
    dropped = _dropped(detect(text))
    kept = [word for word in words if word not in dropped] or words
    found = list(dict.fromkeys(_stem(word, language) for word in kept for language in languages or ("",)))
    half = MOST_QUERY_TERMS // 2
    return found if len(found) <= MOST_QUERY_TERMS else found[:half] + found[-half:]


def _ends(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most // 2]} {text[-most // 2 :]}"


def fingerprint() -> str:
    """Names this analysis: an index made by another one has to be rebuilt."""
    import Stemmer

    return f"terms 1, snowball {Stemmer.version()}"


@lru_cache(maxsize=32)
def _pieces(language: str) -> _Pieces:
    return _Pieces(language)


class _Pieces(dict[str, tuple[str, ...]]):
    """The terms of what stands between blanks, remembered: a dictionary answers faster than any cache around a call."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language = language

    def __missing__(self, piece: str) -> tuple[str, ...]:
        found = tuple(_stem(word, self._language) for word in _words(piece.strip(_FRAME), _stored_grams))
        if len(piece) <= LONGEST:
            if len(self) >= _MOST_PIECES:
                self.clear()
            self[piece] = found
        return found


@lru_cache(maxsize=1 << 16)
def _stem(word: str, language: str) -> str:
    if _FIXED.search(word):
        return word
    fitting = stemmed_as(word, language)
    return _stemmer(fitting)(word) if fitting else word


@lru_cache(maxsize=32)
def _stemmer(language: str) -> Callable[[str], str]:
    import Stemmer

    stem: Callable[[str], str] = Stemmer.Stemmer(SNOWBALL[language], 0).stemWord
    return stem


@lru_cache(maxsize=32)
def _dropped(language: str) -> frozenset[str]:
    return frozenset(part for word in function_words(language) for part in _words(word, _query_grams))


def _words(piece: str, grams: Callable[[str], Iterable[str]]) -> Iterator[str]:
    """The words of a text without white space, folded but not stemmed."""
    if piece.isascii():
        if piece.isalpha() and (piece.islower() or piece[1:].islower()):
            yield piece[:LONGEST].lower()
            return
        yield from _spaced(piece)
        return
    text, at = _clean(piece), 0
    for run in _SPACELESS.finditer(text):
        yield from _spaced(text[at : run.start()])
        yield from grams(run[0]) if run["cjk"] else _pairs(_clusters(run[0]))
        at = run.end()
    yield from _spaced(text[at:])


def _clean(piece: str) -> str:
    """Fold width, accents and look-alikes; what is neither ASCII nor part of a word becomes a space or vanishes."""
    text = _STRAY.sub(lambda stray: chr(ord(stray[0]) - 0xDC00), piece)  # a byte that is not UTF-8: read as Latin-1
    text = _POINTS.sub("", _ACCENTS.sub("", unicodedata.normalize("NFKD", _INVISIBLE.sub("", text))))
    text = unicodedata.normalize("NFKC", text).translate(_LETTERS)
    cleaned: str = _SYMBOL.sub(lambda symbol: _symbol(symbol[0]), text)
    return cleaned


def _symbol(character: str) -> str:
    if _EMOJI.match(character):
        return f" {character} "
    category = unicodedata.category(character)
    if category[0] == "M":
        return character
    return "" if category == "Cf" else " "


def _stored_grams(run: str) -> Iterator[str]:
    """
    Pairs of a run of CJK, and its single characters, so that a query of one character finds it.

    The single characters make an index of Korean, Japanese or Chinese text 30 to 50 % larger; it stays below the text.
    """
    yield from run
    if len(run) > 1:
        yield from _pairs(run)


def _query_grams(run: str) -> Iterator[str]:
    return _pairs(run)


def _pairs(characters: Sequence[str]) -> Iterator[str]:
    if len(characters) == 1:
        yield characters[0]
    for first, second in pairwise(characters):
        yield first + second


def _clusters(run: str) -> list[str]:
    """Letters of a script like Thai, each with the marks around it."""
    found: list[str] = []
    for character in run:
        if found and unicodedata.category(character)[0] == "M":
            found[-1] = (found[-1] + character)[: LONGEST // 2]
        else:
            found.append(character)
    return found


def _spaced(text: str) -> Iterator[str]:
    """Words of a text whose script puts spaces between them."""
    if "://" in text:
        text = _SCHEME.sub(" ", text)
    for token in _TOKEN.finditer(text.replace("\\", "/")):
        if compound := token["compound"]:
            yield from _compound(compound)
        elif number := token["number"] or token["date"]:
            yield number.replace(",", "")
        else:
            yield token[0].lower()
            if token[0][0] == "#":
                yield token[0][1 : LONGEST + 1]


def _compound(text: str) -> Iterator[str]:
    """A path, an address, a dotted name: itself and its parts. Anything else: its words."""
    if text.endswith(("'s", "'S")):
        text = text[:-2]
    if text[0] == ".":
        yield _folded(text)
        text = text[1:]
    for joiner in "/@":
        if joiner in text:
            yield _folded(text)
            for part in text.split(joiner):
                yield from _compound(part)
            return
    yield from _dotted(text) if "." in text else _name(text)


def _dotted(text: str) -> Iterator[str]:
    if version := _VERSION.fullmatch(text):
        yield from dict.fromkeys(_folded(form) for form in (text, text.lstrip("vV"), version[1]))
    elif _INITIALS.fullmatch(text):
        yield _folded(text.replace(".", ""))
    else:
        yield _folded(text)
        for part in text.split("."):
            yield from _name(part)


def _name(text: str) -> Iterator[str]:
    """Words of a name that hyphens, underscores, apostrophes or capitals join."""
    text = text.strip("_-'")
    if "-" in text:
        yield from _hyphenated(text)
    elif "'" in text:
        yield from _apostrophes(text)
    elif "_" in text:
        yield _folded(text)
        for part in text.split("_"):
            yield from _name(part)
    elif text:
        yield _folded(text)
        if len(text) <= 2 * LONGEST and _HUMP.search(text) and not _ACRONYMS.fullmatch(text):
            yield from (part.lower() for part in _CAMEL.findall(text) if len(part) > 1 and part != text)


def _hyphenated(text: str) -> Iterator[str]:
    """The parts; also the word without hyphens where a part is one character, as in e-mail or UTF-8."""
    if _HEXES.fullmatch(text):
        yield _folded(text)
        return
    parts = [part for part in text.split("-") if part]
    if any(len(part) == 1 for part in parts):
        yield _folded("".join(parts[:LONGEST]))
    for part in parts:
        if len(part) > 1 or part.isdigit():
            yield from _name(part)


def _apostrophes(text: str) -> Iterator[str]:
    """don't → dont, O'Brien → obrien, l'eau → eau; rock'n'roll → its parts."""
    head, *tails = text.split("'")
    if len(tails) == 1 and (tails[0].casefold() in _CONTRACTED or head.casefold() == "o"):
        yield _folded(head + tails[0])
        return
    if head.casefold() not in _ELIDED:
        yield from _name(head)
    for tail in tails:
        yield from _name(tail)


def _folded(text: str) -> str:
    return text[: 4 * LONGEST].casefold()[:LONGEST]
