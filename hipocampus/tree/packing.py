"""Pack facts into topic lines under a budget of tokens."""

import datetime
import heapq
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hipocampus.text.words import content
from hipocampus.tree.facts import Fact
from hipocampus.tree.grouping import OTHER, Line, chronological, grouped
from hipocampus.tree.lines import ARROW

LONGEST_LINE = 400


@dataclass(frozen=True, slots=True)
class Style:
    """How lines are written: pointers behind each fact or once at the end, with entry ids or days only, ages."""

    inline: bool = True
    ids: bool = True
    today: datetime.date | None = None
    merge: bool = False
    ages: bool = True


def ranked(facts: Sequence[Fact], per_source: float = 0.5, per_day: float = 0.985) -> list[Fact]:
    """Facts in order of what each adds: repeats go, and a source or day that has been heard counts less."""
    heap = [(-fact.weight, at) for at, fact in enumerate(facts)]
    heapq.heapify(heap)
    heard: defaultdict[tuple[str, str], int] = defaultdict(int)
    days: defaultdict[datetime.date | None, int] = defaultdict(int)
    novel = _Novelty()
    out: list[Fact] = []
    while heap:
        key, at = heapq.heappop(heap)
        fact = facts[at]
        value = -fact.weight * per_source ** heard[fact.pointer, fact.topic] * per_day ** days[fact.day]
        if heap and value > heap[0][0] and value > key:
            heapq.heappush(heap, (value, at))
            continue
        if novel.add(fact.text):
            heard[fact.pointer, fact.topic] += 1
            days[fact.day] += 1
            out.append(fact)
    return out


class _Novelty:
    """Remembers what was said, by rare words, so that a repeat is found without comparing all pairs."""

    def __init__(self) -> None:
        self._sets: list[frozenset[str]] = []
        self._by_word: defaultdict[str, list[int]] = defaultdict(list)

    def add(self, text: str) -> bool:
        own = frozenset(content(text)) or frozenset([text])
        hits: defaultdict[int, int] = defaultdict(int)
        for word in own:
            if len(self._by_word[word]) <= 60:
                for at in self._by_word[word]:
                    hits[at] += 1
        for at, shared in hits.items():
            if shared >= 0.7 * min(len(own), len(self._sets[at])) and shared >= 0.5 * len(own):
                return False
        for word in own:
            self._by_word[word].append(len(self._sets))
        self._sets.append(own)
        return True


def fill(facts: Sequence[Fact], budget: int, count: Callable[[str], int], style: Style) -> list[str]:
    """The rendered lines of as many of the facts, taken in order, as fit the budget."""
    low, high = 0, len(facts)
    best: list[str] = []
    while low < high:
        middle = (low + high + 1) // 2
        lines = render_all(facts[:middle], style)
        if count("\n".join(lines) + "\n") <= budget:
            low, best = middle, lines
        else:
            high = middle - 1
    return best


def render_all(facts: Sequence[Fact], style: Style) -> list[str]:
    """Topic lines of the facts, in order of their first day and topic."""
    lines = merged(facts) if style.merge else by_source(facts)
    return [text for line in lines for text in render(line, style)]


def by_source(facts: Sequence[Fact]) -> list[Line]:
    """One line for each source and topic."""
    groups: defaultdict[tuple[str, str], list[Fact]] = defaultdict(list)
    for fact in facts:
        groups[fact.pointer, fact.topic].append(fact)
    keys = sorted(groups, key=lambda key: (str(groups[key][0].day or ""), key))
    return [Line(key[1], tuple(groups[key])) for key in keys]


def merged(facts: Sequence[Fact]) -> list[Line]:
    """Lines by topic, and lines in order of time for what no topic gathers."""
    lines, rest = grouped(facts)
    lines.sort(key=lambda line: line.topic.lower())
    return [*lines, Line(OTHER, tuple(chronological(rest)))] if rest else lines


def render(line: Line, style: Style) -> list[str]:
    """The line as text, in pieces of at most 400 characters."""
    out: list[str] = []
    held: list[Fact] = []
    for fact in line.facts:
        if held and len(_text(line.topic, [*held, fact], style)) > LONGEST_LINE:
            out.append(_text(line.topic, held, style))
            held = []
        held.append(fact)
    return [*out, _text(line.topic, held, style)] if held else out


def _text(topic: str, facts: Sequence[Fact], style: Style) -> str:
    head = f"- {topic}{_mark(facts, style)}: "
    if not style.inline:
        body = "; ".join(fact.text for fact in facts)
        return head + body + _arrow(_pointers([fact.pointer for fact in facts], style))
    parts: list[str] = []
    year = ""
    for at, fact in enumerate(facts):
        last = at + 1 == len(facts) or facts[at + 1].pointer != fact.pointer
        pointers = _pointers([fact.pointer], style, year) if last else ""
        year = fact.pointer[:4] if last and pointers else year
        parts.append(fact.text + _arrow(pointers))
    return head + "; ".join(parts)


def _arrow(pointers: str) -> str:
    return f" {ARROW} {pointers}" if pointers else ""


def _mark(facts: Sequence[Fact], style: Style) -> str:
    kind = "" if facts[0].type == "project" else facts[0].type
    days = [fact.day for fact in facts if fact.day]
    age = f"{(style.today - max(days)).days}d" if style.today and style.ages and days else ""
    inside = ", ".join(part for part in (kind, age) if part)
    return f" [{inside}]" if inside else ""


def _pointers(pointers: Sequence[str], style: Style, year: str = "") -> str:
    seen: dict[str, None] = {}
    for pointer in pointers:
        for part in pointer.split(", "):
            if part:
                seen.setdefault(part if style.ids else part.split("#")[0], None)
    return ", ".join(_shortened(list(seen), str(style.today.year) if style.today else year, fixed=style.today is not None))


def _shortened(pointers: list[str], year: str, *, fixed: bool) -> list[str]:
    """Days of the same year as the one before (or of this year, where that is `fixed`) go without it."""
    out: list[str] = []
    for pointer in pointers:
        dated = re.match(r"\d{4}-\d{2}-\d{2}", pointer) is not None
        out.append(pointer[5:] if dated and pointer[:4] == year else pointer)
        year = pointer[:4] if dated and not fixed else year
    return out
