"""For tests of forgetting: a memory in a scratch folder, driven by the five calls that such tests are written in."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hipocampus.errors import NotFound
from hipocampus.governance import redaction
from hipocampus.governance.amendment import Amendment
from hipocampus.governance.gate import Draft
from hipocampus.layout import CONFIG_NAME, Workspace
from hipocampus.log.daylog import list_days
from hipocampus.memory import Memory


class ForgetAdapter:
    """
    A fresh memory that facts are written into, taken back from, and asked.

        adapter = ForgetAdapter()
        adapter.inscribe("Dana lives in Berlin.")
        adapter.release("Dana")
        assert adapter.recall_texts("Who lives in Berlin?") == []

    All of it goes the way of the command line: files, ledger, index. Use it as a context manager, or call `close`.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="hipocampus-")) if folder is None else folder
        self._is_own = folder is None
        self._memory: Memory
        self.reset()

    def __enter__(self) -> ForgetAdapter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the scratch folder."""
        if self._is_own:
            shutil.rmtree(self._folder, ignore_errors=True)

    def reset(self) -> None:
        """Begin with an empty memory."""
        shutil.rmtree(self._folder, ignore_errors=True)
        (self._folder / "memory").mkdir(parents=True)
        (self._folder / CONFIG_NAME).write_text("{}\n", encoding="utf-8")
        self._memory = Memory(Workspace(self._folder))

    def inscribe(self, text: str) -> None:
        """Store a fact."""
        self._memory.checkpoint(Draft("", text), actor="user")

    def recall_texts(self, query: str, k: int = 10) -> list[str]:
        """The texts of the `k` best answers: what the search finds, then the newest of the rest."""
        found = [item.text for item in self._memory.search(query, limit=k).items]
        rest = [text for text in reversed(self._stated()) if text not in found]
        return [*found, *rest][:k]

    def _stated(self) -> list[str]:
        """What is stated, oldest first, as every reader sees it."""
        days = list_days(self._memory.workspace, self._memory.clock.today()).days
        entries = [entry for day, path in days for entry in redaction.read_day(path, day)]
        return ["\n".join(filter(None, [entry.title, entry.body.strip()])) for entry in entries]

    def supersede(self, old_query: str, new_text: str) -> None:
        """Put a new fact in the place of what a query names; where it names nothing, the new fact is only stored."""
        try:
            self._amend("correct", old_query, new_text)
        except NotFound:
            self.inscribe(new_text)

    def release(self, query: str) -> None:
        """Hide what a query names; can be undone."""
        self._amend_if_there("release", query)

    def purge(self, query: str) -> None:
        """Remove what a query names for good."""
        self._amend_if_there("purge", query)

    def _amend_if_there(self, kind: Amendment, query: str) -> None:
        try:
            self._amend(kind, query)
        except NotFound:
            return

    def _amend(self, kind: Amendment, query: str, new: str = "") -> None:
        governance = self._memory.governance
        governance.carry_out(governance.plan(kind, query, new=new), actor="user", path="test")
