"""The tree is a projection: the same sources and the same day give the same bytes, and nothing is written twice."""

from __future__ import annotations

import random
from datetime import date, timedelta

import pytest

from hipocampus import files


def fill(store, dice: random.Random, day: date, entries: int = 6, lines: int = 12) -> None:
    store.chatter(str(day), dice, dice.randint(1, entries), dice.randint(1, lines))


def small_budgets(store) -> None:
    store.configure(dailyMaxTokens=450, weeklyMaxTokens=700, monthlyMaxTokens=900, rootMaxTokens=600)


@pytest.fixture
def forty_days(store):
    """Forty days with digests at every level."""
    small_budgets(store)
    dice = random.Random(7)
    for n in range(40):
        fill(store, dice, date(2026, 1, 20) + timedelta(days=n))
    return store


def test_a_second_run_touches_no_file(forty_days):
    forty_days.compact("2026-03-02")
    before = forty_days.times()
    done = forty_days.compact("2026-03-02")
    assert done.written == done.removed == ()
    assert forty_days.times() == before


def test_a_second_full_run_touches_no_file(forty_days):
    forty_days.compact("2026-03-02")
    before = forty_days.times()
    assert forty_days.compact("2026-03-02", full=True).written == ()
    assert forty_days.times() == before


def test_a_dry_run_says_what_would_be_written_and_changes_no_byte(forty_days):
    before = forty_days.times()
    planned = forty_days.compact("2026-03-02", dry_run=True)
    assert forty_days.times() == before
    assert planned.written == forty_days.compact("2026-03-02").written


def test_a_dry_run_over_a_built_tree_changes_no_byte(forty_days):
    forty_days.compact("2026-03-02")
    forty_days.entry("2026-02-10", "Late", "Priya chose Bergen")
    (forty_days.memory / "2026-02-11.md").unlink()
    before = forty_days.times()
    planned = forty_days.compact("2026-03-02", dry_run=True)
    assert forty_days.times() == before
    done = forty_days.compact("2026-03-02")
    assert (planned.written, planned.removed, planned.reopened) == (done.written, done.removed, done.reopened)


def test_r46_a_tree_that_was_deleted_comes_back_byte_for_byte(forty_days):
    forty_days.compact("2026-03-02")
    before = forty_days.tree()
    assert len(before) > 40
    forty_days.forget_tree()
    forty_days.compact("2026-03-02")
    assert forty_days.tree() == before


@pytest.mark.parametrize(
    "damage", ["", "{}", "[1]", '{"version": 1}', "\0", '{"version":1,"finished":"x","looked":"y","seen":{}}']
)
def test_a_damaged_state_is_only_forgotten(forty_days, damage: str):
    forty_days.compact("2026-03-02")
    before = forty_days.tree()
    (forty_days.memory / ".hipocampus/compact.json").write_text(damage)
    done = forty_days.compact("2026-03-02")
    assert (done.written, done.warnings) == ((), ())
    assert forty_days.tree() == before


@pytest.mark.parametrize("damage", ["", "{}", "[[[", "\0", '{"version": 1}\n[1]\n'])
def test_damaged_derived_files_are_only_forgotten(forty_days, damage: str):
    forty_days.compact("2026-03-02")
    before = forty_days.tree()
    kept = [p for p in (forty_days.memory / ".hipocampus").rglob("*") if p.suffix in (".jsonl", ".json", ".ranks")]
    for path in kept:
        path.write_text(damage)
    forty_days.compact("2026-03-02", full=True)
    assert forty_days.tree() == before


def test_derived_files_that_lost_their_end_are_only_forgotten(forty_days, tmp_path):
    forty_days.compact("2026-03-02")
    for path in (forty_days.memory / ".hipocampus").rglob("*.json*"):
        path.write_bytes(path.read_bytes()[:-30])
    forty_days.compact("2026-03-03")
    twin = forty_days.copy(tmp_path / "twin")
    twin.compact("2026-03-03")
    assert forty_days.tree() == twin.tree()


def test_forty_days_one_by_one_give_the_tree_of_a_build_at_once(store, tmp_path):
    small_budgets(store)
    dice = random.Random(11)
    for n in range(40):
        day = date(2026, 1, 20) + timedelta(days=n)
        fill(store, dice, day)
        store.compact(str(day))
    assert "extract" in {store.fields(f"weekly/{name}.md")["made-by"] for name in store.names("weekly")}
    twin = store.copy(tmp_path / "twin")
    twin.compact(str(day), full=True)
    assert store.tree() == twin.tree()


def _edit(store, dice: random.Random) -> None:
    """A random thing that people do to raw logs."""
    logs = sorted(store.memory.glob("2026-*.md"))
    if not logs:
        return
    path = dice.choice(logs)
    text = files.read_text(path).text
    name = f"memory/{path.name}"
    match dice.randrange(7):
        case 0:
            path.unlink()
        case 1:
            store.write(name, text.replace("Priya", "Marta"))
        case 2:
            store.write(name, "\n".join(text.split("\n")[: dice.randint(1, 20)]))
        case 3:
            store.write(name, text.replace("\n", "\r\n"))
        case 4:
            store.write(name, "")
        case _:
            fill(store, dice, date.fromisoformat(path.stem), entries=2)


@pytest.mark.parametrize("seed", range(8))
def test_whatever_happens_to_the_logs_the_tree_is_that_of_a_build_from_scratch(store, tmp_path, seed: int):
    small_budgets(store)
    dice = random.Random(seed)
    today = date(2026, 2, 20)
    for step in range(7):
        fill(store, dice, today, lines=8)
        for _ in range(dice.randint(0, 2)):
            _edit(store, dice)
        store.compact(str(today), full=dice.random() < 0.1)
        twin = store.copy(tmp_path / f"twin{step}")
        twin.compact(str(today))
        assert store.tree() == twin.tree()
        today += timedelta(days=dice.choice((0, 1, 1, 2, 9, 40)))


def test_other_budgets_rebuild_the_nodes(forty_days, tmp_path):
    forty_days.compact("2026-03-02")
    forty_days.configure(dailyMaxTokens=500, weeklyMaxTokens=600, monthlyMaxTokens=1200, rootMaxTokens=900)
    forty_days.compact("2026-03-02")
    twin = forty_days.copy(tmp_path / "twin")
    twin.compact("2026-03-02")
    assert forty_days.tree() == twin.tree()


def test_a_clock_that_goes_back_gives_the_tree_of_that_day(forty_days, tmp_path):
    forty_days.compact("2026-05-02")
    forty_days.compact("2026-03-01")
    twin = forty_days.copy(tmp_path / "twin")
    twin.compact("2026-03-01")
    assert forty_days.tree() == twin.tree()
