"""The command line as a whole: exit codes, options, outputs, and no traceback whatever is typed."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from support import Ran, command

from hipocampus.errors import ExitCode
from hipocampus.governance.gate import Draft
from hipocampus.memory import Memory

TODAY = ("--today", "2026-03-15")


@pytest.fixture
def built(workspace: Memory) -> Memory:
    """A workspace with one entry, compacted."""
    workspace.checkpoint(Draft("Rate limits", "- decisions: token bucket"))
    workspace.compact()
    return workspace


def test_help_lists_every_command_and_exit_code(invoke: Callable[..., Ran]) -> None:
    done = invoke("--help")
    for word in ("init", "status", "config", "demo", "checkpoint", "compact", "tree", "read", "130", "-C DIR"):
        assert word in done.out
    assert (done.code, invoke("-h").out) == (0, done.out)


@pytest.mark.parametrize("name", ["init", "status", "config", "demo", "checkpoint", "compact", "tree", "read"])
def test_every_command_explains_itself_and_does_nothing(invoke: Callable[..., Ran], tmp_path: Path, name: str) -> None:
    done = invoke(name, "--help")
    assert (done.code, done.out.startswith(f"Usage: hipocampus {name}")) == (0, True)
    assert list(tmp_path.iterdir()) == []


def test_the_version_is_that_of_the_package(run: Callable[..., Ran]) -> None:
    from hipocampus import __version__

    assert run("--version").out == run("--version", "--json").out == f"hipocampus {__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "code", "named"),
    [
        (("compat",), 2, "Did you mean compact?"), (("tree", "--foo"), 2, "--foo"), (("read",), 2, "POINTER"),
        (("read", "2020-01-01"), 1, "leads nowhere"), (("-C", "nowhere", "tree"), 2, "nowhere"),
        (("status",), 0, ""), (("compact", "--write-node", "none.md"), 1, "none.md"),
        (("compact", "--write-node", "hipocampus.config.json"), 4, "does not say which node"),
        (("compact", "--full", "--plan"), 2, "exclude each other"), (("tree", "--depth", "9"), 2, "9"),
        ((), 2, "Commands:"),
    ],
)  # fmt: skip
def test_the_exit_code_says_what_happened(
    built: Memory, invoke: Callable[..., Ran], arguments: tuple[str, ...], code: int, named: str
) -> None:
    done = invoke(*arguments)
    assert (done.code, named in done.err) == (code, True), done.err


def test_exit_codes_are_those_of_the_contract() -> None:
    assert [code.value for code in ExitCode] == [0, 1, 2, 3, 4, 130]


@pytest.mark.parametrize(
    "day", ["tomorrow", "2026-13-01", "2026-02-30", "20260315", "2026-W11-1", "9999-12-31", "0001-01-01", " "]
)
def test_a_today_that_is_no_date_is_refused(built: Memory, invoke: Callable[..., Ran], day: str) -> None:
    for done in (invoke("tree", "--today", day), invoke("compact", env={"HIPOCAMPUS_TODAY": day})):
        assert (done.code, "is not a date" in done.err) == (2, True)


def test_today_may_stand_in_the_environment_and_the_option_wins(built: Memory, invoke: Callable[..., Ran]) -> None:
    env = {"HIPOCAMPUS_TODAY": "2026-04-01"}
    assert invoke("status", "--json", env=env).json["today"] == "2026-04-01"
    assert invoke("status", "--json", "--today", "2026-04-02", env=env).json["today"] == "2026-04-02"


def test_global_options_stand_before_or_after_the_command(built: Memory, invoke: Callable[..., Ran]) -> None:
    root, elsewhere = str(built.workspace.root), built.workspace.root.parent
    before = invoke("-C", root, "--json", *TODAY, "status", cwd=elsewhere)
    after = invoke("status", "-C", root, "--json", *TODAY, cwd=elsewhere)
    assert before.json == after.json
    assert invoke("config", "--json", "list", "-C", root, cwd=elsewhere).json["worktree"] == "shared"


def test_status_tells_people_and_programs_the_same(built: Memory, invoke: Callable[..., Ran]) -> None:
    found = invoke("status", "--json", *TODAY).json
    assert found["healthy"] is True
    assert found["counts"] == {"raw": 1, "daily": 1, "weekly": 1, "monthly": 1, "knowledge": 0, "plans": 0}
    assert found["budgets"]["root"] == 3000
    assert found["root_tokens"] <= 3000
    shown = invoke("status", *TODAY).out
    assert str(built.workspace.root) in shown
    assert "healthy\n" in shown
    assert "1 raw, 1 daily" in shown


def test_status_names_what_is_missing(built: Memory, invoke: Callable[..., Ran]) -> None:
    (built.workspace.root / "WORKING.md").unlink()
    done = invoke("status")
    assert "NOT healthy" in done.out
    assert "problem: WORKING.md is missing" in done.err
    assert invoke("status", "--json").json["problems"] == ["WORKING.md is missing; `hipocampus init` makes it"]


def test_status_names_raw_logs_that_are_left_out(built: Memory, invoke: Callable[..., Ran]) -> None:
    (built.workspace.memory / "2026-13-45.md").write_text("## x\n", encoding="utf-8")
    assert "warning: memory/2026-13-45.md was left out" in invoke("status").err


def test_the_tree_lists_every_node_below_its_parent(built: Memory, invoke: Callable[..., Ran]) -> None:
    nodes = invoke("tree", "--json", "--depth", "4").json["nodes"]
    assert [(n["path"], n["depth"]) for n in nodes] == [
        ("memory/ROOT.md", 0), ("memory/monthly/2026-03.md", 1), ("memory/weekly/2026-W11.md", 2),
        ("memory/daily/2026-03-15.md", 3), ("memory/2026-03-15.md", 4),
    ]  # fmt: skip
    shown = invoke("tree").out.splitlines()
    assert shown[0].split()[0] == "node"
    assert [line.split()[0] for line in shown[1:]] == [n["path"].removeprefix("memory/") for n in nodes[:-1]]


@pytest.mark.parametrize(
    ("pointer", "source", "named"),
    [
        ("2026-03-15", "memory/2026-03-15.md", "# 2026-03-15"),
        ("2026-W11", "memory/weekly/2026-W11.md", "type: weekly"),
        ("2026-03", "memory/monthly/2026-03.md", "type: monthly"), ("memory/ROOT.md", "memory/ROOT.md", "type: root"),
        ("memory/2026-03-15.md:3", "memory/2026-03-15.md", "## Rate limits [project]\n"),
    ],
)  # fmt: skip
def test_read_prints_what_a_pointer_shows(
    built: Memory, invoke: Callable[..., Ran], pointer: str, source: str, named: str
) -> None:
    shown = invoke("read", pointer).out
    found = invoke("read", pointer, "--json").json
    assert named in shown
    assert (found["source"], found["text"]) == (source, shown)


def test_read_finds_an_entry_by_its_id(built: Memory, invoke: Callable[..., Ran]) -> None:
    entry = built.checkpoint(Draft("Rate limits", "- decisions: token bucket"))
    found = invoke("read", entry.pointer, "--json").json
    assert found["lines"] == [3, 5]
    assert found["text"] == entry.text
    assert invoke("read", entry.id).out == entry.text


@pytest.mark.parametrize(
    "pointer",
    [
        "memory/ROOT.md:0", "memory/ROOT.md:99999", "memory/ROOT.md:5-2", "memory/ROOT.md:" + "9" * 5000, "9999-W53",
        "0000-00", "2026-W60", "2026-13-45#abc", "9999-12-31#abcdef", "knowledge", "#", "2026-03-15#", "a:b:c",
        "memory/ROOT.md:1:2",
    ],
)  # fmt: skip
def test_a_pointer_that_leads_nowhere_says_so(built: Memory, invoke: Callable[..., Ran], pointer: str) -> None:
    (built.workspace.memory / "2026-13-45.md").write_text("## x\n", encoding="utf-8")
    done = invoke("read", pointer)
    assert (done.code, done.out, done.err.startswith("error: ")) == (1, "", True)


def test_a_reader_that_leaves_early_is_no_error(built: Memory, tmp_path: Path) -> None:
    (tmp_path / "knowledge" / "long.md").write_text("a line\n" * 200_000, encoding="utf-8")
    done = subprocess.run(
        ["bash", "-c", 'set -o pipefail; "$@" | head -1', "bash", *command(), "read", "knowledge/long.md"],
        cwd=tmp_path, capture_output=True, check=False, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (0, "a line\n", "")


@pytest.mark.parametrize("arguments", [["tree"], ["status"], ["read", "memory/ROOT.md"]])
def test_nor_is_one_that_reads_nothing(built: Memory, tmp_path: Path, arguments: list[str]) -> None:
    done = subprocess.run(
        ["bash", "-c", 'set -o pipefail; "$@" | true', "bash", *command(), *arguments],
        cwd=tmp_path, capture_output=True, check=False, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("redirect", [">&-", "2>&-", "<&-", ">&- 2>&-"])
def test_closed_streams_are_no_obstacle(built: Memory, tmp_path: Path, redirect: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f'"$@" {redirect}', "sh", *command(), "checkpoint", "Closed", "--note", "x", *TODAY],
        cwd=tmp_path, capture_output=True, check=False, text=True,
    )  # fmt: skip
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    text = built.workspace.raw_log("2026-03-15").read_text(encoding="utf-8")
    assert text.count("## Closed") == 1
    assert "remembered" not in text


def test_a_screen_that_cant_be_written_is_an_error(built: Memory, tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*command(), "tree"], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, check=False, text=True
        )
    assert (done.returncode, "Traceback" in done.stderr, "No space" in done.stderr) == (1, False, True)


@pytest.mark.parametrize(
    "state", ["", "[]", "{}", "\xff", '{"version": 1, "finished": "x", "looked": 0, "seen": {}}', "[" * 5000]
)
def test_a_damaged_state_is_begun_anew(built: Memory, invoke: Callable[..., Ran], state: str) -> None:
    built.workspace.compact_state.write_text(state, encoding="latin-1")
    assert invoke("status").code == 0
    done = invoke("compact", "--json", *TODAY)
    assert (done.code, json.loads(done.out)["written"]) == (0, [])
