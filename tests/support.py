"""What several test modules share: the cases, a finished command, and how to start one."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CASES = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Ran:
    """How a run of the command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The JSON document on stdout."""
        return json.loads(self.out)


def command(name: str = "hipocampus") -> list[str]:
    """The installed console script of this interpreter, or the module where it was not installed."""
    script = Path(sys.executable).with_name(name)
    modules = {"hipocampus": "hipocampus", "hipocampus-hook": "hipocampus.hooks"}
    return [str(script)] if script.exists() else [sys.executable, "-m", modules[name]]
