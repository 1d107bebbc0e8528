"""A store in a temporary folder: raw logs written by hand, compacted on days of the test's choice."""

from __future__ import annotations

import json
import os
import random
import shutil
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from hipocampus.clock import Clock
from hipocampus.layout import Workspace
from hipocampus.memory import Memory
from hipocampus.text import front_matter

if TYPE_CHECKING:
    from hipocampus.tree.compaction import Compacted

CASES = Path(__file__).parent.parent / "cases"
LONG_AGO = 1_600_000_000
NAMES = ("Ada", "Priya", "Jonas", "Minh", "Olu", "Søren", "佐藤", "김민수")
PLACES = ("Lisbon", "Nairobi", "Kyoto", "Bergen", "Quito", "Tallinn", "Dakar", "Perth", "Oaxaca")
THINGS = ("gateway", "invoice", "parser", "migration", "dashboard", "queue", "sensor", "contract", "index", "cache")
DEEDS = ("sold", "painted", "measured", "rented", "translated", "welded", "audited", "sketched", "mapped", "tuned")
KINDS = ("project", "project", "project", "reference", "feedback", "user")


def _sentence(dice: random.Random) -> str:
    name, place, thing, deed = (dice.choice(words) for words in (NAMES, PLACES, THINGS, DEEDS))
    forms = (
        f"{name} {deed} a {thing} for {dice.randint(2, 900)} dollars in {place}",
        f"my {thing} takes {dice.randint(2, 90)} minutes since {name} moved to {place}",
        f"decisions: {thing} {dice.randint(1, 9)}.{dice.randint(0, 9)} over the {deed} one, because {name} asked",
        f"outcome: the {thing} of {place} was {deed}, {dice.randint(1, 99)} % faster",
    )
    return dice.choice(forms)


@dataclass
class Store:
    """The folder of a workspace and what tests do to it."""

    root: Path
    ticks: int = field(default=0)

    @property
    def memory(self) -> Path:
        return self.root / "memory"

    def configure(self, **settings: object) -> None:
        """`configure(rootMaxTokens=500)`."""
        (self.root / "hipocampus.config.json").write_text(json.dumps({"compaction": settings}))

    def write(self, name: str, text: str | bytes) -> Path:
        """A file with a time of its own in the past, so that a compaction may trust what it remembers of it."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape"))
        self.ticks += 1
        os.utime(path, (LONG_AGO + self.ticks, LONG_AGO + self.ticks))
        return path

    def log(self, day: str, text: str | bytes) -> Path:
        return self.write(f"memory/{day}.md", text)

    def entry(self, day: str, title: str, *lines: str, kind: str = "project") -> Path:
        """One more entry in a raw log, as a person would write it."""
        path = self.memory / f"{day}.md"
        present = path.read_text() if path.exists() else f"# {day}\n"
        body = "".join(f"- {line}\n" for line in lines)
        return self.log(day, f"{present}\n## {title} [{kind}]\n{body}")

    def chatter(self, day: str, dice: random.Random, entries: int = 6, lines: int = 12) -> None:
        """Made-up work of a small team, no two lines alike."""
        for _ in range(entries):
            said = [_sentence(dice) for _ in range(lines)]
            self.entry(day, f"{dice.choice(THINGS).title()} {dice.randint(1, 9)}", *said, kind=dice.choice(KINDS))

    def at(self, today: str, hour: int = 12) -> Memory:
        """The memory on a day."""
        instant = datetime.combine(date.fromisoformat(today), time(hour), UTC)
        return Memory(Workspace(self.root), clock=Clock(UTC, instant=lambda: instant))

    def compact(self, today: str, **options: Any) -> Compacted:
        return self.at(today).compact(**options)

    def text(self, name: str) -> str:
        """A file below `memory/`."""
        return (self.memory / name).read_bytes().decode("utf-8", "surrogateescape")

    def fields(self, name: str) -> dict[str, Any]:
        return front_matter.fields_of(front_matter.split(self.text(name))[0])

    def body(self, name: str) -> str:
        return front_matter.split(self.text(name))[1]

    def names(self, level: str) -> list[str]:
        """The nodes of a level, without suffix."""
        return sorted(path.stem for path in (self.memory / level).glob("*"))

    def tree(self) -> dict[str, bytes]:
        """The projections: nodes and ROOT.md."""
        found = [self.memory / "ROOT.md", *self.memory.glob("*ly/*")]
        return {path.relative_to(self.memory).as_posix(): path.read_bytes() for path in found if path.is_file()}

    def times(self) -> dict[str, tuple[int, int]]:
        """Size and time of every file of the workspace, but for locks."""
        paths = [p for p in self.root.rglob("*") if p.is_file() and p.suffix != ".lock"]
        return {str(p): (p.stat().st_size, p.stat().st_mtime_ns) for p in paths}

    def forget_tree(self) -> None:
        """Remove everything that is only derived."""
        for name in ("daily", "weekly", "monthly", ".hipocampus"):
            shutil.rmtree(self.memory / name, ignore_errors=True)
        (self.memory / "ROOT.md").unlink(missing_ok=True)

    def copy(self, folder: Path) -> Store:
        """A second store with the same sources and no tree."""
        shutil.copytree(self.root, folder)
        twin = Store(folder, self.ticks)
        twin.forget_tree()
        return twin


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty store with default budgets."""
    made = Store(tmp_path / "project")
    made.memory.mkdir(parents=True)
    made.configure()
    return made


@pytest.fixture
def case(tmp_path: Path) -> Any:
    """`case("41-long-gap")`: a store made from the files of a case."""

    def load(name: str) -> Store:
        shutil.copytree(CASES / name / "repo", tmp_path / "project")
        made = Store(tmp_path / "project")
        made.configure()
        return made

    return load


@pytest.fixture(scope="session")
def count() -> Any:
    """Tokens of a whole text, as tiktoken counts them."""
    from hipocampus.text import ranks, tokens

    return tokens.tiktoken_count(ranks.load(None))


@pytest.fixture(autouse=True)
def _one_table(monkeypatch: pytest.MonkeyPatch, count: Any) -> None:
    """The token table is read once a session and not once a store."""
    from hipocampus.text import tokens

    monkeypatch.setattr(tokens, "load_counter", lambda _cache=None: tokens.TokenCounter(count, exact=True))


@pytest.fixture(scope="session")
def make_store() -> Any:
    """A store in a folder of the test's choice."""

    def make(folder: Path) -> Store:
        made = Store(folder / "project")
        made.memory.mkdir(parents=True)
        made.configure()
        return made

    return make
