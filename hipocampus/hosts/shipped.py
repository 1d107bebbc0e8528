"""Texts that travel with the package and go into a project: skills, blocks of instruction files, a plugin."""

from __future__ import annotations

from collections.abc import Iterator

from hipocampus import files
from hipocampus.data import data_folder
from hipocampus.hosts.edits import OwnFile


def template(name: str) -> str:
    """A text of `templates/hosts/`, as it is."""
    return files.read_text(data_folder("templates") / "hosts" / name).text


def skills(folder: str) -> Iterator[OwnFile]:
    """Every file of our skills, below a folder of the project."""
    shipped = data_folder("skills")
    for path in sorted(shipped.rglob("*")):
        if path.is_file():
            yield OwnFile(f"{folder}/{path.relative_to(shipped).as_posix()}", files.read_text(path).text)
