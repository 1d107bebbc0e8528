"""The local time of a workspace. Read at the edge once, then passed in."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, date, datetime, tzinfo
from typing import NamedTuple

from hipocampus.errors import InvalidConfig, UsageError

TODAY_VARIABLE = "HIPOCAMPUS_TODAY"


def _utc_now() -> datetime:
    return datetime.now(UTC)


class Clock(NamedTuple):
    """
    Now, in the zone that decides which day a line of the log belongs to.

    `zone` None means the zone of the system; `fixed_day` replaces the date but not the time of day.
    """

    zone: tzinfo | None = None
    fixed_day: date | None = None
    instant: Callable[[], datetime] = _utc_now

    def now(self) -> datetime:
        """Aware local time."""
        local = self.instant().astimezone(self.zone)
        if self.fixed_day is None:
            return local
        return local.replace(year=self.fixed_day.year, month=self.fixed_day.month, day=self.fixed_day.day)

    def today(self) -> date:
        """Local date."""
        return self.now().date()


def zone_named(name: str | None) -> tzinfo | None:
    """The zone of a configured name; None for None. Raises InvalidConfig for a name nobody knows."""
    if name is None:
        return None
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        message = f"unknown time zone {name!r}"
        raise InvalidConfig(message, hint="use a name like Europe/Berlin, or remove `timezone`") from error


def parse_day(text: str) -> date:
    """A `YYYY-MM-DD` date of the years 1900 to 9000. Raises UsageError for anything else."""
    try:
        day = date.fromisoformat(text)
        if day.isoformat() != text or not 1900 <= day.year <= 9000:
            raise ValueError(text)
    except ValueError as error:
        message = f"{text!r} is not a date"
        raise UsageError(message, hint="write it as YYYY-MM-DD") from error
    return day


def day_from_environment() -> date | None:
    """The date in HIPOCAMPUS_TODAY, if set."""
    text = os.environ.get(TODAY_VARIABLE)
    return parse_day(text) if text else None
