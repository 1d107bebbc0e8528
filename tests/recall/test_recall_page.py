"""The figures of spec/recall.md are those of the program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hipocampus.index import fusion
from hipocampus.recall import block, choice, gate, lookup, nearest, news, recall, versions

PAGE = (Path(__file__).parents[2] / "spec/recall.md").read_text(encoding="utf-8")
_RULE = re.compile(r"^- \*\*(R\d+)\*\* (.*?)(?=^- |^## |\Z)", re.M | re.S)
RULES = {number: " ".join(text.split()) for number, text in _RULE.findall(PAGE)}
FIGURES = [
    ("R1", f"above {recall._LONGEST_PROMPT:,} characters"),
    ("R1", f"the last {recall._LONGEST_PROMPT // 2:,} are read"),
    ("R2", f"{gate._SHARE} of it"),
    ("R2", f"{gate._SHARE_OF_OWN} and one where"),
    ("R2", f"needs {gate._WRITTEN} of that"),
    ("R3", "`1 / (3 + rank)`"),
    ("R3", "{:g} for words, {:g} for vectors and {:g} for concepts".format(*lookup._WITH_VECTORS)),
    ("R6", f"sentences of up to {nearest._LONGEST} tokens"),
    (
        "R6",
        f"room for {choice._FIRST_ROOM} tokens of notes, each further one for ten less, down to {choice._LEAST_ROOM}",
    ),
    ("R7", f"`<{block.TAG}>`"),
    ("R3", f"concepts {lookup._WITHOUT_VECTORS[2]} times"),
    ("R12", f"at most {news._LONGEST_LINE} characters"),
    ("R19", f"at most {choice._ENOUGH} tokens"),
    ("R19", f"{choice._SAID} of the rare terms"),
    ("R19", f"make {choice._SURE}"),
]


def test_no_rule_has_the_number_of_another_and_none_is_left_out():
    numbers = [int(number) for number in re.findall(r"\*\*R(\d+)\*\*", PAGE)]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize(("rule", "words"), FIGURES, ids=[words for _, words in FIGURES])
def test_each_figure_of_a_rule_is_that_of_the_program(rule: str, words: str):
    assert words in RULES[rule]


def test_numbers_in_words_are_those_of_the_program():
    assert (news.MOST_DAYS, "seven newest raw logs" in RULES["R13"]) == (7, True)
    assert (news.MOST_LINES, "at most eight" in RULES["R12"]) == (8, True)
    assert (news._AT_FIRST, "newest five entries" in RULES["R11"]) == (5, True)
    assert (versions._MOST_VERSIONS, "most eight entries bear" in RULES["R17"]) == (8, True)
    assert (recall._JUDGED, "five best documents" in RULES["R2"]) == (5, True)
    assert (nearest._ITS_NOTES, "two and a half times" in RULES["R6"]) == (2.5, True)
    assert (lookup._WRITTEN_FACTOR, "wrote on purpose twice" in RULES["R3"]) == (2.0, True)
    assert (fusion.RANK_OFFSET, lookup._KEPT_FACTOR, "one and a half times" in RULES["R3"]) == (3, 1.5, True)
