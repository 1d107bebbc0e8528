"""Finds the rows of keys among hundreds of thousands, without a Python object for each of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

KEY_BYTES = 16


def key_bytes(key: str) -> bytes:
    """The 16 bytes of 32 hex digits. Raises ValueError for anything else."""
    data = bytes.fromhex(key)
    if len(data) != KEY_BYTES:
        message = f"a key has {2 * KEY_BYTES} hex digits: {key[:80]!r}"
        raise ValueError(message)
    return data


class KeyIndex:
    """
    The row of each key: the keys of a file, but for dropped rows, and those added since.

        KeyIndex(records["key"], dropped).rows([key])
    """

    def __init__(self, keys: npt.NDArray[np.void], dropped: Sequence[int]) -> None:
        import numpy as np

        halves = np.ascontiguousarray(keys).view(np.uint64).reshape(-1, 2)
        live = np.delete(np.arange(len(keys)), dropped)
        self._row = live[np.argsort(halves[live, 0], kind="stable")]
        self._first, self._second = halves[self._row].T
        self._added: dict[bytes, int] = {}

    def add(self, keys: Sequence[str], row: int) -> None:
        """Note keys that stand in the rows from `row` on."""
        self._added |= {key_bytes(key): row + number for number, key in enumerate(keys)}

    def rows(self, keys: Collection[str]) -> npt.NDArray[np.intp]:
        """The row of each key, or -1. Raises ValueError for what is no key."""
        import numpy as np

        wanted = [key_bytes(key) for key in keys]
        rows = np.array([self._added.get(key, -1) for key in wanted], dtype=np.intp)
        if len(self._row) and wanted:
            first, second = np.frombuffer(b"".join(wanted), dtype=np.uint64).reshape(-1, 2).T
            place = np.minimum(np.searchsorted(self._first, first), len(self._row) - 1)
            is_there = (self._first[place] == first) & (self._second[place] == second)
            rows[is_there] = self._row[place[is_there]]
        return rows
