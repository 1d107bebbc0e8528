"""Files as bytes that arrive whole or not at all: read any encoding, write atomically, append, lock."""

from __future__ import annotations

import _thread
import codecs
import contextlib
import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from hipocampus.errors import StoreBusy, StoreNotWritable

if TYPE_CHECKING:
    from collections.abc import Iterator

TEMPORARY_PREFIX = ".hipo-tmp-"
# Letters of a name that its draft keeps: names have an end, at 255 bytes mostly.
_LONGEST_KEPT = 40
_UTF16_BOMS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


class TextFile(NamedTuple):
    """A decoded file: lines end in `\\n` whatever the file uses; `newline` is what it mostly uses."""

    text: str
    newline: str = "\n"
    encoding: str = "utf-8"


def decode(data: bytes) -> TextFile:
    """Decode UTF-8 (with or without BOM) or UTF-16 with BOM; bytes that fit neither survive as surrogates."""
    encoding = _UTF16_BOMS.get(data[:2], "utf-8")
    if encoding == "utf-8":
        text = data.removeprefix(codecs.BOM_UTF8).decode(errors="surrogateescape")
    else:
        text = data[2:].decode(encoding, errors="replace")
    if "\r" not in text:
        return TextFile(text, encoding=encoding)
    pairs = text.count("\r\n")
    counts = {"\r\n": pairs, "\n": text.count("\n") - pairs, "\r": text.count("\r") - pairs}
    newline = max(counts, key=lambda end: counts[end])
    return TextFile(text.replace("\r\n", "\n").replace("\r", "\n"), newline, encoding)


def encode(text: str, encoding: str = "utf-8") -> bytes:
    """Bytes of a text; in UTF-8, surrogates from `decode` become their old bytes. Others become a question mark."""
    try:
        return text.encode(encoding, errors="surrogateescape" if encoding == "utf-8" else "strict")
    except UnicodeEncodeError:
        return text.encode(encoding, errors="replace")


def read_text(path: Path) -> TextFile:
    """Read and decode a file. Raises OSError as `open` does."""
    return decode(path.read_bytes())


def write_atomic(path: Path, text: str, *, durable: bool = True) -> None:
    """
    Replace a file with `text` in one step; a kill leaves the old or the new one, never half of it.

    `durable` also survives a power cut, at the price of a wait for the disk; derived files do without.
    """
    write_bytes_atomic(path, encode(text), durable=durable)


def write_bytes_atomic(path: Path, data: bytes, *, durable: bool = True) -> None:
    """As `write_atomic`, for bytes."""
    target = path.resolve() if path.is_symlink() else path
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = target.stat().st_mode & 0o777 if target.exists() else None
        with draft(target) as name:
            new = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if mode is None else 0o600)
            _fill(new, data, durable=durable)
            if mode is not None:
                name.chmod(mode)
    except OSError as error:
        raise _not_writable(path, error) from error


@contextlib.contextmanager
def draft(path: Path) -> Iterator[Path]:
    """
    A free name beside a file, to be written under; at the end it takes the file's place, after a failure it goes.

    A kill leaves the old file or the new one, and a leftover that `remove_leftovers` knows. Raises OSError.
    """
    name = path.with_name(f"{TEMPORARY_PREFIX}{os.getpid()}-{_thread.get_ident():x}-{path.name[:_LONGEST_KEPT]}")
    try:
        name.unlink(missing_ok=True)
        yield name
        name.replace(path)
    finally:
        with contextlib.suppress(OSError):
            name.unlink(missing_ok=True)


def append(path: Path, text: str, encoding: str = "utf-8") -> None:
    """
    Append `text` in one write; if the disk refuses any of it, the file is what it was.

    An append, not a rewrite: other programs append to day logs without our lock, and a rewrite
    between their read and write would lose their line.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        is_new = not path.exists()
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    except OSError as error:
        raise _not_writable(path, error) from error
    try:
        _append_all(handle, encode(text, encoding))
    except OSError as error:
        if is_new:
            path.unlink(missing_ok=True)
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


def is_present(path: Path) -> bool:
    """Whether something is at a path, as far as we may look: a home that can't be entered holds nothing for us."""
    return os.path.exists(path)  # noqa: PTH110  Path.exists raises where it may not look


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
    """Remove temporary files that a killed `draft` left in a folder; those of processes that live stay."""
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for leftover in [entry for entry in entries if entry.name.startswith(TEMPORARY_PREFIX)]:
            owner = leftover.name.removeprefix(TEMPORARY_PREFIX).partition("-")[0]
            if not owner.isdecimal() or not _is_alive(int(owner)):
                with contextlib.suppress(OSError):
                    Path(leftover.path).unlink()


def _is_alive(process: int) -> bool:
    """Whether a process runs on this machine; on Windows, where asking would end it, only our own is known."""
    if os.name == "nt":
        return process == os.getpid()
    try:
        os.kill(process, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return True


def _append_all(handle: int, data: bytes) -> None:
    """Append all of `data` or nothing. Raises OSError."""
    before = os.fstat(handle).st_size
    written = os.write(handle, data)
    try:
        if written != len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(handle)
    except OSError:
        if os.fstat(handle).st_size == before + written:  # nobody else wrote behind us
            os.ftruncate(handle, before)
        raise


def _fill(handle: int, data: bytes, *, durable: bool) -> None:
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        if durable:
            os.fsync(file.fileno())


def _not_writable(path: Path, error: OSError) -> StoreNotWritable:
    reason = error.strerror or str(error)
    message = f"can't write {path}: {reason}"
    return StoreNotWritable(message, hint="check the folder's permissions and the free space; nothing was changed")
