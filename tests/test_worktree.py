"""Case 93: sub-folders and git worktrees find the memory of their project, and nobody makes a second one."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from support import CASES, Ran, command

from hipocampus.errors import NoWorkspace
from hipocampus.layout import find_workspace

SEPARATE = ("config", "set", "worktree", "separate")


def _git(folder: Path, *args: str) -> None:
    subprocess.run(["git", *args], cwd=folder, capture_output=True, check=True)


@pytest.fixture
def trees(tmp_path: Path, invoke: Callable[..., Ran]) -> tuple[Path, Path]:
    """A main checkout with a memory, and a linked worktree beside it."""
    main, linked = tmp_path / "main", tmp_path / "wt"
    main.mkdir()
    _git(main, "init", "-q")
    _git(main, "commit", "-q", "--allow-empty", "-m", "x")
    invoke("init", cwd=main)
    (main / "pkg" / "api").mkdir(parents=True)
    _git(main, "worktree", "add", "-q", str(linked), "-b", "feature")
    (linked / "pkg").mkdir()
    return main, linked


def _hook(folder: Path, payload: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*command("hipocampus-hook"), "PreCompact"],
        cwd=folder,
        input=payload.encode(),
        capture_output=True,
        check=False,
    )


def test_every_folder_of_a_checkout_and_its_worktrees_shares_one_memory(trees: tuple[Path, Path]) -> None:
    main, linked = trees
    for folder in (main, main / "pkg" / "api", linked, linked / "pkg"):
        assert find_workspace(folder).root == main


def test_an_entry_from_a_worktree_lands_in_the_main_checkout(
    trees: tuple[Path, Path], invoke: Callable[..., Ran]
) -> None:
    main, linked = trees
    entry = invoke("checkpoint", "From the worktree", "--json", cwd=linked / "pkg").json["entries"][0]
    assert "From the worktree" in (main / entry["path"]).read_text(encoding="utf-8")
    assert not (linked / "memory").exists()


def test_init_in_a_sub_folder_or_worktree_makes_no_second_memory(
    trees: tuple[Path, Path], invoke: Callable[..., Ran]
) -> None:
    main, linked = trees
    for folder in (main / "pkg" / "api", linked, linked / "pkg"):
        assert "nothing to do" in invoke("init", cwd=folder).err
        assert not (folder / "memory").exists()


def test_a_memory_in_a_sub_folder_is_found_from_the_same_sub_folder_of_a_worktree(
    trees: tuple[Path, Path], invoke: Callable[..., Ran], tmp_path: Path
) -> None:
    main, linked = trees
    own = main / "pkg" / "hipocampus.config.json"
    own.write_text("{}", encoding="utf-8")
    assert find_workspace(linked / "pkg").root == main / "pkg"


def test_separate_gives_a_worktree_a_memory_of_its_own(trees: tuple[Path, Path], invoke: Callable[..., Ran]) -> None:
    main, linked = trees
    invoke(*SEPARATE, cwd=main)
    with pytest.raises(NoWorkspace, match="of its own"):
        find_workspace(linked / "pkg")
    assert invoke("init", cwd=linked).code == 0
    assert find_workspace(linked / "pkg").root == linked
    assert find_workspace(main / "pkg").root == main


def test_separate_may_stand_in_the_worktree_alone(trees: tuple[Path, Path]) -> None:
    main, linked = trees
    (linked / "hipocampus.config.json").write_text('{"worktree": "separate"}', encoding="utf-8")
    assert find_workspace(linked / "pkg").root == linked
    assert find_workspace(main).root == main


@pytest.mark.parametrize("text", ["", "gitdir: /nowhere/at/all\n", "nonsense", "gitdir: a\0b", "\xff"])
def test_a_broken_git_file_is_no_obstacle(tmp_path: Path, text: str) -> None:
    (tmp_path / "hipocampus.config.json").write_text("{}", encoding="utf-8")
    (tmp_path / ".git").write_bytes(text.encode("latin-1"))
    assert find_workspace(tmp_path).root == tmp_path


def test_a_hook_where_nothing_was_set_up_makes_nothing(tmp_path: Path) -> None:
    done = _hook(tmp_path, '{"session_id": "s", "hook_event_name": "PreCompact"}')
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"no hipocampus workspace" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_what_was_said_in_a_sub_folder_or_worktree_lands_in_the_main_checkout_once(trees: tuple[Path, Path]) -> None:
    main, linked = trees
    case = CASES / "93-worktree-subfolder"
    (main.parent / "transcript.jsonl").write_bytes((case / "transcript.jsonl").read_bytes())
    for name in ("hook-sub.json", "hook-wt.json", "hook-wt.json"):
        payload = (case / name).read_text(encoding="utf-8").replace("{{DIR}}", str(main.parent))
        done = _hook(main.parent, payload)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    logs = "".join(path.read_text(encoding="utf-8") for path in (main / "memory").glob("2*.md"))
    assert logs.count("## Session s-0001") == 1
    assert [folder for folder in (main / "pkg" / "api", linked) if (folder / "memory").exists()] == []


def test_a_hook_in_a_sub_folder_makes_no_memory_there(trees: tuple[Path, Path]) -> None:
    main, linked = trees
    for folder in (main / "pkg" / "api", linked):
        done = _hook(main.parent, f'{{"session_id": "s", "cwd": "{folder}", "hook_event_name": "PreCompact"}}')
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
        assert not (folder / "memory").exists()


@pytest.mark.parametrize(
    "arguments", [("compact",), ("checkpoint", "x"), ("status",), ("tree",), ("read", "x"), ("config",)]
)
def test_a_command_where_nothing_was_set_up_makes_nothing(
    tmp_path: Path, invoke: Callable[..., Ran], arguments: tuple[str, ...]
) -> None:
    done = invoke(*arguments)
    assert (done.code, done.out) == (3, "")
    assert "hipocampus init" in done.err
    assert list(tmp_path.iterdir()) == []
