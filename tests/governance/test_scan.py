"""`scan`: files and lines that already hold secrets."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support import Ran

from hipocampus.memory import Memory

SECRET = "gh" + "p_" + "aB3" * 12


def test_scan_names_file_line_and_kind_and_shows_no_value(invoke: Callable[..., Ran], workspace: Memory):
    (workspace.workspace.root / "knowledge" / "old.md").write_text(f"# Old\n\nkey {SECRET} here\n")
    done = invoke("scan")
    assert (done.code, done.out) == (4, "knowledge/old.md:3: github: key [REDACTED:github] here\n")
    assert "1 secrets in 1 files" in done.err


def test_scan_of_a_clean_workspace_succeeds(invoke: Callable[..., Ran], workspace: Memory):
    assert (invoke("scan").code, invoke("scan").out) == (0, "")


def test_scan_prints_json(invoke: Callable[..., Ran], workspace: Memory):
    workspace.workspace.raw_log("2026-03-14").write_text(f"a\n{SECRET}\n")
    done = invoke("--json", "scan")
    assert done.code == 4
    leak = {"file": "memory/2026-03-14.md", "line": 2, "kind": "github", "text": "[REDACTED:github]"}
    assert done.json["leaks"] == [leak]


@pytest.mark.parametrize("name", ["WORKING.md", "plans/a/b.md", "memory/.hipocampus/hook.log", "memory/daily/x.md"])
def test_scan_looks_everywhere(name: str, invoke: Callable[..., Ran], workspace: Memory):
    path = workspace.workspace.root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SECRET)
    assert invoke("scan").out.startswith(f"{name}:1: ")


def test_scan_looks_only_where_it_is_told(invoke: Callable[..., Ran], workspace: Memory):
    (workspace.workspace.root / "WORKING.md").write_text(SECRET)
    (workspace.workspace.root / "other.txt").write_text(f"\n{SECRET}")
    assert invoke("scan", "knowledge").code == 0
    assert invoke("scan", "other.txt").out.startswith("other.txt:2: ")
    assert invoke("scan", "missing").code == 1


def test_scan_names_tags_that_nothing_closes(invoke: Callable[..., Ran], workspace: Memory):
    workspace.workspace.raw_log("2026-03-14").write_text("a\n<private> b\n")
    done = invoke("scan")
    assert done.code == 0
    assert "memory/2026-03-14.md:2: nothing closes this <private>" in done.err


def test_scan_takes_any_bytes(invoke: Callable[..., Ran], workspace: Memory):
    folder = workspace.workspace.memory
    (folder / "a.bin").write_bytes(b"\0\1" + SECRET.encode())
    (folder / "b.md").write_bytes(b"\xff\xfe" + f"x\r\n{SECRET}".encode("utf-16-le"))
    (folder / "c.md").write_bytes(b"\xff\xc0 " + SECRET.encode())
    assert [line.split(": ")[0] for line in invoke("scan").out.splitlines()] == ["memory/b.md:2", "memory/c.md:1"]
