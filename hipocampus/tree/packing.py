"""Pack facts into topic lines under a budget of tokens."""

import datetime
import heapq
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

from hipocampus.text.words import content
from hipocampus.tree.facts import Fact
from hipocampus.tree.fitting import largest_fitting
from hipocampus.tree.grouping import OTHER, Line, chronological, grouped
from hipocampus.tree.lines import ARROW

LONGEST_LINE = 400
TOKENS_A_FACT = 14
_PER_SOURCE = 0.5
_TOO_FREQUENT = 60
# Share of words that two facts have in common when they say the same.
_SAME = 0.7
# Words of a fact that nobody writes under two titles by chance.
_LONG = 6
# Facts that differ only in numbers: from here on they are a list, not news.
_MOST_OF_A_FORM = 6


@dataclass(frozen=True, slots=True)
class Style:
    """
    How lines are written.

    `inline` puts pointers behind each fact and not once at the end, `ids` keeps the entry in a pointer and
    not only the day, `today` adds ages, `merge` brings facts of several sources together under one topic.
    With `today`, references older than `reference_days` get a `?`.
    """

    inline: bool = True
    ids: bool = True
    today: datetime.date | None = None
    merge: bool = False
    reference_days: int = 0


def ranked(weights: Sequence[float], fact: Callable[[int], Fact], most: int) -> list[Fact]:
    """
    The first `most` facts in order of what each adds: repeats go, and a source that was heard counts half.

    `fact` gives the fact of an index; it is asked only for those that come into question.
    """
    heap = [(-weight, at) for at, weight in enumerate(weights)]
    heapq.heapify(heap)
    heard: defaultdict[tuple[str, str], int] = defaultdict(int)
    novel = _Novelty()
    out: list[Fact] = []
    while heap and len(out) < most:
        key, at = heapq.heappop(heap)
        found = fact(at)
        value = -weights[at] * (_PER_SOURCE ** heard[found.pointer, found.topic] if "#" in found.pointer else 1.0)
        if heap and value > heap[0][0] and value > key:
            heapq.heappush(heap, (value, at))
            continue
        if novel.add(found.text, found.topic if found.titled else ""):
            heard[found.pointer, found.topic] += 1
            out.append(found)
    return out


class _Novelty:
    """Remembers what was said, by rare words, so that a repeat is found without comparing all pairs."""

    def __init__(self) -> None:
        self._sets: list[tuple[frozenset[str], str]] = []
        self._by_word: defaultdict[str, list[int]] = defaultdict(list)
        self._forms: Counter[frozenset[str]] = Counter()

    def add(self, text: str, title: str = "") -> bool:
        """Whether the text says something new; then it is remembered. Under another title only long texts repeat."""
        own = frozenset(content(text)) or frozenset([text])
        form = frozenset(word for word in own if not word[0].isdigit())
        self._forms[form] += 1
        if self._forms[form] > _MOST_OF_A_FORM:
            return False
        holders = (self._by_word[word] for word in own)
        hits = Counter(chain.from_iterable(held for held in holders if len(held) <= _TOO_FREQUENT))
        least = 0.5 * len(own)
        for at, shared in hits.items():
            if shared >= least and _repeats(own, title, *self._sets[at], shared):
                return False
        for word in own:
            self._by_word[word].append(len(self._sets))
        self._sets.append((own, title))
        return True


def _repeats(own: frozenset[str], title: str, other: frozenset[str], other_title: str, shared: int) -> bool:
    if title != other_title:
        return shared == len(own) >= _LONG
    return shared >= _SAME * min(len(own), len(other))


def fill(facts: Sequence[Fact], budget: int, count: Callable[[str], int], style: Style) -> str:
    """The rendered lines of as many of the facts, taken in order, as fit the budget."""

    def rendered(number: int) -> str:
        return "".join(f"{line}\n" for line in render_all(facts[:number], style))

    return largest_fitting(len(facts), rendered, count, budget, budget // TOKENS_A_FACT)


def render_all(facts: Sequence[Fact], style: Style) -> list[str]:
    """Topic lines of the facts: by source in order of time, or by topic where sources are merged."""
    titled = by_source([fact for fact in facts if fact.titled])
    others = [fact for fact in facts if not fact.titled]
    lines = [*titled, *(merged(others) if style.merge else by_source(others))]
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
    """`[type, 12d]`: the type, the age of the newest fact, and `?` for a reference nobody mentions any more."""
    shown = facts[0].type != "project" or (facts[0].titled and not style.today)
    kind = facts[0].type if shown else ""
    days = [fact.day for fact in facts if fact.day]
    old = (style.today - max(days)).days if style.today and days else None
    doubt = "?" if kind == "reference" and old is not None and old > style.reference_days else ""
    inside = ", ".join(part for part in (kind, "" if old is None else f"{old}d{doubt}") if part)
    return f" [{inside}]" if inside else ""


def _pointers(pointers: Sequence[str], style: Style, year: str = "") -> str:
    seen: dict[str, None] = {}
    for pointer in pointers:
        for part in pointer.split(", "):
            if part:
                seen.setdefault(part if style.ids else part.split("#")[0], None)
    first = str(style.today.year) if style.today else year
    return ", ".join(_shortened(list(seen), first, fixed=style.today is not None))


def _shortened(pointers: list[str], year: str, *, fixed: bool) -> list[str]:
    """Days of the same year as the one before (or of this year, where that is `fixed`) go without it."""
    out: list[str] = []
    for pointer in pointers:
        dated = re.match(r"\d{4}-\d{2}-\d{2}", pointer) is not None
        out.append(pointer[5:] if dated and pointer[:4] == year else pointer)
        year = pointer[:4] if dated and not fixed else year
    return out
