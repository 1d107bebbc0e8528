"""No file of the tree exceeds its budget, whatever is in the logs; counted anew over the whole file."""

from __future__ import annotations

import random
import re
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

LEVELS = {"daily": "dailyMaxTokens", "weekly": "weeklyMaxTokens", "monthly": "monthlyMaxTokens"}


def over_budget(store, count, budgets: dict[str, int]) -> list[str]:
    """Files with more tokens than their level may have, and what they claim to have."""
    found = [(path, budgets[key]) for level, key in LEVELS.items() for path in (store.memory / level).glob("*.md")]
    found.append((store.memory / "ROOT.md", budgets["rootMaxTokens"]))
    sizes = [(path, count(path.read_bytes().decode("utf-8", "surrogateescape")), most) for path, most in found]
    return [f"{path.name}: {size} > {most}" for path, size, most in sizes if size > most]


def _same(tokens: int) -> dict[str, int]:
    return {**dict.fromkeys(LEVELS.values(), tokens), "rootMaxTokens": tokens}


def _topics(number: int) -> str:
    return "".join(
        f"## Topic {n} of {n % 37}\n- Priya sold {n} gateways for {n * 3} dollars\n\n" for n in range(number)
    )


INPUTS = {
    "6,000 topics": _topics(6000),
    "one line of 50,000 words": "## Long [project]\n- " + " ".join(f"word{n % 977}" for n in range(50_000)) + "\n",
    "one line of 50,000 words without an entry": " ".join(f"Jonas paid {n} in Bergen," for n in range(10_000)),
    "chinese": "## 数据库 [project]\n" + "- 我们决定使用新的缓存系统，因为旧的太慢了，成本是三百元\n" * 900,
    "korean": "## 결정 [project]\n" + "".join(f"- 김민수는 서울에서 센서 {n}개를 샀다\n" for n in range(1500)),
    "emoji": "## 🎉🚀 [project]\n" + "".join(f"- 🎉👩‍👩‍👧‍👦🇩🇪 Priya {n} 🚀🔥\n" for n in range(1500)),
    "combining marks": "## Z"
    + "\u0301\u0323" * 300
    + " [project]\n"
    + ("- Z\u0351\u0343\u0346algo" + "\u0301" * 40 + "\n") * 400,
    "no spaces": "## Key [project]\n- " + "aB3xQ9" * 30_000 + "\n",
    "no spaces in chinese": "## 长 [project]\n" + "数据库缓存系统决定成本" * 6000,
    "only code": "## Code [project]\n```python\n"
    + "".join(f"value_{n} = compute({n})\n" for n in range(5000))
    + "```\n",
    "only rules": "".join(
        f"## Rule {n} [feedback]\n- rule: always do thing {n} first\n- why: Ada said so\n\n" for n in range(900)
    ),
    "one rule too long for any node": "## Rule [feedback]\n" + "- rule: never push without asking Ada first\n" * 3000,
    "only references": "".join(
        f"## Link {n} [reference]\n- docs: https://example.invalid/{n}/{'x' * 40}\n\n" for n in range(900)
    ),
    "only titles": "".join(f"## Title number {n} {'of many words ' * 9}\n" for n in range(2000)),
    "long titles": "".join(f"## {'Word ' * 400}{n} [feedback]\n- rule {n}\n" for n in range(40)),
    "titles that YAML wants escaped": "".join(f"## {chr(0x80 + n % 25) * 60}{n} [project]\n" for n in range(30)),
    "quotes and backslashes": "".join(f'## "{n}" \\ \\u00e9 \' [project]\n- said "no" {n} \\n\n' for n in range(900)),
    "blanks": "## Blank [project]\n-" + " \t" * 50_000 + "\n" * 50_000,
    "a transcript": "## Session s1\n"
    + "".join(f"User: my rent in Bergen is {n} dollars\nAssistant: noted\n" for n in range(3000)),
}


@pytest.mark.parametrize("text", INPUTS.values(), ids=list(INPUTS))
@pytest.mark.parametrize("tokens", [500, 3000])
def test_no_file_is_over_budget(store, count, text: str, tokens: int):
    store.configure(**_same(tokens))
    store.log("2026-03-02", text)
    started = time.perf_counter()
    store.compact("2026-03-20")
    assert time.perf_counter() - started < 30
    assert over_budget(store, count, _same(tokens)) == []


def test_a_full_week_is_not_over_the_least_budget(store, count):
    from hipocampus.config import LEAST_TOKENS

    store.configure(**_same(LEAST_TOKENS))
    for day in range(1, 32):
        store.log(f"2026-03-{day:02}", _topics(20))
    store.compact("2026-05-20")
    assert over_budget(store, count, _same(LEAST_TOKENS)) == []


def test_the_tokens_that_are_told_are_those_of_the_files(store, count):
    store.log("2026-03-02", _topics(900))
    done = store.compact("2026-03-20")
    assert done.root_tokens == count(store.text("ROOT.md"))
    for name in ("daily/2026-03-02.md", "weekly/2026-W10.md", "monthly/2026-03.md"):
        assert store.fields(name)["tokens"] == count(store.body(name))


def test_a_digest_makes_good_use_of_its_budget(store, count):
    store.chatter("2026-03-02", random.Random(1), entries=40)
    store.compact("2026-03-20")
    assert 1600 < count(store.text("daily/2026-03-02.md")) <= 2000


def test_of_rules_that_do_not_fit_the_newest_are_whole_in_root(store):
    store.configure(rootMaxTokens=900)
    for day in range(1, 11):
        store.entry(
            f"2026-03-{day:02}",
            f"Rule {day}",
            f"rule: always do the thing of day {day} before lunch " * 3,
            kind="feedback",
        )
    store.compact("2026-03-20")
    root = store.text("ROOT.md")
    assert "thing of day 10 before" in root
    assert "thing of day 1 before" not in root
    assert re.search(r"Rule [1-8] \[feedback\] →", root)


_WORDS = st.text(min_size=1, max_size=60)
_LINES = st.lists(st.tuples(st.sampled_from(["- ", "", "User: ", "## ", "```\n", "  - ", "### "]), _WORDS), max_size=25)
_ENTRIES = st.lists(
    st.tuples(_WORDS, st.sampled_from(["", " [project]", " [feedback]", " [user]", " [reference]"]), _LINES), max_size=9
)


# Shrinking takes minutes here: an example is as good as a small one when the files can be looked at.
@settings(
    max_examples=40,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(days=st.lists(_ENTRIES, min_size=1, max_size=4), tokens=st.integers(400, 1500))
def test_no_file_is_over_budget_for_any_text(make_store, count, days, tokens: int):
    with tempfile.TemporaryDirectory() as folder:
        store = make_store(Path(folder))
        store.configure(**_same(tokens))
        for number, entries in enumerate(days, 2):
            lines = [f"## {title}{kind}\n" + "".join(f"{a}{b}\n" for a, b in body) for title, kind, body in entries]
            store.log(f"2026-03-0{number}", "\n".join(lines * 3).encode("utf-8", "replace"))
        store.compact("2026-03-20")
        assert over_budget(store, count, _same(tokens)) == []
        assert store.compact("2026-03-20").written == ()
