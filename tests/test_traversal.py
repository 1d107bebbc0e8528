"""Case 91: no name, file or date leads out of the workspace."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from support import CASES, Ran

from hipocampus.errors import HipocampusError, StoreNotWritable
from hipocampus.governance.gate import Draft
from hipocampus.memory import Memory

CASE = CASES / "91-path-traversal"
PAYLOADS = (CASE / "payloads.txt").read_text(encoding="utf-8").split("\n")[:-1]
REACHING = ("/etc/passwd", "../outside/secret.md", "memory/../../outside/secret.md", "knowledge/link/secret.md")


@pytest.fixture
def project(workspace: Memory, tmp_path: Path) -> Memory:
    """The workspace with a source folder, a secret beside it and a link to it."""
    outside = tmp_path.parent / f"{tmp_path.name}-outside"
    shutil.copytree(CASE / "outside", outside)
    shutil.copytree(CASE / "src", tmp_path / "src")
    (tmp_path / "knowledge" / "link").symlink_to(outside)
    (tmp_path / "knowledge" / "secret.md").symlink_to(outside / "secret.md")
    return workspace


def _listing(folder: Path) -> dict[str, bytes]:
    around = [folder, *folder.parent.glob(f"{folder.name}-*")]
    return {str(p): p.read_bytes() for top in around for p in top.rglob("*") if p.is_file()}


@pytest.mark.parametrize("payload", [*PAYLOADS, *REACHING, "", "foo\0bar", "~root/.ssh/id_rsa", "%2e%2e/x:1-2"])
def test_a_pointer_that_is_no_file_of_ours_is_refused(project: Memory, payload: str) -> None:
    before = _listing(project.workspace.root)
    with pytest.raises(HipocampusError):
        project.read(payload)
    assert _listing(project.workspace.root) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("read", "--"),
        ("checkpoint", "--note", "x", "--today"),
        ("compact", "--today"),
        ("compact", "--write-node"),
        ("config", "set", "timezone"),
        ("config", "get"),
        ("demo", "--today"),
    ],
)
def test_a_command_refuses_a_name_that_leads_out(
    project: Memory, invoke: Callable[..., Ran], arguments: tuple[str, ...]
) -> None:
    before = _listing(project.workspace.root)
    for payload in ("../src", "/etc/passwd", "$(touch pwned)", PAYLOADS[20]):
        done = invoke(*arguments, payload)
        assert done.code != 0, payload
        assert "rror: " in done.err
        assert "OUTSIDETOK" not in done.out
    assert _listing(project.workspace.root) == before


def test_a_link_out_of_the_workspace_is_not_read_into_root(project: Memory) -> None:
    done = project.compact()
    assert "OUTSIDETOK" not in project.workspace.root_node.read_text(encoding="utf-8")
    assert any("knowledge/secret.md" in warning for warning in done.warnings)


def test_a_raw_log_that_is_a_link_out_is_neither_read_nor_written(project: Memory, tmp_path: Path) -> None:
    secret = (tmp_path / "knowledge" / "secret.md").resolve()
    before = secret.read_bytes()
    project.workspace.raw_log("2026-03-15").symlink_to(secret)
    with pytest.raises(StoreNotWritable, match="link that leads out"):
        project.checkpoint(Draft("Into the trap", ""))
    done = project.compact()
    assert any("2026-03-15.md was left out" in warning for warning in done.warnings)
    assert not (project.workspace.memory / "daily" / "2026-03-15.md").exists()
    assert secret.read_bytes() == before
    with pytest.raises(HipocampusError):
        project.read("2026-03-15")


def test_a_folder_with_the_name_of_a_day_is_left_out(project: Memory) -> None:
    project.workspace.raw_log("2026-03-14").mkdir()
    assert any("not a file" in warning for warning in project.compact().warnings)


def test_a_node_for_a_period_elsewhere_is_refused(project: Memory, invoke: Callable[..., Ran]) -> None:
    text = "---\ntype: daily\nperiod: ../../pwned\nsources-sha256: x\n---\nbody\n"
    done = invoke("compact", "--write-node", "-", stdin=text)
    assert done.code == 4
    assert not list(project.workspace.root.parent.rglob("pwned*"))
