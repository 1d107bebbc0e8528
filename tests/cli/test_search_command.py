"""`search` and `index` as people and programs meet them: what is printed, which options hold, what is switched off."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from support import Ran, WordEncoder, command

from hipocampus.governance.gate import Draft
from hipocampus.memory import Memory

TODAY = ("--today", "2026-03-15")
FIELDS = ["id", "source", "lines", "heading", "type", "date", "score", "tokens", "text"]


@pytest.fixture
def notes(workspace: Memory, tmp_path: Path) -> Path:
    """A workspace with an entry of today, one of last week, and a note of each folder."""
    workspace.checkpoint(Draft("Rate limits", "- decisions: token bucket over leaky bucket", "feedback"))
    (tmp_path / "memory" / "2026-03-08.md").write_text(
        "# 2026-03-08\n\n## Rate limits\n- first idea: a leaky bucket in nginx\n", encoding="utf-8"
    )
    (tmp_path / "knowledge" / "limits.md").write_text("# Limits\n\n## Gateway\nIt has a bucket.\n", encoding="utf-8")
    (tmp_path / "plans" / "q2.md").write_text("# Q2\nMeasure the bucket.\n", encoding="utf-8")
    (tmp_path / "WORKING.md").write_text("# Now\nTesting the bucket.\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def sources(notes: Path, invoke: Callable[..., Ran]) -> Callable[..., list[str]]:
    """The sources that a search of `bucket` finds, in the order of their names."""

    def call(*options: str) -> list[str]:
        done = invoke("search", "bucket", "--mode", "bm25", "--json", *options, *TODAY)
        assert done.code == 0, done.err
        return sorted({item["source"] for item in done.json["items"]})

    return call


def test_a_hit_is_shown_with_its_place_day_type_heading_and_text(notes: Path, invoke: Callable[..., Ran]) -> None:
    done = invoke("search", "token bucket", *TODAY)
    first, text, *_ = done.out.splitlines()
    assert first == "1. memory/2026-03-15.md:3-4  2026-03-15  feedback  Rate limits"
    assert text == "   - decisions: token bucket over leaky bucket"
    assert (done.code, done.err) == (0, "")


def test_the_place_of_a_hit_is_what_read_takes(notes: Path, invoke: Callable[..., Ran]) -> None:
    place = invoke("search", "token bucket", *TODAY).out.split()[1]
    assert "token bucket over leaky" in invoke("read", place, *TODAY).out


def test_words_of_the_query_may_stand_apart_or_in_one_argument(notes: Path, invoke: Callable[..., Ran]) -> None:
    assert invoke("search", "token", "bucket", *TODAY).out == invoke("search", "token bucket", *TODAY).out


def _on_a_terminal(folder: Path, *arguments: str, **env: str) -> str:
    """What the command prints on a terminal."""
    master, slave = os.openpty()
    done = subprocess.run(
        [*command(), *arguments], cwd=folder, stdout=slave, stderr=subprocess.PIPE, check=True,
        env={**os.environ, "TERM": "xterm", **env},
    )  # fmt: skip
    os.close(slave)
    assert done.stderr == b""
    shown = os.read(master, 100_000).decode()
    os.close(master)
    return shown


def test_matches_are_marked_on_a_terminal_only(notes: Path, run: Callable[..., Ran]) -> None:
    search = ("search", "token", "--mode", "bm25", *TODAY)
    assert "\x1b[33mtoken\x1b[0m bucket" in " ".join(_on_a_terminal(notes, *search).split(" "))
    assert "\x1b" not in _on_a_terminal(notes, *search, NO_COLOR="1")
    assert "\x1b" not in run(*search).out


def test_signs_that_steer_a_terminal_are_not_passed_on(notes: Path) -> None:
    (notes / "knowledge" / "evil.md").write_text("# Evil\x1b]0;title\x07\nSTEERTOKEN \x1b[2J\x9b31m \x00 end\n")
    shown = _on_a_terminal(notes, "search", "STEERTOKEN", "--mode", "bm25", *TODAY, NO_COLOR="1")
    assert "STEERTOKEN" in shown
    assert not {*shown} & {"\x1b", "\x07", "\x9b", "\x00"}


def test_json_is_what_the_contract_says(notes: Path, invoke: Callable[..., Ran]) -> None:
    found = invoke("search", "token bucket", "--json", *TODAY).json
    assert list(found) == ["mode", "items"]
    item = found["items"][0]
    assert (found["mode"], list(item)) == ("hybrid", FIELDS)
    assert (item["source"], item["lines"], item["type"], item["date"]) == (
        "memory/2026-03-15.md",
        [3, 4],
        "feedback",
        "2026-03-15",
    )
    assert item["id"].startswith("2026-03-15#")
    assert (item["heading"], item["text"]) == ("Rate limits", "- decisions: token bucket over leaky bucket")
    assert item["tokens"] > 5
    assert [one["score"] for one in found["items"]] == sorted((one["score"] for one in found["items"]), reverse=True)


def test_json_of_a_note_without_a_day_has_an_empty_date(notes: Path, invoke: Callable[..., Ran]) -> None:
    (item,) = invoke("search", "gateway", "--mode", "bm25", "--json", *TODAY).json["items"]
    assert (item["id"], item["heading"], item["date"]) == ("knowledge/limits.md#L3", "Limits › Gateway", "")


@pytest.mark.parametrize("count", [1, 2, 3])
@pytest.mark.parametrize("mode", ["bm25", "hybrid", "vector"])
def test_at_most_as_many_hits_are_shown_as_asked_for(
    notes: Path, invoke: Callable[..., Ran], count: int, mode: str
) -> None:
    items = invoke("search", "bucket", "-k", str(count), "--mode", mode, "--json", *TODAY).json["items"]
    assert len(items) == count


RAW = ["memory/2026-03-08.md", "memory/2026-03-15.md"]
PASSED = {
    "": ["WORKING.md", "knowledge/limits.md", *RAW, "plans/q2.md"],
    "--type feedback": ["memory/2026-03-15.md"],
    "--type user": [],
    "--type project --type feedback --in raw": RAW,
    "--since 2026-03-09": ["memory/2026-03-15.md"],
    "--until 2026-03-08": ["memory/2026-03-08.md"],
    "--since 2026-03-08 --until 2026-03-15": RAW,
    "--since 2026-03-16": [],
    "--in raw": RAW,
    "--in knowledge": ["knowledge/limits.md"],
    "--in plans --in hot": ["WORKING.md", "plans/q2.md"],
    "--in nodes": [],
    "--in knowledge --since 2026-03-01": [],
}


@pytest.mark.parametrize("options", PASSED)
def test_a_filter_lets_pass_what_it_names(sources: Callable[..., list[str]], options: str) -> None:
    assert sources(*options.split()) == PASSED[options]


def test_explain_shows_each_part_of_each_score(notes: Path, invoke: Callable[..., Ran]) -> None:
    shown = invoke("search", "token bucket", "--explain", *TODAY).out
    assert "   score 0.7000 = words: rank 1 (chunk " in shown
    assert ", meaning: rank 1 (similarity " in shown
    item = invoke("search", "token bucket", "--explain", "--json", *TODAY).json["items"][0]
    assert list(item) == [*FIELDS, "explain"]
    ranks = ["lexical_rank", "vector_rank", "concept_rank"]
    assert list(item["explain"]) == [*ranks, "lexical", "context", "similarity", "concept"]


@pytest.mark.parametrize(("mode", "sides"), [("bm25", (1, 0)), ("vector", (0, 1)), ("hybrid", (1, 1))])
def test_a_mode_asks_the_sides_it_names(
    notes: Path, invoke: Callable[..., Ran], mode: str, sides: tuple[int, int]
) -> None:
    found = invoke("search", "token bucket", "--explain", "--mode", mode, "--json", *TODAY).json
    explained = found["items"][0]["explain"]
    assert (found["mode"], explained["lexical_rank"], explained["vector_rank"]) == (mode, *sides)


def test_words_alone_need_no_encoder(notes: Path, invoke: Callable[..., Ran], word_encoder: WordEncoder) -> None:
    invoke("search", "bucket", "--mode", "bm25", *TODAY)
    assert word_encoder.encoded == []


@pytest.mark.parametrize("query", ["nothingofthekind", "", "\n \n", "()"])
def test_nothing_found_is_no_failure(notes: Path, invoke: Callable[..., Ran], query: str) -> None:
    done = invoke("search", query, "--mode", "bm25", *TODAY)
    assert (done.code, done.out, done.err) == (0, "", "nothing was found\n")
    assert invoke("search", query, "--mode", "bm25", "--json", *TODAY).json == {"mode": "bm25", "items": []}


def test_an_empty_workspace_is_searched_too(workspace: Memory, invoke: Callable[..., Ran]) -> None:
    for name in ("SCRATCHPAD.md", "WORKING.md", "TASK-QUEUE.md"):
        (workspace.workspace.root / name).unlink()
    assert invoke("search", "anything", "--json", *TODAY).json["items"] == []
    assert invoke("index", "update", "--json", *TODAY).json["sources"] == 0


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((), "QUERY"), (("x", "-k", "0"), "-k"), (("x", "-k", "many"), "-k"), (("x", "--mode", "sql"), "--mode"),
        (("x", "--type", "secret"), "--type"), (("x", "--in", "/etc"), "--in"), (("x", "--since", "soon"), "soon"),
        (("x", "--until", "2026-02-30"), "2026-02-30"),
    ],
)  # fmt: skip
def test_a_wrong_call_exits_2_and_names_what_is_wrong(
    notes: Path, invoke: Callable[..., Ran], arguments: tuple[str, ...], named: str
) -> None:
    done = invoke("search", *arguments, *TODAY)
    assert (done.code, done.out, named in done.err) == (2, "", True), done.err


@pytest.mark.parametrize("arguments", [("search", "x"), ("index", "update"), ("index", "rebuild"), ("index", "status")])
def test_without_a_workspace_the_exit_code_is_3(
    tmp_path: Path, invoke: Callable[..., Ran], arguments: tuple[str, ...]
) -> None:
    done = invoke(*arguments)
    assert (done.code, "hipocampus init" in done.err) == (3, True)


@pytest.mark.parametrize("arguments", [("search", "x"), ("index", "update"), ("index", "rebuild"), ("index", "status")])
def test_a_search_that_is_switched_off_makes_no_index_and_says_how_to_switch_it_on(
    notes: Path, invoke: Callable[..., Ran], arguments: tuple[str, ...]
) -> None:
    invoke("config", "set", "search.enabled", "false")
    done = invoke(*arguments, *TODAY)
    assert (done.code, "search is switched off" in done.err) == (2, True)
    assert "`hipocampus config set search.enabled true`" in done.err
    assert not (notes / "memory" / ".hipocampus" / "index").exists()


def test_without_vectors_words_answer_and_no_encoder_is_loaded(
    notes: Path, invoke: Callable[..., Ran], word_encoder: WordEncoder
) -> None:
    invoke("config", "set", "search.vector", "false")
    done = invoke("search", "bucket", "--json", *TODAY)
    assert (done.code, done.json["mode"], done.err) == (0, "bm25", "")
    state = invoke("index", "update", "--json", *TODAY).json
    assert (state["engine"]["vectors"], state["engine"]["model"], word_encoder.encoded) == (0, "", [])
    asked = invoke("search", "bucket", "--mode", "vector", *TODAY)
    assert (asked.code, "vectors are switched off" in asked.err) == (2, True)


@pytest.mark.parametrize("verb", ["update", "rebuild", "status"])
def test_index_tells_people_and_programs_the_same(notes: Path, invoke: Callable[..., Ran], verb: str) -> None:
    invoke("index", "update", *TODAY)
    state = invoke("index", verb, "--json", *TODAY).json
    assert (state["sources"], state["stale_sources"], state["chunks_without_vector"]) == (7, 0, 0)
    assert (state["engine"]["model"], state["folder"]) == ("words@1", str(notes / "memory/.hipocampus/index"))
    shown = {line.split()[0]: line.split()[1] for line in invoke("index", verb, *TODAY).out.splitlines()[1:]}
    assert (shown["sources"], shown["chunks"]) == ("7", str(state["engine"]["chunks"]))
    assert shown["vectors"] == str(state["engine"]["vectors"])


def test_index_status_changes_nothing_and_says_what_waits(notes: Path, invoke: Callable[..., Ran]) -> None:
    state = invoke("index", "status", "--json", *TODAY).json
    assert (state["sources"], state["stale_sources"]) == (0, 7)
    assert not (notes / "memory" / ".hipocampus" / "index").exists()


def test_index_status_of_a_damaged_index_says_what_to_do(notes: Path, invoke: Callable[..., Ran]) -> None:
    invoke("index", "update", *TODAY)
    (notes / "memory/.hipocampus/index/chunks/meta.json").write_text("torn")
    done = invoke("index", "status", *TODAY)
    assert (done.code, "`hipocampus index rebuild` makes it anew" in done.err) == (1, True)
    assert invoke("index", "rebuild", *TODAY).code == invoke("index", "status", *TODAY).code == 0


def test_search_and_index_write_below_their_folder_only(notes: Path, invoke: Callable[..., Ran]) -> None:
    def files() -> dict[Path, bytes]:
        return {
            path: path.read_bytes() for path in notes.rglob("*") if path.is_file() and ".hipocampus" not in path.parts
        }

    before = files()
    for arguments in (("search", "bucket"), ("index", "update"), ("index", "rebuild"), ("index", "status")):
        assert invoke(*arguments, *TODAY).code == 0
    assert files() == before


def test_a_search_in_nodes_shows_nodes_and_not_what_they_were_made_from(
    workspace: Memory, sources: Callable[..., list[str]]
) -> None:
    workspace.compact()
    assert "memory/daily/2026-03-08.md" in sources("--in", "nodes")
    assert all(source.count("/") == 2 for source in sources("--in", "nodes"))
