"""Every pointer leads to its source."""

from __future__ import annotations

import random
import re
from datetime import date, timedelta

import pytest

from hipocampus.errors import NotFound

_LIST = re.compile(r"→ ([^→;\n]+)")


def _cited(text: str, year: str = "") -> list[str]:
    """The pointers of a text; one without a year has that of the one before it, or `year`."""
    found = []
    for line in text.split("\n"):
        last = year
        for part in (part.strip() for listed in _LIST.findall(line) for part in listed.split(",")):
            if re.fullmatch(r"\d{2}-\d{2}(?:#\S+)?", part):
                found.append(f"{last}-{part}")
                continue
            last = part[:4] if re.match(r"\d{4}-", part) and not year else last
            found.append(part)
    return found


@pytest.fixture
def built(store):
    """Eight weeks over a new year, all levels shortened."""
    store.configure(dailyMaxTokens=450, weeklyMaxTokens=600, monthlyMaxTokens=900, rootMaxTokens=900)
    dice = random.Random(3)
    for n in range(56):
        day = date(2025, 12, 8) + timedelta(days=n)
        lines = [
            f"{dice.choice(('Priya', 'Jonas', 'Ada'))} paid {dice.randint(10, 9999)} dollars for the "
            f"{dice.choice(('gateway', 'parser', 'ledger', 'sensor'))} of {dice.choice(('Lisbon', 'Bergen', 'Quito'))}"
            for _ in range(30)
        ]
        store.entry(str(day), f"Work {n}", *lines)
    store.compact("2026-02-03")
    return store


def test_every_line_of_a_digest_has_a_pointer(built):
    for level in ("daily", "weekly", "monthly"):
        for name in built.names(level):
            assert built.fields(f"{level}/{name}.md")["made-by"] == "extract"
            lines = [line for line in built.body(f"{level}/{name}.md").split("\n") if line.startswith("- ")]
            assert lines
            assert not [line for line in lines if not _LIST.search(line)]


def test_every_pointer_of_a_digest_can_be_read(built):
    memory = built.at("2026-02-03")
    for level in ("daily", "weekly", "monthly"):
        for name in built.names(level):
            for pointer in _cited(built.body(f"{level}/{name}.md")):
                assert memory.read(pointer).text.strip()


def test_a_pointer_of_a_daily_digest_shows_the_entry_that_says_it(built):
    body = built.body("daily/2026-01-05.md")
    amounts = re.findall(r"(\d+) dollars", body)
    entry = built.at("2026-02-03").read(_cited(body)[0]).text
    assert amounts
    assert all(f"paid {amount} dollars" in entry for amount in amounts)


def test_every_pointer_of_root_can_be_read(built):
    memory = built.at("2026-02-03")
    pointers = _cited(built.body("ROOT.md"), "2026")
    assert pointers
    assert all(memory.read(pointer).text.strip() for pointer in pointers)


@pytest.mark.parametrize("pointer", ["2026-01-05", "2026-W02", "2026-01", "memory/ROOT.md", "memory/2026-01-05.md:3-4"])
def test_days_periods_and_files_can_be_read(built, pointer: str):
    assert built.at("2026-02-03").read(pointer).text.strip()


@pytest.mark.parametrize(
    "pointer",
    [
        "2026-01-05#ffffff",
        "2026-05-05",
        "2026-W40",
        "2026-W99",
        "9999-W52",
        "2026-09",
        "ffffff",
        "",
        ".",
        "memory",
        "/etc/passwd",
        "../x.md",
        "memory/ROOT.md:999",
        "memory/ROOT.md:0",
        "memory/ROOT.md:9-3",
        "2026-02-30#ffffff",
        "9999-12-31",
        "a\0b",
    ],
)
def test_a_pointer_that_leads_nowhere_says_so(built, pointer: str):
    with pytest.raises(NotFound):
        built.at("2026-02-03").read(pointer)


def test_an_entry_is_found_by_its_id_alone(built):
    pointer = _cited(built.body("daily/2026-01-05.md"))[0]
    passage = built.at("2026-02-03").read(pointer.partition("#")[2])
    assert passage.source == "memory/2026-01-05.md"
    assert passage.text.startswith("## Work 28")


def test_a_day_without_a_year_is_the_newest_such_day(built):
    memory = built.at("2026-02-03")
    assert memory.read("01-05").source == "memory/2026-01-05.md"
    assert memory.read("12-09").source == "memory/2025-12-09.md"
    with pytest.raises(NotFound):
        memory.read("07-07")


@pytest.mark.parametrize("pointer", ["2026-02-30#ffffff", "memory/ROOT.md:" + "9" * 5000], ids=["no date", "no line"])
def test_a_number_that_means_nothing_leads_nowhere(built, pointer: str):
    built.write("memory/2026-02-30.md", "## Wrong [project]\n- day\n")
    with pytest.raises(NotFound):
        built.at("2026-02-03").read(pointer)
