"""Names of raw logs: which day each is of."""

from __future__ import annotations

import re
from datetime import date

_DAY_NAME = re.compile(r"\d{4}-\d{2}-\d{2}")
_LOOKS_LIKE_A_DAY = re.compile(r"\d{4}-\d{1,2}-\d{1,2}")


def day_named(name: str) -> date | None:
    """The day of a raw log's name without its ending; None for a name that is no date."""
    if not _DAY_NAME.fullmatch(name):
        return None
    try:
        return date.fromisoformat(name)
    except ValueError:
        return None


def problem_of_name(name: str, day: date | None, today: date) -> str:
    """Why a name, with the day it gives, can't be that of a raw log; "" where it can, or does not look like one."""
    if day is None:
        return "its name is not a date" if _LOOKS_LIKE_A_DAY.match(name) else ""
    return "its day has not come yet" if day.toordinal() > today.toordinal() + 1 else ""
