"""
Concepts computed from chunks and their vectors: what each anchor means, and what lies near it.

The vector of an anchor is that of its own words plus the centroid of the chunks that hold it, shrunk where they are
few, all with the mean removed: common directions say nothing, and a word alone says little. Measured on the MemAware
questions; the weights are theirs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hipocampus.index.concept_file import Anchor, NearChunk, Neighbour, Vector

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

MOST_ANCHORS = 20_000
"""More would hold rarer terms, which words find as well."""
FEWEST_CHUNKS = 2
NEAR_CHUNKS = 50
NEAR_ANCHORS = 5
_NEAREST_ANCHOR = 0.45
_OWN_WORDS = 0.3
_SHRUNK_BY = 3
_PART = 1024
# Dimensions of vectors that are made from words that occur together, where no encoder is to be had.
_WORD_DIMS = 256
_FULL = 127


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Anchors to be: their terms, how people write them, and in how many chunks of all they stand."""

    terms: tuple[str, ...]
    labels: tuple[str, ...]
    df: tuple[int, ...]


def vocabulary(df: Mapping[str, int], labels: Mapping[str, str], always: Mapping[str, str]) -> Vocabulary:
    """
    The terms that several chunks hold, the more frequent first where they are too many; sorted.

    `always` are anchors that are kept however rare, with their labels.
    """
    known = {term: df[term] for term in always if df.get(term)}
    frequent = sorted((term for term in df if df[term] >= FEWEST_CHUNKS), key=lambda term: (-df[term], term))
    chosen = sorted({*known, *frequent[: MOST_ANCHORS - len(known)]})
    shown = tuple(always.get(term) or labels.get(term, term) for term in chosen)
    return Vocabulary(tuple(chosen), shown, tuple(df[term] for term in chosen))


def anchors(words: Vocabulary, own: Floats, chunks: Floats, held: Sequence[Iterable[str]]) -> Iterator[Anchor]:
    """
    The anchors of a vocabulary, each with its nearest chunks and anchors.

    `own` are the vectors of the anchors' words, `chunks` those of the chunks, `held` the terms of these.
    """
    import numpy as np

    chunks = centred(chunks)
    vectors = _unit(_OWN_WORDS * centred(own) + _centroids(words, chunks, held))
    for first in range(0, len(words.terms), _PART):
        part = vectors[first : first + _PART]
        to_chunks, to_anchors = part @ chunks.T, part @ vectors.T
        to_anchors[np.arange(len(part)), np.arange(first, first + len(part))] = -1
        near, beside = _nearest(to_chunks, NEAR_CHUNKS), _nearest(to_anchors, NEAR_ANCHORS)
        quantised = vectors_of(part)
        for row in range(len(part)):
            listed = [NearChunk(int(n), float(to_chunks[row, n])) for n in near[row] if to_chunks[row, n] > 0]
            others = [
                Neighbour(words.terms[n], round(float(to_anchors[row, n]), 3))
                for n in beside[row]
                if to_anchors[row, n] >= _NEAREST_ANCHOR
            ]
            at = first + row
            yield Anchor(words.terms[at], words.labels[at], words.df[at], quantised[row], tuple(listed), tuple(others))


def centred(vectors: Floats) -> Floats:
    """Rows of length 1 after their mean is taken off."""
    return _unit(vectors - vectors.mean(axis=0)) if len(vectors) else vectors


def vectors_of(rows: Floats) -> list[Vector]:
    """Rows of length 1 as whole numbers with a scale that makes their length 1 again."""
    import numpy as np

    steps = np.maximum(np.abs(rows).max(axis=1, initial=0.0), 1e-12) / _FULL
    numbers = np.rint(rows / steps[:, None]).astype(np.int8)
    lengths = np.linalg.norm(numbers.astype(np.float32), axis=1)
    scales = np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return [Vector(round(float(scale), 12), row.tobytes()) for scale, row in zip(scales, numbers, strict=True)]


@dataclass(frozen=True, slots=True)
class WordVectors:
    """
    Vectors from words that occur together, for stores without an encoder: an `Encoder` that knows one corpus.

    A truncated singular value decomposition of chunks by terms, weighted by rarity (latent semantic analysis,
    Deerwester et al. 1990), by a randomised range finder (Halko, Martinsson and Tropp 2011) with a fixed seed.
    """

    rows: Mapping[str, int]
    directions: Floats

    @classmethod
    def of(cls, held: Sequence[Iterable[str]]) -> WordVectors:
        """The decomposition of a corpus, a collection of terms for each chunk."""
        import numpy as np

        texts = [list(dict.fromkeys(terms)) for terms in held]
        df = Counter(term for terms in texts for term in terms)
        rows = {term: row for row, term in enumerate(sorted(term for term in df if df[term] >= FEWEST_CHUNKS))}
        idf = np.array([np.log(1 + len(texts) / df[term]) for term in rows], dtype=np.float32)
        dims = min(_WORD_DIMS, max(1, len(rows)))
        guess: Floats = np.random.default_rng(1).standard_normal((len(rows), dims)).astype(np.float32)
        listed = [np.array([rows[term] for term in terms if term in rows], dtype=np.intp) for terms in texts]
        for _ in range(2):
            seen = _unit(_products(listed, idf, guess))
            back = np.zeros_like(guess)
            for at, row in zip(listed, seen, strict=True):
                back[at] += row
            guess = np.linalg.qr(back * idf[:, None])[0].astype(np.float32)
        return cls(rows, guess * idf[:, None])

    def of_terms(self, held: Sequence[Iterable[str]]) -> Floats:
        """A vector for each collection of terms."""
        import numpy as np

        listed = [np.array([self.rows[term] for term in terms if term in self.rows], dtype=np.intp) for terms in held]
        return _unit(_products(listed, np.ones(len(self.rows), dtype=np.float32), self.directions))


def _products(listed: Sequence[npt.NDArray[np.intp]], weights: Floats, table: Floats) -> Floats:
    import numpy as np

    out = np.zeros((len(listed), table.shape[1]), dtype=np.float32)
    for row, at in enumerate(listed):
        if len(at):
            out[row] = weights[at] @ table[at]
    return out


def _centroids(words: Vocabulary, chunks: Floats, held: Sequence[Iterable[str]]) -> Floats:
    import numpy as np

    row_of = {term: row for row, term in enumerate(words.terms)}
    sums = np.zeros((len(words.terms), chunks.shape[1]), dtype=np.float32)
    counts = np.zeros(len(words.terms), dtype=np.float32)
    for vector, terms in zip(chunks, held, strict=True):
        at = sorted({row_of[term] for term in terms if term in row_of})
        sums[at] += vector
        counts[at] += 1
    result: Floats = sums / (counts + _SHRUNK_BY)[:, None]
    return result


def _nearest(scores: Floats, most: int) -> npt.NDArray[np.intp]:
    """The columns of the best scores of each row, best first; of equals the first."""
    import numpy as np

    most = min(most, scores.shape[1])
    if not most:
        return np.empty((len(scores), 0), dtype=np.intp)
    best = np.sort(np.argpartition(-scores, most - 1, axis=1)[:, :most], axis=1)
    order = np.argsort(-np.take_along_axis(scores, best, axis=1), axis=1, kind="stable")
    return np.take_along_axis(best, order, axis=1)


def _unit(rows: Floats) -> Floats:
    import numpy as np

    result: Floats = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-9))
    return result
