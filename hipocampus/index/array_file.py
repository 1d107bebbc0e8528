"""Named arrays in one file that is mapped, not read: opening costs the same however large it is."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hipocampus import files

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    import numpy.typing as npt

_MAGIC = b"hipocampus arrays 1\n"
_ALIGNMENT = 64
_LONGEST_HEAD = 1 << 16
# A finished file gets this modification time (seconds). Whoever writes into it later moves the time, so that damage
# shows without reading 80 MB at each start. An even number, since some file systems count in steps of two seconds.
_FINISHED = 1_000_000_000


def write_arrays(path: Path, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Replace the file in one step. Raises OSError."""
    import numpy as np

    path.parent.mkdir(parents=True, exist_ok=True)
    with files.draft(path) as draft:
        with draft.open("wb") as file:
            file.write(_MAGIC + json.dumps(_directory(arrays)).encode() + b"\n")
            for array in arrays.values():
                file.write(b"\0" * (-file.tell() % _ALIGNMENT))
                file.write(np.ascontiguousarray(array).data)
        os.utime(draft, (_FINISHED, _FINISHED))


def map_arrays(path: Path) -> dict[str, npt.NDArray[Any]] | None:
    """The arrays as read-only views of the file; None when it is missing, unfinished, damaged or of another kind."""
    import numpy as np

    try:
        stat = path.stat()
        if int(stat.st_mtime) != _FINISHED:
            return None
        data = np.memmap(path, dtype=np.uint8, mode="r")
        return _views(data)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _directory(arrays: Mapping[str, npt.NDArray[Any]]) -> dict[str, tuple[str, tuple[int, ...]]]:
    return {name: (array.dtype.str, array.shape) for name, array in arrays.items()}


def _views(data: npt.NDArray[np.uint8]) -> dict[str, npt.NDArray[Any]] | None:
    import numpy as np

    head = data[:_LONGEST_HEAD].tobytes()
    if not head.startswith(_MAGIC):
        return None
    line = head[len(_MAGIC) : head.index(b"\n", len(_MAGIC))]
    place = len(_MAGIC) + len(line) + 1
    found: dict[str, npt.NDArray[Any]] = {}
    for name, (kind, shape) in json.loads(line).items():
        place += -place % _ALIGNMENT
        size = int(np.dtype(kind).itemsize * np.prod(shape, dtype=np.int64))
        found[name] = data[place : place + size].view(kind).reshape(shape)
        place += size
    return found if place == len(data) else None
