"""What spec/hosts.md says of the hosts is what tests show."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from hipocampus.hosts import moments

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "spec/hosts.md").read_text(encoding="utf-8")
ROWS = [line.strip("|").split("|") for line in PAGE.splitlines() if line.startswith("| `")]
NAMED = re.compile(r"`(test_real_\w+\.py)::(test_\w+)`")


def _tests(file: str) -> set[str]:
    tree = ast.parse((HERE / file).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


@pytest.mark.parametrize("file", sorted(path.name for path in HERE.glob("test_real_*.py")))
def test_the_page_names_every_test_with_a_real_client_and_no_other(file: str) -> None:
    assert {test for named, test in NAMED.findall(PAGE) if named == file} == _tests(file)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0].strip(" `"))
def test_each_row_fills_all_columns_and_names_its_tests(row: list[str]) -> None:
    assert len(row) == 7
    assert all(cell.strip() for cell in row)
    assert NAMED.search(row[-1])


def test_each_event_of_claude_code_has_its_row() -> None:
    section = PAGE.partition("## Claude Code\n")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", section, re.M) == list(moments.CLAUDE_CODE)
