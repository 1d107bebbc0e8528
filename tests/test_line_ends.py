"""Case 88: files with CRLF, CR, a byte order mark or UTF-16 are read, and appended to in their own way."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support import CASES

from hipocampus import files
from hipocampus.governance import redaction
from hipocampus.governance.gate import Draft
from hipocampus.memory import Memory
from hipocampus.text import front_matter

CASE = CASES / "88-crlf-bom"
NAMES = ("lf", "crlf", "cr", "mixed", "bom-crlf", "utf16")
DRAFT = Draft("Appended", "- note: behind\n- and more")


def _log(memory: Memory, name: str) -> Path:
    """The case's file as today's raw log."""
    path = memory.workspace.raw_log("2026-03-15")
    shutil.copy(CASE / f"{name}.md", path)
    return path


@pytest.mark.parametrize("name", NAMES)
def test_the_front_matter_is_read_alike_whatever_the_line_end(name: str) -> None:
    front, body = front_matter.split(files.read_text(CASE / f"{name}.md").text)
    fields = front_matter.fields_of(front)
    assert [fields["type"], fields["status"], str(fields["period"])] == ["daily", "tentative", "2026-03-02"]
    assert body.startswith("# 2026-03-02\n- CRLFTOK\n")


@pytest.mark.parametrize("name", NAMES)
def test_a_raw_log_reaches_its_daily_node_whatever_the_line_end(workspace: Memory, name: str) -> None:
    _log(workspace, name)
    workspace.compact()
    text = (workspace.workspace.memory / "daily" / "2026-03-15.md").read_bytes()
    assert b"CRLFTOK" in text
    assert b"\r" not in text
    assert b"\xef\xbb\xbf" not in text


@pytest.mark.parametrize("name", NAMES)
def test_a_foreign_daily_node_is_set_aside_and_not_lost(workspace: Memory, name: str) -> None:
    workspace.workspace.raw_log("2026-03-02").write_text("## Real\n- fact\n", encoding="utf-8")
    node_file = workspace.workspace.memory / "daily" / "2026-03-02.md"
    node_file.parent.mkdir(exist_ok=True)
    shutil.copy(CASE / f"{name}.md", node_file)
    workspace.compact()
    assert b"- fact" in node_file.read_bytes()
    (kept,) = workspace.workspace.set_aside.rglob("*.md")
    assert "CRLFTOK" in files.read_text(kept).text


@pytest.mark.parametrize("name", NAMES)
def test_appending_keeps_what_was_there_byte_for_byte(workspace: Memory, name: str) -> None:
    path = _log(workspace, name)
    before = path.read_bytes()
    workspace.checkpoint(DRAFT)
    assert path.read_bytes().startswith(before)
    entries = redaction.read_day(path, workspace.clock.today())
    assert (entries[-1].title, entries[-1].body) == ("Appended", DRAFT.body)
    assert "CRLFTOK" in entries[0].body


@pytest.mark.parametrize(
    ("name", "end"), [("lf", b"\n"), ("crlf", b"\r\n"), ("cr", b"\r"), ("mixed", b"\n"), ("bom-crlf", b"\r\n")]
)
def test_appending_uses_the_line_end_that_prevails(workspace: Memory, name: str, end: bytes) -> None:
    path = _log(workspace, name)
    before = len(path.read_bytes())
    workspace.checkpoint(DRAFT)
    added = path.read_bytes()[before:]
    assert added.endswith(end)
    assert added.replace(end, b"").count(b"\n") == added.replace(end, b"").count(b"\r") == 0


def test_appending_to_utf16_stays_utf16(workspace: Memory) -> None:
    path = _log(workspace, "utf16")
    workspace.checkpoint(Draft("한글 🚀", "- note: x"))
    text = path.read_bytes().decode("utf-16")
    assert "## 한글 🚀 [project]\n- note: x\n" in text
    assert "\ufeff" not in text


def test_a_byte_order_mark_is_not_repeated(workspace: Memory) -> None:
    path = _log(workspace, "bom-crlf")
    workspace.checkpoint(DRAFT)
    workspace.checkpoint(Draft("Another", "- note: y"))
    assert path.read_bytes().count(b"\xef\xbb\xbf") == 1


@pytest.mark.parametrize("name", NAMES)
def test_the_same_words_are_absorbed_whatever_the_line_end(workspace: Memory, name: str) -> None:
    path = _log(workspace, name)
    workspace.checkpoint(DRAFT)
    before = path.read_bytes()
    assert not workspace.checkpoint(DRAFT).stored
    assert path.read_bytes() == before


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b"\n", b"\r\n", b"\xff\xfe", b"no end"])
def test_a_nearly_empty_log_takes_an_entry(workspace: Memory, data: bytes) -> None:
    path = workspace.workspace.raw_log("2026-03-15")
    path.write_bytes(data)
    workspace.checkpoint(DRAFT)
    assert path.read_bytes().startswith(data)
    assert redaction.read_day(path, workspace.clock.today())[-1].title == "Appended"
