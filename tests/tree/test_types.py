"""What each type of entry is promised: rules word for word, references that age, projects that become history."""

from __future__ import annotations

import random

import pytest

LEVELS = ("daily/2026-03-02.md", "weekly/2026-W10.md", "monthly/2026-03.md")


def _chatter(store, day: str) -> None:
    """More than a node of these tests holds, and no rules in it."""
    dice = random.Random(day)
    store.entry(day, "Work", *(f"{a} {b} number {dice.randint(1, 9999)} in {c}" for a, b, c in _words(dice)))


def _words(dice: random.Random) -> list[tuple[str, str, str]]:
    lists = (
        ("Jonas", "Priya", "Olu", "Ada"),
        ("sold gateway", "mapped ledger", "tuned sensor", "rented garage"),
        ("Lisbon", "Bergen", "Quito", "Dakar", "Perth"),
    )
    return [tuple(dice.choice(words) for words in lists) for _ in range(400)]  # type: ignore[misc]


@pytest.mark.parametrize("name", LEVELS)
def test_case_45_rules_are_word_for_word_and_once_at_each_level(case, name: str):
    store = case("45-verbatim-types")
    raw = [line for line in store.text("2026-03-02.md").split("\n") if "MARK-" in line]
    assert len(raw) >= 2
    store.compact("2026-05-20")
    assert sorted(line for line in store.body(name).split("\n") if "MARK-" in line) == sorted(raw)


def test_case_45_rules_are_in_root(case):
    store = case("45-verbatim-types")
    marks = {word for word in store.text("2026-03-02.md").split() if word.startswith("MARK-")}
    store.compact("2026-05-20")
    assert all(store.text("ROOT.md").count(mark) == 1 for mark in marks)


@pytest.mark.parametrize("kind", ["user", "feedback"])
def test_a_rule_survives_a_month_of_digests_with_its_blank_lines_and_code(store, kind: str):
    rule = "- rule: never force-push\n\n- why: Ada lost a day\n```sh\n# how\ngit push --force-with-lease\n```"
    store.configure(weeklyMaxTokens=900, monthlyMaxTokens=800)
    store.log("2026-03-02", f"## Pushing [{kind}]\n{rule}\n")
    for day in range(2, 7):
        _chatter(store, f"2026-03-0{day}")
    store.compact("2026-03-20")
    for name in LEVELS:
        assert store.fields(name)["made-by"] == "extract"
        assert rule in store.body(name)
        assert f"## Pushing [{kind}] → 2026-03-02#" in store.body(name)


def test_the_same_rule_on_two_days_stands_once_in_a_digest(store):
    store.configure(weeklyMaxTokens=900)
    for day in ("2026-03-02", "2026-03-03"):
        store.entry(day, "Pushing", "rule: never force-push", kind="feedback")
        _chatter(store, day)
    store.compact("2026-03-20")
    assert store.body("weekly/2026-W10.md").count("never force-push") == 1


def test_where_rules_alone_are_too_much_the_newest_stay_and_the_others_are_pointers(store):
    store.configure(dailyMaxTokens=600)
    for n in range(30):
        store.entry(
            "2026-03-02", f"Rule {n}", f"rule: always do thing number {n} before thing {n + 1}", kind="feedback"
        )
    store.compact("2026-03-02")
    body = store.body("daily/2026-03-02.md")
    full = [n for n in range(30) if f"thing number {n} before" in body]
    listed = [n for n in range(30) if f"## Rule {n} [feedback] → 2026-03-02#" in body]
    assert 0 < len(full) < len(listed)


def test_the_newest_rules_are_those_that_stay(store):
    store.configure(weeklyMaxTokens=700)
    for day in range(2, 8):
        for n in range(6):
            store.entry(
                f"2026-03-0{day}", f"Rule {day}{n}", f"rule: always do thing {day}{n} before lunch", kind="feedback"
            )
    store.compact("2026-03-20")
    body = store.body("weekly/2026-W10.md")
    assert "always do thing 75 before lunch" in body
    assert "always do thing 20 before lunch" not in body


@pytest.mark.parametrize(("today", "mark"), [("2026-03-20", "18d]"), ("2026-04-01", "30d]"), ("2026-04-02", "31d?]")])
def test_a_reference_gets_a_question_mark_after_thirty_days(store, today: str, mark: str):
    store.entry("2026-03-02", "Lighthouse API", "the Lighthouse API of Bergen answers in 40 ms", kind="reference")
    store.compact(today)
    line = next(line for line in store.text("ROOT.md").split("\n") if "Lighthouse" in line)
    assert f"[reference, {mark}" in line


def test_a_reference_that_is_mentioned_again_is_certain_again(store):
    store.entry(
        "2026-01-02", "Lighthouse API", "reference: the Lighthouse API of Bergen answers in 40 ms", kind="reference"
    )
    store.entry(
        "2026-03-02", "Lighthouse API", "reference: the Lighthouse API of Quito answers in 90 ms", kind="reference"
    )
    store.compact("2026-03-20")
    lines = [line for line in store.text("ROOT.md").split("\n") if "Lighthouse" in line]
    assert any("?]" not in line for line in lines)


def _sections(root: str) -> dict[str, str]:
    """What stands below each heading of ROOT.md, by the first word of the heading."""
    return {part.split(" ", 1)[0].strip(): part for part in root.split("\n## ")[1:]}


@pytest.mark.parametrize(
    ("today", "section"),
    [
        ("2026-03-05", "Active"),
        ("2026-03-09", "Active"),
        ("2026-03-10", "Topics"),
        ("2026-05-31", "Topics"),
        ("2026-06-01", "Historical"),
    ],
)
def test_a_project_topic_moves_from_active_over_the_index_to_history(store, today: str, section: str):
    store.entry("2026-03-02", "Lighthouse", "Priya chose the Lighthouse gateway for 40 dollars")
    store.compact(today)
    holders = [name for name, text in _sections(store.text("ROOT.md")).items() if "Lighthouse" in text]
    assert holders == [section]


def test_the_root_has_its_four_sections_in_order(store):
    store.compact("2026-03-02")
    assert list(_sections("\n" + store.body("ROOT.md"))) == ["Active", "Recent", "Historical", "Topics"]
