"""`tree`, `--plan` and `status` over whatever stands on disk."""

from __future__ import annotations

import pytest


@pytest.fixture
def built(store):
    store.configure(dailyMaxTokens=500)
    store.entry("2026-03-02", "Work", *(f"Jonas paid {n} dollars for gateway {n} in Lisbon" for n in range(200)))
    store.entry("2026-04-06", "Later", "Priya sold the Lighthouse")
    store.compact("2026-04-06")
    return store


def test_the_tree_is_listed_newest_first_below_its_parents(built):
    names = [node.path.removeprefix("memory/") for node in built.at("2026-04-06").tree()]
    assert names == [
        "ROOT.md",
        "monthly/2026-04.md",
        "weekly/2026-W15.md",
        "daily/2026-04-06.md",
        "2026-04-06.md",
        "monthly/2026-03.md",
        "weekly/2026-W10.md",
        "daily/2026-03-02.md",
        "2026-03-02.md",
    ]


def test_the_tree_is_listed_before_it_was_built(store):
    store.entry("2026-03-02", "Work", "words")
    assert [node.path for node in store.at("2026-03-02").tree()] == ["memory/2026-03-02.md"]


FRONT = [
    "",
    "no front matter",
    "---\nmade-by: extract\n---\n",
    "---\nmade-by: extract\ntokens: x\nsource-files: 3\n---\n",
]


@pytest.mark.parametrize("text", FRONT)
def test_damaged_nodes_are_listed_and_are_in_no_plan(built, text: str):
    for name in ("daily/2026-03-02.md", "ROOT.md"):
        built.write(f"memory/{name}", text)
    memory = built.at("2026-04-06")
    assert {"memory/ROOT.md", "memory/daily/2026-03-02.md"} <= {node.path for node in memory.tree()}
    assert memory.refinable() == []


def test_the_plan_is_ordered_from_the_days_up(store):
    store.configure(dailyMaxTokens=400, weeklyMaxTokens=400, monthlyMaxTokens=400)
    for day in ("2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05"):
        store.entry(
            day, "Work", *(f"Jonas paid {n} dollars on {day} for gateway {n}{day[-1]} in Lisbon" for n in range(90))
        )
    store.compact("2026-04-06")
    levels = [node.path.split("/")[1] for node in store.at("2026-04-06").refinable()]
    assert levels == sorted(levels, key=["daily", "weekly", "monthly"].index)
    assert levels.count("daily") == 4
