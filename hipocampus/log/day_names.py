"""Names of raw logs: which day each is of."""

from __future__ import annotations

import re
from datetime import date

_LOOKS_LIKE_A_DAY = r"\d{4}-\d{1,2}-\d{1,2}"


def day_named(name: str) -> date | None:
    """The day of a raw log's name without its ending; None for a name that is no date."""
    try:
        day = date.fromisoformat(name)
    except ValueError:
        return None
    return day if day.isoformat() == name else None  # ISO 8601 knows other forms too


def problem_of_name(name: str, day: date | None, today: date) -> str:
    """Why a name, with the day it gives, can't be that of a raw log; "" where it can, or does not look like one."""
    if day is None:
        return "its name is not a date" if re.match(_LOOKS_LIKE_A_DAY, name) else ""
    return "its day has not come yet" if day.toordinal() > today.toordinal() + 1 else ""
