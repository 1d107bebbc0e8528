"""A store of years from three months of logs: every sentence drawn anew, so that no day repeats another."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_SPEAKERS = ("User: ", "Assistant: ")


def write_years(sessions: Path, target: Path, last: date, days: int, seed: int = 7) -> int:
    """
    Write `days` day logs up to `last`, each with the shape of one of the source days; returns their bytes.

    Every line keeps its speaker and its number of sentences; the sentences come from all lines of that speaker.
    """
    draw = random.Random(seed)
    sources = [path.read_text(encoding="utf-8").split("\n") for path in sorted(sessions.glob("*.md"))]
    pools = {speaker: _sentences(sources, speaker) for speaker in (*_SPEAKERS, "")}
    total = 0
    for back in range(days):
        day = last - timedelta(days=back)
        lines = sources[back % len(sources)]
        text = "\n".join(_redrawn(lines, day, back, pools, draw))
        total += (target / f"{day}.md").write_text(text, encoding="utf-8")
    return total


def _redrawn(lines: list[str], day: date, back: int, pools: dict[str, list[str]], draw: random.Random) -> Iterator[str]:
    yield f"# {day}"
    for number, line in enumerate(lines[1:]):
        if line.startswith("## Session "):
            yield f"## Session s{back:04x}{number:04x}"
        elif line.startswith("Session Date: "):
            yield f"Session Date: {day}"
        elif not line.strip():
            yield line
        else:
            speaker = _speaker(line)
            count = len(_SENTENCE_END.split(line))
            yield speaker + " ".join(draw.choice(pools[speaker]) for _ in range(count))


def _sentences(sources: list[list[str]], speaker: str) -> list[str]:
    lines = (line for lines in sources for line in lines if line.strip() and _speaker(line) == speaker)
    return [
        sentence
        for line in lines
        if not line.startswith(("#", "Session Date:"))
        for sentence in _SENTENCE_END.split(line.removeprefix(speaker))
        if sentence
    ]


def _speaker(line: str) -> str:
    return next((speaker for speaker in _SPEAKERS if line.startswith(speaker)), "")
