"""Words of any script, what they are worth, and a form in which near-duplicates meet."""

import re
from functools import lru_cache

from hipocampus.text.lexicon import COMMON, STOP

_WORD = re.compile(r"[$€£¥]?\d[\d.,:/%]*\w*|[^\W_]+(?:['’.&-][^\W_]+)*")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_SUFFIXES = ("ations", "ation", "ingly", "ings", "ing", "edly", "ied", "ies", "ed", "es", "ly", "s", "e", "y")


def is_cjk(text: str) -> bool:
    """Whether the text holds a character of a script written without spaces."""
    return _CJK.search(text) is not None


_SHORT = 200


def words(text: str) -> tuple[str, ...]:
    """The words of a text in order, as written; a run of CJK is cut into single characters."""
    return _short_words(text) if len(text) <= _SHORT else _split(text)


@lru_cache(maxsize=1 << 14)
def _short_words(text: str) -> tuple[str, ...]:
    return _split(text)


def _split(text: str) -> tuple[str, ...]:
    found: list[str] = []
    for word in _WORD.findall(text):
        if word[0] > "\u2fff" and is_cjk(word):
            found.extend(word)
        elif bare := word.rstrip(".,:/"):
            found.append(bare)
    return tuple(found)


@lru_cache(maxsize=1 << 16)
def is_stop(word: str) -> bool:
    """Whether a word is a function word."""
    return word.lower().replace("’", "'") in STOP


@lru_cache(maxsize=1 << 16)
def is_common(word: str) -> bool:
    """Whether a word is a function word or an everyday word that says little alone."""
    low = word.lower().replace("’", "'")
    return low in STOP or low in COMMON or (len(low) < 2 and low.isascii())


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """A light normal form: lower case, possessive and common English endings cut."""
    low = word.lower().replace("’", "'")
    if low.endswith("'s"):
        low = low[:-2]
    if not low.isascii() or low[:1].isdigit() or low[:1] in "$€£":
        return low
    for suffix in _SUFFIXES:
        if low.endswith(suffix) and len(low) - len(suffix) >= 3:
            low = low[: -len(suffix)]
            break
    return low[:-1] if len(low) > 3 and low[-1] == low[-2] else low


def content(text: str) -> list[str]:
    """Stems of the words that are not function words, in order."""
    return [stem(word) for word in words(text) if not is_stop(word)]


@lru_cache(maxsize=1 << 16)
def worth(word: str) -> float:
    """What a single word tells: nothing, a little, or something."""
    low = word.lower().replace("’", "'")
    if low in STOP:
        return 0.0
    if word[0].isdigit() or word[0] in "$€£¥":
        return 1.2
    if low in COMMON or (len(low) < 2 and low.isascii()):
        return 0.25
    if low > "\u2fff":
        return 0.4
    return 1.25 if word[0].isupper() else 1.0
