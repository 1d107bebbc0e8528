"""
Which entry is the newest under a title: it may say of the same thing what holds now.

A prompt can hit the words of what was, and none of what is: "where do we deploy?" finds "we deploy to Heroku" and not
"moved to Fly.io". A title that many entries bear names a routine and no thing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

_MOST_VERSIONS = 8


class Version(NamedTuple):
    """An entry under a title, by the name of its document."""

    title: str
    day: str
    name: str


def newest(versions: Iterable[Version]) -> dict[str, Version]:
    """The newest entry of each title that few entries bear."""
    by_title: defaultdict[str, set[Version]] = defaultdict(set)
    for one in versions:
        by_title[one.title].add(one)
    few = {title: held for title, held in by_title.items() if len(held) <= _MOST_VERSIONS}
    return {title: max(held, key=lambda one: (one.day, one.name)) for title, held in few.items()}
