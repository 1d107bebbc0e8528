"""What a host wraps around words goes; what people quote stays."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.hosts.wrappers import spoken_by_person, without_own_block


@pytest.mark.parametrize(
    "text",
    [
        "<system-reminder>\nlist\n</system-reminder>",
        "<local-command-stdout>ok</local-command-stdout>",
        "<ide_opened_file>a.py</ide_opened_file>",
        "<environment_context>\n  <cwd>/x</cwd>\n</environment_context>",
        "<permissions instructions>no</permissions instructions>",
        "# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nbe brief",
        "[Request interrupted by user for tool use]",
        "<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>",
        "<system-reminder>cut off",
    ],
)
def test_what_only_the_host_says_is_nothing(text: str):
    assert spoken_by_person(text) == ""


@pytest.mark.parametrize(
    "text",
    [
        "write `<system-reminder>x</system-reminder>` in the test",
        "```\n<system-reminder>x</system-reminder>\n```\nis what I saw",
        "why is <system-reminder> in the log?",
        "<systemd-unit>x</systemd-unit>",
        "if a < b and c > d",
    ],
)
def test_what_a_person_quotes_stays(text: str):
    assert spoken_by_person(text) == text


def test_words_around_wrappers_stay():
    text = "<system-reminder>a ``` b</system-reminder>rename <ide_selection>\nx\n</ide_selection>the table"
    assert spoken_by_person(text) == "rename the table"


def test_a_slash_command_with_arguments_is_what_was_typed():
    name = "<command-message>review</command-message>\n<command-name>/review</command-name>"
    text = f"{name}\n<command-args>the gate\nfirst</command-args>"
    assert spoken_by_person(text) == "/review the gate\nfirst"


def test_our_own_block_goes_from_what_anybody_says():
    text = 'Before.\n<hipocampus-memory session="1">\n- old fact\n</hipocampus-memory>\nAfter.'
    assert without_own_block(text) == "Before.\n\nAfter."
    assert spoken_by_person(text) == "Before.\n\nAfter."


def test_an_agents_words_about_host_tags_stay():
    assert without_own_block("It prints <system-reminder>x</system-reminder>.") == (
        "It prints <system-reminder>x</system-reminder>."
    )


@pytest.mark.parametrize("piece", ["<system-reminder>", "```a\n", "`", "<", "<system-reminder>`</system-reminder>"])
def test_hostile_text_takes_linear_time(piece: str):
    started = time.process_time()
    spoken_by_person("x" + piece * (300_000 // len(piece)))
    assert time.process_time() - started < 2


@given(st.lists(st.sampled_from(["<system-reminder>", "</system-reminder>", "`", "```\n", "word", "\n", " "])))
def test_nothing_is_invented(pieces: list[str]):
    text = "".join(pieces)
    assert spoken_by_person(text).count("word") <= text.count("word")
