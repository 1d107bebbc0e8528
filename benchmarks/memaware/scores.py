"""The model-free scores of a dataset in all conditions: which lists are asked, what stood in each, what it cost."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.memaware.dataset import Question
from benchmarks.memaware.evidence import Item, Logs, rates, wilson
from hipocampus.index.encoders import Encoder, load_encoder
from hipocampus.index.home import encoder_cache
from hipocampus.index.question import VECTORS, Mode, answers
from hipocampus.index.question import Question as Asked
from hipocampus.index.ranking import Weights
from hipocampus.index.search_index import SearchIndex
from hipocampus.memory import Memory
from hipocampus.recall.recall import Recall

_ITEMS = 50
SEARCHES: tuple[Mode, ...] = ("bm25", "vector", "hybrid", "fast")
HOOK = 1500
"""Tokens that the prompt hook may add."""
PAGES = ((3000, 1500), (10000, 3000))
"""ROOT.md and recall, in tokens, that stand on one page."""
PROMPTS = Path(__file__).parent.parent / "prompts"
"""Prompts that need no memory, a line each, by length."""


@dataclass(frozen=True, slots=True)
class Score:
    """
    Per cent by tier and of all, the 95 % interval of the last, and median tokens on the page where they count.

    `found_tokens` is the median where the evidence was found.
    """

    what: str
    percent: Mapping[str, float]
    interval: tuple[float, float]
    tokens: float | None = None
    found_tokens: float | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """What recalls gave: by question id whether the evidence was among it, and its tokens."""

    hits: Mapping[str, bool]
    tokens: Mapping[str, int]


@dataclass(frozen=True)
class Scorer:
    """Questions, their logs, and the stores: one by the budget of its ROOT.md; `progress` is told what is asked."""

    questions: Sequence[Question]
    logs: Logs
    stores: Mapping[int, Memory]
    progress: Callable[[str], None]

    def run(self) -> list[Score]:
        """All scores, in the order of a table."""
        encoder = load_encoder("auto", cache=encoder_cache(self._first.workspace))
        scores = [score for mode in SEARCHES for score in self._searched(mode, encoder)]
        recalls = {budget: self._recalled(self._recall(), budget) for _, budget in PAGES}
        for budget, shown in recalls.items():
            scores.append(self._of_recall(f"evidence, recall of {budget:,} tokens", shown))
        ungated = self._recalled(self._recall(always=True), HOOK)
        scores.append(self._of_recall(f"evidence, recall of {HOOK:,} tokens, without the gate", ungated))
        encoded = self._recalled(self._recall(encoder), HOOK)
        scores.append(self._of_recall(f"evidence, recall of {HOOK:,} tokens, with the encoder", encoded))
        roots = {budget: self._rooted(budget) for budget in self.stores}
        for budget, (hits, size) in roots.items():
            scores.append(self._score(f"root evidence, ROOT.md of {budget:,} tokens", hits, size))
        for root, budget in PAGES:
            scores.append(self._page(root, budget, *roots[root], recalls[budget]))
        return [*scores, *map(self._kept_quiet, ("long", "short"))]

    @property
    def _first(self) -> Memory:
        return next(iter(self.stores.values()))

    def _searched(self, mode: Mode, encoder: Encoder | None) -> list[Score]:
        self.progress(f"search {mode}")
        memory = self._first
        index = SearchIndex(memory.workspace, memory.clock.today(), memory.count)
        index.refresh()
        index.encoder = encoder if mode in VECTORS else None
        ranks = {question.id: self._rank(index, question, mode) for question in self.questions}
        return [
            self._score(f"session@{k}, search {mode}", {ident: 0 < rank <= k for ident, rank in ranks.items()})
            for k in (5, 20)
        ]

    def _rank(self, index: SearchIndex, question: Question, mode: Mode) -> int:
        found = [one.hit.chunk for one in answers(index, Asked(question.text, _ITEMS, mode), Weights())]
        items = [Item(chunk.source, (chunk.first_line, chunk.last_line), chunk.text) for chunk in found]
        return self.logs.session_rank(question, items)

    def _recall(self, encoder: Encoder | None = None, *, always: bool = False) -> Recall:
        memory = self._first
        return Recall(memory.workspace, memory.clock.today(), memory.count, encoder=encoder, always=always)

    def _recalled(self, recall: Recall, budget: int) -> Shown:
        self.progress(f"recall of {budget} tokens, encoder {bool(recall.encoder)}, gate {not recall.always}")
        hits, tokens = {}, {}
        for question in self.questions:
            found = recall.find(question.text, budget)
            items = [Item(item.source, item.lines, item.text) for item in found.items]
            hits[question.id], tokens[question.id] = self.logs.in_items(question, items), found.tokens
        return Shown(hits, tokens)

    def _rooted(self, budget: int) -> tuple[dict[str, bool], int]:
        memory = self.stores[budget]
        root = memory.workspace.root_node.read_text(encoding="utf-8")
        return {q.id: self.logs.in_root(q, root) for q in self.questions}, memory.count(root)

    def _page(self, root: int, budget: int, hits: Mapping[str, bool], size: int, recalled: Shown) -> Score:
        on_page = {ident: hit or recalled.hits[ident] for ident, hit in hits.items()}
        tokens = size + statistics.median(recalled.tokens.values())
        return self._score(f"page evidence, ROOT.md {root:,} + recall {budget:,}", on_page, tokens)

    def _kept_quiet(self, length: str) -> Score:
        self.progress(f"{length} prompts that need no memory")
        prompts = (PROMPTS / f"{length}.txt").read_text(encoding="utf-8").splitlines()
        recall = self._recall()
        quiet = sum(not recall.find(prompt, HOOK).items for prompt in prompts)
        what = f"nothing shown, {len(prompts)} {length} prompts that need no memory"
        return Score(what, {"all": 100 * quiet / len(prompts)}, wilson(quiet, len(prompts)))

    def _of_recall(self, what: str, shown: Shown) -> Score:
        where_found = [shown.tokens[ident] for ident, hit in shown.hits.items() if hit]
        found = statistics.median(where_found) if where_found else None
        return self._score(what, shown.hits, statistics.median(shown.tokens.values()), found)

    def _score(
        self, what: str, hits: Mapping[str, bool], tokens: float | None = None, found: float | None = None
    ) -> Score:
        return Score(what, rates(hits, self.questions), wilson(sum(hits.values()), len(hits)), tokens, found)


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
