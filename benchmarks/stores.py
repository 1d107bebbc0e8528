"""Workspaces that are searched: three months of real logs and years of drawn ones, indexed, and what they are asked."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

from benchmarks import longlogs, measure
from hipocampus import config

TODAY = date(2023, 7, 10)


@dataclass(frozen=True)
class Scratch:
    """Where the data is and where scratch stores go."""

    shared: Path
    scratch: Path
    years: int

    @property
    def sessions(self) -> Path:
        """The raw day logs."""
        return self.shared / "data" / "memaware" / "sessions"

    def workspace(self, name: str, settings: Mapping[str, Any], *, logs: bool = True) -> Path:
        """A fresh workspace with the 91 days."""
        folder = self.scratch / name
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "memory").mkdir(parents=True)
        (folder / "hipocampus.config.json").write_text(config.render(settings))
        for path in sorted(self.sessions.glob("*.md")) if logs else []:
            shutil.copy2(path, folder / "memory")
        return folder


@dataclass(frozen=True)
class Stores(Scratch):
    """The stores of one run, and what they are asked."""

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
        return self.workspace(name, {"search": {"vector": vector, "embedModel": model}}, logs=logs)

    def short(self) -> Path:
        """The 91 days, compacted and indexed by words."""
        return self._ready("short", self.store)

    def long(self) -> Path:
        """Years of days, compacted and indexed by words."""
        return self._ready(f"years{self.years}", self._years)

    def embedded(self, model: str) -> Path:
        """The 91 days after a `sleep`, with vectors of a model."""
        folder = self._ready(f"vectors-{model}", lambda name: self.store(name, vector=True, model=model))
        measure.hipocampus(*at(folder), "sleep")
        return folder

    def _years(self, name: str) -> None:
        folder = self.store(name, logs=False)
        longlogs.write_years(self.sessions, folder / "memory", TODAY, round(365.25 * self.years))

    def _ready(self, name: str, make: Callable[[str], object]) -> Path:
        """A store that is compacted and indexed, made if it is not there from another run."""
        folder = self.scratch / name
        if not (folder / "memory" / "ROOT.md").exists():
            make(name)
            measure.hipocampus(*at(folder), "compact")
        measure.hipocampus(*at(folder), "index", "update")
        return folder


def at(store: Path) -> tuple[str, ...]:
    """The options that name a store and the day."""
    return "-C", str(store), "--today", str(TODAY), "--json"
