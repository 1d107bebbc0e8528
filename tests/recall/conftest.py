"""Projects that recall is asked about."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from asking import Asked, project_of
from support import CASES

Case = Callable[..., Asked]


@pytest.fixture
def case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Case:
    """The project of a case, after a night unless told otherwise: `case("26-irrelevant-recall")`."""

    def made(name: str, today: date = date(2026, 3, 15), *, slept: bool = True) -> Asked:
        project_of(CASES / name, tmp_path)
        asked = Asked(tmp_path, today, monkeypatch)
        if slept:
            asked.memory.sleep()
        return asked

    return made
