"""Kill -9 at random points of `forget` and `correct`: what the next command makes of what is left."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from benchmarks import measure
from benchmarks.report import Row

_SEED = 20260315
_OLD, _NEW = "quetzalmoon", "walnutgrove"
_SAID = f"The harbour passphrase is {_OLD}."
_COMMANDS = {
    "forget": ("forget", _SAID, "--yes"),
    "correct": ("correct", _SAID, f"The harbour passphrase is {_NEW}.", "--yes"),
}
# What comes next: each has to complete what was cut off before it answers.
_NEXT = (("search", "harbour passphrase"), ("compact",), ("recall", "what is the harbour passphrase"), ("sleep",))
_PATIENCE = 1.05
"""Of the longest time that a command takes without a kill: the latest points come after its end."""


@dataclass(frozen=True)
class Killed:
    """A workspace that was slept over, to be copied for each kill."""

    prepared: Path
    scratch: Path
    today: date

    @classmethod
    def prepare(cls, logs: Sequence[Path], scratch: Path) -> Killed:
        """A workspace with some real logs, in which a log, a curated and a hot file say what is to be taken back."""
        root = scratch / "prepared"
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir(parents=True)
        made = cls(root, scratch, date.fromisoformat(logs[-1].stem) + timedelta(days=1))
        made.run(root, "init")
        for log in logs:
            shutil.copy2(log, root / "memory")
        with (root / "memory" / logs[len(logs) // 2].name).open("a", encoding="utf-8") as file:
            file.write(f"\n## Harbour [project]\n- {_SAID}\n- The harbour crane is grey.\n")
        (root / "knowledge" / "harbour.md").write_text(f"# Harbour\n\n- {_SAID}\n- The pier is long.\n")
        with (root / "WORKING.md").open("a", encoding="utf-8") as file:
            file.write(f"\n- {_SAID}\n")
        made.run(root, "sleep")
        made.run(root, "recall", "what is the harbour passphrase")
        return made

    def run(self, root: Path, *arguments: str) -> measure.Run:
        """Run the installed command to its end."""
        return measure.hipocampus(*self._place(root), *arguments)

    def kills(self, kind: str, count: int) -> tuple[list[str], int]:
        """What was not in order after each of some kills, and how many hit a mutation that was under way."""
        longest = max(self._timed(kind) for _ in range(3))
        draw = random.Random(f"{_SEED} {kind}")
        wrong, inside = [], 0
        for number in range(count):  # one in each part of its length
            root = self._copy()
            after = longest * _PATIENCE * (number + draw.random()) / count
            self._kill(root, kind, after)
            inside += any((root / "memory" / ".hipocampus" / "pending").glob("*.json"))
            problem = self._problem(root, kind, _NEXT[number % len(_NEXT)])
            if problem:
                wrong.append(f"{kind} killed after {after:.3f} s: {problem}")
                print(wrong[-1], file=sys.stderr)
        return wrong, inside

    def _place(self, root: Path) -> tuple[str, ...]:
        return "-C", str(root), "--today", str(self.today), "--json"

    def _copy(self) -> Path:
        root = self.scratch / "killed"
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(self.prepared, root)
        return root

    def _timed(self, kind: str) -> float:
        return self.run(self._copy(), *_COMMANDS[kind]).wall

    def _kill(self, root: Path, kind: str, after: float) -> None:
        program = str(Path(sys.executable).with_name("hipocampus"))
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        child = subprocess.Popen(
            [program, *self._place(root), *_COMMANDS[kind]],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(after)
        child.send_signal(signal.SIGKILL)
        child.wait()

    def _problem(self, root: Path, kind: str, following: Sequence[str]) -> str:
        """What is not in order after the next command, "" where all is."""
        try:
            self.run(root, *following)
            self.run(root, "ledger", "--verify")
            self.run(root, "doctor")
        except subprocess.CalledProcessError as error:
            return f"{error.cmd[6:]} exits with {error.returncode}"
        if any((root / "memory" / ".hipocampus" / "pending").glob("*")):
            return "something is still pending"
        return self._half(root, kind)

    def _half(self, root: Path, kind: str) -> str:
        """What is half done: the old words stand wholly, or the mutation is wholly there."""
        where = _holders(root, _OLD)
        shown = self._shown(root)
        whole = _holders(self.prepared, _OLD)
        if not json.loads(self.run(root, "ledger").stdout)["records"]:
            return "" if where["sources"] == whole["sources"] and _OLD in shown else f"nothing was done, yet {where}"
        if _OLD in shown or where["nodes"] or where["concepts"]:
            return f"the old words are shown, or stand in {where}"
        if kind == "forget":
            return f"the text still stands in {where}" if any(where.values()) else ""
        return "" if _NEW in shown and _log_count(root) == 1 else "the correction stands not once"

    def _shown(self, root: Path) -> str:
        """All that search, recall and export say."""
        asked = (("search", "harbour passphrase"), ("recall", "what is the harbour passphrase"), ("export",))
        return "".join(self.run(root, *arguments).stdout for arguments in asked)


def _log_count(root: Path) -> int:
    return sum(log.read_text("utf-8").count(_NEW) for log in (root / "memory").glob("2*.md"))


def _holders(root: Path, word: str) -> Mapping[str, set[str]]:
    """The files with a word in their bytes: sources, nodes with ROOT.md, the concept index, and all others."""
    found: dict[str, set[str]] = {"sources": set(), "nodes": set(), "concepts": set(), "others": set()}
    for path in root.rglob("*"):
        if not path.is_file() or word.encode() not in path.read_bytes():
            continue
        name = path.relative_to(root).as_posix()
        folder = name.split("/")[0] if name.count("/") < 2 else "/".join(name.split("/")[:2])
        is_node = folder in ("memory/daily", "memory/weekly", "memory/monthly") or name == "memory/ROOT.md"
        is_concept = path.name in ("concepts.sqlite", "episodic.json")
        kind = "nodes" if is_node else "concepts" if is_concept else "others" if "/." in name else "sources"
        found[kind].add(name)
    return found


def rows(killed: Killed, count: int) -> list[Row]:
    """`forget` and `correct`, half of the kills each."""
    found = []
    for kind in _COMMANDS:
        started = time.perf_counter()
        wrong, inside = killed.kills(kind, count // len(_COMMANDS))
        total = count // len(_COMMANDS)
        held = total - len(wrong)
        seconds = time.perf_counter() - started
        name = f"kill -9 at random points of `{kind}`, then the next command: all or nothing, in order"
        found.append(
            (f"{name} ({inside} hit it under way; {seconds:.0f} s)", str(held), str(total), f"{held / total:.1%}")
        )
    return found
