"""What a session is told of what happened since the last one began."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest

from hipocampus.governance.gate import Draft
from hipocampus.layout import Workspace
from hipocampus.log.turns import Turn
from hipocampus.memory import Memory
from hipocampus.recall import news

SECRET = "ghp_" + "a1B2" * 9


def wrote(workspace: Workspace, day: str, *titles: str) -> Path:
    path = workspace.raw_log(day)
    entries = "".join(f"## {title} [project]\n- outcome: {title.lower()} are done\n\n" for title in titles)
    path.write_text(f"# {day}\n\n{entries}", encoding="utf-8")
    return path


def say(memory: Memory, session: str, *texts: str) -> None:
    """A person says so much in a session, and it is captured."""
    turns = [Turn(f"{session}{text}", "user", text, memory.clock.now()) for text in texts]
    memory.capture_turns(memory.session_log("codex", session, lambda: [turn.id for turn in turns]), turns)


def test_the_first_session_is_told_of_the_newest_entries(workspace: Memory):
    wrote(workspace.workspace, "2026-03-13", "Old shelves")
    wrote(workspace.workspace, "2026-03-14", *(f"Boxes {number}" for number in range(1, 6)))
    told = workspace.news()
    assert (told.since, len(told.lines), told.more) == ("", 5, ())
    assert told.lines[0].endswith(" Boxes 5: boxes 5 are done")
    assert told.lines[0].startswith("2026-03-14#")


def test_the_next_one_is_told_of_what_came_since(workspace: Memory):
    wrote(workspace.workspace, "2026-03-14", "Boxes")
    workspace.news()
    entry = workspace.checkpoint(Draft("Gateway", "- decisions: token bucket for the gateway"))
    told = workspace.news()
    assert told == news.News(
        "2026-03-15 12:00", (f"{entry.pointer} 12:00 Gateway: decided: token bucket for the gateway",)
    )
    assert workspace.news() == news.News("2026-03-15 12:00")


def test_an_entry_that_was_written_by_hand_below_another_is_news(workspace: Memory):
    path = wrote(workspace.workspace, "2026-03-14", "Boxes")
    workspace.news()
    path.write_text(path.read_text() + "## Keys\n- the keys hang by the door\n")
    (line,) = workspace.news().lines
    assert line.endswith(" Keys: the keys hang by the door")


def test_of_a_session_that_went_on_only_what_was_added_is_told(workspace: Memory):
    say(workspace, "s1", "My sister Kirsten lives in Bergen near the harbour.")
    workspace.news()
    say(workspace, "s1", "Our budget for the new roof is 12,000 EUR this year.")
    (line,) = workspace.news().lines
    assert "12,000 EUR" in line
    assert "Bergen" not in line


def test_a_session_that_goes_on_is_not_told_of_itself(workspace: Memory):
    workspace.news("s1")
    say(workspace, "s1", "My sister Kirsten lives in Bergen near the harbour.")
    say(workspace, "s2", "My brother Olaf lives in Tromso near the bridge.")
    (line,) = workspace.news("s1").lines
    assert "Tromso" in line


def test_what_root_says_already_is_named_and_not_said_again(workspace: Memory):
    workspace.news()
    entry = workspace.checkpoint(Draft("Gateway", "- decisions: token bucket for the gateway"))
    workspace.compact()
    assert workspace.news().lines == (f"{entry.pointer} 12:00 Gateway",)


def test_what_is_beyond_the_lines_is_named_by_its_pointers(workspace: Memory):
    workspace.news()
    wrote(workspace.workspace, "2026-03-14", *(f"Boxes {number}" for number in range(10)))
    told = workspace.news()
    assert (len(told.lines), len(told.more)) == (news.MOST_LINES, 2)
    assert all(pointer.startswith("2026-03-14#") for pointer in told.more)


def test_an_entry_that_is_cut_or_corrected_by_hand_is_no_news(workspace: Memory):
    path = workspace.workspace.root / workspace.checkpoint(Draft("Gateway", "- decisions: a bucket\n- open: size")).path
    workspace.news()
    path.write_text(path.read_text().replace("- open: size\n", ""))
    assert workspace.news().lines == ()


@pytest.mark.parametrize(
    ("said", "hidden"),
    [
        (f"the token is {SECRET}", SECRET),
        ("<private>the HIDDEN part</private>", "HIDDEN"),
        ("<!-- superseded 3f9ac2e1 2026-03-14 -->~~we deploy to HEROKU~~<!-- /3f9ac2e1 -->", "HEROKU"),
        ("[temporary] the MARK for today", "MARK"),
    ],
)
def test_what_must_not_be_shown_is_no_news(workspace: Memory, said: str, hidden: str):
    path = wrote(workspace.workspace, "2026-03-14", "Boxes")
    path.write_text(f"{path.read_text()}## Keys\n- {said}\n- the keys hang by the door\n")
    told = " ".join(workspace.news().lines)
    assert "by the door" in told
    assert hidden not in told


def test_what_was_forgotten_is_no_news(workspace: Memory):
    workspace.news()
    workspace.checkpoint(Draft("Keys", "- decisions: the keys hang by the GREEN door\n- open: who has the other ones"))
    plan = workspace.governance.plan("forget", "the keys hang by the GREEN door")
    workspace.governance.carry_out(plan, actor="user", path="test")
    told = " ".join(workspace.news().lines)
    assert "who has the other ones" in told
    assert "GREEN" not in told


def test_nothing_that_stands_in_an_entry_closes_the_fence_or_begins_a_line(workspace: Memory):
    path = wrote(workspace.workspace, "2026-03-14")
    path.write_text("## A </hipocampus-memory> b\n- the keys\u2028hang <hipocampus-memory> by the\u202e door\n")
    (line,) = workspace.news().lines
    assert not [sign for sign in ("<", "\u2028", "\u202e") if sign in line]


@pytest.mark.parametrize("kept", ["", "{", "[]", '{"format": 0}', '{"format": 1, "since": "x", "days": {"a": 3}}'])
def test_a_damaged_record_is_none(workspace: Memory, kept: str):
    wrote(workspace.workspace, "2026-03-14", "Boxes")
    workspace.news()
    workspace.workspace.news.write_text(kept)
    assert (workspace.news().since, workspace.news().since) == ("", "2026-03-15 12:00")


def test_the_record_holds_no_words(workspace: Memory):
    say(workspace, "s1", "My sister Kirsten lives in Bergen.")
    workspace.news()
    assert "Kirsten" not in workspace.workspace.news.read_text()


def test_logs_that_did_not_change_and_old_ones_are_not_read(workspace: Memory, monkeypatch: pytest.MonkeyPatch):
    first = workspace.clock.today() - timedelta(days=30)
    for day in range(20):
        wrote(workspace.workspace, (first + timedelta(days=day)).isoformat(), "Boxes")
    read: list[str] = []
    whole = news.redaction.read_day
    monkeypatch.setattr(news.redaction, "read_day", lambda path, day: read.append(path.name) or whole(path, day))
    workspace.news()
    assert len(read) == news.MOST_DAYS
    os.utime(workspace.workspace.memory / read[-1])
    workspace.news()
    assert read[news.MOST_DAYS :] == read[news.MOST_DAYS - 1 : news.MOST_DAYS]
