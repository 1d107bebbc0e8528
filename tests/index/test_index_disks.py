"""An index on a disk that is full, or takes nothing at all."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from project import Project, assert_right

from hipocampus import files
from hipocampus.errors import DamagedIndex, StoreNotWritable
from hipocampus.index import search_index

LIMITED = """
import resource, sys
from pathlib import Path
sys.path[:0] = sys.argv[2:]
from project import Project, assert_right
project = Project(Path(sys.argv[1]))
project.memory().count("warm")
resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600))
found = project.search("gateway limits requests")
print([item.source for item in found.items][0])
print(*found.notes, sep="\\n")
"""


def _search_on_a_full_disk(project: Project) -> list[str]:
    here = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(project.root), str(here), str(here.parent)],
        capture_output=True, check=False, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_first_search_on_a_full_disk_answers_from_memory(project: Project):
    shutil.rmtree(project.home)
    first, note, *_ = _search_on_a_full_disk(project)
    assert first == "knowledge/limits.md"
    assert note.startswith("the index was not brought up to date: can't write")
    assert_right(project)


def test_a_search_on_a_disk_that_has_become_full_answers_and_leaves_the_index_as_it_was(project: Project):
    project.write("memory/2026-03-11.md", "# 2026-03-11\n\n## Late\n- " + "LATETOKEN words " * 200 + "\n")
    first, note, *_ = _search_on_a_full_disk(project)
    assert first == "knowledge/limits.md"
    assert note.startswith("the index was not brought up to date: can't write")
    assert_right(project)
    assert {*project.found("LATETOKEN")} == {"memory/2026-03-11.md"}


def test_an_update_on_a_full_disk_fails_and_says_why(project: Project, monkeypatch: pytest.MonkeyPatch):
    def full(*_: Any, **__: Any) -> None:
        message = "can't write manifest.json: No space left on device"
        raise StoreNotWritable(message, hint="free some space")

    project.write("knowledge/new.md", "NEWTOKEN\n")
    monkeypatch.setattr(files, "write_atomic", full)
    with pytest.raises(StoreNotWritable, match="No space left"):
        project.memory().update_index()


def test_an_index_that_is_damaged_again_and_again_is_answered_from_memory(
    project: Project, monkeypatch: pytest.MonkeyPatch
):
    real = search_index.EmbeddedEngine

    def opened(folder: Path | None, encoder: Any = None) -> Any:
        if folder:
            message = f"the search index {folder} can't be read"
            raise DamagedIndex(message, hint="rebuild it")
        return real(None, encoder)

    monkeypatch.setattr(search_index, "EmbeddedEngine", opened)
    found = project.search("gateway limits requests")
    assert found.items[0].source == "knowledge/limits.md"
    assert any("can't be read" in note for note in found.notes)


@pytest.mark.parametrize("mode", ["bm25", "hybrid", "vector"])
def test_without_a_disk_that_takes_an_index_words_answer(project: Project, monkeypatch: pytest.MonkeyPatch, mode: str):
    monkeypatch.setattr(search_index, "index_home", lambda _: None)
    found = project.search("gateway limits requests", mode=mode)
    assert (found.mode, found.items[0].source) == ("bm25", "knowledge/limits.md")
    assert (mode == "bm25") == (found.notes == ())
