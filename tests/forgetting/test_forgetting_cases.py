"""The cases themselves: enough of each category, each with something to hold and something to lose."""

from __future__ import annotations

from collections import Counter

from forgetting_cases import attacks, templates


def test_every_category_of_attack_has_enough_cases():
    counts = Counter(case.category for case in attacks())
    assert len(counts) == 10
    assert min(counts.values()) >= 13


def test_ids_are_unique():
    ids = [case.id for case in (*attacks(), *templates())]
    assert len(set(ids)) == len(ids)


def test_what_must_go_was_there_and_what_must_stay_is_somewhere():
    for case in (*attacks(), *templates()):
        before = "\n".join(case.facts)
        after = "\n".join([before, *(mutation.new for mutation in case.mutations)])
        assert all(text in after for text in (*case.must_hold, *case.must_not_hold)), case.id
        assert case.must_hold, case.id
        assert case.must_not_hold, case.id


def test_the_template_cases_are_the_same_for_a_seed():
    assert list(templates(50)) == list(templates(50))
    assert list(templates(50, seed=1)) != list(templates(50, seed=2))
