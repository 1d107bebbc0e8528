"""The model-free scores of a dataset in all conditions: which lists are asked, what stood in each, what it cost."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.memaware.dataset import Question
from benchmarks.memaware.evidence import Item, Logs, rates, wilson
from hipocampus.memory import Memory

_ITEMS = 50
SEARCHES = ("bm25", "vector", "hybrid", "fast")
RECALLS = (("none", 500), ("none", 1500), ("none", 3000), ("auto", 1500), ("auto", 3000))
PAGES = ((3000, 1500), (10000, 3000))
"""ROOT.md and recall, in tokens, that stand on one page."""


@dataclass(frozen=True, slots=True)
class Score:
    """Per cent by tier and of all, the 95 % interval of the last, and median tokens on the page where they count."""

    what: str
    percent: Mapping[str, float]
    interval: tuple[float, float]
    tokens: float | None


@dataclass(frozen=True)
class Scorer:
    """Questions, their logs, and the stores: one by the budget of its ROOT.md; `progress` is told what is asked."""

    questions: Sequence[Question]
    logs: Logs
    stores: Mapping[int, Memory]
    progress: Callable[[str], None]

    def run(self) -> list[Score]:
        """All scores, in the order of a table."""
        scores: list[Score] = []
        for mode in SEARCHES:
            scores += self._searched(mode)
        recalled = {(encoder, budget): self._recalled(encoder, budget) for encoder, budget in RECALLS}
        for (encoder, budget), (hits, tokens) in recalled.items():
            beside = "" if encoder == "none" else ", with the encoder"
            scores.append(self._score(f"evidence, recall of {budget:,} tokens{beside}", hits, tokens))
        roots = {budget: self._rooted(budget) for budget in self.stores}
        for budget, (hits, size) in roots.items():
            scores.append(self._score(f"root evidence, ROOT.md of {budget:,} tokens", hits, size))
        for root, budget in PAGES:
            (in_root, size), (in_recall, tokens) = roots[root], recalled["none", budget]
            page = {ident: hit or in_recall[ident] for ident, hit in in_root.items()}
            scores.append(self._score(f"page evidence, ROOT.md {root:,} + recall {budget:,}", page, size + tokens))
        return scores

    def _searched(self, mode: str) -> list[Score]:
        self.progress(f"search {mode}")
        memory = next(iter(self.stores.values()))
        ranks = {q.id: self._rank(memory, q, mode) for q in self.questions}
        return [
            self._score(f"session@{k}, search {mode}", {ident: 0 < rank <= k for ident, rank in ranks.items()}, None)
            for k in (5, 20)
        ]

    def _rank(self, memory: Memory, question: Question, mode: str) -> int:
        found = memory.search(question.text, limit=_ITEMS, mode=mode).items  # type: ignore[arg-type]
        return self.logs.session_rank(question, [Item(i.source, i.lines, i.text) for i in found])

    def _recalled(self, encoder: str, budget: int) -> tuple[dict[str, bool], float]:
        self.progress(f"recall, encoder {encoder}, {budget} tokens")
        memory = next(iter(self.stores.values()))
        hits, tokens = {}, []
        for question in self.questions:
            found = memory.recall(question.text, budget=budget, encoder=encoder)
            tokens.append(found.tokens)
            items = [Item(i.source, i.lines, i.text) for i in found.items]
            hits[question.id] = self.logs.in_items(question, items)
        return hits, statistics.median(tokens)

    def _rooted(self, budget: int) -> tuple[dict[str, bool], float]:
        memory = self.stores[budget]
        root = memory.workspace.root_node.read_text(encoding="utf-8")
        return {q.id: self.logs.in_root(q, root) for q in self.questions}, memory.count(root)

    def _score(self, what: str, hits: Mapping[str, bool], tokens: float | None) -> Score:
        return Score(what, rates(hits, self.questions), wilson(sum(hits.values()), len(hits)), tokens)


def store_at(folder: Path, logs: Sequence[Path], root_tokens: int) -> None:
    """A workspace with the logs of a dataset, to be compacted; what is there already stays."""
    import shutil

    from hipocampus import config

    (folder / "memory").mkdir(parents=True, exist_ok=True)
    settings = {"platform": [], "compaction": {"rootMaxTokens": root_tokens}}
    (folder / "hipocampus.config.json").write_text(config.render(settings), encoding="utf-8")
    for path in logs:
        if not (folder / "memory" / path.name).exists():
            shutil.copy2(path, folder / "memory")
