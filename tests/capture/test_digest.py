"""What the tree makes of captured sessions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sessions import capture, row, write

from hipocampus.memory import Memory


def worked(number: int) -> list[dict[str, Any]]:
    """A question, two calls of tools and an answer."""
    calls = [
        {
            "type": "tool_use",
            "id": f"t{number}{name}",
            "name": name,
            "input": {"command": f"kubectl top pods -n eu-{number}"},
        }
        for name in ("Bash", "Shell")
    ]
    return [
        row(2 * number, f"Our cluster eu-{number} must stay below {300 + number} MB, we pay for each of them."),
        row(2 * number + 1, [{"type": "text", "text": f"It uses {200 + number} MB."}, *calls], "assistant"),
    ]


def test_calls_of_tools_are_no_facts(workspace: Memory, tmp_path: Path):
    capture(workspace, write(tmp_path / "s.jsonl", [each for number in range(200) for each in worked(number)]))
    workspace.compact()
    memory = workspace.workspace.memory
    assert (memory / "2026-03-15.md").read_text("utf-8").count("Tool: Bash: kubectl") == 200
    for node in (memory / "ROOT.md", memory / "daily" / "2026-03-15.md", memory / "monthly" / "2026-03.md"):
        assert "kubectl" not in node.read_text("utf-8")
    assert "cluster eu-" in (memory / "ROOT.md").read_text("utf-8")


def test_a_day_of_tools_alone_leaves_no_fact(workspace: Memory, tmp_path: Path):
    call = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "kubectl top pods"}}
    capture(workspace, write(tmp_path / "s.jsonl", [row(1, [call], "assistant")]))
    workspace.compact()
    assert "kubectl" not in workspace.workspace.root_node.read_text("utf-8").lower()


def test_a_captured_entry_can_be_pointed_at(workspace: Memory, tmp_path: Path):
    capture(workspace, write(tmp_path / "s.jsonl", worked(1)))
    before = workspace.workspace.raw_log("2026-03-15").read_text("utf-8")
    ident = before.split("<!-- hipo id=")[1].split(" ")[0]
    capture(workspace, write(tmp_path / "s.jsonl", [*worked(1), *worked(2)]))
    assert "cluster eu-2" in workspace.read(f"2026-03-15#{ident}").text
