"""
What an agent sees of its past in each condition, beside the request itself.

The first six are those of the published table: nothing; what a search gives for the request; ROOT.md; both. The last
is what hipocampus does by itself: ROOT.md in the session, and what the prompt hook adds before the agent answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hipocampus.memory import Memory

Look = Literal["none", "bm25", "hybrid", "recall"]
SEARCHED = 5
"""Results of a search that an agent is shown, as in the published runs."""
RECALLED = 1500
"""Tokens that the prompt hook may add."""


@dataclass(frozen=True, slots=True)
class Condition:
    """`tree` puts ROOT.md on the page; `look` is what is looked up for the request."""

    name: str
    tree: bool
    look: Look


CONDITIONS = {
    condition.name: condition
    for condition in (
        Condition("no-memory", tree=False, look="none"),
        Condition("bm25", tree=False, look="bm25"),
        Condition("bm25+vector", tree=False, look="hybrid"),
        Condition("tree", tree=True, look="none"),
        Condition("tree+bm25", tree=True, look="bm25"),
        Condition("tree+vector", tree=True, look="hybrid"),
        Condition("tree+recall", tree=True, look="recall"),
    )
}


@dataclass(frozen=True)
class Page:
    """What stands before the request in one store; `root` is the text of its ROOT.md."""

    memory: Memory
    root: str

    @classmethod
    def of(cls, memory: Memory) -> Page:
        """The page of a compacted store."""
        return cls(memory, memory.workspace.root_node.read_text(encoding="utf-8"))

    def context(self, condition: Condition, request: str) -> str:
        """All that is shown of the past for a request; "" for nothing."""
        parts = [f"Memory index (ROOT.md):\n\n{self.root}"] if condition.tree else []
        found = self._found(condition.look, request)
        return "\n\n".join([*parts, *([found] if found else [])])

    def _found(self, look: Look, request: str) -> str:
        if look == "none":
            return ""
        if look == "recall":
            return self.memory.recall(request, budget=RECALLED).context
        hits = self.memory.search(request, limit=SEARCHED, mode=look).items
        passages = [f"[{item.source}, {item.date or ''}]\n{item.text}" for item in hits]
        return "Results of a memory search:\n\n" + "\n\n".join(passages) if passages else ""
