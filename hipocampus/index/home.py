"""Where the index of a workspace is: in it, or else in the user's cache folder, or else in memory only."""

from __future__ import annotations

import os
from pathlib import Path

from hipocampus.layout import Workspace

CONCEPTS = "concepts.sqlite"
"""The name of the concept index in the folder of the index."""
MANIFEST = "manifest.json"
"""The name of the file that says which sources the index has seen."""
VECTORS = "vectors"
"""The folder of the vectors that searches compare."""
CONCEPT_VECTORS = "concept-vectors"
"""The folder of vectors that only concepts are made of, where searches use another encoder."""
VECTOR_LOCK = "vectors.lock"
"""Who changes vectors of either kind holds it."""


def index_home(workspace: Workspace) -> Path | None:
    """
    The folder of the index, made or not; None where no disk takes it.

    A project on a read-only disk has its index in the platform's cache folder, by the project's path.
    """
    if _takes_files(workspace.index):
        return workspace.index
    import hashlib

    from platformdirs import user_cache_path

    name = hashlib.sha256(os.fsencode(workspace.root.resolve())).hexdigest()[:16]
    home = user_cache_path("hipocampus", appauthor=False) / f"{workspace.root.name}-{name}" / "index"
    return home if _takes_files(home) else None


def _takes_files(folder: Path) -> bool:
    """Whether the folder can be written, or made."""
    try:
        existing = next(place for place in (folder, *folder.parents) if place.exists())
    except OSError:  # a folder on the way can't be entered
        return False
    return existing.is_dir() and os.access(existing, os.W_OK | os.X_OK)


def encoder_cache(workspace: Workspace) -> Path | None:
    """The folder for prepared weights: one for all workspaces of the user, or else that of the workspace."""
    from platformdirs import user_cache_path

    for folder in (user_cache_path("hipocampus", appauthor=False) / "encoders", workspace.cache):
        if _takes_files(folder):
            return folder
    return None
