"""Desks for the real agent clients."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import packages
import pytest
from clients import DECIDED, OPEN_WORK, Client, Desk, NewDesk
from model_api import ModelApi
from support import CLIENTS_SAID


@pytest.fixture(scope="session")
def programs(request: pytest.FixtureRequest) -> Path:
    """The folder with the clients; where they can't be had the test is skipped and the run says so."""
    try:
        found = packages.programs(os.environ)
    except packages.NoClientsError as error:
        request.config.stash[CLIENTS_SAID] = f"did not run: {error}"
        pytest.skip(f"no agent clients: {error}")
    request.config.stash[CLIENTS_SAID] = f"ran: {found}"
    return found


@pytest.fixture(scope="session")
def bare_desk(programs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[NewDesk]:
    """Make a home that knows the client and a repository with one commit that knows nothing of us."""
    with contextlib.ExitStack() as stack:

        def make(client: Client) -> Desk:
            folder = tmp_path_factory.mktemp(client.name)
            desk = Desk(folder / "home", folder / "repo", stack.enter_context(ModelApi()), programs)
            desk.home.mkdir()
            desk.repo.mkdir()
            client.prepare(desk)
            (desk.repo / "README.md").write_text("# Shop\n", encoding="utf-8")
            desk.git("init", "-q")
            desk.git("add", ".")
            desk.git("commit", "-q", "-m", "First")
            return desk

        yield make


@pytest.fixture(scope="session")
def new_desk(bare_desk: NewDesk) -> NewDesk:
    """As `bare_desk`, with `hipocampus init` done, a decision in ROOT.md and an open task in SCRATCHPAD.md."""

    def make(client: Client) -> Desk:
        desk = bare_desk(client)
        desk.hipocampus("init", "--platform", client.name)
        (desk.repo / "SCRATCHPAD.md").write_text(f"# Scratchpad\n\n- [ ] {OPEN_WORK}\n", encoding="utf-8")
        desk.hipocampus("checkpoint", "Rate limits", "--decision", DECIDED)
        desk.hipocampus("compact")
        return desk

    return make
