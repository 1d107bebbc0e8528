"""Nodes and ROOT.md files of another hand: nothing of them is lost, and none of them poses as ours."""

from __future__ import annotations

import pytest

NODE = "daily/2026-03-02.md"
FOREIGN_ROOT = """---
type: root
status: tentative
last-updated: 2026-03-01
---

## Active Context (recent ~7 days)
- the freeze is on Friday MARK-ACTIVE

## Recent Patterns
- reviews take two days MARK-PATTERN

## Historical Summary
- 2025-11: Priya moved the ledger to Lisbon MARK-OLD

## Topics Index
- no-force-push [feedback]: ask first MARK-FB
- rate-limit [project, 4d]: token bucket of Jonas MARK-TOPIC
"""


@pytest.fixture
def built(store):
    store.entry("2026-03-02", "Monday", "MARK-MON")
    store.compact("2026-03-05")
    return store


def _aside(store) -> str:
    folder = store.memory / ".hipocampus/set-aside"
    return "\n".join(path.read_bytes().decode("utf-8", "surrogateescape") for path in sorted(folder.rglob("*.md")))


@pytest.mark.parametrize("name", [NODE, "weekly/2026-W10.md", "monthly/2026-03.md"])
def test_a_node_edited_by_hand_is_set_aside_and_rebuilt(built, name: str):
    whole = built.text(name)
    built.write(f"memory/{name}", whole + "\nBY-HAND\n")
    done = built.compact("2026-03-05")
    assert built.text(name) == whole
    assert "BY-HAND" in _aside(built)
    assert done.warnings == (f"memory/{name} was set aside and rebuilt: it was edited by hand",)


def test_a_node_edited_twice_is_set_aside_twice(built):
    for words in ("FIRST", "SECOND"):
        built.write(f"memory/{NODE}", built.text(NODE) + words)
        built.compact("2026-03-05")
    assert "FIRST" in _aside(built)
    assert "SECOND" in _aside(built)


def test_an_edit_of_a_node_whose_source_changed_too_is_not_lost(built):
    built.write(f"memory/{NODE}", built.text(NODE) + "BY-HAND")
    built.entry("2026-03-02", "Evening", "MARK-EVE")
    built.compact("2026-03-05")
    assert "MARK-EVE" in built.body(NODE)
    assert "BY-HAND" in _aside(built)


def test_a_deleted_node_comes_back(built):
    whole = built.text("weekly/2026-W10.md")
    (built.memory / "weekly/2026-W10.md").unlink()
    built.compact("2026-03-05")
    assert built.text("weekly/2026-W10.md") == whole


def test_an_emptied_node_comes_back(built):
    whole = built.text(NODE)
    built.write(f"memory/{NODE}", "")
    built.compact("2026-03-05")
    assert built.text(NODE) == whole


@pytest.mark.parametrize(
    "text",
    [
        "# My own notes\n\nKEPT\n",
        "---\ntype: daily\nstatus: needs-summarization\nperiod: 2026-03-02\n---\n\nKEPT\n",
        "---\n[broken: {yaml\n---\nKEPT\n",
        "---\nno end KEPT\n",
    ],
)
def test_a_node_of_another_program_is_kept_aside(store, text: str):
    store.entry("2026-03-02", "Monday", "MARK-MON")
    store.write(f"memory/{NODE}", text)
    done = store.compact("2026-03-05")
    assert "MARK-MON" in store.body(NODE)
    assert "KEPT" in _aside(store)
    assert [NODE in warning for warning in done.warnings] == [True]


def test_a_node_of_another_program_without_a_raw_log_is_left_alone(store):
    store.write("memory/daily/2026-03-09.md", "# My own notes\n\nKEPT\n")
    store.entry("2026-03-02", "Monday", "MARK-MON")
    done = store.compact("2026-03-05")
    assert store.text("daily/2026-03-09.md") == "# My own notes\n\nKEPT\n"
    assert done.warnings == ("memory/daily/2026-03-09.md was left alone: no raw log belongs to it",)


@pytest.mark.parametrize("name", ["daily/notes.md", "weekly/2026-W99.md", "monthly/NaN.md", "weekly/9999-W52.md"])
def test_a_file_that_is_no_node_is_left_alone(built, name: str):
    built.write(f"memory/{name}", "KEPT")
    assert built.compact("2026-03-05").warnings == (f"memory/{name} was left alone: no raw log belongs to it",)
    assert built.text(name) == "KEPT"


def test_r77_a_node_can_not_pose_as_another(built):
    built.entry("2026-03-09", "Next week", "MARK-NEXT")
    built.compact("2026-03-10")
    before = built.tree()
    poser = built.text(NODE).replace("period: 2026-03-02", "period: 2026-03-09").replace("type: daily", "type: root")
    built.write(f"memory/{NODE}", poser + "POSER")
    done = built.compact("2026-03-10")
    assert done.warnings == (f"memory/{NODE} was set aside and rebuilt: its front matter names another node",)
    assert built.tree() == before
    assert "POSER" in _aside(built)


def test_r77_a_poser_without_a_raw_log_overwrites_nothing(built):
    before = built.tree()
    built.write("memory/daily/2026-03-04.md", built.text(NODE))
    done = built.compact("2026-03-05")
    assert "memory/daily/2026-03-04.md" in done.warnings[0]
    assert built.tree() == before


def test_a_root_of_another_program_lives_on(built):
    built.write("memory/ROOT.md", FOREIGN_ROOT)
    done = built.compact("2026-03-05")
    root = built.text("ROOT.md")
    for mark in ("MARK-ACTIVE", "MARK-FB", "MARK-TOPIC", "MARK-MON", "MARK-OLD", "MARK-PATTERN"):
        assert mark in root
    assert built.text("summaries/imported-root.md") == FOREIGN_ROOT
    assert "imported-root.md" in done.warnings[0]


def test_a_root_that_lives_on_is_the_same_after_a_rebuild(built):
    built.write("memory/ROOT.md", FOREIGN_ROOT)
    built.compact("2026-03-05")
    before = built.tree()
    assert built.compact("2026-03-05").written == ()
    built.forget_tree()
    built.compact("2026-03-05")
    assert built.tree() == before


def test_a_second_foreign_root_is_kept_aside(built):
    built.write("memory/ROOT.md", FOREIGN_ROOT)
    built.compact("2026-03-05")
    built.write("memory/ROOT.md", "# Another program\n\n- SECOND\n")
    built.compact("2026-03-05")
    assert "SECOND" in _aside(built)
    assert "MARK-TOPIC" in built.text("ROOT.md")


@pytest.mark.parametrize("text", ["", "\n", "---\ntype: root\n---\n"])
def test_an_empty_root_is_only_replaced(built, text: str):
    built.write("memory/ROOT.md", text)
    assert built.compact("2026-03-05").warnings == ()
    assert "MARK-MON" in built.text("ROOT.md")


def test_a_root_edited_by_hand_is_set_aside_and_rebuilt(built):
    whole = built.text("ROOT.md")
    built.write("memory/ROOT.md", whole.replace("## Topics Index", "## Topics Index\n- BY-HAND"))
    done = built.compact("2026-03-05")
    assert built.text("ROOT.md") == whole
    assert "BY-HAND" in _aside(built)
    assert done.warnings == ("memory/ROOT.md was set aside and rebuilt: it was edited by hand",)


def test_a_root_edited_by_hand_before_a_change_is_not_lost(built):
    built.write("memory/ROOT.md", built.text("ROOT.md") + "- BY-HAND\n")
    built.entry("2026-03-05", "Thursday", "MARK-THU")
    built.compact("2026-03-05")
    assert "MARK-THU" in built.text("ROOT.md")
    assert "BY-HAND" in _aside(built)
