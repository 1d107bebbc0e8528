"""What a person wrote comes before what an agent wrote, and that before what was imported, where all fit alike."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import pytest

from hipocampus.governance.gate import Draft
from hipocampus.memory import Memory
from hipocampus.recall.recall import Remembered

ASKED = "what load does the harbour crane lift?"
TEXTS = ("It lifts nine tons of load.", "It lifts four tons of load.")


def person(memory: Memory, text: str) -> None:
    memory.checkpoint(Draft("Harbour crane", f"- {text}"), actor="user")


def agent(memory: Memory, text: str) -> None:
    memory.checkpoint(Draft("Harbour crane", f"- {text}"), actor="agent")


def elsewhere(memory: Memory, text: str) -> None:
    memory.governance.take_in(json.dumps({"date": "2026-03-15", "title": "Harbour crane", "body": f"- {text}"}))


def recalled(memory: Memory) -> list[Remembered]:
    items = memory.recall(ASKED, always=True).items
    return sorted(items, key=lambda item: -item.score)


@pytest.mark.parametrize("texts", [TEXTS, TEXTS[::-1]])
@pytest.mark.parametrize("slept", [True, False])
@pytest.mark.parametrize(("first", "second"), [(person, agent), (agent, elsewhere), (person, elsewhere)])
def test_the_one_who_wrote_it_decides_between_equals(
    workspace: Memory,
    first: Callable[[Memory, str], None],
    second: Callable[[Memory, str], None],
    texts: Sequence[str],
    *,
    slept: bool,
):
    second(workspace, texts[1])
    first(workspace, texts[0])
    if slept:
        workspace.sleep()
    best, other = recalled(workspace)
    assert texts[0].removeprefix("It lifts ").split()[0] in best.text
    assert best.score > other.score


def test_the_state_is_said_beside_the_reasons(workspace: Memory):
    person(workspace, TEXTS[0])
    elsewhere(workspace, TEXTS[1])
    assert [item.explain.state for item in recalled(workspace)] == ["verified", "candidate"]


def test_what_fits_better_comes_first_whoever_wrote_it(workspace: Memory):
    for number in range(4):
        workspace.checkpoint(Draft(f"Crane {number}", f"- The crane number {number} is grey."), actor="user")
    agent(workspace, "The harbour crane lifts nine tons of load.")
    assert "nine tons" in recalled(workspace)[0].text
