"""Files that travel with the package: templates, skills and the specification."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent


def data_folder(name: str) -> Path:
    """A folder of package data; in a checkout, where nothing was packed, the folder of the repository."""
    packed = _PACKAGE / "_data" / name
    return packed if packed.is_dir() else _PACKAGE.parent / name
