"""What a session is told at its start: hot files, ROOT.md and news, fenced, cut fairly, with a word on the rest."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hooking import FakeHost
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hipocampus.hosts.answers import measure, utf8_bytes, utf16_units
from hipocampus.hosts.registry import host_named
from hipocampus.memory import Memory
from hipocampus.recall.news import News
from hipocampus.setup import session_context
from hipocampus.setup.session_context import Room, context, fair_shares, is_imported

ROOT = "---\ntype: root\n---\n\n# Memory\n\n## Active Context\n- now [project, 0d]: a\n\n## Topics Index\n" + "".join(
    f"- topic {number} [project, {number}d]: some fact about it\n" for number in range(200)
)


@pytest.fixture
def filled(workspace: Memory) -> Memory:
    """A memory with a long ROOT.md and one hot file that was written to."""
    workspace.workspace.root_node.write_text(ROOT, encoding="utf-8")
    (workspace.workspace.root / "WORKING.md").write_text("# Working\n\n## Pool\n- the next step\n", encoding="utf-8")
    return workspace


def test_everything_is_told_where_there_is_room(filled: Memory) -> None:
    text = context(filled.workspace, Room(100_000), News())
    assert text.startswith("<hipocampus-memory>\n")
    assert text.endswith("\n</hipocampus-memory>")
    assert text.index("# WORKING.md\n## Pool\n- the next step") < text.index("# memory/ROOT.md\n")
    assert "- topic 199 [" in text
    assert "type: root" not in text
    assert "Left out" not in text


def test_what_init_wrote_and_what_is_only_headings_says_nothing(workspace: Memory) -> None:
    workspace.workspace.root_node.write_text("## Active Context\n\n## Topics Index\n", encoding="utf-8")
    assert context(workspace.workspace, Room(10_000), News()) == ""


def test_a_long_section_is_cut_at_a_line_and_the_last_line_says_so(filled: Memory) -> None:
    text = context(filled.workspace, Room(2000), News())
    assert len(text) <= 2000
    assert "- the next step" in text
    assert "- now [project, 0d]: a" in text
    last = text.splitlines()[-2]
    kept = text.count("\n- topic ")
    assert last.startswith(f"Left out here: {200 - kept} lines of 'Topics Index'. ")
    assert last.endswith("`hipocampus read FILE` prints all of it: memory/ROOT.md")


def test_nothing_in_a_file_closes_the_fence(workspace: Memory) -> None:
    text = "- a </hipocampus-memory> b <hipocampus-memory> c\n"
    workspace.workspace.root_node.write_text(f"## Active Context\n{text}", encoding="utf-8")
    assert context(workspace.workspace, Room(10_000), News()).count("hipocampus-memory>") == 2


@pytest.mark.parametrize("size", [len, utf8_bytes, utf16_units])
@given(texts=st.lists(st.text(max_size=3000), min_size=4, max_size=4), limit=st.integers(700, 5000))
@settings(max_examples=40, suppress_health_check=list(HealthCheck))
def test_it_is_never_longer_than_the_host_takes(
    workspace: Memory, texts: list[str], limit: int, size: Callable[[str], int]
) -> None:
    names = ["SCRATCHPAD.md", "WORKING.md", "TASK-QUEUE.md", "memory/ROOT.md"]
    for name, text in zip(names, texts, strict=True):
        (workspace.workspace.root / name).write_text(text, encoding="utf-8", errors="surrogatepass")
    assert size(context(workspace.workspace, Room(limit, size), NEWS)) <= limit


@given(wants=st.lists(st.integers(0, 500), max_size=8), room=st.integers(0, 2000))
def test_shares_are_fair(wants: list[int], room: int) -> None:
    shares = fair_shares(wants, room)
    assert sum(shares) <= room
    assert all(share <= want for share, want in zip(shares, wants, strict=True))
    short = [share for share, want in zip(shares, wants, strict=True) if share < want]
    assert not short or max(shares) <= max(short) + len(wants)
    assert not short or sum(shares) > room - len(wants)


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("CLAUDE.md", "@memory/ROOT.md"),
        (".claude/CLAUDE.md", "@../memory/ROOT.md"),
        ("CLAUDE.local.md", "@memory/ROOT.md"),
    ],
)
def test_a_host_that_follows_imports_needs_to_be_told_nothing(workspace: Memory, path: str, line: str) -> None:
    root, claude = workspace.workspace.root, host_named("claude-code")
    assert not is_imported(workspace.workspace, claude, root)
    (root / path).parent.mkdir(exist_ok=True)
    (root / path).write_text(f"# Mine\r\n{line}\r\n", encoding="utf-8")
    assert is_imported(workspace.workspace, claude, root)
    assert not is_imported(workspace.workspace, FakeHost(), root)  # type: ignore[arg-type]


def test_in_a_worktree_the_import_leads_nowhere(workspace: Memory, tmp_path_factory: pytest.TempPathFactory) -> None:
    (workspace.workspace.root / "CLAUDE.md").write_text("@memory/ROOT.md\n", encoding="utf-8")
    assert not is_imported(workspace.workspace, host_named("claude-code"), tmp_path_factory.mktemp("worktree"))


NEWS = News("2026-03-14 17:20", tuple(f"2026-03-15#a{n} 09:0{n} Boxes {n}: done" for n in range(5)), ("2026-03-14#b",))


def test_the_news_come_last_and_say_since_when_and_what_is_left(filled: Memory) -> None:
    text = context(filled.workspace, Room(100_000), NEWS)
    assert text.index("- topic 199 [") < text.index(
        "# Since the last session began (2026-03-14 17:20)\n- 2026-03-15#a0 "
    )
    assert text.endswith("\n1 more, read with `hipocampus read`: 2026-03-14#b\n</hipocampus-memory>")


def test_a_host_that_follows_imports_is_told_the_news_alone(filled: Memory) -> None:
    text = context(filled.workspace, Room(8000), NEWS, is_imported=True)
    assert text.splitlines()[2:4] == ["", "# Since the last session began (2026-03-14 17:20)"]
    assert "topic 1 " not in text
    assert context(filled.workspace, Room(8000), News("2026-03-14 17:20"), is_imported=True) == ""


def test_the_news_take_a_quarter_at_most_and_count_what_is_left(filled: Memory) -> None:
    text = context(filled.workspace, Room(1000), NEWS)
    assert len(text) <= 1000
    assert "- now [project, 0d]: a" in text
    assert "- 2026-03-15#a2 " in text
    assert "\n3 more, read with `hipocampus read`: 2026-03-15#a3, 2026-03-15#a4, 2026-03-14#b\n" in text


def test_what_a_host_measures_in_bytes_is_cut_by_us_and_not_blindly(workspace: Memory) -> None:
    line = "- 결제 게이트웨이의 속도 제한을 토큰 버킷으로 정했다\n"
    workspace.workspace.root_node.write_text(f"## Topics Index\n{line * 600}", encoding="utf-8")
    host = host_named("codex")
    text = context(workspace.workspace, Room(host.context_limit, measure(host.name)), NEWS)
    told = json.loads(host.answer("SessionStart", text))["hookSpecificOutput"]["additionalContext"]
    assert told == text
    assert "Left out here: " in told
    assert "- 2026-03-15#a4 " in told


def test_a_file_that_can_not_be_read_is_left_out(workspace: Memory) -> None:
    (workspace.workspace.root / "WORKING.md").unlink()
    (workspace.workspace.root / "WORKING.md").mkdir()
    assert session_context.context(workspace.workspace, Room(5000), News()) == ""


def test_the_bytes_of_another_encoding_do_not_stop_a_hook(workspace: Memory, fire, tmp_path: Path) -> None:
    workspace.workspace.root_node.write_bytes(b"## Active Context\n- caf\xe9 \x00 \xff\n")
    done = fire(tmp_path, "SessionStart", b"{}", "--host", "codex")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"caf" in done.stdout


def test_a_secret_or_private_text_that_stands_in_a_file_is_not_told(workspace: Memory) -> None:
    secret = "ghp_" + "a1B2" * 9
    text = f"## Active Context\n- the token {secret}\n- <private>the HIDDEN part</private> and the rest\n"
    workspace.workspace.root_node.write_text(text, encoding="utf-8")
    told = context(workspace.workspace, Room(5000), News())
    assert "and the rest" in told
    assert (secret in told, "HIDDEN" in told) == (False, False)
