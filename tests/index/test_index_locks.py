"""An index that another process holds: who waits, who gives up, what is answered meanwhile."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest
from project import Project

from hipocampus.errors import StoreBusy
from hipocampus.index import search_index


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for a lock, waits a moment only."""
    monkeypatch.setattr(search_index, "SEARCH_WAITS", 0.05)
    monkeypatch.setattr("hipocampus.index.search.SEARCH_WAITS", 0.05)


@pytest.fixture
def locked(project: Project) -> Iterator[Project]:
    """The project while another process indexes it."""
    holder = subprocess.Popen(
        [
            sys.executable, "-c",
            "import sys; from pathlib import Path; from hipocampus import files\n"
            "with files.lock(Path(sys.argv[1]), timeout=5): print('held', flush=True); sys.stdin.read()",
            str(project.home / "index.lock"),
        ],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert holder.stdout
    assert holder.stdout.readline() == b"held\n"
    yield project
    holder.communicate()


@pytest.mark.usefixtures("impatient")
def test_a_search_beside_a_long_indexing_run_answers_from_what_there_is(locked: Project):
    locked.write("knowledge/new.md", "NEWTOKEN\n")
    found = locked.search("gateway limits requests")
    assert found.items[0].source == "knowledge/limits.md"
    assert found.notes == ("another process is indexing: what changed last may be missing",)


@pytest.mark.usefixtures("impatient")
def test_an_update_beside_a_long_indexing_run_gives_up_and_says_so(locked: Project):
    locked.write("knowledge/new.md", "NEWTOKEN\n")
    with pytest.raises(StoreBusy, match=r"another process holds index\.lock"):
        locked.index().update(wait=0.1)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("mode", ["bm25", "hybrid"])
@pytest.mark.parametrize("damage", ["removed", "torn", "not there yet"])
def test_beside_another_process_that_makes_the_index_nothing_is_found_yet(locked: Project, damage: str, mode: str):
    for name in ("chunks", "documents"):
        if damage == "torn":
            (locked.home / name / "meta.json").write_text("torn")
        else:
            shutil.rmtree(locked.home / name)
    if damage == "not there yet":
        (locked.home / "manifest.json").unlink()
    found = locked.search("gateway limits requests", mode=mode)
    assert found.items == ()
    assert found.notes[0] == "another process is indexing: what changed last may be missing"


def test_a_lock_that_a_dead_process_left_is_no_obstacle(project: Project):
    (project.home / "index.lock").write_text("4194304")
    (project.home / "chunks" / ".tantivy-writer.lock").write_text("")
    project.write("knowledge/new.md", "NEWTOKEN\n")
    assert project.search("NEWTOKEN").notes == ()
    assert project.found("NEWTOKEN") == ["knowledge/new.md"]
