"""`demo`: the whole way on sample logs, and nothing is left behind or touched."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support import Ran

from hipocampus.governance.gate import Draft
from hipocampus.memory import Memory
from hipocampus.setup import demo

# Words of the sample that stand only in lines marked as temporary.
TEMPORARY = ("quince", "marmalade", "pumpernickel")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One kept demo for all tests of this file."""
    folder = tmp_path_factory.mktemp("demo") / "kept"
    demo.run(folder)
    return folder


def test_it_ends_with_root_on_stdout_and_leaves_no_scratch_folder(run: Callable[..., Ran], tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    done = run("demo", env={"TMPDIR": str(scratch)})
    assert done.code == 0
    assert done.out.startswith("---\ntype: root\n")
    assert "## Topics Index" in done.out
    assert list(scratch.iterdir()) == []
    assert [path.name for path in tmp_path.iterdir()] == ["scratch"]


def test_what_the_sample_marks_as_temporary_is_in_no_node(made: Path) -> None:
    raw = "".join(path.read_text(encoding="utf-8") for path in made.glob("memory/*-*.md"))
    nodes = [made / "memory" / "ROOT.md", *made.glob("memory/*ly/*.md")]
    assert len(nodes) > 40
    for word in TEMPORARY:
        assert word in raw
        assert [str(node) for node in nodes if word in node.read_text(encoding="utf-8")] == []


def test_root_keeps_its_budget_and_tells_of_the_project(made: Path) -> None:
    memory = Memory.find(made)
    text = memory.workspace.root_node.read_text(encoding="utf-8")
    assert memory.count(text) <= 3000
    assert text.count("\n- ") >= 20
    assert "[user" in text
    assert "[feedback" in text


def test_a_kept_demo_is_a_workspace_like_any_other(made: Path, run: Callable[..., Ran]) -> None:
    assert run("-C", made, "status", "--json").json["workspace"] == str(made)
    assert run("-C", made, "read", "2026-01-05").code == 0


def test_inside_a_workspace_that_workspace_is_not_touched(workspace: Memory, tmp_path: Path) -> None:
    workspace.checkpoint(Draft("Mine", "- secret: PRIVATE"))
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    done = demo.run(tmp_path / "demo")
    assert "PRIVATE" not in done.root
    assert done.days > 30
    assert {path: path.read_bytes() for path in before} == before
    assert (tmp_path / "demo" / "memory" / "ROOT.md").is_file()


def test_a_folder_that_holds_something_is_refused(run: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("x", encoding="utf-8")
    for name in ("full", "full/mine.txt"):
        done = run("demo", name)
        assert (done.code, "not an empty folder" in done.err) == (2, True)
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["mine.txt"]


def test_as_json_it_holds_root_and_the_sizes(run: Callable[..., Ran]) -> None:
    found = run("demo", "--json").json
    assert found["folder"] is None
    assert found["root"].startswith("---\ntype: root\n")
    assert found["root_tokens"] <= 3000
