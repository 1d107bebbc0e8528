"""What `sleep` runs: compaction, index, concepts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from hipocampus.config import Config
from hipocampus.index.search import Search, Updated
from hipocampus.index.sources import list_sources
from hipocampus.index.updater import Progress
from hipocampus.layout import Workspace
from hipocampus.sleep.concepts import Built, ConceptBuilder
from hipocampus.tree.compaction import Compacted, Compaction


@dataclass(frozen=True, slots=True)
class Slept:
    """What a night did; without search there is neither index nor concepts, without a disk there are no concepts."""

    compacted: Compacted
    indexed: Updated | None
    concepts: Built | None


@dataclass(frozen=True, slots=True)
class Night:
    """The nightly job of one workspace."""

    workspace: Workspace
    config: Config
    now: datetime
    count: Callable[[str], int]
    progress: Progress

    def run(self) -> Slept:
        """Compact, index, and find concepts, in this order. Raises StoreBusy, StoreNotWritable."""
        compacted = Compaction(self.workspace, self.config, self.now, self.count, self._compacting).run()
        if not self.config["search.enabled"]:
            return Slept(compacted, None, None)
        today = self.now.date()
        search = Search(self.workspace, self.config, today, self.count, self.progress)
        indexed = search.update()
        index = search.opened()
        sources = list_sources(self.workspace, today).found
        held = index.engine, search.concept_encoder(), index.languages
        builder = ConceptBuilder(self.workspace, sources, *held, self.count, self.progress)
        return Slept(compacted, indexed, builder.run())

    def _compacting(self, name: str) -> None:
        self.progress(f"compacting {name}", 0, 1)
