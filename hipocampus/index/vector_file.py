"""
Vectors on disk: a file of fixed-size records, and a small header that says which of them count.

`vectors.json`: a line with the sha256 of the rest, then JSON: format, encoder, dims, the name of the record file, how
many records are committed, a CRC-32 for each page of 1,024 records, the file's size and time when that was written,
and the numbers of dropped records.
`rows-N.bin`: records of a key (16 bytes), a scale (float32) and the vector as int8; component = scale × int8.

Records are appended first and then committed by replacing the header, so a kill leaves whole batches. What changes
earlier records goes to a new record file.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import zlib
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hipocampus.errors import StoreNotWritable
from hipocampus.files import make_folder, write_atomic
from hipocampus.index.key_index import KEY_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    import numpy.typing as npt

    Records = npt.NDArray[np.void]

PAGE = 1024
_FORMAT = 1
_HEADER = "vectors.json"


@dataclass(frozen=True, slots=True)
class Header:
    """Which records count; see the module's text for each field."""

    encoder: str
    dims: int
    file: str = ""
    rows: int = 0
    checks: tuple[int, ...] = ()
    size: int = 0
    mtime_ns: int = 0
    dropped: tuple[int, ...] = ()
    format: int = field(default=_FORMAT)


def record_type(dims: int) -> np.dtype[np.void]:
    """The layout of a record."""
    import numpy as np

    return np.dtype([("key", f"V{KEY_BYTES}"), ("scale", "<f4"), ("row", "i1", (dims,))])


def read_header(folder: Path, encoder: str, dims: int) -> Header:
    """The header of the folder; an empty one if there is none, it is damaged, or that of another model."""
    header = known_header(folder)
    fits = header and (header.encoder, header.dims) == (encoder, dims)
    return header if header and fits else Header(encoder, dims)


def known_header(folder: Path) -> Header | None:
    """The header of the folder, whatever model its vectors are of; None if there is none or it is damaged."""
    try:
        digest, _, body = (folder / _HEADER).read_text("utf-8").partition("\n")
        if hashlib.sha256(body.encode()).hexdigest() != digest:
            return None
        values: dict[str, Any] = json.loads(body)
        values |= {"checks": tuple(values["checks"]), "dropped": tuple(values["dropped"])}
        header = Header(**values)
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return header if header.format == _FORMAT else None


def map_records(folder: Path, header: Header) -> Records:
    """The committed records that are as they were written; those from the first damaged page on are left out."""
    import numpy as np

    kind = record_type(header.dims)
    try:
        stat = (folder / header.file).stat()
        there = min(header.rows, stat.st_size // kind.itemsize)
        if there <= 0:
            return np.empty(0, kind)
        records: Records = np.memmap(folder / header.file, dtype=kind, mode="r", shape=(there,)).view(np.ndarray)
    except (OSError, ValueError):
        return np.empty(0, kind)
    if (stat.st_size, stat.st_mtime_ns) == (header.size, header.mtime_ns):
        return records
    return records[: _sound_rows(records, header)]


def append_records(folder: Path, header: Header, records: Records) -> Header:
    """
    Write records behind the committed ones and commit them.

    Raises StoreNotWritable; the store is then what it was.
    """
    make_folder(folder)
    return commit(folder, _written(folder, header, records))


def rewrite_records(folder: Path, header: Header, parts: Iterable[Records]) -> Header:
    """Replace all records by those given, in one step: in a new file, and the old one goes after the commit."""
    make_folder(folder)
    fresh = Header(header.encoder, header.dims)
    for part in parts:
        fresh = _written(folder, fresh, part)
    commit(folder, fresh)
    for old in folder.glob("rows-*"):
        if old.name != fresh.file:
            with contextlib.suppress(OSError):  # Windows keeps a file that is still mapped; the next rewrite takes it
                old.unlink()
    return fresh


def commit(folder: Path, header: Header) -> Header:
    """Make a header the one that counts. Raises StoreNotWritable."""
    body = json.dumps(asdict(header), separators=(",", ":"))
    write_atomic(folder / _HEADER, f"{hashlib.sha256(body.encode()).hexdigest()}\n{body}", durable=False)
    return header


def _written(folder: Path, header: Header, records: Records) -> Header:
    """Put records behind the committed ones; what a killed run left there is overwritten."""
    path = folder / (header.file or _unused_name(folder))
    start = header.rows * records.dtype.itemsize
    try:
        with path.open("r+b" if header.file else "xb") as file:
            file.truncate(start)
            file.seek(start)
            file.write(records.tobytes())
        stat = path.stat()
    except OSError as error:
        message = f"can't write {path}: {error.strerror or error}"
        raise StoreNotWritable(message, hint="check the folder's permissions and the free space") from error
    return replace(
        header,
        file=path.name,
        rows=header.rows + len(records),
        checks=_extended(header, records),
        size=stat.st_size,
        mtime_ns=stat.st_mtime_ns,
    )


def _unused_name(folder: Path) -> str:
    numbers = [int(path.stem[5:]) for path in folder.glob("rows-*.bin") if path.stem[5:].isdecimal()]
    return f"rows-{max(numbers, default=0) + 1}.bin"


def _extended(header: Header, records: Records) -> tuple[int, ...]:
    """The checks of the pages when `records` follow."""
    checks = list(header.checks)
    place, row = 0, header.rows
    while place < len(records):
        room = PAGE - row % PAGE
        part = records[place : place + room].tobytes()
        if row % PAGE:
            checks[-1] = zlib.crc32(part, checks[-1])
        else:
            checks.append(zlib.crc32(part))
        place, row = place + room, row + room
    return tuple(checks)


def _sound_rows(records: Records, header: Header) -> int:
    """How many of the records come before the first page that is not as it was written."""
    for page, check in enumerate(header.checks):
        first, last = page * PAGE, min((page + 1) * PAGE, header.rows)
        if last > len(records) or zlib.crc32(records[first:last].tobytes()) != check:
            return first
    return header.rows
