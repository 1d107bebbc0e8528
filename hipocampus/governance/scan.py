"""Which files already hold secrets, and in which lines: what people wrote by hand, and what is older than the rules."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from hipocampus import files
from hipocampus.errors import NotFound
from hipocampus.governance import leaks as leaks_of
from hipocampus.governance import private, secrets
from hipocampus.layout import CONFIG_NAME, CURATED_FOLDERS, HOT_FILES, Workspace

LARGEST = 200_000_000
"""Bytes of a file above which it is left out."""
_LONGEST_SHOWN = 200
_BINARY_LOOK = 8192


@dataclass(frozen=True, slots=True)
class Leak:
    """A secret in a file, by its kind; `text` is its line, masked. Lines count from 1."""

    file: str
    line: int
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Unclosed:
    """A `<private>` tag that nothing closes: all behind it, up to the end of its entry, is taken as private."""

    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Scanned:
    """What was found in how many files, and what could not be looked at."""

    files: int
    leaks: tuple[Leak, ...]
    unclosed: tuple[Unclosed, ...]
    warnings: tuple[str, ...]


def scan(workspace: Workspace, paths: Sequence[Path] = ()) -> Scanned:
    """
    Look through files and folders, or through all that the workspace keeps; changes nothing.

    Binary files, links and files above 200 MB are left out. Raises NotFound for a path that is not there.
    """
    for path in paths:
        if not path.exists():
            message = f"there is no {path}"
            raise NotFound(message, hint="give files or folders, or nothing to look through the whole workspace")
    leaks: list[Leak] = []
    unclosed: list[Unclosed] = []
    warnings: list[str] = []
    looked = 0
    refused = leaks_of.dismissed(workspace)
    for path in dict.fromkeys(file for given in paths or _kept(workspace) for file in _files(given)):
        name = _name(workspace, path)
        try:
            text = _text(path)
        except OSError as error:
            warnings.append(f"{name} was left out: {error.strerror or error}")
            continue
        if text is not None:
            looked += 1
            leaks += _leaks(name, text, refused)
            unclosed += (Unclosed(name, line) for line in private.unclosed_lines(text))
    return Scanned(looked, tuple(leaks), tuple(unclosed), tuple(warnings))


def _kept(workspace: Workspace) -> Iterator[Path]:
    """Everything that the workspace keeps."""
    found = (workspace.root / name for name in ("memory", *CURATED_FOLDERS, *HOT_FILES, CONFIG_NAME))
    return (path for path in found if path.exists() and not path.is_symlink())


def _files(path: Path) -> Iterator[Path]:
    """A file, or all files below a folder by name; links are not followed."""
    if not path.is_dir():
        yield path
        return
    for top, folders, names in os.walk(path):
        folders.sort()
        found = (Path(top) / name for name in sorted(names))
        yield from (file for file in found if file.is_file() and not file.is_symlink())


def _text(path: Path) -> str | None:
    """The text of a file, None of one that holds none. Raises OSError."""
    size = path.stat().st_size
    if size > LARGEST:
        message = f"it has more than {LARGEST:,} bytes"
        raise OSError(message)
    data = path.read_bytes()
    is_utf16 = data[:2] in (b"\xff\xfe", b"\xfe\xff")
    return None if b"\0" in data[:_BINARY_LOOK] and not is_utf16 else files.decode(data).text


def _leaks(name: str, text: str, refused: Collection[str]) -> Iterator[Leak]:
    masked = secrets.mask(text)
    lines = masked.text.split("\n") if masked.findings else []
    for found in masked.findings:
        if leaks_of.ident(found.kind, text[found.start : found.end]) in refused:
            continue  # somebody said that it is none
        yield Leak(name, found.line, found.kind, lines[found.line - 1].strip()[:_LONGEST_SHOWN])


def _name(workspace: Workspace, path: Path) -> str:
    """A file as people know it: relative to the workspace, or as it was given."""
    resolved, root = path.resolve(), workspace.root.resolve()
    return resolved.relative_to(root).as_posix() if resolved.is_relative_to(root) else str(path)
