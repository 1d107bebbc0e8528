"""What ends up in which node, and when a node is built again."""

from __future__ import annotations

from pathlib import Path

import pytest

CASES = Path(__file__).parent.parent / "cases"
LATE = (CASES / "42-late-entry/late.txt").read_text()
LEVELS = ("daily/2026-03-02.md", "weekly/2026-W10.md", "monthly/2026-03.md")


def test_case_41_after_a_holiday_each_day_has_its_own_node(case):
    store = case("41-long-gap")
    store.compact("2026-03-20")
    assert store.names("daily") == ["2026-03-02", "2026-03-03"]
    assert "MARK-D2" in store.body("daily/2026-03-02.md")
    assert "MARK-D3" in store.body("daily/2026-03-03.md")
    assert "MARK-D3" not in store.body("daily/2026-03-02.md")


def test_case_41_the_week_is_fixed_and_the_scratchpad_is_in_no_node(case):
    store = case("41-long-gap")
    store.compact("2026-03-20")
    week = store.text("weekly/2026-W10.md")
    assert "MARK-D2" in week
    assert "MARK-D3" in week
    assert store.fields("weekly/2026-W10.md")["status"] == "fixed"
    assert not [name for name, data in store.tree().items() if b"MARK-SCR" in data]


@pytest.mark.parametrize(("first", "second"), [("2026-03-02", "2026-03-03"), ("2026-05-01", "2026-05-01")])
def test_case_42_a_late_entry_reaches_every_level(case, first: str, second: str):
    store = case("42-late-entry")
    store.compact(first)
    store.log("2026-03-02", store.text("2026-03-02.md") + LATE)
    store.compact(second)
    for name in LEVELS:
        assert "MARK-EARLY" in store.body(name)
        assert "MARK-LATE" in store.body(name)


def test_a_late_entry_reopens_what_was_fixed_and_is_reported(case):
    store = case("42-late-entry")
    store.compact("2026-05-01")
    store.log("2026-03-02", store.text("2026-03-02.md") + LATE)
    done = store.compact("2026-05-01")
    assert done.reopened == tuple(f"memory/{name}" for name in LEVELS)
    assert store.fields("monthly/2026-03.md")["status"] == "fixed"


def test_an_entry_in_time_reopens_nothing(store):
    store.entry("2026-03-02", "Morning", "one")
    store.compact("2026-03-02")
    store.entry("2026-03-02", "Evening", "two")
    assert store.compact("2026-03-02").reopened == ()


def test_b07_the_last_day_of_a_week_reaches_week_and_month(store):
    for day in range(2, 7):
        store.entry(f"2026-03-0{day}", "Work", f"FACT-{day} status: fixed")
        store.compact(f"2026-03-0{day}")
    for day in range(2, 7):
        assert f"FACT-{day}" in store.body("weekly/2026-W10.md")
        assert f"FACT-{day}" in store.body("monthly/2026-03.md")


def test_b10_a_late_entry_of_yesterday_is_not_lost(store):
    store.entry("2026-03-02", "Work", "EARLY")
    store.compact("2026-03-03")
    store.entry("2026-03-02", "Evening", "LATEFACT")
    store.compact("2026-03-03")
    assert all("LATEFACT" in store.body(name) for name in LEVELS)


def test_b11_a_day_that_grows_after_its_first_compaction_is_built_again(store):
    store.entry("2026-03-02", "Morning", "one line")
    store.compact("2026-03-02")
    store.entry(
        "2026-03-02",
        "Afternoon",
        *(f"step {n} of the migration" for n in range(300)),
        "Priya chose the ORANGE gateway for 40 dollars",
    )
    store.compact("2026-03-03")
    assert "ORANGE" in store.body("daily/2026-03-02.md")
    assert store.fields("daily/2026-03-02.md")["status"] == "fixed"


def test_b39_a_week_is_fixed_seven_days_after_its_end_not_after_its_monday(store):
    store.entry("2026-03-02", "Monday", "work")
    store.compact("2026-03-09")
    assert store.fields("weekly/2026-W10.md")["status"] == "tentative"
    store.compact("2026-03-16")
    assert store.fields("weekly/2026-W10.md")["status"] == "fixed"


@pytest.mark.parametrize(
    "words",
    [
        "status: fixed",
        "needs-summarization",
        "---\ntype: root\nstatus: fixed\n---",
        "type: root",
        "made-by: agent",
        "sources-sha256: 00",
        "{a: [b",
        "tokens: 999999",
        "<!-- hipo",
        "## ",
        "# 2026-03-02",
        "%YAML 9",
        "\ufeff---",
    ],
)
def test_b14_words_in_a_log_are_only_words(store, words: str):
    store.log("2026-03-02", f"# 2026-03-02\n\n## Talk [project]\n{words}\n- MARK-A\n")
    store.compact("2026-03-02")
    store.log("2026-03-02", store.text("2026-03-02.md") + f"\n## Later [project]\n- MARK-B {words}\n")
    store.compact("2026-03-03")
    for name in LEVELS:
        assert "MARK-A" in store.body(name)
        assert "MARK-B" in store.body(name)
    assert store.fields("daily/2026-03-02.md")["status"] == "fixed"


def test_b47_a_line_that_looks_like_a_status_stays_as_it_is_when_the_node_becomes_fixed(store):
    store.log("2026-03-02", "status: tentative\n\n## Talk [project]\nstatus: tentative\n")
    store.compact("2026-03-02")
    store.compact("2026-03-03")
    assert store.fields("daily/2026-03-02.md")["status"] == "fixed"
    assert store.body("daily/2026-03-02.md").count("status: tentative") == 2


def test_a_front_matter_without_status_is_built_again_and_the_body_is_not_touched(store):
    store.log("2026-03-02", "## Talk [project]\nstatus: tentative\n")
    store.compact("2026-03-03")
    whole = store.text("daily/2026-03-02.md")
    store.write("memory/daily/2026-03-02.md", whole.replace("status: fixed\n", "", 1))
    store.compact("2026-03-03")
    assert store.text("daily/2026-03-02.md") == whole


def test_a_small_node_holds_its_entries_word_for_word_with_pointers(store):
    store.entry("2026-03-02", "API limits", "token bucket, because bursts are legitimate")
    store.compact("2026-03-02")
    body = store.body("daily/2026-03-02.md")
    assert "- token bucket, because bursts are legitimate" in body
    assert "## API limits [project] → 2026-03-02#" in body
    assert store.fields("daily/2026-03-02.md")["made-by"] == "verbatim"


@pytest.mark.parametrize("title", ["Session rules", "Session", "Session cookies"])
def test_a_rule_whose_title_begins_with_session_stays_a_rule(store, title: str):
    store.entry("2026-03-02", title, "rule: never log a token WORDS", kind="feedback")
    store.entry("2026-03-03", "Work", *(f"step {n} of the migration is done" for n in range(900)))
    store.compact("2026-03-04")
    for name in LEVELS:
        assert f"## {title} [feedback] →" in store.body(name)
    assert f"{title} [feedback" in store.text("ROOT.md")


def test_a_fence_that_nothing_closes_does_not_swallow_the_next_entry(store):
    store.log(
        "2026-03-02",
        "## Torn [project]\n```python\nprint(1)\n<!-- hipo id=aaaaaa -->\n\n"
        "## Rule [feedback]\n- rule: WORDS\n```sh\n# a comment\nls\n```\n<!-- hipo id=bbbbbb -->\n",
    )
    store.compact("2026-03-02")
    for name in LEVELS:
        assert "## Rule [feedback] → 2026-03-02#bbbbbb\n- rule: WORDS\n```sh\n# a comment\nls\n```" in store.body(name)


def test_a_pasted_heading_stays_inside_its_entry(store):
    store.log("2026-03-02", "## Session s1\nUser: look\n## Pasted\n# Chapter\nAssistant: MARK\n")
    store.compact("2026-03-02")
    headings = [line for line in store.body("monthly/2026-03.md").split("\n") if line.startswith("## ")]
    assert len(headings) == 1
    assert "MARK" in store.body("monthly/2026-03.md")


@pytest.mark.parametrize("ident", ["foo_bar/9", "", "a;b", "→", "id=id=x", "über"])
def test_an_id_that_no_pointer_can_name_does_not_cost_a_rule_its_type(store, ident: str):
    store.log("2026-03-02", f"## Pushing [feedback]\n- rule: WORDS\n<!-- hipo id={ident} actor=agent -->\n")
    store.compact("2026-03-20")
    root = next(line for line in store.text("ROOT.md").split("\n") if "WORDS" in line)
    assert root.startswith("- Pushing [feedback")
    assert store.at("2026-03-20").read(root.rpartition("→ ")[2]).text.startswith("## Pushing")
