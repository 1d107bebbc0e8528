"""Which language a text is written in, and which Snowball stemmer fits a word of it."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from types import MappingProxyType

from hipocampus.text.function_words import FUNCTION_WORDS
from hipocampus.text.late_pattern import LatePattern

SNOWBALL = MappingProxyType(
    {
        "en": "english",
        "de": "german",
        "fr": "french",
        "es": "spanish",
        "it": "italian",
        "pt": "portuguese",
        "nl": "dutch",
        "sv": "swedish",
        "da": "danish",
        "no": "norwegian",
        "fi": "finnish",
        "hu": "hungarian",
        "ro": "romanian",
        "pl": "polish",
        "cs": "czech",
        "tr": "turkish",
        "ru": "russian",
        "el": "greek",
        "ar": "arabic",
        "hi": "hindi",
    }
)
"""Code → name of the algorithm (snowballstem.org/algorithms)."""

_SAMPLE = 2_000
_SHARE = 0.1
"""At least so many of the words of a text are function words of its language."""
_SURE = 0.3
"""With a larger share of English function words no other language is tried."""
_OTHER = re.compile("[\u0370-\u097f]")
_SCRIPTS = (
    ("el", LatePattern("[\u0370-\u03ff]")),
    ("ru", LatePattern("[\u0400-\u04ff]")),
    ("ar", LatePattern("[\u0600-\u06ff]")),
    ("hi", LatePattern("[\u0900-\u097f]")),
)
_LATIN = LatePattern("[a-z\u00df-\u024f]")
# Scripts whose letters other languages share: these letters are not used by the language that stands for the script.
_FOREIGN = LatePattern("[іїєґўјљњћџђѓќѕ\u0671-\u06d3]")
# Letters that a language does not share with English: one of them weighs as much as a function word.
_LETTERS = {
    letter: tuple(codes.split())
    for letters, codes in (
        ("ß", "de"),
        ("äö", "de sv fi"),
        ("ü", "de tr hu"),
        ("ñ¿¡", "es"),
        ("ãõ", "pt"),
        ("êèàùœ", "fr"),
        ("ç", "fr pt tr"),
        ("ìò", "it"),
        ("å", "sv da no"),
        ("øæ", "da no"),
        ("őű", "hu"),
        ("șțăţ", "ro"),
        ("ąęłńśźż", "pl"),
        ("řěůčž", "cs"),
        ("ğış", "tr"),
    )
    for letter in letters
}


def detect(text: str) -> str:
    """
    The code of the language a text is written in, one of `SNOWBALL`, or "" when none is likely.

    Looks at the first 2,000 characters: at the script, then at how many words are function words of each
    language. A doubt goes to English. CJK, Hebrew, Ukrainian, a bare list of names or code come out as "".
    """
    sample = text[:_SAMPLE].lower().replace("’", "'")
    if _OTHER.search(sample) and (code := _by_script(sample)) is not None:
        return code
    words = sample.split()
    if sum(map(_english().__contains__, words)) > _SURE * len(words):
        return "en"
    return _likely(_scores(words, set() if sample.isascii() else set(sample)), len(words))


def _by_script(sample: str) -> str | None:
    """The language of the script that most letters are of; None when that is Latin."""
    latin = len(_LATIN.findall(sample))
    for code, letters in _SCRIPTS:
        count = len(letters.findall(sample))
        if count > latin:
            return "" if _FOREIGN.search(sample) else code
    return None


def _scores(words: Iterable[str], letters: set[str]) -> Counter[str]:
    """How many function words and letters of a text are those of each language."""
    known = _languages_of_words()
    scores = Counter(code for word in words for code in known.get(word, ()))
    scores.update(code for letter in _LETTERS.keys() & letters for code in _LETTERS[letter])
    return scores


def _likely(scores: Counter[str], words: int) -> str:
    best = max(FUNCTION_WORDS, key=scores.__getitem__)  # the first of equals: a tie is English
    top = scores[best]
    if top == 0 or top < _SHARE * words or (best != "en" and top < 2 and words > 8):
        return ""
    return best


@lru_cache(maxsize=1)
def _english() -> frozenset[str]:
    return frozenset(function_words("en"))


@lru_cache(maxsize=1)
def _languages_of_words() -> dict[str, tuple[str, ...]]:
    known: dict[str, tuple[str, ...]] = {}
    for code, listed in FUNCTION_WORDS.items():
        for word in set(listed.split()):
            known[word] = (*known.get(word, ()), code)
    return known


def function_words(language: str) -> list[str]:
    """The function words of a language, as written; none when the language is not known."""
    return FUNCTION_WORDS.get(language, "").split()


def stemmed_as(word: str, language: str) -> str:
    """
    The language whose stemmer fits a word that stands in a text of some language; "" when there is none.

    A word of another script than its text's is of the language that script stands for, and Latin words of a text
    in no known language are English.
    """
    if word < "\u0250":
        return language if language in FUNCTION_WORDS else "en"
    for code, letters in _SCRIPTS:
        if letters.match(word):
            return code
    return ""
