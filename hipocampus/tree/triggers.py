"""When a compaction is due: a new day, or something new and enough time, lines or checkpoints since the last run."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from hipocampus import files
from hipocampus.config import Config
from hipocampus.layout import Workspace
from hipocampus.log import daylog
from hipocampus.tree.state import Seen, State


@dataclass(frozen=True, slots=True)
class Outlook:
    """Why a compaction is due, or ""; and up to when none becomes due as long as no raw log changes."""

    due: str
    quiet_until: datetime


def outlook(workspace: Workspace, config: Config, state: State, now: datetime) -> Outlook:
    """Both answers at once. Reads only raw logs that changed."""
    return Outlook(due(workspace, config, state, now), quiet_until(config, state, now))


def due(workspace: Workspace, config: Config, state: State, now: datetime) -> str:
    """Why a compaction is due, in words; "" when it is not. Reads only raw logs that changed."""
    if not state.finished:
        return "the tree has not been built yet"
    finished = datetime.fromisoformat(state.finished)
    if finished.date() != now.date():
        return "a new day began"
    changed, lines, checkpoints = _new_since(workspace, state, now)
    if not changed:
        return ""
    if lines >= config["compaction.maxRawLines"]:
        return f"{lines} new raw lines"
    if checkpoints >= config["compaction.maxCheckpoints"]:
        return f"{checkpoints} new checkpoints"
    hours = config["compaction.cooldownHours"]
    return f"{hours} hours since the last run" if now - finished >= timedelta(hours=hours) else ""


def quiet_until(config: Config, state: State, now: datetime) -> datetime:
    """Midnight, or sooner the end of the cooldown; now where the tree has not been built yet."""
    midnight = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    if not state.finished:
        return now
    cooled = datetime.fromisoformat(state.finished) + timedelta(hours=config["compaction.cooldownHours"])
    return min(cooled, midnight) if cooled > now else midnight


def _new_since(workspace: Workspace, state: State, now: datetime) -> tuple[int, int, int]:
    """Raw logs that changed since the last run, and how many lines and checkpoints they gained."""
    changed = lines = checkpoints = 0
    for _, path in daylog.list_days(workspace, now.date()).days:
        known = state.seen.get(f"memory/{path.name}")
        text = _text_unless(known, path)
        if text is None:
            continue
        changed += 1
        lines += max(0, text.count("\n") - (known.lines if known else 0))
        checkpoints += max(0, text.count(" via=checkpoint ") - (known.checkpoints if known else 0))
    return changed, lines, checkpoints


def _text_unless(known: Seen | None, path: Path) -> str | None:
    """The text of a raw log; None where it is as it was, or can't be read."""
    try:
        stat = path.stat()
        if known and (known.size, known.mtime) == (stat.st_size, stat.st_mtime_ns):
            return None
        return files.read_text(path).text
    except OSError:
        return None
