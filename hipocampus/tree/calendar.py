"""Periods of the tree on the ISO 8601 calendar: a week belongs to the month of its Thursday."""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

Level = Literal["daily", "weekly", "monthly"]
Status = Literal["tentative", "fixed"]
# Days after the end of a week or month during which late entries are still expected.
GRACE_DAYS = 7


@dataclass(frozen=True, slots=True, order=True)
class Period:
    """A day, an ISO week or a month, with its first and last day."""

    first: date
    last: date
    level: Level

    @property
    def name(self) -> str:
        """`2026-03-15`, `2026-W11` or `2026-03`."""
        match self.level:
            case "daily":
                return self.first.isoformat()
            case "weekly":
                year, week, _ = self.first.isocalendar()
                return f"{year:04}-W{week:02}"
            case _:
                return self.first.isoformat()[:7]

    @property
    def path(self) -> str:
        """Path of its node relative to `memory/`."""
        return f"{self.level}/{self.name}.md"

    def holds(self, day: date) -> bool:
        """Whether the entries of a day are part of its node; a week is part of the month of its Thursday, whole."""
        return month_of(week_of(day)) == self if self.level == "monthly" else self.first <= day <= self.last

    def status(self, today: date) -> Status:
        """
        Fixed once no more entries are expected: a day when it has passed, others a week after their end.

        A month ends with its last week, if that is later: it can't be fixed while one of its weeks is not.
        """
        if self.level == "daily":
            return "fixed" if today > self.last else "tentative"
        sunday = week_of(self.last).last
        end = max(self.last, sunday) if self.holds(sunday) else self.last
        return "fixed" if (today - end).days > GRACE_DAYS else "tentative"


def day_of(day: date) -> Period:
    """The daily period of a date."""
    return Period(day, day, "daily")


def week_of(day: date) -> Period:
    """The ISO week of a date."""
    monday = day - timedelta(days=day.weekday())
    return Period(monday, monday + timedelta(days=6), "weekly")


def month_of(week: Period) -> Period:
    """The month a week belongs to: that of its Thursday."""
    thursday = week.first + timedelta(days=3)
    _, length = calendar.monthrange(thursday.year, thursday.month)
    return Period(thursday.replace(day=1), thursday.replace(day=length), "monthly")


def period_named(level: str, name: str) -> Period | None:
    """The period of a node's folder and name, or None when they name none."""
    try:
        match level:
            case "daily":
                period = day_of(date.fromisoformat(name))
            case "weekly":
                period = week_of(date.fromisocalendar(int(name[:4]), int(name[6:]), 1))
            case "monthly":
                period = month_of(week_of(date(int(name[:4]), int(name[5:]), 15)))
            case _:
                return None
    except (ValueError, OverflowError):
        return None
    return period if period.name == name else None
