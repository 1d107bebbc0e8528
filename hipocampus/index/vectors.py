"""
The vectors of a workspace: one for each distinct text, found by nearness to a query.

Vectors of one model crowd around a common direction that says nothing; so the mean of the store is taken from both
sides before cosines are computed.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from hipocampus.index.array_file import map_arrays, write_arrays
from hipocampus.index.key_index import KEY_BYTES, KeyIndex, key_bytes
from hipocampus.index.vector_file import (
    append_records,
    commit,
    known_header,
    map_records,
    read_header,
    record_type,
    rewrite_records,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hipocampus.index.vector_file import Header, Records

    Floats = npt.NDArray[np.float32]

# The mean is computed anew when the store has grown by this factor.
_GROWTH = 1.2
# A mean over few texts is mostly those texts; it counts as if so many others had none.
_UNSEEN = 32
# Rows that are turned into floats at once: few enough for the processor's cache, and for BLAS to stay on one thread,
# which is many times faster for products this small when other programs want the other one.
_PART = 256
# Dropped records are swept out when they are more than one in so many.
_SWEEP = 4


@dataclass(frozen=True, slots=True)
class VectorStats:
    """What a store holds: `rows` that can be found, `dropped` ones that wait to be swept out, `size` in bytes."""

    encoder: str
    dims: int
    rows: int
    dropped: int
    size: int


class VectorStore:
    """
    Vectors by the key of their text, 32 hex digits; a store of one encoder never mixes with another's.

        store = VectorStore(folder, encoder.id, encoder.dims)
        fresh = store.missing(texts)
        store.append(fresh, encoder.encode([texts[key] for key in fresh]))
        store.search(encoder.encode([query])[0], 10)

    Sees the store as it was when opened, and its own changes. Who changes it takes the index's lock and opens it then.
    """

    def __init__(self, folder: Path, encoder: str, dims: int) -> None:
        self._folder = folder
        self._header: Header
        self._records: Records
        self._dropped: list[int]
        self._open(read_header(folder, encoder, dims))

    def missing(self, keys: Iterable[str]) -> list[str]:
        """Those keys that have no vector yet, each once, in the order given."""
        distinct = list(dict.fromkeys(keys))
        return [key for key, row in zip(distinct, self._index.rows(distinct), strict=True) if row < 0]

    def append(self, keys: Sequence[str], vectors: Floats) -> None:
        """
        Keep a vector for each key, but for keys that have one. What was appended survives a kill as a whole.

        Raises ValueError for keys or vectors of another shape, StoreNotWritable when the disk refuses.
        """
        import numpy as np

        if vectors.shape != (len(keys), self._header.dims):
            message = f"{len(keys)} keys need vectors of shape ({len(keys)}, {self._header.dims}), not {vectors.shape}"
            raise ValueError(message)
        position = {key: number for number, key in reversed(list(enumerate(keys)))}
        fresh = self.missing(keys)
        if not fresh:
            return
        records = np.empty(len(fresh), record_type(self._header.dims))
        records["key"] = np.frombuffer(b"".join(map(key_bytes, fresh)), dtype=f"V{KEY_BYTES}")
        records["scale"], records["row"] = _quantised(vectors[[position[key] for key in fresh]])
        if self._header.rows != len(self._records):  # the file is damaged: keep what is sound
            live = self._parts(self._records, self._dropped)
            self._open(rewrite_records(self._folder, self._header, live))
        header = append_records(self._folder, self._header, records)
        index = self._index
        index.add(fresh, len(self._records))
        self._open(header, index)

    def search(self, vector: Floats, n: int, among: Collection[str] | None = None) -> list[tuple[str, float]]:
        """The `n` nearest keys with their cosines after the mean is removed, best first; only of `among` if given."""
        import numpy as np

        if not len(self._records):
            return []
        scores = self._scores(vector)
        if among is not None:
            rows = self._index.rows(among)
            chosen = rows[rows >= 0]
            only = np.full(len(scores), -np.inf, dtype=np.float32)
            only[chosen] = scores[chosen]
            scores = only
        if n < len(scores):
            border = np.partition(scores, len(scores) - n)[len(scores) - n] if n > 0 else np.inf
            rows = np.flatnonzero(scores >= border)
        else:
            rows = np.flatnonzero(scores > -np.inf)
        best = rows[np.argsort(-scores[rows], kind="stable")][: max(n, 0)]
        return [
            (self._records["key"][row].tobytes().hex(), float(scores[row])) for row in best if scores[row] > -np.inf
        ]

    def vectors(self, keys: Sequence[str]) -> Floats:
        """A row for each key; zeros for a key that has no vector."""
        import numpy as np

        rows = self._index.rows(keys)
        found = np.zeros((len(keys), self._header.dims), dtype=np.float32)
        there = np.flatnonzero(rows >= 0)
        records = self._records[rows[there]]
        found[there] = records["row"] * records["scale"][:, None]
        return found

    def keep_only(self, keys: Iterable[str]) -> int:
        """Drop the vectors of all other keys; says how many. Raises StoreNotWritable."""
        import numpy as np

        is_stale = np.ones(len(self._records), dtype=bool)
        is_stale[self._dropped] = False
        rows = self._index.rows(list(keys))
        is_stale[rows[rows >= 0]] = False
        stale = np.flatnonzero(is_stale).tolist()
        if stale:
            dropped = sorted([*self._dropped, *stale])
            if len(dropped) * _SWEEP > len(self._records):
                live = self._parts(self._records, dropped)
                self._open(rewrite_records(self._folder, self._header, live))
            else:
                self._open(commit(self._folder, replace(self._header, dropped=tuple(dropped))))
        return len(stale)

    def drop(self, keys: Iterable[str]) -> int:
        """Take the vectors of these keys out of the file itself; says how many. Raises StoreNotWritable."""
        rows = self._index.rows(list(keys))
        gone = sorted({*rows[rows >= 0].tolist()})
        if gone:
            live = self._parts(self._records, sorted({*self._dropped, *gone}))
            self._open(rewrite_records(self._folder, self._header, live))
        return len(gone)

    def stats(self) -> VectorStats:
        """What the store holds now."""
        rows, dropped = len(self._records), len(self._dropped)
        size = rows * self._records.dtype.itemsize
        return VectorStats(self._header.encoder, self._header.dims, rows - dropped, dropped, size)

    def _open(self, header: Header, index: KeyIndex | None = None) -> None:
        self._header = header
        self._records = map_records(self._folder, header)
        # Rows that a damaged file lost can't be among the dropped.
        self._dropped = [row for row in header.dropped if row < len(self._records)]
        for name in ("_index", "_centre"):  # computed anew when next asked for
            self.__dict__.pop(name, None)
        if index:
            self._index = index

    @cached_property
    def _index(self) -> KeyIndex:
        return KeyIndex(self._records["key"], self._dropped)

    @cached_property
    def _centre(self) -> tuple[Floats, Floats]:
        """
        The mean that is taken off, and the length of each row without it.

        The mean is that of the first rows, as many as the last step of growth reached: so it depends on the rows
        alone, and lasts for a while. Both are kept beside the rows for the next process.
        """
        import numpy as np

        reached = _step(len(self._records))
        path = self._folder / f"{Path(self._header.file).stem}.centre"
        kept = map_arrays(path)
        if kept and int(kept["reached"]) == reached and kept["mean"].shape == (self._header.dims,):
            mean, lengths = kept["mean"], kept["lengths"][: len(self._records)]
            return mean, np.concatenate([lengths, self._lengths(mean, len(lengths))])
        mean = self._mean(reached)
        lengths = self._lengths(mean, 0)
        with contextlib.suppress(OSError):  # only speed is lost
            write_arrays(path, {"reached": np.array(reached), "mean": mean, "lengths": lengths})
        return mean, lengths

    def _mean(self, count: int) -> Floats:
        import numpy as np

        mean = np.zeros(self._header.dims, dtype=np.float32)
        for part in self._parts(self._records[:count]):
            mean += part["scale"] @ part["row"].astype(np.float32)
        mean /= np.float32(count + _UNSEEN)
        return mean

    def _lengths(self, mean: Floats, first: int) -> Floats:
        import numpy as np

        lengths = np.empty(len(self._records) - first, dtype=np.float32)
        done = 0
        for part in self._parts(self._records[first:]):
            lengths[done : done + len(part)] = np.linalg.norm(part["row"] * part["scale"][:, None] - mean, axis=1)
            done += len(part)
        return np.maximum(lengths, np.float32(1e-6))

    def _scores(self, vector: Floats) -> Floats:
        """The cosine of each row with the query, the mean taken off both; minus infinity for dropped rows."""
        import numpy as np

        mean, lengths = self._centre
        query: Floats = np.asarray(vector, dtype=np.float32) - mean
        query /= np.maximum(np.linalg.norm(query), np.float32(1e-6))
        products = [part["scale"] * (part["row"].astype(np.float32) @ query) for part in self._parts(self._records)]
        scores: Floats = (np.concatenate([np.empty(0, np.float32), *products]) - mean @ query) / lengths
        scores[self._dropped] = -np.inf
        return scores

    @staticmethod
    def _parts(records: Records, without: Collection[int] = ()) -> Iterator[Records]:
        """The records in parts that fit the processor's cache, without those of some rows."""
        import numpy as np

        gone = np.array(sorted(without), dtype=np.intp)
        for first in range(0, len(records), _PART):
            part = records[first : first + _PART]
            inside = gone[(gone >= first) & (gone < first + _PART)] - first
            yield np.delete(part, inside) if len(inside) else part


def drop_texts(folder: Path, keys: Collection[str]) -> int:
    """Take the vectors of some texts out of a store of any encoder; says how many. Raises StoreNotWritable."""
    header = known_header(folder)
    return VectorStore(folder, header.encoder, header.dims).drop(keys) if header else 0


def _quantised(vectors: Floats) -> tuple[Floats, npt.NDArray[np.int8]]:
    """A scale for each row, and the row as whole numbers of that scale; no component of a unit vector is above 1."""
    import numpy as np

    vectors = np.clip(np.nan_to_num(vectors), -1, 1)
    scales = np.abs(vectors).max(axis=1, initial=0.0).astype(np.float32) / np.float32(127)
    rows = np.rint(vectors / np.maximum(scales, np.float32(1e-30))[:, None]).astype(np.int8)
    return scales.astype(np.float32), rows


def _step(rows: int) -> int:
    """The last step of growth that so many rows reached."""
    step = reached = 0
    while step <= rows:
        reached = step
        step = max(step + 1, int(step * _GROWTH))
    return reached
