"""What a `forget` costs in a store of months that was slept over, and whether anything made from it still holds it."""

from __future__ import annotations

import json
import re
import shutil
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from benchmarks import measure
from benchmarks.report import Row
from hipocampus import files
from hipocampus.text.sentences import sentences
from hipocampus.text.words import words

MOST_SECONDS = 2.0
_SHORTEST, _LONGEST = 8, 24
_SAID = re.compile(r"^User: (.+)$", re.MULTILINE)
# Shorter words may stand in the numbers of vectors by chance.
_TELLING = 5


@dataclass(frozen=True)
class Store:
    """A scratch copy of a workspace that was slept over, on the day after its last."""

    root: Path

    @classmethod
    def copied(cls, store: Path, scratch: Path) -> Store:
        """A copy with the times of its files, so that nothing looks changed."""
        root = scratch / "forgetting"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(store, root)
        return cls(root)

    @property
    def logs(self) -> list[Path]:
        """The raw logs, oldest first."""
        return sorted((self.root / "memory").glob("2*.md"))

    def run(self, *arguments: str) -> measure.Run:
        """Run the installed command."""
        today = date.fromisoformat(self.logs[-1].stem) + timedelta(days=1)
        return measure.hipocampus("-C", str(self.root), "--today", str(today), "--json", *arguments)


def rows(store: Store, count: int) -> list[Row]:
    """`forget` and `correct` of as many texts of as many days each."""
    return [row for kind in ("forget", "correct") for row in _rows(store, kind, count)]


def _rows(store: Store, kind: str, count: int) -> Iterator[Row]:
    runs: list[measure.Run] = []
    clean = 0
    days = store.logs
    store.run("sleep")
    for number, text in enumerate(_texts(store, count)):
        new = [f"Item {number} of the list was put right."] if kind == "correct" else []
        meant = json.loads(store.run(kind, text, *new, "--dry-run").stdout)["found"]
        runs.append(store.run(kind, text, *new, "--yes"))
        clean += not left(store.root, [one["text"] for one in meant], is_hidden=kind == "correct")
        store.run("index", "update")
    fast = sum(run.wall <= MOST_SECONDS for run in runs)
    middle, worst = statistics.median(run.wall for run in runs), max(run.wall for run in runs)
    cpu = statistics.median(run.cpu for run in runs)
    name = f"`{kind}` in a store of {len(days)} days, whole process"
    seconds = f"median {middle:.2f} s, worst {worst:.2f} s, median CPU {cpu:.2f} s"
    yield _row(f"{name} within {MOST_SECONDS:g} s: {seconds}", fast, len(runs))
    yield _row(f"{name}: nothing derived holds it", clean, len(runs))


def _row(name: str, held: int, count: int) -> Row:
    return name, str(held), str(count), f"{held / max(count, 1):.1%}"


def _texts(store: Store, count: int) -> Iterator[str]:
    """Sentences of users that stand in the store once, each of another day, spread over all days."""
    everything = "\n".join(files.read_text(log).text for log in store.logs)
    logs = store.logs
    for at in range(count):
        log = logs[at * len(logs) // count]
        said = (one for turn in _SAID.findall(files.read_text(log).text) for one in sentences(turn))
        yield next(s for s in said if _SHORTEST <= len(s.split()) <= _LONGEST and everything.count(s) == 1)


def left(root: Path, texts: Sequence[str], *, is_hidden: bool) -> list[str]:
    """
    The files that still hold one of the texts, or a word that no log has any more.

    What `is_hidden` stays in the logs, and in indexes that are brought up to date before they are asked.
    """
    derived = [path for path in (root / "memory").rglob("*") if path.is_file() and "cache" not in path.parts]
    logs = [path for path in derived if path.parent.name == "memory" and path.stem[:1].isdigit()]
    if is_hidden:
        derived = [path for path in derived if path.suffix == ".md" and path not in logs]
        said = b""
    else:
        said = b"\n".join(path.read_bytes() for path in logs).lower()
    sought = [text.strip(" ,.").lower().encode() for text in texts]
    known = {word.lower() for text in texts for word in words(text) if len(word) >= _TELLING}
    gone = [word.encode() for word in known if said and word.encode() not in said]
    return [str(path) for path in derived if _holds(path.read_bytes().lower(), [*sought, *gone])]


def _holds(data: bytes, sought: Sequence[bytes]) -> bool:
    return any(text in data for text in sought)
