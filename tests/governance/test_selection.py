"""What a request means, beyond the cases of tests/forgetting."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hipocampus.governance import identifiers, selection
from hipocampus.governance.selection import Statement
from hipocampus.governance.units import clauses, units


def meant(query: str, *texts: str) -> list[str]:
    statements = [Statement(unit.text, follows=unit.follows) for text in texts for unit in units(text)]
    chosen = selection.meant(query, statements)
    return [statements[one.at].text[one.start : one.end] for one in chosen]


def test_a_pronoun_belongs_to_the_sentence_before():
    assert meant("Dana", "Dana lives in Berlin. She plays the oboe. Eve sings.") == [
        "Dana lives in Berlin.",
        "She plays the oboe.",
    ]


def test_a_name_of_several_words_is_meant_by_its_telling_part_too():
    assert meant("Project Falcon", "Project Falcon uses Go.", "Falcon ships in May.", "Project Eagle uses Go.") == [
        "Project Falcon uses Go.",
        "Falcon ships in May.",
    ]


def test_a_value_that_is_not_there_means_nothing_like_it():
    assert meant("zeppelin@example.com", "Write to dora@example.com.") == []
    assert meant("Bob Smith", "Alice Smith is ill.") == []
    assert meant("TKT-104", "TKT-105 is open.") == []


def test_a_first_name_that_two_people_share_is_not_enough():
    assert meant("Ivan Petrov", "Ivan Petrov is ill.", "Ivan Sidorov is well.", "Ivan is late.") == [
        "Ivan Petrov is ill."
    ]


def test_a_word_that_is_used_as_a_plain_one_names_nobody_in_lower_case():
    assert meant("Rack Fest", "We met at Rack Fest.", "Put it on the wire rack.", "Rack was loud.") == [
        "We met at Rack Fest.",
        "Rack was loud.",
    ]


def test_emoji_and_right_to_left_text_are_statements_too():
    assert meant("המפתח במגירה", "המפתח במגירה.", "החתול על הגג.") == ["המפתח במגירה."]
    assert meant("the 🎉 party is on Friday", "The 🎉 party is on Friday.", "The build is red.") == [
        "The 🎉 party is on Friday."
    ]


def test_a_request_that_nothing_says_means_nothing():
    assert meant("quantum chromodynamics lecture", "We deploy on Mondays.", "The cat is grey.") == []


@given(st.text(max_size=120))
def test_units_are_parts_of_their_text(text: str):
    assert all(text[unit.start : unit.end] == unit.text for unit in units(text))


@given(st.text(max_size=120))
def test_cuts_of_clauses_lie_in_their_sentence(text: str):
    for unit in units(text):
        assert all(0 <= part.cut[0] <= part.cut[1] <= len(unit.text) for part in clauses(unit.text))


@given(st.text(max_size=40), st.text(max_size=120))
def test_any_value_can_be_looked_for_in_any_text(value: str, text: str):
    found = identifiers.find(identifiers.target(value), text)
    assert all(0 <= one.start < one.end <= len(text) for one in found)


@given(st.text(max_size=40), st.lists(st.text(max_size=60), max_size=5))
def test_any_request_can_be_made_of_any_statements(query: str, texts: list[str]):
    for part in meant(query, *texts):
        assert part
