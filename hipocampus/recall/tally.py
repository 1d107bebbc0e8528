"""
What recall did for agents, counted: how many prompts it answered, with how many lines of each tier, and the last one.

Losable, and written while a prompt waits: one small file, in one step, without a wait for the disk. Of two prompts at
the same moment one may go uncounted.
"""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from hipocampus import files
from hipocampus.errors import StoreNotWritable
from hipocampus.layout import Workspace

if TYPE_CHECKING:
    from hipocampus.recall.recall import Recalled


class Tally(NamedTuple):
    """
    `at` is the local time of the last prompt, `lines` what it was told, `decision` why that was nothing, else "".

    `prompts` were looked at since counting began, `answered` of them told something. The lines they were told were
    found by concepts (`concept_hits`), among what is new (`episodic_hits`), or by words alone (`fallthrough`).
    """

    at: str = ""
    lines: int = 0
    decision: str = ""
    prompts: int = 0
    answered: int = 0
    concept_hits: int = 0
    episodic_hits: int = 0
    fallthrough: int = 0


def load(workspace: Workspace) -> Tally:
    """What was counted so far; nothing where the file is missing or damaged."""
    try:
        kept = json.loads(files.read_text(workspace.tally).text)
        values = [kept[name] for name in Tally._fields]
    except (OSError, ValueError, TypeError, KeyError):
        return Tally()
    is_whole = all(type(value) is type(none) for value, none in zip(values, Tally(), strict=True))
    return Tally(*values) if is_whole else Tally()


def note(workspace: Workspace, recalled: Recalled, at: str) -> None:
    """Count one more prompt. A disk that takes nothing goes uncounted."""
    before = load(workspace)
    tiers = Counter(item.explain.tier for item in recalled.items)
    now = Tally(
        at,
        len(recalled.items),
        recalled.reason,
        before.prompts + 1,
        before.answered + bool(recalled.items),
        before.concept_hits + tiers["semantic"],
        before.episodic_hits + tiers["episodic"],
        before.fallthrough + tiers["fallthrough"],
    )
    with contextlib.suppress(StoreNotWritable):
        files.write_atomic(workspace.tally, json.dumps(now._asdict()), durable=False)
