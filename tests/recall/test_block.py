"""The line that says what was left out of a block of recall."""

from __future__ import annotations

from hipocampus.recall.block import rest


def test_nothing_left_out_needs_no_line():
    assert rest([]) == []


def test_the_first_three_are_named_and_all_are_counted():
    pointers = [f"2026-03-15#a{number}" for number in range(5)]
    assert rest(pointers) == ["5 more, read with `hipocampus read`: 2026-03-15#a0, 2026-03-15#a1, 2026-03-15#a2"]


def test_long_names_give_way_so_that_the_line_never_exceeds_its_room():
    long = f"knowledge/{'a-long-name-' * 20}.md"
    assert rest([long, "2026-03-15#a1"]) == ["2 more, read with `hipocampus read`: 2026-03-15#a1"]
    assert rest([long]) == ["1 more, `hipocampus search` finds them"]
