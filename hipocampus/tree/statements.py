"""Facts of a structured entry: one statement a bullet, sentence or table row, decisions and open items first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date

from hipocampus.text.sentences import sentences
from hipocampus.tree.facts import Fact
from hipocampus.tree.weight import fact_weight

LONGEST_STATEMENT = 240
# How much a statement counts by the field it stands in; the words that stay in front of it in a node.
_FIELDS: dict[str, tuple[float, str]] = {
    "decision": (1.0, "decided: "),
    "decisions": (1.0, "decided: "),
    "outcome": (1.4, ""),
    "outcomes": (1.4, ""),
    "open": (1.0, "open: "),
    "deadline": (1.0, "deadline: "),
    "analysis": (0.7, ""),
    "request": (1.0, "asked: "),
    "reference": (1.0, "see "),
    "references": (1.0, "see "),
}
_PLAIN = (1.0, "")
_NEXT, _LEAST = 0.65, 0.4
_FIELD = re.compile(r"(?P<name>[a-z-]{4,12}): +(?P<rest>.+)", re.DOTALL)
_BULLET = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
_RULE_LINE = re.compile(r"[\s|:=*_-]+$")
_BOUNDARY = re.compile(
    r"(?:[,;:.]| [–—-]| \(| (?:because|so that|which|while|but|and|with|until|after|before)\b)(?=\s)"
)


def entry_facts(title: str, kind: str, body: str, day: date | None, pointer: str) -> list[Fact]:
    """
    The statements of an entry's lines, most telling first; each at most 240 characters.

    Bullets go on over indented lines, a `;` separates statements, a table row is one.
    """
    topic = topic_of(title)
    found: dict[str, float] = {}
    told: Counter[str] = Counter()
    for statement in _statements(body.split("\n")):
        factor, prefix, said = _field_of(statement)
        for part in (p.strip() for p in said.split(";")):
            text = clipped(prefix + part if part else "", LONGEST_STATEMENT)
            if any(letter.isalnum() for letter in text):
                found.setdefault(text, fact_weight(text, own=True) * factor * falling(told[prefix]))
                told[prefix] += 1
    facts = [Fact(text, topic, kind, day, pointer, round(weight, 4), titled=True) for text, weight in found.items()]
    return sorted(facts, key=lambda fact: -fact.weight)


def falling(before: int) -> float:
    """Factor of a statement with `before` others of its kind in front of it: people say the main thing first."""
    return max(_LEAST, _NEXT**before)


def topic_of(title: str) -> str:
    """A title as the label of a digest line, where `: ` and `;` have a meaning."""
    return title.replace(": ", " – ").replace(";", ",").strip() or "Notes"


def clipped(text: str, longest: int) -> str:
    """A text of at most `longest` characters, cut where a clause ends, else at a word."""
    if len(text) <= longest:
        return text
    ends = [match.start() for match in _BOUNDARY.finditer(text, longest // 2, longest)]
    cut = ends[-1] if ends else text.rfind(" ", longest // 2, longest - 1)
    head = text[: cut if cut > 0 else longest - 1].rstrip(" ,;:.(–—-")
    return head if ends and _balanced(head) else f"{head}…"


def _statements(lines: Iterable[str]) -> Iterator[str]:
    held: list[str] = []
    for line in lines:
        starts = _BULLET.match(line)
        if held and not starts and line[:1] in (" ", "\t") and line.strip():
            held.append(line.strip())
            continue
        yield from _said(held)
        held = [line[starts.end() :].strip()] if starts else []
        if not starts and line.strip() and not _RULE_LINE.match(line):
            yield from _unbulleted(line.strip())
    yield from _said(held)


def _said(held: list[str]) -> Iterator[str]:
    if held and any(held):
        yield " ".join(held)


def _unbulleted(line: str) -> Iterator[str]:
    if line.startswith("|"):
        yield ", ".join(cell.strip() for cell in line.strip("|").split("|") if cell.strip())
    elif not line.startswith("#"):
        yield from sentences(line)


def _field_of(statement: str) -> tuple[float, str, str]:
    match = _FIELD.match(statement)
    if match and match["name"] in _FIELDS:
        return (*_FIELDS[match["name"]], match["rest"])
    return (*_PLAIN, statement)


def _balanced(text: str) -> bool:
    return text.count("(") == text.count(")") and text.count('"') % 2 == 0
