"""The cases of search: scripts, hostile queries, stale and doubled facts, and what a network is for."""

from __future__ import annotations

import os
import subprocess
import time
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from project import Project, copy_of
from support import CASES, Ran, WordEncoder

from hipocampus.errors import EncoderUnavailable
from hipocampus.index import search
from hipocampus.index.embedded_encoder import EmbeddedEncoder
from hipocampus.index.encoders import load_encoder
from hipocampus.index.question import Mode
from hipocampus.index.transformer_encoder import TransformerEncoder
from hipocampus.memory import Memory

SCRIPTS = [
    tuple(line.split("\t"))
    for line in (CASES / "53-cjk-search" / "queries.tsv").read_text(encoding="utf-8").splitlines()[1:]
]
HOSTILE = (CASES / "55-hostile-queries" / "queries.txt").read_text(encoding="utf-8").splitlines()
TIME_OUT = 30.0
"""Seconds; far more than it takes, since a machine may be busy. `benchmarks/search.py` measures."""
LONG = (CASES / "55-hostile-queries" / "long-query.txt").read_text(encoding="utf-8")


@pytest.fixture
def scripts(tmp_path: Path) -> Project:
    return copy_of(CASES / "53-cjk-search", tmp_path)


@pytest.fixture
def hostile(tmp_path: Path) -> Project:
    return copy_of(CASES / "55-hostile-queries", tmp_path)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    """The memory of the same case, which stays open for many questions."""
    return copy_of(CASES / "55-hostile-queries", tmp_path_factory.mktemp("asked")).memory()


@pytest.fixture
def stale(tmp_path: Path) -> Project:
    return copy_of(CASES / "57-stale-index", tmp_path)


@pytest.mark.parametrize(("query", "expected"), SCRIPTS, ids=[query for query, _ in SCRIPTS])
def test_case_53_a_part_of_a_sentence_in_any_script_finds_its_note_first(scripts: Project, query: str, expected: str):
    assert scripts.found(query)[0] == f"knowledge/{expected}"


def test_case_53_english_words_keep_their_ranks_beside_other_scripts(scripts: Project, tmp_path: Path):
    alone = Project(tmp_path / "alone")
    for project in (scripts, alone):
        project.write("knowledge/a.md", "# Cache\nThe cache was cold, so the hit rate fell.\n")
        project.write("knowledge/b.md", "# Browser\nIts cache is emptied at each release.\n")
    for query in ("cache hit rate", "cache of the browser"):
        english = [name for name in scripts.found(query) if name in {"knowledge/a.md", "knowledge/b.md"}]
        assert english == scripts.found(query)[:2] == alone.found(query)


@pytest.mark.parametrize("mode", ["bm25", "hybrid", "vector"])
@pytest.mark.parametrize("query", [*HOSTILE, "", "   ", "\n" * 5, "\0", "\ud800", "\x1b[31m"])
def test_case_55_any_text_is_a_query(asked: Memory, query: str, mode: Mode):
    items = asked.search(query, mode=mode).items
    if mode != "vector" and "MARKERWORD" in query:
        assert items[0].source == "knowledge/m.md"


def test_case_55_a_long_query_is_answered_in_time(hostile: Project):
    begun = time.monotonic()
    assert hostile.found(LONG, mode="hybrid")
    assert time.monotonic() - begun < TIME_OUT


def test_a_query_of_a_megabyte_is_answered_by_what_stands_at_its_ends(hostile: Project):
    begun = time.monotonic()
    assert hostile.found("why MARKERWORD? " + "0123456789 pasted lines\n" * 42_000)[0] == "knowledge/m.md"
    assert hostile.found("pasted lines\n" * 80_000 + "why MARKERWORD?")[0] == "knowledge/m.md"
    assert hostile.found("x" * 1_000_000) == []
    assert time.monotonic() - begun < TIME_OUT


@pytest.mark.parametrize("query", ["the of and", "what is it", "the", "그리고", "und die der"])
def test_a_query_of_function_words_only_is_answered(hostile: Project, query: str):
    hostile.write("knowledge/band.md", "# The The\nThe The is a band, and what it is: the band of the and\n")
    assert hostile.search(query).notes == ()
    assert hostile.found("the of and")[0] == "knowledge/band.md"


def test_case_57_a_change_is_seen_by_the_next_search_without_an_index_command(stale: Project):
    assert [stale.found(token) for token in ("GHOSTTOKEN111", "MOVETOKEN222", "BEFORETOKEN333")] == [
        ["knowledge/gone.md"], ["knowledge/old-name.md"], ["knowledge/edit.md"],
    ]  # fmt: skip
    script = (CASES / "57-stale-index" / "change.sh").read_text(encoding="utf-8").replace("repo/", "")
    subprocess.run(["sh", "-ec", script], cwd=stale.root, check=True)
    assert [stale.found(token) for token in ("GHOSTTOKEN111", "MOVETOKEN222", "BEFORETOKEN333", "AFTERTOKEN444")] == [
        [], ["knowledge/new-name.md"], [], ["knowledge/edit.md"],
    ]  # fmt: skip


def test_case_57_a_memory_that_stays_open_sees_it_too(stale: Project):
    memory = stale.memory()
    assert memory.search("GHOSTTOKEN111").items
    (stale.root / "knowledge/gone.md").rename(stale.root / "knowledge/here.md")
    assert [item.source for item in memory.search("GHOSTTOKEN111", mode="bm25").items] == ["knowledge/here.md"]


@pytest.mark.parametrize("mode", ["bm25", "hybrid", "vector"])
def test_case_57_what_is_gone_is_found_in_no_mode(stale: Project, mode: str):
    assert stale.found("GHOSTTOKEN111", mode=mode)[0] == "knowledge/gone.md"
    (stale.root / "knowledge/gone.md").unlink()
    assert "knowledge/gone.md" not in stale.found("GHOSTTOKEN111", mode=mode)


def test_an_edit_of_the_same_size_within_one_tick_of_the_clock_is_seen(stale: Project):
    path = stale.write("knowledge/tick.md", "TICKTOKEN1", old=False)
    status = path.stat()
    assert stale.found("TICKTOKEN1") == ["knowledge/tick.md"]
    path.write_text("TICKTOKEN2")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert (stale.found("TICKTOKEN1"), stale.found("TICKTOKEN2")) == ([], ["knowledge/tick.md"])


@pytest.mark.parametrize("mode", ["bm25", "hybrid"])
def test_case_65_a_fact_that_stands_at_every_level_is_shown_once(tmp_path: Path, mode: str):
    project = copy_of(CASES / "65-duplicate-hits", tmp_path)
    project.memory(date(2026, 5, 20)).compact()
    assert (tmp_path / "memory/monthly/2026-03.md").exists()
    items = project.search("rate limits token bucket per tenant", date(2026, 5, 20), limit=5, mode=mode).items
    assert [item.source for item in items if "DUPTOK" in item.text] == ["memory/2026-03-02.md"]
    for token in ("OTHER1", "OTHER2"):
        assert any(token in item.text for item in items)


@pytest.mark.parametrize("query", ["Heroku", "is Heroku shut down?", "hosting: Heroku or Fly.io"])
def test_case_67_both_versions_of_a_fact_have_their_dates_the_newer_first(tmp_path: Path, query: str):
    project = copy_of(CASES / "67-superseded-fact", tmp_path)
    logs = {path: path.read_bytes() for path in (tmp_path / "memory").glob("*.md")}
    project.memory(date(2026, 3, 21)).compact()
    items = project.search(query, date(2026, 3, 21), limit=5).items
    facts = [(fact, item.date) for item in items for fact in ("NEWFACT", "OLDFACT") if fact in item.text]
    assert facts == [("NEWFACT", "2026-03-20"), ("OLDFACT", "2026-03-01")]
    assert {path: path.read_bytes() for path in logs} == logs


def test_many_copies_of_one_entry_leave_room_for_others(tmp_path: Path):
    project = Project(tmp_path)
    for day in range(1, 29):
        copies = "".join(
            f"## Deploy {n}\n- ran the deploy of the shop to staging and production, all checks are green\n\n"
            for n in range(10)
        )
        project.write(f"memory/2026-02-{day:02}.md", f"# 2026-02-{day:02}\n\n{copies}")
    project.write(
        "knowledge/deploy.md", "# Notes\nOne day the checks of the deploy were red, and here is what else we saw.\n"
    )
    assert "knowledge/deploy.md" in project.found("deploy checks")


def test_row_61_without_the_model_words_answer_and_one_line_says_so(
    hostile: Project, no_network: list[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(search, "load_encoder", load_encoder)
    hostile.write("hipocampus.config.json", '{"search": {"embedModel": "some-owner/some-model"}}')
    found = hostile.search("MARKERWORD", mode="hybrid")
    assert (found.mode, [item.source for item in found.items]) == ("bm25", ["knowledge/m.md"])
    (note,) = found.notes
    assert note.startswith("searched by words alone: the model some-owner/some-model is not on this machine")
    assert "\n" not in note
    assert no_network == []


@pytest.mark.usefixtures("no_network")
def test_row_61_an_update_without_the_model_indexes_the_words(hostile: Project, monkeypatch: pytest.MonkeyPatch):
    def unavailable(*_: Any, **__: Any) -> WordEncoder:
        message = "can't fetch the model x: Network is unreachable"
        raise EncoderUnavailable(message, hint="fetch it once")

    monkeypatch.setattr(search, "load_encoder", unavailable)
    updated = hostile.memory().update_index()
    assert (updated.state.sources, updated.state.engine.vectors) == (1, 0)
    assert updated.notes == ("searched by words alone: can't fetch the model x: Network is unreachable; fetch it once",)


def test_row_61_the_encoder_of_the_install_searches_across_languages_without_a_network_try(
    hostile: Project, no_network: list[str], encoder: EmbeddedEncoder, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(search, "load_encoder", lambda *_, **__: encoder)
    hostile.write("knowledge/ko.md", "# 기록\n요청 속도를 제한하는 방법을 정했다.\n")
    hostile.write("knowledge/cat.md", "# Cats\nA black cat ran through the garden.\n")
    found = hostile.search("How do we limit the rate of requests?", mode="vector")
    assert (found.mode, found.items[0].source, found.notes) == ("vector", "knowledge/ko.md", ())
    assert no_network == []


class Crowded:
    """A model on a machine whose device has no room, and whose CPU has room for some calls only."""

    def __init__(self, calls: int) -> None:
        self.calls = calls

    def opened(self, device: str | None) -> Crowded:
        if device != "cpu":
            message = "CUDA out of memory"
            raise RuntimeError(message)
        return self

    def encode(self, sentences: list[str], **_: Any) -> Any:
        self.calls -= 1
        if self.calls < 0:
            message = "DefaultCPUAllocator: can't allocate memory"
            raise RuntimeError(message)
        return WordEncoder().encode(sentences)


def _with_a_crowded_device(monkeypatch: pytest.MonkeyPatch, calls: int) -> None:
    monkeypatch.setattr(
        search, "load_encoder", lambda _name, *, say, **_: TransformerEncoder("fake@1", Crowded(calls).opened, say)
    )


def test_row_62_a_device_without_room_gives_way_to_the_cpu_and_one_line_says_so(
    hostile: Project, monkeypatch: pytest.MonkeyPatch
):
    _with_a_crowded_device(monkeypatch, calls=99)
    found = hostile.search("MARKERWORD", mode="hybrid")
    assert (found.mode, found.notes) == ("hybrid", ("fake@1 runs on the CPU: CUDA out of memory",))


@pytest.mark.parametrize(("calls", "mode"), [(0, "hybrid"), (1, "hybrid"), (2, "hybrid"), (2, "vector")])
def test_row_62_a_model_that_runs_nowhere_leaves_the_search_to_words(
    hostile: Project, monkeypatch: pytest.MonkeyPatch, calls: int, mode: str
):
    _with_a_crowded_device(monkeypatch, calls)
    found = hostile.search("MARKERWORD", mode=mode)
    assert (found.mode, [item.source for item in found.items]) == ("bm25", ["knowledge/m.md"])
    assert found.notes[-1].startswith("searched by words alone: the model fake@1 does not run: DefaultCPUAllocator")


def test_a_program_that_is_given_a_query_of_signs_exits_0(hostile: Project, run: Any):
    hostile.write("hipocampus.config.json", '{"search": {"vector": false}}')
    for query in ("", "   ", '"*%$&!?', "-MARKERWORD", LONG):
        done: Ran = run("search", "--", query, timeout=20)
        assert (done.code, "knowledge/m.md:1" in done.out) == (0, "MARKERWORD" in query or query is LONG), done.err
