"""Case 47: a ROOT.md of another program that is far over any budget."""

from __future__ import annotations

import pytest

from hipocampus.text import front_matter

HEAD = """---
type: root
status: tentative
last-updated: 2026-03-01
---

## Active Context (recent ~7 days)
- freeze on Friday MARK-ACTIVE

## Recent Patterns
- x

## Historical Summary
"""


def _huge() -> str:
    events = "".join(f"- 2025-{n % 12 + 1:02}: event {n} words words words\n" for n in range(3000))
    topics = "".join(f"- topic{n} [project, {n % 300}d]: alpha beta gamma\n" for n in range(3000))
    return f"{HEAD}{events}\n## Topics Index\n- no-force-push [feedback]: ask first MARK-FB\n{topics}"


@pytest.fixture(params=[500, 3000, 10000], scope="module")
def budget(request: pytest.FixtureRequest) -> int:
    return request.param


@pytest.fixture(scope="module")
def cut(make_store, tmp_path_factory: pytest.TempPathFactory, budget: int):
    store = make_store(tmp_path_factory.mktemp("root"))
    store.configure(rootMaxTokens=budget)
    store.write("memory/ROOT.md", _huge())
    store.entry("2026-03-02", "Lighthouse", "Priya chose the Lighthouse gateway for 40 dollars MARK-NEW")
    store.compact("2026-03-03")
    return store


def test_case_47_root_is_cut_to_its_budget(cut, count, budget: int):
    assert count(cut.text("ROOT.md")) <= budget
    assert cut.fields("ROOT.md")["type"] == "root"


def test_case_47_what_is_active_what_is_a_rule_and_what_is_new_stays(cut):
    root = cut.text("ROOT.md")
    assert all(mark in root for mark in ("MARK-ACTIVE", "MARK-FB", "MARK-NEW"))


def test_case_47_history_is_cut_first(cut):
    root = cut.text("ROOT.md")
    assert root.count(": event ") <= root.count("topic")


def test_case_47_what_was_cut_is_still_in_the_workspace(cut):
    assert cut.text("summaries/imported-root.md") == _huge()
    assert "MARK-NEW" in cut.body("monthly/2026-03.md")


def test_case_47_a_second_compaction_changes_nothing(cut):
    before = cut.times()
    assert cut.compact("2026-03-03").written == ()
    assert cut.times() == before


def test_root_of_an_empty_store_has_its_front_matter_and_four_sections(store):
    store.compact("2026-03-03")
    front, body = front_matter.split(store.text("ROOT.md"))
    assert front_matter.fields_of(front)["type"] == "root"
    assert body.count("\n## ") + body.startswith("## ") == 4


def test_history_of_a_foreign_root_is_not_taken_for_news(store):
    store.write(
        "memory/ROOT.md",
        HEAD.replace("- x", "- reviews in Kyoto take two days") + "- 2025-11: Ada sold the ledger in Lisbon\n",
    )
    store.compact("2026-03-03")
    parts = {part.split()[0]: part for part in store.body("ROOT.md").removeprefix("## ").split("\n## ")}
    assert "Ada sold" in parts["Historical"]
    assert "Kyoto" not in parts["Active"]
    assert "MARK-ACTIVE" in parts["Active"]
