"""When a compaction is due."""

from __future__ import annotations

import pytest


@pytest.fixture
def fresh(store):
    """A store that was compacted at nine."""
    store.entry("2026-03-02", "Morning", "work")
    store.at("2026-03-02", 9).compact()
    return store


def _lines(store, number: int) -> None:
    store.log("2026-03-02", store.text("2026-03-02.md") + "- more work\n" * number)


def _checkpoints(store, number: int) -> None:
    for n in range(number):
        comment = f"<!-- hipo id=00000{n} actor=agent via=checkpoint at=2026-03-02T10:00:00+00:00 -->"
        text = f"\n## Point {n} [project]\n{comment}\n"
        store.log("2026-03-02", store.text("2026-03-02.md") + text)


def test_a_tree_that_was_never_built_is_due(store):
    assert store.at("2026-03-02").due() == "the tree has not been built yet"


def test_nothing_is_due_when_nothing_changed(fresh):
    assert fresh.at("2026-03-02", 23).due() == ""
    assert fresh.at("2026-03-02", 23).compact_if_due() is None


def test_a_new_day_is_due(fresh):
    assert fresh.at("2026-03-03", 0).due() == "a new day began"


def test_a_new_day_is_due_only_once(fresh):
    fresh.at("2026-03-03", 1).compact()
    assert fresh.at("2026-03-03", 2).due() == ""


@pytest.mark.parametrize(("number", "due"), [(299, ""), (300, "300 new raw lines"), (301, "301 new raw lines")])
def test_b48_three_hundred_new_lines_are_due(fresh, number: int, due: str):
    _lines(fresh, number)
    assert fresh.at("2026-03-02", 10).due() == due


@pytest.mark.parametrize(("number", "due"), [(4, ""), (5, "5 new checkpoints")])
def test_b41_five_new_checkpoints_are_due(fresh, number: int, due: str):
    _checkpoints(fresh, number)
    assert fresh.at("2026-03-02", 10).due() == due


@pytest.mark.parametrize(("hour", "due"), [(11, ""), (12, "3 hours since the last run")])
def test_three_hours_after_the_last_run_a_change_is_due(fresh, hour: int, due: str):
    _lines(fresh, 1)
    assert fresh.at("2026-03-02", hour).due() == due


def test_what_was_compacted_is_not_counted_again(fresh):
    _lines(fresh, 400)
    assert fresh.at("2026-03-02", 10).compact_if_due()
    assert fresh.at("2026-03-02", 10).due() == ""


def test_lines_of_several_days_add_up(fresh):
    fresh.log("2026-03-01", "- late\n" * 150)
    _lines(fresh, 150)
    assert fresh.at("2026-03-02", 10).due() == "300 new raw lines"


def test_the_thresholds_are_settings(fresh):
    fresh.configure(maxRawLines=2, maxCheckpoints=2, cooldownHours=0)
    assert fresh.at("2026-03-02", 10).due() == ""
    _lines(fresh, 1)
    assert fresh.at("2026-03-02", 10).due() == "0 hours since the last run"


def test_a_log_that_shrank_is_due_by_time_only(fresh):
    fresh.log("2026-03-02", "")
    assert fresh.at("2026-03-02", 10).due() == ""
    assert fresh.at("2026-03-02", 12).due()


def test_compact_if_due_says_in_json_that_nothing_was_due(fresh, run):
    fresh.compact("2026-03-02", full=True)
    done = run("-C", fresh.root, "--json", "--today", "2026-03-02", "compact", "--if-due")
    assert done.code == 0
    assert done.json["written"] == []
    assert {"unchanged", "root_tokens", "needs_agent", "seconds"} <= set(done.json)


def test_compact_if_due_gives_way_to_a_run_that_is_under_way(store):
    from hipocampus import files

    store.entry("2026-03-02", "Morning", "work")
    with files.lock(store.at("2026-03-02").workspace.compact_lock, timeout=1):
        assert store.at("2026-03-02").compact_if_due() is None
