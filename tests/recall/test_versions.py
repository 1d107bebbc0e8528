"""The newest entry under a title comes with an older one that a prompt hits."""

from __future__ import annotations

from hipocampus.memory import Memory
from hipocampus.recall.versions import Version, newest

PROMPT = "where do we deploy our shop?"


def wrote(memory: Memory, day: int, title: str, said: str) -> None:
    memory.workspace.raw_log(f"2026-03-{day:02}").write_text(f"## {title}\n- {said}\n", encoding="utf-8")


def days(memory: Memory) -> list[str]:
    return [item.date for item in memory.recall(PROMPT).items]


def test_a_title_that_many_bear_names_no_thing():
    few = [Version("Few", f"2026-03-{day:02}", f"few{day}") for day in range(1, 9)]
    many = [Version("Many", f"2026-03-{day:02}", f"many{day}") for day in range(1, 10)]
    assert newest([*few, *many]) == {"Few": few[-1]}


def test_what_was_written_since_the_night_under_the_same_title_comes_along(workspace: Memory):
    wrote(workspace, 1, "Hosting", "we deploy the shop to Heroku")
    wrote(workspace, 2, "Hosting", "trouble with the bill")
    workspace.sleep()
    assert days(workspace) == ["2026-03-02", "2026-03-01"]
    wrote(workspace, 15, "Hosting", "moved over to Fly.io")
    assert days(workspace) == ["2026-03-15", "2026-03-01"]


def test_an_entry_that_is_gone_since_the_night_does_not_come_along(workspace: Memory):
    wrote(workspace, 1, "Hosting", "we deploy the shop to Heroku")
    wrote(workspace, 9, "Hosting", "moved over to Fly.io")
    workspace.sleep()
    assert days(workspace) == ["2026-03-09", "2026-03-01"]
    workspace.workspace.raw_log("2026-03-09").unlink()
    assert days(workspace) == ["2026-03-01"]


def test_a_newer_entry_under_another_title_and_an_older_one_stay_away(workspace: Memory):
    wrote(workspace, 1, "Hosting", "trouble with the bill")
    wrote(workspace, 5, "Hosting", "we deploy the shop to Heroku")
    wrote(workspace, 9, "Cellar", "moved the shelf")
    workspace.sleep()
    assert days(workspace) == ["2026-03-05"]
