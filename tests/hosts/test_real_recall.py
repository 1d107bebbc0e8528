"""What each real client shows its model of our memory: the news, and what a prompt brings to mind."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from clients import BLOCK, NEEDY, ClaudeCode, Client, Codex, NewDesk, OpenCode, Recalled, recalled

END = "</hipocampus-memory>"


@dataclass(frozen=True, slots=True)
class Case:
    """A client, the options that continue its session, and the titles of the entries that are news to it."""

    client: Client
    go_on: tuple[str, ...]
    news: tuple[str, ...]


CASES = (
    Case(ClaudeCode(), ("--continue",), ("Lamp", "Rate")),
    Case(Codex(), ("resume", "--last"), ("Lamp", "Rate")),
    Case(OpenCode(), ("--continue",), ()),  # no event of its start carries text to the model
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A case and what its model saw."""

    case: Case
    seen: Recalled


@pytest.fixture(scope="module", params=CASES, ids=lambda case: case.client.name)
def asked(request: pytest.FixtureRequest, new_desk: NewDesk) -> Asked:
    case: Case = request.param
    return Asked(case, recalled(case.client, new_desk(case.client), *case.go_on))


def test_the_news_reach_the_model_at_the_start(asked: Asked) -> None:
    told = asked.seen.first.partition("# The latest entries\n")[2].partition(END)[0]
    assert tuple(line.split()[3].rstrip(":") for line in told.splitlines()) == asked.case.news


def test_what_a_prompt_brings_to_mind_reaches_the_model_with_it_and_once_in_a_session(asked: Asked) -> None:
    seen = asked.seen
    assert seen.line in seen.first.partition(BLOCK)[2].partition(END)[0]
    assert seen.first.count(BLOCK) == 1
    assert seen.again.count(BLOCK) <= 1
    assert NEEDY in seen.again
