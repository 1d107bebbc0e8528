"""
What stood on the page when the agent had to answer: scores that need no model, and bound what any model could reach.

- terms: lower case, runs of [a-z0-9] of two characters or more, without stop words, stemmed (Snowball English).
- keys of a question: terms of what should be recalled and of the answer, without those of the question, those of more
  than a quarter of all sessions, and a few words about the talk itself.
- session@k: one of the question's sessions is among the first k different ones that a search gave.
- evidence: an item of a recall comes from one of the sessions and holds a third of the keys (rounded up, one at least).
- root evidence: a fact of ROOT.md, read with its line's topic, holds half of the keys, and the line points to the day.
- page evidence: one of the last two.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path, PurePosixPath

from benchmarks.memaware.dataset import Question

_STOP = frozenset(
    """a an the is are was were be been being have has had do does did will would could should may might shall can need
    to of in for on with at by from as into through during before after above below between out off over under again
    further then once here there when where why how all both each few more most other some such no nor not only own
    same so than too very just because but and or if while that this it i me my we our you your he him his she her they
    them their what which who whom am im ive id us""".split()
)
_TALK = "previous answer question query information provided enough mentioned asked response given said user"
_COMMON = 0.25
_IN_ITEM = 0.34
_IN_ROOT = 0.5
_PIECE = 400
_LONGEST_LABEL = 80
_DATES = re.compile(r"\d{4}-W\d{2}|\d{4}-\d{2}-\d{2}|(?<![\d-])\d{2}-\d{2}(?![\d-])")


@dataclass(frozen=True, slots=True)
class Item:
    """A passage that was shown: its file relative to the workspace, its lines (1-based, both ends), its text."""

    source: str
    lines: tuple[int, int]
    text: str


@cache
def _stem(word: str) -> str:
    import snowballstemmer

    stemmed: str = snowballstemmer.stemmer("english").stemWord(word)
    return stemmed


def terms(text: str) -> list[str]:
    """The terms of a text in order."""
    return [_stem(word) for word in re.findall(r"[a-z0-9]+", text.lower()) if len(word) > 1 and word not in _STOP]


class Logs:
    """The raw logs: which session each line belongs to, on which days it was, and how common each term is."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self.owners: dict[str, list[str]] = {}
        self.days: defaultdict[str, set[str]] = defaultdict(set)
        texts: defaultdict[str, list[str]] = defaultdict(list)
        for path in paths:
            session, owners = "", [""]
            for line in path.read_text(encoding="utf-8").split("\n"):
                if heading := re.match(r"## Session (\S+)\s*$", line):
                    session = heading[1]
                    self.days[session].add(path.stem)
                owners.append(session)
                texts[session].append(line)
            self.owners[path.stem] = owners
        texts.pop("", None)
        self.sessions = len(texts)
        self.frequency = Counter(term for lines in texts.values() for term in set(terms("\n".join(lines))))

    def sessions_of(self, item: Item) -> set[str]:
        """The sessions that an item's lines touch; only raw logs have any."""
        place = PurePosixPath(item.source)
        owners = self.owners.get(place.stem, []) if place.parent.name == "memory" else []
        first, last = item.lines
        return {session for session in owners[first : last + 1] if session}

    def keys(self, question: Question) -> set[str]:
        """The terms by which the evidence of a question is known."""
        known = {*terms(question.text), *terms(_TALK)}
        wanted = terms(question.should_recall) + terms(question.answer)
        return {t for t in wanted if t not in known and self.frequency[t] <= _COMMON * self.sessions}

    def session_rank(self, question: Question, items: Sequence[Item]) -> int:
        """The place, from 1, of the first session among the different ones of a search that answers; 0 if none does."""
        seen: list[str] = []
        for item in items:
            seen += [session for session in sorted(self.sessions_of(item)) if session not in seen]
        places = [seen.index(session) + 1 for session in question.sessions if session in seen]
        return min(places, default=0)

    def in_items(self, question: Question, items: Iterable[Item]) -> bool:
        """Whether one of the items is evidence."""
        keys = self.keys(question)
        return any(
            question.sessions & self.sessions_of(item) and (not keys or _holds(item.text, keys, _IN_ITEM))
            for item in items
        )

    def in_root(self, question: Question, root: str) -> bool:
        """Whether a fact of ROOT.md is evidence."""
        keys = self.keys(question)
        days = {day for session in question.sessions for day in self.days[session]}
        return any(
            keys and _points_to(line, days) and any(_holds(fact, keys, _IN_ROOT) for fact in _facts(line))
            for line in _root_lines(root)
        )


def wilson(hits: int, total: int) -> tuple[float, float]:
    """The 95 % interval of a rate (Wilson 1927), both ends between 0 and 1; (0, 1) for nothing seen."""
    if not total:
        return 0.0, 1.0
    z = 1.959964
    rate = hits / total
    middle = rate + z * z / (2 * total)
    spread = z * math.sqrt(rate * (1 - rate) / total + z * z / (4 * total * total))
    scale = 1 + z * z / total
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def rates(hits: Mapping[str, bool], questions: Sequence[Question]) -> dict[str, float]:
    """Per cent of the questions with a hit, for each tier and for all; `hits` by question id."""
    table: dict[str, float] = {}
    for tier in ("easy", "medium", "hard", "all"):
        ids = [question.id for question in questions if tier in (question.tier, "all")]
        table[tier] = 100 * sum(hits[ident] for ident in ids) / len(ids) if ids else 0.0
    return table


def _holds(text: str, keys: set[str], share: float) -> bool:
    return len(keys & set(terms(text))) >= max(1, math.ceil(share * len(keys)))


def _root_lines(root: str) -> Iterator[str]:
    for line in root.split("\n"):
        if line.startswith("- "):
            yield from (line[at : at + _PIECE] for at in range(0, len(line), _PIECE))


def _points_to(line: str, days: set[str]) -> bool:
    covers: set[str] = set()
    for day in days:
        year, week, _ = date.fromisoformat(day).isocalendar()
        covers |= {day, day[5:], f"{year}-W{week:02}"}
    return bool(covers & set(_DATES.findall(line)))


def _facts(line: str) -> list[str]:
    label, colon, rest = line.partition(": ")
    if not colon or len(label) > _LONGEST_LABEL:
        label, rest = "", line
    return [f"{label} {fact}" for fact in rest.split(";")]
