"""Whole processes, measured from outside: wall and CPU seconds, peak memory, medians over several runs."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Run:
    """One finished process: seconds of wall clock and CPU, peak resident megabytes, and what it printed."""

    wall: float
    cpu: float
    peak_mb: float
    stdout: str


def run(arguments: Sequence[str], *, stdin: str = "") -> Run:
    """Run a command to its end, with bytecode as pip leaves it. Raises CalledProcessError when it fails."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    started = time.perf_counter()
    process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdin
    assert process.stdout
    process.stdin.write(stdin)
    process.stdin.close()
    stdout = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, list(arguments), stdout)
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, stdout)


def hipocampus(*arguments: str, stdin: str = "") -> Run:
    """Run the installed command."""
    return run([str(Path(sys.executable).with_name("hipocampus")), *arguments], stdin=stdin)


def medians(runs: Sequence[Run]) -> Run:
    """Median wall, median CPU and largest peak of several runs."""
    return Run(
        statistics.median(r.wall for r in runs),
        statistics.median(r.cpu for r in runs),
        max(r.peak_mb for r in runs),
        runs[-1].stdout,
    )
