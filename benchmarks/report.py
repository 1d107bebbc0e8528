"""Results that are kept: rows of each benchmark, merged over runs, as JSON and as a Markdown table."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

RESULTS = Path(__file__).parent / "results"
Row = tuple[str, ...]
"""The cells of a line."""


@dataclass(frozen=True, slots=True)
class Report:
    """The kept results of one program: `stem` names their files, `header` the columns, `order` the benchmarks."""

    stem: str
    title: str
    header: Row
    order: Sequence[str]

    def keep(self, rows: Mapping[str, Iterable[Row]]) -> str:
        """Merge into the results of earlier runs; the whole table as text."""
        RESULTS.mkdir(exist_ok=True)
        kept = RESULTS / f"{self.stem}.json"
        results = json.loads(kept.read_text()) if kept.exists() else {}
        today = datetime.now(UTC).date().isoformat()
        results |= {
            name: {"rows": list(found), "date": today, "machine": machine(), "load": round(os.getloadavg()[0], 1)}
            for name, found in rows.items()
        }
        kept.write_text(json.dumps(results, indent=1) + "\n")
        lines = [_line(self.header), "|---" * len(self.header) + "|"]
        lines += [_line(row) for name in self.order if name in results for row in results[name]["rows"]]
        table = "\n".join(lines) + "\n"
        text = f"# {self.title}\n\n{table}\nMeasured on {machine()}{_load(results)}.\n"
        (RESULTS / f"{self.stem}.md").write_text(text)
        return table


def at_most(what: str, most: float, measured: float, unit: str, remarks: str) -> Row:
    """The cells of a figure that may be so large and no larger."""
    digits = 0 if (unit == "ms" and measured >= 100) or isinstance(measured, int) else 1 if measured >= 10 else 2
    shown = f"{measured:.{digits}f} {unit}".strip()
    return what, f"<= {most:g} {unit}".strip(), shown, holds(measured <= most), remarks


def holds(yes: object) -> str:
    """Whether what was asked is reached, as a cell."""
    return "yes" if yes else "**no**"


def machine() -> str:
    """What the figures were measured on."""
    return f"{os.cpu_count()} shared cores, Python {platform.python_version()}, {platform.system()}"


def _load(results: Mapping[str, Mapping[str, float]]) -> str:
    """How busy the machine was, our own work included; earlier results don't say it."""
    loads = [found["load"] for found in results.values() if "load" in found]
    return f", load average {min(loads)} to {max(loads)}" if loads else ""


def _line(cells: Row) -> str:
    return f"| {' | '.join(cells)} |"
