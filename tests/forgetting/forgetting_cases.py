"""
Cases of forgetting under attack: facts, mutations, a query, and what its answers must and must not hold.

`attacks` are written by hand, in ten categories; `templates` are drawn from a seed, in five families. The method is
that of ForgetEval: store the facts, mutate, ask for the ten best texts, look for substrings.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

ATTACKS = Path(__file__).parent / "attacks.jsonl"
Kind = Literal["supersede", "release", "purge"]


@dataclass(frozen=True, slots=True)
class Mutation:
    """One call: `new` is the text that takes the place of what `query` names, "" but for `supersede`."""

    kind: Kind
    query: str
    new: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """What is stored, done, asked, and what must and must not stand in the answers."""

    id: str
    category: str
    facts: tuple[str, ...]
    mutations: tuple[Mutation, ...]
    query: str
    must_hold: tuple[str, ...]
    must_not_hold: tuple[str, ...]


def attacks() -> list[Case]:
    """The cases written by hand."""
    return read(ATTACKS)


def read(path: Path) -> list[Case]:
    """The cases of a file, a JSON object a line."""
    return [_case(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def _case(row: dict[str, Any]) -> Case:
    return Case(
        row["id"],
        row["category"],
        tuple(row["facts"]),
        tuple(Mutation(m["kind"], m["query"], m.get("new", "")) for m in row["mutations"]),
        row["query"],
        tuple(row["must_hold"]),
        tuple(row["must_not_hold"]),
    )


_PEOPLE = """Alma Bashir Chidi Dmitri Elif Farah Gustav Hana Imran Jia Kwame Leila Mateo Nils Oksana Pilar Qasim Ravi
Saoirse Tariq Ulrich Vesna Wanjiru Ximena Yusuf Zofia""".split()
_CITIES = """Aarhus Bergen Cusco Dakar Esbjerg Fukuoka Geneva Hobart Izmir Jaipur Kigali Leipzig Malmo Nantes Oaxaca
Perth Quito Riga Salta Tampere Utrecht Varna Windhoek Yerevan Zagreb""".split()
_FIRMS = "Acmecorp Bluefin Cobalt Driftwood Evergreen Fjordtech Gearbox Hexagon Ironclad Junction Keystone".split()
_TOOLS = "Vim Emacs Helix Zed Kakoune Sublime Nano Micro Geany Kate".split()
_HOSTS = "Heroku Render Railway Netlify Vercel Koyeb Nomad Kubernetes Mesos Dokku".split()
_SLOTS: tuple[tuple[str, str, list[str]], ...] = (
    ("{who} lives in {value}.", "Where does {who} live?", _CITIES),
    ("{who} works at {value}.", "Where does {who} work?", _FIRMS),
    ("{who} edits code with {value}.", "What does {who} edit code with?", _TOOLS),
    ("{who} deploys to {value}.", "Where does {who} deploy?", _HOSTS),
)


def templates(count: int = 1000, seed: int = 20260315) -> Iterator[Case]:
    """As many cases, the five families in turn; the same for the same seed."""
    draw = random.Random(seed)
    for number in range(count):
        family, make = _FAMILIES[number % len(_FAMILIES)]
        yield make(draw, f"{family}-{number:04}")


def _supersession(draw: random.Random, ident: str) -> Case:
    """A new value takes the place of an old one; another person's value stays."""
    who, other = draw.sample(_PEOPLE, 2)
    statement, question, values = draw.choice(_SLOTS)
    old, new, kept = draw.sample(values, 3)
    first, second = statement.format(who=who, value=old), statement.format(who=who, value=new)
    facts = _shuffled(draw, [first, statement.format(who=other, value=kept)], who, other)
    query = draw.choice([first, first.rstrip("."), question.format(who=who)])
    return Case(ident, "supersession", facts, (Mutation("supersede", query, second),), who, (new, kept), (old,))


def _decay(draw: random.Random, ident: str) -> Case:
    """A passing fact is let go; what else is known of the same person stays."""
    who = draw.choice(_PEOPLE)
    passing, kept = draw.sample(_SLOTS, 2)
    gone, stays = draw.choice(passing[2]), draw.choice(kept[2])
    fact = passing[0].format(who=who, value=gone)
    facts = _shuffled(draw, [fact, kept[0].format(who=who, value=stays)], who)
    query = draw.choice([fact, fact.rstrip("."), fact.rstrip(".").lower()])
    return Case(ident, "decay", facts, (Mutation("release", query),), who, (stays,), (gone,))


def _amnesia(draw: random.Random, ident: str) -> Case:
    """All about one person goes; a person who shares a value with them stays."""
    who, other = draw.sample(_PEOPLE, 2)
    shared, own = draw.sample(_SLOTS, 2)
    value, mine, theirs = draw.choice(shared[2]), *draw.sample(own[2], 2)
    facts = [
        shared[0].format(who=who, value=value),
        shared[0].format(who=other, value=value),
        own[0].format(who=who, value=mine),
        own[0].format(who=other, value=theirs),
    ]
    query = draw.choice([who, who.lower(), f"everything about {who}"])
    facts_in_order = _shuffled(draw, facts, who, other)
    mutation = Mutation("release", query)
    return Case(ident, "amnesia", facts_in_order, (mutation,), f"{who} {other}", (other, value, theirs), (who,))


def _purge(draw: random.Random, ident: str) -> Case:
    """What holds an identifier goes, however it is written; a longer identifier stays."""
    who, other = draw.sample(_PEOPLE, 2)
    number = draw.randrange(100, 999)
    prefix = draw.choice(["TKT", "INC", "REQ", "ACCT"])
    name, longer = draw.choice(
        [
            (f"{prefix}-{number}", f"{prefix}-{number}{draw.randrange(10)}"),
            (f"{who.lower()}@mail.example", f"{who.lower()}.{number}@mail.example"),
            (f"+49 30 555{number}0", f"+49 30 555{number}1"),
        ]
    )
    facts = [f"The first record is {name} and has the colour mauve.", f"The second record is {longer} and is beige."]
    query = draw.choice([name, name.upper(), name.lower(), f" {name} ", f'"{name}"'])
    stored = _shuffled(draw, facts, who, other)
    return Case(ident, "purge", stored, (Mutation("purge", query),), "record colour", (longer, "beige"), ("mauve",))


def _drift(draw: random.Random, ident: str) -> Case:
    """A value changes several times, now and then back to an earlier one."""
    who, other = draw.sample(_PEOPLE, 2)
    statement, question, values = draw.choice(_SLOTS)
    chain = draw.sample(values, draw.randrange(3, 5))
    kept = draw.choice([value for value in values if value not in chain])
    if draw.random() < 0.3:
        chain.append(chain[0])
    steps = [statement.format(who=who, value=value) for value in chain]
    asked = question.format(who=who)
    mutations = [Mutation("supersede", draw.choice([before, asked]), after) for before, after in pairwise(steps)]
    facts = _shuffled(draw, [steps[0], statement.format(who=other, value=kept)], who, other)
    gone = tuple(value for value in chain if value != chain[-1])
    return Case(ident, "drift", facts, tuple(mutations), who, (chain[-1], kept), gone)


_FAMILIES: tuple[tuple[str, Callable[[random.Random, str], Case]], ...] = (
    ("supersession", _supersession),
    ("decay", _decay),
    ("amnesia", _amnesia),
    ("purge", _purge),
    ("drift", _drift),
)


def _shuffled(draw: random.Random, facts: list[str], *taken: str) -> tuple[str, ...]:
    """The facts among a few that have nothing to do with them, in any order."""
    stranger = draw.choice([name for name in _PEOPLE if name not in taken])
    fillers = [
        f"The build of {stranger}'s branch takes {draw.randrange(4, 40)} minutes.",
        "Commit messages are written in the imperative.",
        "The nightly job rotates its own logs.",
    ]
    mixed = [*facts, *draw.sample(fillers, 2)]
    draw.shuffle(mixed)
    return tuple(mixed)
