"""Workspaces that are searched: three months of real logs and years of drawn ones, indexed, and what they are asked."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

from benchmarks import longlogs, measure
from hipocampus import config

TODAY = date(2023, 7, 10)


@dataclass(frozen=True)
class Stores:
    """Where the data is and where scratch stores go."""

    shared: Path
    scratch: Path
    years: int

    @property
    def sessions(self) -> Path:
        """The raw day logs."""
        return self.shared / "data" / "memaware" / "sessions"

    @property
    def questions_file(self) -> Path:
        """The questions with their answers."""
        return self.shared / "data" / "memaware" / "questions-dev.json"

    @cached_property
    def questions(self) -> list[dict[str, Any]]:
        """The dev half of the questions."""
        found: list[dict[str, Any]] = json.loads(self.questions_file.read_text(encoding="utf-8"))
        return found

    @property
    def texts(self) -> list[str]:
        """What is asked."""
        return [question["question"] for question in self.questions]

    def store(self, name: str, *, vector: bool = False, model: str = "auto", logs: bool = True) -> Path:
        """A fresh workspace with the 91 days."""
        folder = self.scratch / name
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "memory").mkdir(parents=True)
        settings = {"search": {"vector": vector, "embedModel": model}}
        (folder / "hipocampus.config.json").write_text(config.render(settings))
        for path in sorted(self.sessions.glob("*.md")) if logs else []:
            shutil.copy2(path, folder / "memory")
        return folder

    def short(self) -> Path:
        """The 91 days, compacted and indexed by words."""
        folder = self.scratch / "short"
        if not (folder / "memory" / "ROOT.md").exists():
            self.store(folder.name)
            measure.hipocampus(*at(folder), "compact")
        measure.hipocampus(*at(folder), "index", "update")
        return folder

    def long(self) -> Path:
        """Years of days, compacted and indexed by words."""
        folder = self.scratch / f"years{self.years}"
        if not (folder / "memory" / "ROOT.md").exists():
            self.store(folder.name, logs=False)
            longlogs.write_years(self.sessions, folder / "memory", TODAY, round(365.25 * self.years))
            measure.hipocampus(*at(folder), "compact")
        measure.hipocampus(*at(folder), "index", "update")
        return folder

    def embedded(self, model: str) -> Path:
        """The 91 days, compacted, with vectors of a model."""
        folder = self.scratch / f"vectors-{model}"
        if not (folder / "memory" / "ROOT.md").exists():
            self.store(folder.name, vector=True, model=model)
            measure.hipocampus(*at(folder), "compact")
        measure.hipocampus(*at(folder), "index", "update")
        return folder


def at(store: Path) -> tuple[str, ...]:
    """The options that name a store and the day."""
    return "-C", str(store), "--today", str(TODAY), "--json"
