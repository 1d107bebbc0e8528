"""Case 86: titles that mean something in YAML come back as the strings they were."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml
from support import CASES, Ran

from hipocampus.governance import redaction
from hipocampus.log import daylog
from hipocampus.memory import Memory

CASE = CASES / "86-yaml-specials"
TITLES = (CASE / "titles.txt").read_text(encoding="utf-8").splitlines()


def _front(path: Path) -> dict[str, Any]:
    _, front, _ = path.read_text(encoding="utf-8").split("---\n", 2)
    loaded = yaml.safe_load(front)
    assert isinstance(loaded, dict)
    return loaded


def test_every_title_comes_back_from_every_node(
    run: Callable[..., Ran], invoke: Callable[..., Ran], tmp_path: Path
) -> None:
    run("init")
    for title in TITLES:
        assert invoke("checkpoint", "--today", "2026-03-15", "--note", "said", "--", title).code == 0
    run("compact", "--today", "2026-03-16")
    memory = Memory.find(tmp_path)
    day = daylog.list_days(memory.workspace, memory.clock.today()).days[0]
    assert [entry.title for entry in redaction.read_day(day[1], day[0])] == TITLES
    nodes = [*tmp_path.glob("memory/*ly/*.md")]
    assert len(nodes) == 3
    for node in nodes:
        assert set(TITLES) <= set(_front(node)["topics"])
    assert _front(tmp_path / "memory" / "ROOT.md")["type"] == "root"


def test_a_broken_note_does_not_stop_a_compaction(invoke: Callable[..., Ran], tmp_path: Path) -> None:
    invoke("init")
    shutil.copy(CASE / "broken.md", tmp_path / "knowledge" / "broken.md")
    before = (tmp_path / "knowledge" / "broken.md").read_bytes()
    assert invoke("compact").code == 0
    assert "knowledge/broken.md" in (tmp_path / "memory" / "ROOT.md").read_text(encoding="utf-8")
    assert (tmp_path / "knowledge" / "broken.md").read_bytes() == before
