"""tantivy's folders: opened or made, and its failures as errors of ours."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from hipocampus import files
from hipocampus.errors import DamagedIndex, HipocampusError, StoreNotWritable

if TYPE_CHECKING:
    import tantivy

# What tantivy says when the disk, and not the index, is the trouble.
_DISK = (
    "PermissionDenied",
    "StorageFull",
    "ReadOnlyFilesystem",
    "QuotaExceeded",
    "FileTooLarge",
    "No space left",
    "File too large",
)


def opened(folder: Path | None, schema: tantivy.Schema) -> tantivy.Index:
    """The index of a folder, made if there is none; in memory without a folder. Raises what tantivy raises."""
    import tantivy

    if folder is None:
        return tantivy.Index(schema)
    files.make_folder(folder)
    return tantivy.Index(schema, path=os.fspath(folder), reuse=True)


def is_made(folder: Path) -> bool:
    """Whether there is an index in the folder."""
    return (folder / "meta.json").exists()


@contextlib.contextmanager
def translated(folder: Path | None) -> Iterator[None]:
    """
    Raise DamagedIndex or StoreNotWritable for whatever goes wrong inside.

    On damaged files tantivy may panic, and its PanicException is no Exception.
    """
    try:
        yield
    except HipocampusError:
        raise
    except (ValueError, OSError) as error:
        raise _as_ours(error, folder) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise _as_ours(error, folder) from error


def _as_ours(error: BaseException, folder: Path | None) -> HipocampusError:
    said = str(error).strip().split("\n")[0]
    if any(sign in said for sign in _DISK):
        message = f"can't write the search index {folder}: {said}"
        return StoreNotWritable(message, hint="check the folder's permissions and the free space")
    message = f"the search index {folder} can't be read: {said}"
    return DamagedIndex(message, hint="`hipocampus index rebuild` makes it anew")
