"""
Byte pair encoding as tiktoken does it, for counts only, without building tiktoken.

tiktoken takes a third of a second to build its tables, which is more than a small change of a memory may
cost. Sennrich et al. 2016, "Neural Machine Translation of Rare Words with Subword Units", section 3.2.
"""

from __future__ import annotations

import heapq

import regex

from hipocampus.text.ranks import Ranks

# The split pattern of o200k_base, from tiktoken's definition of that encoding.
PATTERN = "|".join(
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


# To join the bytes of a piece takes so much longer for each of them than to split a text takes for a character.
_JOINING = 30


class BytePairs:
    """Counts the tokens of texts, remembering the pieces it met."""

    def __init__(self, ranks: Ranks) -> None:
        self._split = regex.compile(PATTERN).findall
        self._pieces = _Pieces(ranks)
        self._characters = 0

    @property
    def effort(self) -> int:
        """What counting took so far, in characters of plain prose."""
        return self._characters + _JOINING * self._pieces.joined

    def count(self, text: str) -> int:
        """Tokens of a text; lone surrogates count as the replacement character, as in tiktoken."""
        if not text.isascii():
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        self._characters += len(text)
        return sum(map(self._pieces.__getitem__, self._split(text)))


class _Pieces(dict[str, int]):
    """Tokens by piece, counted when one is asked for the first time; `joined` are the bytes of those that are none."""

    def __init__(self, ranks: Ranks) -> None:
        super().__init__()
        self._ranks = ranks
        self.joined = 0

    def __missing__(self, piece: str) -> int:
        data = piece.encode()
        count = 1
        if not self._ranks.place(data):
            count = _joined(data, self._ranks)
            self.joined += len(data)
        self[piece] = count
        return count


def _joined(piece: bytes, ranks: Ranks) -> int:
    """How many tokens are left when neighbours were joined, first learned first, until none of them can be."""
    end = list(range(1, len(piece) + 1))  # where the part that begins at an index ends; 0 once it was joined
    begin = list(range(len(piece)))  # where the part that ends behind an index begins
    waiting = [(place, at, at + 2) for at in range(len(piece) - 1) if (place := ranks.place(piece[at : at + 2]))]
    heapq.heapify(waiting)
    count = len(piece)
    while waiting:
        _, start, stop = heapq.heappop(waiting)
        middle = end[start]
        if not start < middle < stop or end[middle] != stop:
            continue  # one of the two was joined with another part
        end[start], end[middle], begin[stop - 1] = stop, 0, start
        count -= 1
        left = begin[start - 1] if start else start
        right = end[stop] if stop < len(piece) else stop
        for first, last in ((left, stop), (start, right)):
            if last - first > stop - start and (place := ranks.place(piece[first:last])):
                heapq.heappush(waiting, (place, first, last))
    return count
