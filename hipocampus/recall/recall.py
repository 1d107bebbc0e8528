"""Recall: what a prompt should bring to mind, as one block within a budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from hipocampus.layout import Workspace
from hipocampus.log.session_name import heading
from hipocampus.recall import block
from hipocampus.recall.choice import Chosen, choose, sensible
from hipocampus.recall.gate import is_enough, may_need_memory, read_prompt
from hipocampus.recall.lookup import Candidate, Found, Lookup, Tier
from hipocampus.recall.shown import Shown

if TYPE_CHECKING:
    from hipocampus.index.encoders import Encoder

_FRAME = 76
"""Tokens of the block around its lines, and of what it says of the rest."""
ESTIMATED_MORE = 28
"""What these cost more where tokens are estimated."""
_JUDGED = 5
_LONGEST_PROMPT = 20_000


class Trace(NamedTuple):
    """Why an item is there; see `lookup.Candidate`."""

    tier: Tier
    anchors: tuple[str, ...]
    lexical_rank: int
    concept_rank: int
    share: float
    state: str


class Remembered(NamedTuple):
    """One line of the block: `text` is what the agent sees, `lines` the first and last line of `source`, from 1."""

    id: str
    source: str
    lines: tuple[int, int]
    heading: str
    type: str
    date: str
    score: float
    tokens: int
    text: str
    explain: Trace


class Recalled(NamedTuple):
    """
    What a prompt brings to mind.

    `context` is the whole block, "" where nothing is shown; it has at most `tokens`, the sum of what its parts cost.
    `omitted` says how many documents were found and left out. `reason` says why nothing is shown.
    """

    tokens: int
    budget: int
    context: str
    items: tuple[Remembered, ...]
    omitted: int
    reason: str = ""
    notes: tuple[str, ...] = ()


class Recall(NamedTuple):
    """
    The recall of one workspace on one day; with a `session` it shows nothing twice, and remembers what it showed.

    `always` lets pass what the gate takes for a prompt that needs no memory.
    """

    workspace: Workspace
    today: date
    count: Callable[[str], int]
    session: str = ""
    encoder: Encoder | None = None
    always: bool = False

    def find(self, text: str, budget: int) -> Recalled:
        """What a prompt brings to mind, in at most `budget` tokens."""
        prompt = read_prompt(text)
        said = _ends(prompt.text)
        if prompt.skips:
            return _nothing(budget, "the prompt says #skip")
        if not said or (not self.always and not may_need_memory(said)):
            return _nothing(budget, "the prompt says nothing to look up")
        found = Lookup(self.workspace, self.today, self.count, self.encoder).find(said)
        if self.session:
            found = _of_others(found, self.session)
        if not self.always and not _is_needed(said, found.candidates[:_JUDGED]):
            return _nothing(budget, "nothing covers enough of the prompt", found.notes)
        return self._shown(found, budget)

    def _shown(self, found: Found, budget: int) -> Recalled:
        shown = Shown.of(self.workspace, self.session) if self.session else None
        seen = shown.ids() if shown else frozenset()
        fresh = [one for one in found.candidates if one.document.name not in seen]
        room = budget if self.encoder else sensible(budget, found.candidates, found.rarity)
        chosen = choose(fresh, found.rarity, room - _FRAME)
        if not chosen:
            return _nothing(budget, "nothing new was found", found.notes)
        if shown:
            shown.add(one.candidate.document.name for one in chosen)
        items = tuple(self._item(one) for one in _newest_first(chosen))
        tokens = _FRAME + sum(item.tokens for item in items)
        return Recalled(tokens, budget, _context(chosen, fresh), items, len(fresh) - len(chosen), notes=found.notes)

    def _item(self, chosen: Chosen) -> Remembered:
        candidate, document = chosen.candidate, chosen.candidate.document
        text = block.line_of(chosen)
        sides = candidate.lexical_rank, candidate.concept_rank
        trace = Trace(candidate.tier, candidate.anchors, *sides, round(candidate.coverage.share, 3), document.state)
        return Remembered(
            document.pointer,
            document.source,
            document.lines,
            document.heading,
            document.type,
            document.day,
            candidate.score,
            document.tokens + sum(note.tokens for note in chosen.notes),
            text,
            trace,
        )


def _context(chosen: Sequence[Chosen], found: Sequence[Candidate]) -> str:
    taken = {one.candidate.document.name for one in chosen}
    more = [one.document.pointer for one in found if one.document.name not in taken]
    return block.render(map(block.line_of, _newest_first(chosen)), more)


def _newest_first(chosen: Sequence[Chosen]) -> list[Chosen]:
    return sorted(chosen, key=lambda one: one.candidate.document.day, reverse=True)


def _is_needed(text: str, candidates: Sequence[Candidate]) -> bool:
    return any(is_enough(text, one.coverage, written=not one.document.is_session) for one in candidates)


def _of_others(found: Found, session: str) -> Found:
    """What was found without what was said in this session: its model has that before it."""
    own = heading(session)
    return found._replace(candidates=[one for one in found.candidates if one.document.heading != own])


def _ends(text: str) -> str:
    """People ask before or after what they paste."""
    return text if len(text) <= _LONGEST_PROMPT else f"{text[: _LONGEST_PROMPT // 2]}\n{text[-_LONGEST_PROMPT // 2 :]}"


def _nothing(budget: int, reason: str, notes: tuple[str, ...] = ()) -> Recalled:
    return Recalled(0, budget, "", (), 0, reason, notes)
