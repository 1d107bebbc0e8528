"""
Cuts text into the pieces of a SentencePiece unigram vocabulary.

The likeliest cut of each word, by Viterbi's algorithm (Kudo, "Subword regularization", 2018, section 3.2). No piece
of the vocabulary reaches across a blank, so words can be cut one by one, and a word that was cut once is remembered.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache

UNKNOWN, BEGIN, END = 0, 1, 2
_BLANK = "▁"
# SentencePiece's normalisation nmt_nfkc reads these invisible characters as blanks.
_AS_BLANKS = dict.fromkeys(map(ord, "\u200b\u200e\u200f\ufeff\ufffd"), " ")
# Words up to this length are remembered, so many of them; longer ones are pasted data and rarely come again.
_WORD_LENGTH = 32
_REMEMBERED = 1 << 17


class WordPieces:
    """
    A vocabulary: ids of pieces for a text, as SentencePiece gives them.

        WordPieces(pieces, scores).ids("a black cat")
    """

    def __init__(self, pieces: Sequence[str], scores: Sequence[float]) -> None:
        self._scores = scores
        self._id_of: Mapping[str, int] = dict(zip(pieces, range(len(pieces)), strict=True))
        self._longest = max(map(len, pieces))
        self._unknown = min(scores) - 10.0
        self._word = lru_cache(maxsize=_REMEMBERED)(self._cut)

    def ids(self, text: str) -> list[int]:
        """Ids of the text between those of its begin and end; a text without a visible character is one unknown."""
        if not text.isascii():
            text = unicodedata.normalize("NFKC", text.translate(_AS_BLANKS))
        found = [BEGIN]
        for word in text.split():
            found.extend(self._word(word) if len(word) <= _WORD_LENGTH else self._cut(word))
        if len(found) == 1:
            found.append(UNKNOWN)
        found.append(END)
        return found

    def _cut(self, word: str) -> tuple[int, ...]:
        """The likeliest pieces of one word; a character that no piece holds is an unknown piece."""
        text = _BLANK + word
        best = [0.0] + [float("-inf")] * len(text)
        piece_at = [(0, UNKNOWN)] * (len(text) + 1)
        for start in range(len(text)):
            for end in range(start + 1, min(start + self._longest, len(text)) + 1):
                found = self._id_of.get(text[start:end])
                if found is None and end > start + 1:
                    continue
                score = best[start] + (self._unknown if found is None else self._scores[found])
                if score > best[end]:
                    best[end] = score
                    piece_at[end] = (start, UNKNOWN if found is None else found)
        ids, end = [], len(text)
        while end:
            end, piece = piece_at[end]
            ids.append(piece)
        return tuple(reversed(ids))
