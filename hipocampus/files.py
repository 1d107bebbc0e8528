"""Files as bytes that arrive whole or not at all: read any encoding, write atomically, append, lock."""

from __future__ import annotations

import codecs
import contextlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hipocampus.errors import StoreBusy, StoreNotWritable

if TYPE_CHECKING:
    from collections.abc import Iterator

TEMPORARY_PREFIX = ".hipo-tmp-"
_UTF16_BOMS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


@dataclass(frozen=True, slots=True)
class TextFile:
    """A decoded file: lines end in `\\n` whatever the file uses; `newline` is what it mostly uses."""

    text: str
    newline: str = "\n"


def decode(data: bytes) -> TextFile:
    """Decode UTF-8 (with or without BOM) or UTF-16 with BOM; bytes that fit neither survive as surrogates."""
    encoding = _UTF16_BOMS.get(data[:2], "utf-8-sig")
    text = data.decode(encoding, errors="surrogateescape" if encoding == "utf-8-sig" else "replace")
    pairs, returns, feeds = text.count("\r\n"), text.count("\r"), text.count("\n")
    if not returns:
        return TextFile(text)
    newline = "\r\n" if pairs * 2 > feeds else "\n"
    return TextFile(text.replace("\r\n", "\n").replace("\r", "\n"), newline)


def encode(text: str) -> bytes:
    """UTF-8; surrogates from `decode` become their old bytes, any other lone surrogate a question mark."""
    try:
        return text.encode("utf-8", errors="surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", errors="replace")


def read_text(path: Path) -> TextFile:
    """Read and decode a file. Raises OSError as `open` does."""
    return decode(path.read_bytes())


def write_atomic(path: Path, text: str, *, durable: bool = True) -> None:
    """
    Replace a file with `text` in one step; a kill leaves the old or the new one, never half of it.

    `durable` also survives a power cut, at the price of a wait for the disk; derived files do without.
    """
    target = path.resolve() if path.is_symlink() else path
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=TEMPORARY_PREFIX, dir=target.parent)
    except OSError as error:
        raise _not_writable(path, error) from error
    try:
        _fill(handle, encode(text), durable=durable)
        Path(name).chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
        Path(name).replace(target)
    except OSError as error:
        raise _not_writable(path, error) from error
    finally:
        with contextlib.suppress(FileNotFoundError):
            Path(name).unlink()


def append(path: Path, text: str) -> None:
    """
    Append `text` in one write; if the disk refuses part of it, the file is cut back to what it was.

    An append, not a rewrite: other programs append to day logs without our lock, and a rewrite
    between their read and write would lose their line.
    """
    data = encode(text)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    except OSError as error:
        raise _not_writable(path, error) from error
    try:
        before = os.fstat(handle).st_size
        try:
            if os.write(handle, data) != len(data):
                raise OSError(28, "No space left on device")
            os.fsync(handle)
        except OSError as error:
            os.ftruncate(handle, before)
            raise _not_writable(path, error) from error
    finally:
        os.close(handle)


@contextlib.contextmanager
def lock(path: Path, *, timeout: float) -> Iterator[None]:
    """
    Hold an exclusive lock between processes; the system frees it when its holder dies.

    Waits up to `timeout` seconds, then raises StoreBusy.
    """
    from filelock import FileLock, Timeout

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        held = FileLock(path, timeout=timeout)
        held.acquire()
    except Timeout as error:
        message = f"another process holds {path.name}"
        raise StoreBusy(message, hint="try again when the other hipocampus command has ended") from error
    except OSError as error:
        raise _not_writable(path, error) from error
    try:
        yield
    finally:
        held.release()


def make_folder(path: Path) -> None:
    """Make a folder and those above it. Raises StoreNotWritable."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _not_writable(path, error) from error


def remove(path: Path) -> None:
    """Remove a file that may be gone already. Raises StoreNotWritable."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise _not_writable(path, error) from error


def remove_leftovers(folder: Path) -> None:
    """Remove temporary files that a killed `write_atomic` left in a folder."""
    for leftover in folder.glob(f"{TEMPORARY_PREFIX}*"):
        with contextlib.suppress(OSError):
            leftover.unlink()


def _fill(handle: int, data: bytes, *, durable: bool) -> None:
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        if durable:
            os.fsync(file.fileno())


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _not_writable(path: Path, error: OSError) -> StoreNotWritable:
    reason = error.strerror or str(error)
    message = f"can't write {path}: {reason}"
    return StoreNotWritable(message, hint="check the folder's permissions and the free space; nothing was changed")
