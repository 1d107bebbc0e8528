"""A node body that an agent writes: taken after checks, used while its sources are what they were."""

from __future__ import annotations

import re

import pytest

from hipocampus.errors import CheckFailed, NotFound

DAY = "daily/2026-03-02.md"
GOOD = "# 2026-03-02\n\n- SUMMARY: Jonas paid for two hundred gateways in Lisbon → 2026-03-02\n\n{rule}"


@pytest.fixture
def big(store):
    """A day that a digest had to shorten, with one rule."""
    store.configure(dailyMaxTokens=600, weeklyMaxTokens=900)
    store.entry("2026-03-02", "Pushing", "rule: never force-push", "why: Ada lost a day", kind="feedback")
    store.entry("2026-03-02", "Work", *(f"Jonas paid {n} dollars for gateway {n} in Lisbon" for n in range(200)))
    store.compact("2026-03-20")
    return store


def _draft(store, body: str, name: str = DAY) -> str:
    """The node's file with another body, as an agent would hand it in."""
    whole = store.text(name)
    return whole[: whole.index("\n---\n", 4) + 5] + "\n" + body.replace("{rule}", _rule(store))


def _rule(store) -> str:
    return re.search(r"## Pushing .*?ost a day\n", store.text(DAY), re.DOTALL)[0]


def test_a_digest_is_in_the_plan_with_its_room(big):
    planned = big.at("2026-03-20").refinable()
    assert [node.path for node in planned] == [f"memory/{DAY}"]
    assert 200 < planned[0].room < 600
    assert planned[0].sources_sha256 == big.fields(DAY)["sources-sha256"]


def test_a_good_summary_takes_the_place_of_the_digest_at_every_level(big):
    done = big.at("2026-03-20").write_node(_draft(big, GOOD))
    assert big.fields(DAY)["made-by"] == "agent"
    for name in (DAY, "weekly/2026-W10.md", "monthly/2026-03.md"):
        assert "SUMMARY" in big.body(name)
        assert "## Pushing [feedback] →" in big.body(name)
    assert f"memory/summaries/{DAY}" in done.written
    assert done.needs_agent == ()


def test_b12_a_summary_stays_while_its_sources_do(big):
    big.at("2026-03-20").write_node(_draft(big, GOOD))
    big.entry("2026-03-03", "Tuesday", "other work")
    big.compact("2026-04-20")
    assert "SUMMARY" in big.body(DAY)
    big.forget_tree()
    big.compact("2026-04-20")
    assert "SUMMARY" in big.body(DAY)


def test_b13_a_summary_written_after_the_week_was_fixed_reaches_week_and_month(big):
    big.compact("2026-05-20")
    big.at("2026-05-21").write_node(_draft(big, GOOD))
    assert "SUMMARY" in big.body("weekly/2026-W10.md")
    assert "SUMMARY" in big.body("monthly/2026-03.md")


def test_a_summary_whose_sources_changed_gives_way_and_is_kept(big):
    big.at("2026-03-20").write_node(_draft(big, GOOD))
    big.entry("2026-03-02", "Evening", "Priya chose Bergen for 70 dollars")
    big.compact("2026-03-20")
    assert "SUMMARY" not in big.body(DAY)
    assert big.fields(DAY)["made-by"] == "extract"
    assert "SUMMARY" in big.text(f"summaries/{DAY}")


def test_a_weekly_summary_is_taken_too(big):
    big.at("2026-03-20").write_node(_draft(big, GOOD.replace("2026-03-02\n\n-", "2026-W10\n\n-"), "weekly/2026-W10.md"))
    assert big.fields("weekly/2026-W10.md")["made-by"] == "agent"
    assert "SUMMARY" in big.body("monthly/2026-03.md")


def test_a_month_may_point_to_every_day_of_its_weeks(store):
    store.entry("2026-03-30", "Monday of a week of April", "work")
    store.compact("2026-06-20")
    pointer = re.search(r"2026-03-30#\w+", store.body("monthly/2026-04.md"))[0]
    store.at("2026-06-20").write_node(_draft_of(store, f"# 2026-04\n\n- SUMMARY → {pointer}\n"))
    assert "SUMMARY" in store.body("monthly/2026-04.md")


def _draft_of(store, body: str) -> str:
    whole = store.text("monthly/2026-04.md")
    return whole[: whole.index("\n---\n", 4) + 5] + "\n" + body


BAD = {
    "nothing": ("", "does not say which node"),
    "blank body": ("\n \n", "is empty"),
    "only a title": ("# 2026-03-02\n", "is empty"),
    "only dots": ("...\n", "is empty"),
    "five megabytes": ("word " * 1_000_000, "characters"),
    "over budget": ("- some words of Jonas \n" * 200 + "{rule}", "the budget leaves"),
    "a rule is missing": ("- SUMMARY\n", "word for word"),
    "a rule in other words": (
        GOOD.replace("{rule}", "## Pushing [feedback]\n- rule: do not force-push\n"),
        "word for word",
    ),
    "a rule that lost its type": (
        GOOD.replace("{rule}", "- rule: never force-push\n- why: Ada lost a day\n"),
        "word for word",
    ),
    "an entry that does not exist": (GOOD + "\n- more → 2026-03-02#ffffff\n", "2026-03-02#ffffff leads nowhere"),
    "a day that does not exist": (GOOD + "\n- more → 2026-03-04, 2026-03-02\n", "2026-03-04 leads nowhere"),
}


@pytest.mark.parametrize(("body", "message"), BAD.values(), ids=list(BAD))
def test_r43_a_bad_summary_changes_nothing_and_a_good_one_repairs(big, body: str, message: str):
    before = big.tree()
    draft = _draft(big, body) if body else ""
    with pytest.raises(CheckFailed, match=re.escape(message)):
        big.at("2026-03-20").write_node(draft)
    assert big.tree() == before
    assert not list((big.memory / "summaries").rglob("*.md"))
    big.at("2026-03-20").write_node(_draft(big, GOOD))
    assert "SUMMARY" in big.body(DAY)


def test_r43_a_summary_of_older_sources_is_refused(big):
    draft = _draft(big, GOOD)
    big.entry("2026-03-02", "Evening", "Priya chose Bergen for 70 dollars")
    with pytest.raises(CheckFailed, match="changed since"):
        big.at("2026-03-20").write_node(draft)
    assert "SUMMARY" not in big.text(DAY)


def test_a_summary_for_a_node_that_does_not_exist_is_refused(big):
    draft = _draft(big, GOOD).replace("period: 2026-03-02", "period: 2026-03-09")
    with pytest.raises(NotFound, match="there is no node"):
        big.at("2026-03-20").write_node(draft)


@pytest.mark.parametrize(("old", "new"), [("type: daily", "type: root"), ("period: 2026-03-02", "period: ../../x")])
def test_a_summary_can_not_name_another_file(big, old: str, new: str):
    with pytest.raises(CheckFailed, match="which node"):
        big.at("2026-03-20").write_node(_draft(big, GOOD).replace(old, new))


def test_a_date_in_a_sentence_is_no_pointer(big):
    body = GOOD.replace("in Lisbon", "in Lisbon, to be shipped on 2026-09-30")
    big.at("2026-03-20").write_node(_draft(big, body))
    assert "2026-09-30" in big.body(DAY)


def test_a_rule_that_has_no_room_may_be_a_pointer(store):
    store.configure(dailyMaxTokens=500)
    store.entry("2026-03-02", "Pushing", *(f"rule: never force-push on day {n}" for n in range(90)), kind="feedback")
    store.compact("2026-03-20")
    heading = re.search(r"## Pushing \[feedback\] → \S+", store.body(DAY))[0]
    whole = store.text(DAY)
    store.at("2026-03-20").write_node(whole[: whole.index("\n---\n", 4) + 5] + f"\n- SUMMARY\n\n{heading}\n")
    assert "SUMMARY" in store.body(DAY)


def test_a_summary_edited_by_hand_is_used_as_it_is(big):
    big.at("2026-03-20").write_node(_draft(big, GOOD))
    big.write(f"memory/summaries/{DAY}", big.text(f"summaries/{DAY}").replace("SUMMARY", "MENDED"))
    big.compact("2026-03-20")
    assert "MENDED" in big.body("monthly/2026-03.md")


def test_a_deleted_summary_gives_the_digest_back(big):
    before = big.tree()
    big.at("2026-03-20").write_node(_draft(big, GOOD))
    (big.memory / "summaries" / DAY).unlink()
    big.compact("2026-03-20")
    assert big.tree() == before


@pytest.mark.parametrize("front", ["a: [", "- x\n- y", "{}", "type: !!timestamp x", "[" * 5000, "a: &a [*a]"])
def test_a_summary_with_broken_front_matter_is_only_ignored(big, front: str):
    before = big.tree()
    big.write(f"memory/summaries/{DAY}", f"---\n{front}\n---\n\nBROKEN\n")
    big.compact("2026-03-20")
    assert big.tree() == before


def test_a_line_may_stand_with_and_without_its_pointer(big):
    body = "- Gateways: Jonas sold two hundred\n- Gateways: Jonas sold two hundred → 2026-03-02\n\n{rule}"
    big.at("2026-03-20").write_node(_draft(big, body))
    assert "Jonas sold two hundred" in big.text("ROOT.md")
