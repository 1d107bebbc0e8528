"""
The dataset: raw day logs and questions whose answers stand in them.

MemAware (MIT, github.com/kevin-hs-sohn/memaware) holds `data/sessions/YYYY-MM-DD.md` and `data/questions.json`.
`prepare` copies what is needed into a folder outside of this repository; nothing of it is ever committed here.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

TIERS = ("easy", "medium", "hard")
REPOSITORY = Path(__file__).parent.parent.parent


class DatasetError(Exception):
    """A folder is not a MemAware dataset; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Question:
    """A request, what an aware agent recalls at it, why, and the sessions in which that was said."""

    id: str
    tier: str
    text: str
    answer: str
    should_recall: str
    connection: str
    sessions: frozenset[str]


@dataclass(frozen=True)
class Dataset:
    """A prepared folder: `sessions/*.md` and `questions.json`."""

    folder: Path

    @property
    def logs(self) -> list[Path]:
        """The raw day logs, oldest first."""
        return sorted((self.folder / "sessions").glob("????-??-??.md"))

    @property
    def today(self) -> date:
        """The day on which the questions are asked: ten days after the last log."""
        return date.fromisoformat(self.logs[-1].stem) + timedelta(days=10)

    @cached_property
    def questions(self) -> list[Question]:
        """The questions in the order of the file. Raises DatasetError."""
        path = self.folder / "questions.json"
        try:
            rows = json.loads(path.read_text(encoding="utf-8"))
            return [_question(row) for row in rows]
        except (OSError, ValueError, KeyError, TypeError) as error:
            message = f"{path} can't be used: {error}"
            raise DatasetError(message) from error


def prepare(clone: Path, folder: Path, questions: Path | None = None) -> Dataset:
    """
    Copy logs and questions of a clone of the public dataset into `folder`.

    `questions` replaces the clone's own file, for one half of them, say. Raises DatasetError.
    """
    if folder.resolve().is_relative_to(REPOSITORY):
        message = f"{folder} lies in this repository; the dataset stays outside of it"
        raise DatasetError(message)
    source = next((place for place in (clone / "data", clone) if (place / "sessions").is_dir()), None)
    if source is None:
        message = f"{clone} has no folder data/sessions: give a clone of github.com/kevin-hs-sohn/memaware"
        raise DatasetError(message)
    (folder / "sessions").mkdir(parents=True, exist_ok=True)
    for path in sorted((source / "sessions").glob("????-??-??.md")):
        shutil.copy2(path, folder / "sessions")
    shutil.copy2(questions or source / "questions.json", folder / "questions.json")
    dataset = Dataset(folder)
    if not dataset.logs or not dataset.questions:
        message = f"{clone} holds no logs or no questions"
        raise DatasetError(message)
    return dataset


def counts(questions: Iterable[Question]) -> dict[str, int]:
    """How many questions each tier has."""
    found = dict.fromkeys(TIERS, 0)
    for question in questions:
        found[question.tier] += 1
    return found


def _question(row: Mapping[str, Any]) -> Question:
    return Question(
        id=row["question_id"],
        tier=row["difficulty"],
        text=row["question"],
        answer=str(row["answer"]),
        should_recall=row["should_recall"],
        connection=row.get("connection", ""),
        sessions=frozenset(row["answer_session_ids"]),
    )
