"""The embedded encoder, loaded once, with its prepared weights in a folder of this run."""

from __future__ import annotations

from pathlib import Path

import pytest

from hipocampus.index.embedded_encoder import EmbeddedEncoder, load_embedded

pytest.register_assert_rewrite("engine_conformance")


@pytest.fixture(scope="session")
def weights_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("weights")


@pytest.fixture(scope="session")
def encoder(weights_cache: Path) -> EmbeddedEncoder:
    return load_embedded(weights_cache)
