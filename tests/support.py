"""What several test modules share: the cases, a finished command, and how to start one."""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

CASES = Path(__file__).parent / "cases"
CLIENTS_SAID = pytest.StashKey[str]()
"""Whether the real agent clients ran, and why not."""


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


@dataclass
class WordEncoder:
    """
    An encoder of a few lines: each word points into a direction of its own, so texts are near by the words they share.

    `synonyms` makes other words mean the same; `encoded` gathers the texts that were encoded.
    """

    id: str = "words@1"
    dims: int = 64
    synonyms: dict[str, str] = field(default_factory=dict)
    encoded: list[str] = field(default_factory=list)

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        import numpy as np

        self.encoded += texts
        rows = np.stack([self._sum(text) for text in texts])
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)

    def _sum(self, text: str) -> npt.NDArray[np.float64]:
        import numpy as np

        words = [self.synonyms.get(word, word) for word in text.casefold().split()] or [""]
        seeds = [zlib.crc32(word.encode("utf-8", "surrogatepass")) for word in words]
        return np.sum([np.random.default_rng(seed).standard_normal(self.dims) for seed in seeds], axis=0)
