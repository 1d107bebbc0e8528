"""Days, weeks and months of the tree, and which node each day ends up in."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from hipocampus.tree.calendar import Period, day_of, month_of, period_named, week_of

CASES = Path(__file__).parent.parent / "cases"
EVERY_DAY = [date(2015, 1, 1) + timedelta(days=n) for n in range(21 * 365 + 5)]
WEEKS = [line.split("\t") for line in (CASES / "38-iso-week-table/weeks.tsv").read_text().splitlines()[1:]]
MONTHS = [line.split("\t") for line in (CASES / "39-week-to-month/months.tsv").read_text().splitlines()[1:]]


def test_each_day_of_twenty_one_years_is_in_its_iso_week():
    assert EVERY_DAY[-1] == date(2035, 12, 31)
    for day in EVERY_DAY:
        year, week, _ = day.isocalendar()
        assert week_of(day).name == f"{year}-W{week:02}"


def test_a_week_has_seven_days_from_monday_to_sunday():
    for day in EVERY_DAY:
        week = week_of(day)
        assert (week.first.weekday(), week.last - week.first) == (0, timedelta(days=6))
        assert week.first <= day <= week.last


def test_a_week_belongs_to_the_month_of_its_thursday():
    for day in EVERY_DAY:
        week = week_of(day)
        assert month_of(week).name == (week.first + timedelta(days=3)).isoformat()[:7]


def test_every_period_is_found_by_its_name():
    for day in EVERY_DAY:
        for period in (day_of(day), week_of(day), month_of(week_of(day))):
            assert period_named(period.level, period.name) == period


@pytest.mark.parametrize(
    ("level", "name"),
    [
        ("daily", "2026-02-30"),
        ("daily", "20260302"),
        ("daily", "2026-3-2"),
        ("daily", "٢٠٢٦-03-02"),
        ("weekly", "2025-W53"),
        ("weekly", "2026-W00"),
        ("weekly", "2026-W1"),
        ("weekly", "9999-W52"),
        ("monthly", "2026-13"),
        ("monthly", "2026-00"),
        ("monthly", "202603"),
        ("root", "ROOT"),
        ("daily", ""),
        ("weekly", "NaN-WNaN"),
    ],
)
def test_a_name_that_is_no_period_gives_none(level: str, name: str):
    assert period_named(level, name) is None


def _fixed_from(period: Period) -> date:
    """The first day on which a period is fixed."""
    days = (period.first + timedelta(days=n) for n in range(60))
    return next(day for day in days if period.status(day) == "fixed")


@pytest.mark.parametrize(
    ("level", "name", "fixed_from"),
    [
        ("daily", "2026-03-02", "2026-03-03"),
        ("weekly", "2026-W10", "2026-03-16"),
        ("monthly", "2026-03", "2026-04-08"),
        ("monthly", "2026-02", "2026-03-09"),
        ("monthly", "2026-04", "2026-05-11"),
    ],
)
def test_a_period_is_fixed_when_no_more_entries_are_expected(level: str, name: str, fixed_from: str):
    period = period_named(level, name)
    assert period
    assert _fixed_from(period) == date.fromisoformat(fixed_from)
    assert period.status(date(2030, 1, 1)) == "fixed"


def test_a_month_is_never_fixed_before_its_weeks():
    for day in EVERY_DAY:
        week = week_of(day)
        if day == week.first:
            assert _fixed_from(week) <= _fixed_from(month_of(week))


def test_a_month_holds_the_days_of_its_weeks():
    april = period_named("monthly", "2026-04")
    assert april
    assert april.holds(date(2026, 3, 30))
    assert not april.holds(date(2026, 3, 29))
    assert april.holds(date(2026, 5, 3))


def test_case_38_weekly_nodes_are_exactly_those_of_the_table(store):
    for day, _ in WEEKS:
        store.entry(day, "Note", f"MARK-{day}")
    store.compact("2029-01-01")
    assert store.names("weekly") == sorted({week for _, week in WEEKS})
    for day, week in WEEKS:
        assert f"MARK-{day}" in store.body(f"weekly/{week}.md")


def test_case_39_each_week_is_in_exactly_one_month(store):
    for week, monday, _ in MONTHS:
        store.entry(monday, "Note", f"MARK-{week}")
    store.compact("2029-01-01")
    for week, _, month in MONTHS:
        holders = [name for name in store.names("monthly") if f"MARK-{week}" in store.body(f"monthly/{name}.md")]
        assert holders == [month]
        assert f"memory/weekly/{week}.md" in store.fields(f"monthly/{month}.md")["source-files"]


def test_case_39_the_last_days_of_december_are_reached_from_root(store):
    store.entry("2025-12-29", "Year end", "the ledger was closed MARK")
    store.compact("2029-01-01")
    assert "MARK" in store.text("ROOT.md")
    assert "12-29" in store.text("ROOT.md")


@pytest.mark.parametrize("name", ["2026-13-45", "2026-02-30", "2099-01-01", "2026-3-2"])
def test_an_impossible_or_future_day_makes_no_node_but_a_warning(store, name: str):
    store.entry("2026-03-02", "Real", "real")
    store.log(name, "## Wrong day [project]\n- WRONG\n")
    done = store.compact("2026-03-03")
    assert store.names("daily") == ["2026-03-02"]
    assert [name in warning for warning in done.warnings] == [True]
    assert "WRONG" not in store.text("ROOT.md")
    assert "WRONG" in store.text(f"{name}.md")


def test_tomorrow_may_have_begun_in_another_zone(store):
    store.entry("2026-03-03", "Early", "written east of here")
    assert store.compact("2026-03-02").warnings == ()
    assert store.fields("daily/2026-03-03.md")["status"] == "tentative"
