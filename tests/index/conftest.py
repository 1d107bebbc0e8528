"""An indexed project to start from, and the embedded encoder, loaded once for all tests."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hipocampus.index.embedded_encoder import EmbeddedEncoder, load_embedded

pytest.register_assert_rewrite("engine_conformance", "project")

if TYPE_CHECKING:
    from project import Project

WORDS = "gateway invoice parser migration dashboard queue sensor contract cache bucket token limit".split()


def _days(project: Project) -> None:
    dice = random.Random(1)
    for day in range(1, 11):
        entries = "".join(
            f"## Entry {n} of day {day}\n- {' '.join(dice.choices(WORDS, k=20))} TOKEN{day}x{n}\n\n" for n in range(4)
        )
        project.write(f"memory/2026-03-{day:02}.md", f"# 2026-03-{day:02}\n\n{entries}")
    project.write("knowledge/limits.md", "# Limits\nThe gateway limits requests: token bucket.\n")


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from project import Project  # after its assertions were registered

    project = Project(tmp_path_factory.mktemp("made"))
    project.write("hipocampus.config.json", "{}")
    _days(project)
    project.index().update()
    return project.root


@pytest.fixture
def project(made: Path, tmp_path: Path) -> Project:
    """Ten days of notes, indexed."""
    from project import Project

    return Project(Path(shutil.copytree(made, tmp_path / "project")))


@pytest.fixture(scope="session")
def weights_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("weights")


@pytest.fixture(scope="session")
def encoder(weights_cache: Path) -> EmbeddedEncoder:
    return load_embedded(weights_cache)
