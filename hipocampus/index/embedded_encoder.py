"""
The encoder that comes with hipocampus: Universal Sentence Encoder, multilingual, version 3, in numpy.

Token embeddings, three convolutions over them (2, 3 and 5 tokens wide), their mean over the text, and a small network
(Yang et al., "Multilingual universal sentence encoder for semantic retrieval", 2019). 16 languages, no torch.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hipocampus.index.embedded_weights import BLOCKS, DIMS, ENCODER_ID, WIDTHS, load_weights
from hipocampus.index.word_pieces import WordPieces

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

# Width of each convolution.
_CHANNELS = 256
# Zero rows around each text, so that no window of a convolution reaches into its neighbour.
_GAP = 2
# Tokens encoded at once: many enough that most occur repeatedly, few enough for some 100 MB of memory.
_BATCH = 4096
# What is read of a text: no chunk of the index is longer, and a pasted megabyte must not take minutes.
_LONGEST_TEXT = 6000
_LONGEST_IDS = 1024
_THREADS = min(4, os.cpu_count() or 1)


def load_embedded(cache: Path | None) -> EmbeddedEncoder:
    """The embedded encoder; `cache` is a folder for its prepared weights. Raises EncoderUnavailable."""
    return EmbeddedEncoder(load_weights(cache))


class EmbeddedEncoder:
    """
    An `Encoder` over the arrays of `load_weights`.

        load_embedded(cache).encode(["a black cat", "검은 고양이"])
    """

    id = ENCODER_ID
    dims = DIMS

    def __init__(self, weights: Mapping[str, npt.NDArray[Any]]) -> None:
        from threadpoolctl import ThreadpoolController

        self._weights = weights
        self._blas = ThreadpoolController()
        pieces = weights["pieces"].tobytes().decode().split("\n")
        self._vocabulary = WordPieces(pieces, weights["scores"].tolist())

    def encode(self, texts: Sequence[str]) -> Floats:
        """One row of length 1 for each text; of a long text the first 6,000 characters count."""
        import numpy as np

        batches = list(self._batches(texts))
        # Several threads of ours, one of BLAS each: BLAS' own threads wait for each other, which takes several times as
        # long as soon as another program wants a core.
        with self._blas.limit(limits=1, user_api="blas"):
            if len(batches) <= 1:
                rows = list(map(self._encode, batches))
            else:
                from concurrent.futures import ThreadPoolExecutor

                with ThreadPoolExecutor(_THREADS) as pool:
                    rows = list(pool.map(self._encode, batches))
        return np.concatenate([np.empty((0, DIMS), dtype=np.float32), *rows])

    def _batches(self, texts: Sequence[str]) -> Iterator[list[list[int]]]:
        """Ids of some texts in a row."""
        batch: list[list[int]] = []
        size = 0
        for text in texts:
            ids = self._vocabulary.ids(text[:_LONGEST_TEXT])[:_LONGEST_IDS]
            if batch and size + len(ids) > _BATCH:
                yield batch
                batch, size = [], 0
            batch.append(ids)
            size += len(ids)
        if batch:
            yield batch

    def _encode(self, batch: list[list[int]]) -> Floats:
        import numpy as np

        lengths = np.array([len(ids) for ids in batch], dtype=np.float32)[:, None]
        gap = [-1] * _GAP
        spaced = np.array(gap + [i for ids in batch for i in (*ids, *gap)], dtype=np.int64)
        starts = np.cumsum([_GAP] + [len(ids) + _GAP for ids in batch[:-1]])
        summed = np.add.reduceat(self._features(spaced), starts, axis=0)
        summed = summed * self._weights["ln_g"] + lengths * self._weights["ln_b"]
        return self._network(
            summed @ self._weights["cnn_W"] / np.sqrt(lengths) + np.sqrt(lengths) * self._weights["cnn_b"]
        )

    def _features(self, spaced: npt.NDArray[np.int64]) -> Floats:
        """Standardised features of each token: its embedding and three convolutions; zeros where no token is."""
        import numpy as np

        # What depends on a token alone is computed once for each distinct token; the gap is one of them, all zeros.
        kinds, place = np.unique(spaced, return_inverse=True)
        embeddings = self._embeddings(kinds)
        inputs = self._inputs(embeddings)
        inputs *= (kinds >= 0)[:, None]
        is_token = (spaced >= 0)[:, None]
        features = np.empty((len(spaced), DIMS + len(WIDTHS) * _CHANNELS), dtype=np.float32)
        features[:, :DIMS] = embeddings[place]
        for number, width in enumerate(WIDTHS):
            own = inputs[:, number * _CHANNELS : (number + 1) * _CHANNELS]
            column = DIMS + number * _CHANNELS
            features[:, column : column + _CHANNELS] = self._convolved(own, place, is_token, width)
        features = _standardised(features, self._weights["eps"])
        features *= is_token
        return features

    def _embeddings(self, kinds: npt.NDArray[np.int64]) -> Floats:
        block = kinds % BLOCKS
        embeddings: Floats = self._weights["table"][kinds] * self._weights["scale"][block, None]
        embeddings += self._weights["lo"][block, None]
        embeddings *= (kinds >= 0)[:, None]
        return embeddings

    def _inputs(self, embeddings: Floats) -> Floats:
        """What the convolutions start from, side by side: the embeddings projected and standardised together."""
        import numpy as np

        weights = self._weights
        projected = [embeddings @ weights[f"proj{width}"] + weights[f"proj_b{width}"] for width in WIDTHS]
        inputs: Floats = _standardised(np.concatenate(projected, axis=1), weights["eps"])
        inputs *= np.concatenate([weights[f"ln_g{width}"] for width in WIDTHS])
        inputs += np.concatenate([weights[f"ln_b{width}"] for width in WIDTHS])
        return inputs

    def _convolved(
        self, inputs: Floats, place: npt.NDArray[np.intp], is_token: npt.NDArray[np.bool_], width: int
    ) -> Floats:
        """Two convolutions in a row, each added to its input; `inputs` has a row for each kind of token."""
        import numpy as np

        weights = self._weights
        hidden = np.maximum(_summed_by_kind(inputs, place, weights[f"w1_{width}"], width) + weights[f"b1_{width}"], 0)
        hidden += inputs[place]
        hidden *= is_token
        result: Floats = np.maximum(_summed(hidden, weights[f"w2_{width}"], width) + weights[f"b2_{width}"], 0)
        result += hidden
        return result

    def _network(self, means: Floats) -> Floats:
        """Vectors of length 1 from the mean features of each text."""
        import numpy as np

        weights = self._weights
        first = np.maximum(means @ weights["d0"], 0)
        second = np.maximum(means @ weights["p1"] + first @ weights["d1"], 0)
        third = np.maximum(second @ weights["d2"], 0)
        vectors: Floats = np.tanh(second @ weights["p3"] + third @ weights["d3"])
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors


def _standardised(rows: Floats, eps: Floats) -> Floats:
    """Each row with mean 0 and variance 1, in place."""
    import numpy as np

    rows -= rows.mean(axis=1, keepdims=True)
    rows /= np.sqrt(np.einsum("ij,ij->i", rows, rows) / rows.shape[1] + eps, dtype=np.float32)[:, None]
    return rows


def _summed_by_kind(kinds: Floats, place: npt.NDArray[np.intp], weights: Floats, width: int) -> Floats:
    """A convolution over rows that repeat: each kind of row meets each part of the window once."""
    import numpy as np

    total = np.zeros((len(place), _CHANNELS), dtype=np.float32)
    for part in range(width):
        to, source = _shifted(len(place), part - (width - 1) // 2)
        total[to] += (kinds @ weights[part * _CHANNELS : (part + 1) * _CHANNELS])[place[source]]
    return total


def _summed(rows: Floats, weights: Floats, width: int) -> Floats:
    """A convolution over rows: the weighted sum of each row and its neighbours."""
    import numpy as np

    total = np.zeros((len(rows), _CHANNELS), dtype=np.float32)
    for part in range(width):
        to, source = _shifted(len(rows), part - (width - 1) // 2)
        total[to] += rows[source] @ weights[part * _CHANNELS : (part + 1) * _CHANNELS]
    return total


def _shifted(length: int, by: int) -> tuple[slice, slice]:
    """Where rows go, and which, when each takes in the one `by` places behind it."""
    return slice(max(0, -by), length - max(0, by)), slice(max(0, by), length + min(0, by))
