"""What an edit made beside its own values: containers that are to vanish, or to be empty in their old way, again."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Made:
    """
    A container that was missing or empty before our values went into it.

    `path` are keys from the root; `inside` is what stood between its brackets, None where there was no such
    container. With an empty `path` and `inside` set to None the whole file was `text`, which held no value.
    """

    path: tuple[str, ...]
    inside: str | None
    text: str = ""


def is_new(path: tuple[str, ...], made: tuple[Made, ...]) -> bool:
    """Whether we made the container at a path, or one around it."""
    return any(one.inside is None and path[: len(one.path)] == one.path for one in made)
