"""Whatever a user can type, set or meet has a place in README.md, docs/ or spec/."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import click
import pytest

from hipocampus import config
from hipocampus.cli.group import COMMANDS, hipocampus
from hipocampus.errors import ExitCode
from hipocampus.hosts import moments

TOP = Path(__file__).parent.parent
PAGES = [TOP / "README.md", *sorted((TOP / "docs").rglob("*.md")), *sorted((TOP / "spec").rglob("*.md"))]
TEXT = "\n".join(page.read_text("utf-8") for page in PAGES)


def missing(names: Iterable[str], text: str = TEXT) -> list[str]:
    """Names that stand nowhere as a word of their own."""
    return sorted(name for name in set(names) if not re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", text))


def commands(group: click.Group = hipocampus, prefix: str = "hipocampus") -> Iterator[tuple[str, click.Command]]:
    """Every command with its full name, also those of groups in groups."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command
        yield f"{prefix} {name}", command
        if isinstance(command, click.Group):
            yield from commands(command, f"{prefix} {name}")


def options(command: click.Command) -> list[str]:
    """The long spelling of each option, or the short one where there is no other."""
    found = [p for p in command.params if isinstance(p, click.Option)]
    return [max(option.opts, key=len) for option in found]


def test_every_command_is_documented():
    assert missing(name for name, _ in commands()) == []


@pytest.mark.parametrize("name", [name for name, _ in commands()])
def test_every_option_of_a_command_is_documented(name: str):
    assert missing(options(dict(commands())[name])) == []


def test_every_global_option_is_documented():
    assert missing([*options(hipocampus), "HIPOCAMPUS_TODAY"]) == []


def test_every_setting_is_documented_with_its_default():
    assert missing(config.DEFAULTS) == []
    numbers = {key: json.dumps(value) for key, value in config.DEFAULTS.items() if isinstance(value, (int, float))}
    rows = {key: [line for line in TEXT.split("\n") if key in line] for key in numbers}
    wrong = [key for key, value in numbers.items() if not any(value in row.replace(",", "") for row in rows[key])]
    assert wrong == []


def test_every_exit_code_is_documented():
    chapters = re.findall(r"^## Exit codes\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert missing((str(code.value) for code in ExitCode), "\n".join(chapters)) == []


def test_every_hook_event_is_documented():
    assert missing(event for events in moments.EVENTS.values() for event in events) == []
    assert missing(["hipocampus-hook"]) == []


def test_every_command_has_a_help_that_begins_with_its_line_in_the_list():
    for name, (module, line) in COMMANDS.items():
        command = getattr(importlib.import_module(f"hipocampus.cli.{module}"), {"import": "import_"}.get(name, name))
        assert command.help
        assert line.endswith(".")


def test_no_page_names_a_command_that_does_not_exist():
    known = {name.split()[1] for name, _ in commands()}
    spans = re.findall(r"`hipocampus ((?:-C \S+ |--json |--today \S+ )*)([a-z][a-z-]+)", TEXT)
    assert sorted({name for _, name in spans} - known) == []


def test_no_page_shows_a_path_of_somebodys_machine():
    assert re.findall(r"(?:/home/|/Users/|/root/|/work/|C:\\Users)[^\s`]*", TEXT) == []


def test_links_between_pages_lead_somewhere():
    broken = []
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?:|mailto:|#)([^)#\s]+)", page.read_text("utf-8")):
            if not (page.parent / target).exists():
                broken.append(f"{page.relative_to(TOP)} → {target}")
    assert broken == []


def test_the_check_says_what_is_missing():
    assert missing(["--dry-run", "--dry", "compact"], "use `--dry-run` with hipocampus compact") == ["--dry"]
