"""Case 33: the hot files belong to the agent and the user; no command touches them."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from support import CASES, Ran

NAMES = ("SCRATCHPAD.md", "WORKING.md", "TASK-QUEUE.md")
COMMANDS = (
    ("init",),
    ("checkpoint", "A decision", "--decision", "keep the files"),
    ("compact",),
    ("compact", "--full"),
    ("update",),
    ("sleep",),
    ("recall", "--always", "--session", "s1", "what is in progress of task A?"),
    ("status",),
    ("tree",),
    ("config", "set", "timezone", "UTC"),
    ("init", "--commit-memory"),
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    shutil.copytree(CASES / "33-hot-file-preservation", tmp_path, dirs_exist_ok=True)
    return tmp_path


def _hashes(folder: Path) -> dict[str, str]:
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in NAMES}


def test_hot_files_with_tables_notes_and_crlf_stay_as_they_are(project: Path, invoke: Callable[..., Ran]) -> None:
    before = _hashes(project)
    for arguments in COMMANDS:
        assert invoke(*arguments).code == 0
        assert _hashes(project) == before, arguments


def test_a_hot_file_that_was_removed_is_made_anew_and_the_others_are_kept(
    project: Path, invoke: Callable[..., Ran]
) -> None:
    (project / "WORKING.md").unlink()
    before = {name: (project / name).read_bytes() for name in ("SCRATCHPAD.md", "TASK-QUEUE.md")}
    assert "made WORKING.md" in invoke("init").out
    assert {name: (project / name).read_bytes() for name in before} == before
