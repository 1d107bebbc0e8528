"""A prompt asked in each of the ways in which somebody can ask recall: the command, a host's hook, Python."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from pathlib import Path

import pytest
from click.testing import CliRunner

from hipocampus.cli.group import hipocampus
from hipocampus.clock import Clock
from hipocampus.layout import Workspace
from hipocampus.memory import Memory
from hipocampus.setup import init, prompting
from hipocampus.setup.hook_event import Event

WAYS = ("command", "hook", "python")


@dataclass(frozen=True)
class Asked:
    """A project on a day; `told` asks in one way, in a session of its own each time."""

    root: Path
    today: date
    monkeypatch: pytest.MonkeyPatch

    @property
    def memory(self) -> Memory:
        """Its memory, as a new process opens it, at noon."""
        noon = datetime.combine(self.today, time(12), UTC)
        return Memory(Workspace(self.root), clock=Clock(UTC, instant=lambda: noon))

    def told(self, prompt: str, way: str = "python") -> str:
        """The block that the agent would read; "" where that is none."""
        if way == "python":
            return self.memory.recall(prompt).context
        if way == "hook":
            return self._hooked(prompt)
        done = CliRunner().invoke(
            hipocampus, ["-C", str(self.root), "--today", f"{self.today}", "recall"], input=prompt
        )
        assert done.exit_code == 0, done.output
        return done.stdout.rstrip("\n")

    def _hooked(self, prompt: str) -> str:
        self.monkeypatch.setenv("HIPOCAMPUS_TODAY", f"{self.today}")
        shutil.rmtree(self.memory.workspace.sessions, ignore_errors=True)
        payload = {"prompt": prompt, "session_id": "s-0001"}
        printed = prompting.answer(Event("UserPromptSubmit", "claude-code", payload, str(self.root), str(self.root)))
        return str(json.loads(printed)["hookSpecificOutput"]["additionalContext"]) if printed else ""


def project_of(case: Path, root: Path) -> None:
    """A case's project in a folder, set up; where the case has none, its notes are curated ones."""
    source, target = (case / "repo", root) if (case / "repo").is_dir() else (case, root / "knowledge")
    shutil.copytree(source, target, dirs_exist_ok=True)
    init.apply(init.plan(root))
