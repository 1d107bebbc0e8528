"""`review`: secrets that stand in files, decided on one by one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support import Ran, command
from terminal import ENTER, Terminal, wait_until

from hipocampus.memory import Memory

SECRET = "gh" + "p_" + "aB3" * 12
DAY = ("--today", "2026-03-16")
Call = Callable[..., Ran]


@pytest.fixture
def leaky(workspace: Memory) -> Path:
    """A workspace with a secret in two files, by hand."""
    root = workspace.workspace.root
    workspace.workspace.raw_log("2026-03-15").write_text(f"## Deploy\n- the key {SECRET} opens it\n- the door is red\n")
    (root / "knowledge" / "keys.md").write_text(f"# Keys\n\nkey {SECRET} here\n")
    return root


@pytest.fixture
def at_terminal(leaky: Path) -> Iterator[Terminal]:
    terminal = Terminal([*command(), *DAY, "review"], leaky, os.environ)
    yield terminal
    terminal.close()


def holders(root: Path) -> list[str]:
    found = (path for path in root.rglob("*") if path.is_file())
    return sorted(path.name for path in found if SECRET.encode() in path.read_bytes())


def test_a_secret_is_listed_once_without_its_value(leaky: Path, invoke: Call):
    [secret] = invoke("--json", "review", *DAY).json["secrets"]
    assert (secret["source"], secret["kind"], secret["places"]) == ("knowledge/keys.md", "github", 2)
    assert secret["text"] == "key [REDACTED:github] here"
    shown = invoke("review", *DAY)
    assert secret["id"] in shown.out
    assert SECRET not in shown.out + shown.err


def test_an_accepted_secret_is_nowhere_and_stays_away(leaky: Path, invoke: Call, workspace: Memory):
    [secret] = invoke("--json", "review", *DAY).json["secrets"]
    assert invoke("review", "--accept", secret["id"], *DAY).code == 0
    assert holders(leaky) == []
    assert "the door is red" in workspace.workspace.raw_log("2026-03-15").read_text()
    assert invoke("scan", *DAY).code == 0
    assert [record.kind for record in workspace.governance.ledger().records if record.targets] == ["forget"]


def test_a_rejected_secret_is_none_from_then_on(leaky: Path, invoke: Call):
    [secret] = invoke("--json", "review", *DAY).json["secrets"]
    assert invoke("scan", *DAY).code == 4
    assert invoke("review", "--reject", secret["id"], *DAY).code == 0
    assert invoke("--json", "review", *DAY).json["secrets"] == []
    assert invoke("scan", *DAY).code == 0
    assert holders(leaky) == ["2026-03-15.md", "keys.md"]


def test_another_secret_is_still_found_after_one_was_rejected(leaky: Path, invoke: Call):
    [secret] = invoke("--json", "review", *DAY).json["secrets"]
    invoke("review", "--reject", secret["id"], *DAY)
    (leaky / "WORKING.md").write_text(f"{SECRET[:-3]}xY4\n")
    assert [one["source"] for one in invoke("--json", "review", *DAY).json["secrets"]] == ["WORKING.md"]


def test_a_key_of_several_lines_is_taken_out(workspace: Memory, invoke: Call):
    block = "\n".join(
        ["-----BEGIN RSA PRIVATE KEY-----", *["MIIEpAIBAAKCAQEA" * 4] * 6, "-----END RSA PRIVATE KEY-----"]
    )
    (workspace.workspace.root / "plans" / "key.md").write_text(f"# Key\n\n{block}\n\nthe rest stays\n")
    [secret] = invoke("--json", "review", *DAY).json["secrets"]
    invoke("review", "--accept", secret["id"], *DAY)
    text = (workspace.workspace.root / "plans" / "key.md").read_text()
    assert "MIIE" not in text
    assert "the rest stays" in text


def test_a_person_is_asked_and_accepts(at_terminal: Terminal, leaky: Path):
    assert wait_until(lambda: "accept, reject, edit, skip" in at_terminal.text)
    assert "1 of 1" in at_terminal.text
    at_terminal.type("accept")
    assert wait_until(lambda: at_terminal.process.poll() is not None)
    assert holders(leaky) == []
    assert SECRET not in at_terminal.text


def test_a_person_skips_and_nothing_changes(at_terminal: Terminal, leaky: Path):
    assert wait_until(lambda: "accept, reject, edit, skip" in at_terminal.text)
    at_terminal.press(ENTER)
    assert wait_until(lambda: at_terminal.process.poll() == 0)
    assert holders(leaky) == ["2026-03-15.md", "keys.md"]


def test_a_person_edits_what_has_to_go(at_terminal: Terminal, leaky: Path):
    assert wait_until(lambda: "accept, reject, edit, skip" in at_terminal.text)
    at_terminal.type("edit")
    assert wait_until(lambda: "forget:" in at_terminal.text)
    at_terminal.type("the door is red")
    assert wait_until(lambda: at_terminal.process.poll() == 0)
    assert "the door is red" not in (leaky / "memory" / "2026-03-15.md").read_text()


def test_a_decision_on_what_does_not_wait_is_an_error(leaky: Path, invoke: Call):
    assert invoke("review", "--accept", "00000000", *DAY).code == 1
