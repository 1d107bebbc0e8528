"""
Digest lines: `- topic [type]: fact; fact → pointer; fact → pointer`, written and read back.

A type in brackets says that the topic is the title of an entry; without one it was guessed from a transcript.
"""

import datetime
import re

from hipocampus.tree.facts import Fact
from hipocampus.tree.weight import fact_weight

ARROW = "→"
_POINTER = (
    r"(?:\d{4}-\d{2}-\d{2}(?:#[\w.-]+)?|\d{2}-\d{2}(?:#[\w.-]+)?|\d{4}-W\d{2}|\d{4}-\d{2}|[\w./-]+\.md(?:#[\w.-]+)?)"
)
_POINTERS = re.compile(rf"\s*{ARROW}\s*({_POINTER}(?:,\s*{_POINTER})*)\s*(?:;|$)")
_MARK = re.compile(r"\s*\[([a-z]+)?(?:,\s*)?(?:\d+d)?\??\]$")
_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+")
_RANKED = 0.97


def line_facts(line: str, heading: str = "", year: int | None = None) -> list[Fact]:
    """Facts of one line of a node, whoever wrote it.

    Args:
        line: A digest line; without label, pointer or bullet it still counts as facts.
        heading: Topic to use when the line has no label of its own.
        year: The year of pointers such as `05-22` when no pointer before them in the line names one.
    """
    text = _BULLET.sub("", line).strip()
    if not text or text.startswith("#"):
        return []
    label, mark, rest = _label(text)
    found: list[Fact] = []
    start = 0
    for match in _POINTERS.finditer(rest):
        pointers = [part.strip() for part in match[1].split(",")]
        pointers, year = _with_years(pointers, year)
        found.extend(_facts(rest[start : match.start()], label or heading, mark, pointers))
        start = match.end()
    found.extend(_facts(rest[start:], label or heading, mark, []))
    return found


def _label(text: str) -> tuple[str, str, str]:
    label, colon, rest = text.partition(": ")
    if not colon or len(label) > 80 or ";" in label or ARROW in label:
        return "", "", text
    mark = _MARK.search(label)
    return (label[: mark.start()] if mark else label).strip(), mark[1] or "" if mark else "", rest


def _with_years(pointers: list[str], year: int | None) -> tuple[list[str], int | None]:
    out: list[str] = []
    for pointer in pointers:
        if re.match(r"\d{4}-", pointer):
            year = int(pointer[:4])
        elif year is not None and re.match(r"\d{2}-\d{2}", pointer):
            out.append(f"{year}-{pointer}")
            continue
        out.append(pointer)
    return out, year


def _facts(text: str, topic: str, mark: str, pointers: list[str]) -> list[Fact]:
    pointer = ", ".join(pointers)
    parts = [part.strip() for part in text.split(";")]
    told = [part for part in parts if part]
    day = pointer_day(pointer)
    return [
        Fact(part, topic, mark or "project", day, pointer, fact_weight(part) * _RANKED**at, titled=bool(mark))
        for at, part in enumerate(told)
    ]


def pointer_day(pointer: str) -> datetime.date | None:
    """The day that a pointer names first, if any."""
    found = re.search(r"\d{4}-\d{2}-\d{2}", pointer)
    try:
        return datetime.date.fromisoformat(found[0]) if found else None
    except ValueError:
        return None
