"""The skills that `init` installs: portable, exact, and no invitation to write logs by hand."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest
import yaml

from hipocampus.cli.group import COMMANDS, hipocampus
from hipocampus.data import data_folder

FILES = sorted(data_folder("skills").rglob("SKILL.md"))
NAMES = {"core", "recall", "search", "flush", "compaction"}
# The fields of agentskills.io/specification, all that every host reads.
PORTABLE = {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
# Written of, and not there yet.
PENDING = {"recall"}


def parts(path: Path) -> tuple[dict[str, str], str]:
    """Front matter and body."""
    _, matter, body = path.read_text("utf-8").split("---\n", 2)
    return yaml.safe_load(matter), body


def commands(body: str) -> list[str]:
    """Every call of the command in a text, in code blocks and in backticks, with its continued lines joined."""
    joined = re.sub(r"\\\n\s*", "", body)
    fenced = re.findall(r"^\s*(hipocampus .+)$", "\n".join(re.findall(r"```\n(.*?)```", joined, re.S)), re.M)
    return fenced + re.findall(r"`(hipocampus [^`\n]+)`", re.sub(r"```.*?```", "", joined, flags=re.S))


def test_the_five_skills_are_there():
    assert {path.parent.name for path in FILES} == {f"hipocampus-{name}" for name in NAMES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_a_skill_keeps_to_the_standard(path: Path):
    matter, body = parts(path)
    assert set(matter) <= PORTABLE
    assert matter["name"] == path.parent.name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", matter["name"])
    assert len(matter["name"]) <= 64
    assert 1 <= len(matter["description"]) <= 1024
    assert all(isinstance(value, str) for value in matter.values())
    assert len(body.splitlines()) < 60


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_no_skill_tells_an_agent_to_write_a_log(path: Path):
    text = path.read_text("utf-8")
    assert not re.search(r"(write|append|save|add|edit|create)\b[^.\n]*\bmemory/[^R\s]*(DATE|YYYY|\d{4})", text, re.I)
    assert not re.search(r">>?\s*memory/", text)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_every_command_in_a_skill_is_one_that_works(path: Path):
    found = commands(path.read_text("utf-8"))
    assert found
    for call in found:
        name, *arguments = shlex.split(call.partition(" <<")[0])[1:]
        if name not in PENDING - set(COMMANDS):
            command = hipocampus.get_command(click.Context(hipocampus), name)
            assert command, call
            command.make_context(name, arguments, parent=click.Context(hipocampus))


def test_a_skill_that_names_another_names_one_that_exists():
    named = {name for path in FILES for name in re.findall(r"\bhipocampus-(\w+)", path.read_text("utf-8"))}
    assert named <= NAMES
