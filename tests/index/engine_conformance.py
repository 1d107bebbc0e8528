"""
What every `Engine` has to do.

A module of tests for an engine has a class that inherits from `EngineConformance`, and from `VectorConformance` if
the engine keeps vectors, with a fixture `engine` that gives an empty one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
import pytest
from support import WordEncoder

from hipocampus.index.chunk import Chunk
from hipocampus.index.engine import Engine, Filter, Hit, Indexed, Query
from hipocampus.text.terms import index_terms, query_terms

ENCODER = WordEncoder(synonyms={"automobile": "car"})
"""The encoder of all engines under test."""
MARCH_2 = date(2026, 3, 2)


def indexed(name: str, text: str, **fields: Any) -> Indexed:
    """A chunk of a source as it goes into an index; a curated one of 2026-03-02 unless the fields say otherwise."""
    values = {"headings": (), "type": "project", "day": MARCH_2, "layer": "curated"} | fields
    chunk = Chunk(source=name, first_line=values.pop("line", 1), last_line=9, text=text, **values)
    heading = [term for heading in chunk.headings for term in index_terms(heading, "en")]
    return Indexed(chunk, len(text.split()), tuple(index_terms(text, "en")), tuple(heading))


def put(engine: Engine, *chunks: Indexed) -> None:
    """Put chunks into an engine, each source with all of its own."""
    sources: dict[str, list[Indexed]] = {}
    for item in chunks:
        sources.setdefault(item.chunk.source, []).append(item)
    engine.upsert(sources.items())


def embed(engine: Engine, *chunks: Indexed) -> None:
    """Give the chunks that need one a vector."""
    texts = {item.chunk.key: item.chunk.statement for item in chunks}
    keys = engine.missing(list(texts))
    engine.add_vectors(keys, ENCODER.encode([texts[key] for key in keys]))


def by_words(text: str, where: Filter | None = None, limit: int = 50) -> Query:
    return Query(tuple(query_terms(text, ("en",))), None, where or Filter(), limit)


def by_meaning(text: str, where: Filter | None = None, limit: int = 50) -> Query:
    return Query((), ENCODER.encode([text])[0], where or Filter(), limit)


def sources(hits: Sequence[Hit]) -> list[str]:
    return sorted({hit.chunk.source for hit in hits})


def texts(hits: Sequence[Hit]) -> list[str]:
    return sorted(hit.chunk.text for hit in hits)


@dataclass(frozen=True)
class Filtering:
    """A filter and the sources that it lets pass."""

    where: Filter
    passed: list[str]


VARIED = [
    indexed("memory/2026-03-01.md", "token of a user", layer="raw", entry="e1", type="user", day=date(2026, 3, 1)),
    indexed("memory/2026-03-02.md", "token of a project", layer="raw", entry="e2", tenant="acme"),
    indexed(
        "memory/2026-03-03.md", "token as feedback", layer="raw", entry="e3", type="feedback", day=date(2026, 3, 3)
    ),
    indexed("memory/daily/2026-03-02.md", "token of a node", layer="node"),
    indexed("knowledge/limits.md", "token of knowledge", type="reference", day=None),
    indexed("plans/q2.md", "token of a plan", type="reference", day=None, tenant="acme"),
    indexed("WORKING.md", "token at work", layer="hot", day=None),
]
EVERYWHERE = sorted(item.chunk.source for item in VARIED)
FILTERS = {
    "none": Filtering(Filter(), EVERYWHERE),
    "type": Filtering(Filter(types=frozenset({"user"})), ["memory/2026-03-01.md"]),
    "types": Filtering(Filter(types=frozenset({"user", "feedback"})), ["memory/2026-03-01.md", "memory/2026-03-03.md"]),
    "since": Filtering(
        Filter(since=MARCH_2), ["memory/2026-03-02.md", "memory/2026-03-03.md", "memory/daily/2026-03-02.md"]
    ),
    "until": Filtering(
        Filter(until=MARCH_2), ["memory/2026-03-01.md", "memory/2026-03-02.md", "memory/daily/2026-03-02.md"]
    ),
    "one day": Filtering(Filter(since=MARCH_2, until=MARCH_2), ["memory/2026-03-02.md", "memory/daily/2026-03-02.md"]),
    "no day": Filtering(Filter(since=date(2026, 3, 4), until=date(2026, 3, 3)), []),
    "any day": Filtering(
        Filter(since=date.min, until=date.max),
        ["memory/2026-03-01.md", "memory/2026-03-02.md", "memory/2026-03-03.md", "memory/daily/2026-03-02.md"],
    ),
    "raw": Filtering(
        Filter(areas=frozenset({"raw"})), ["memory/2026-03-01.md", "memory/2026-03-02.md", "memory/2026-03-03.md"]
    ),
    "node": Filtering(Filter(areas=frozenset({"node"})), ["memory/daily/2026-03-02.md"]),
    "folders": Filtering(
        Filter(areas=frozenset({"knowledge", "plans", "hot"})), ["WORKING.md", "knowledge/limits.md", "plans/q2.md"]
    ),
    "tenant": Filtering(Filter(tenant="acme"), ["memory/2026-03-02.md", "plans/q2.md"]),
    "own tenant": Filtering(Filter(tenant=""), sorted({*EVERYWHERE} - {"memory/2026-03-02.md", "plans/q2.md"})),
    "unknown tenant": Filtering(Filter(tenant="other\udcff"), []),
    "all at once": Filtering(
        Filter(frozenset({"project"}), MARCH_2, MARCH_2, frozenset({"raw"}), "acme"), ["memory/2026-03-02.md"]
    ),
}
HOSTILE = {
    "NUL": "before\0after \0 NEEDLE",
    "lone surrogates": "\ud800 caf\udce9 NEEDLE \udfff",
    "a megabyte": "x" * 1_000_000 + " NEEDLE",
    "many words": "word NEEDLE " * 80_000,
    "query syntax": 'NEEDLE AND (title:x OR "y"~2) -z +w [a TO b] ^3 \\',
    "emoji": "🚀 NEEDLE 👩‍👩‍👧‍👦",
    "line ends": "\r\n\u2028NEEDLE\u2029\x85\x0b\n",
    "right to left": "\u202eNEEDLE\u202c שלום",
}


class EngineConformance:
    """Words, filters, changes and hostile text."""

    @pytest.fixture
    def engine(self) -> Engine:
        raise NotImplementedError

    def test_an_empty_engine_finds_nothing(self, engine: Engine):
        assert engine.search(by_words("anything")) == []
        assert engine.search(Query()) == []
        assert (engine.stats().chunks, engine.stats().documents, engine.stats().vectors) == (0, 0, 0)

    def test_a_chunk_comes_back_as_it_was_put(self, engine: Engine):
        item = indexed(
            "memory/2026-03-02.md", "token\nbucket",
            layer="raw", entry="e1", headings=("a", "b"), voice="user", piece=3, tenant="t",
        )  # fmt: skip
        put(engine, item)
        (hit,) = engine.search(by_words("bucket"))
        assert (hit.chunk, hit.tokens, hit.document) == (item.chunk, 2, "memory/2026-03-02.md#e1")
        assert (hit.lexical > 0, hit.context > 0, hit.similarity) == (True, True, 0)

    def test_any_of_the_terms_is_enough_and_more_of_them_are_better(self, engine: Engine):
        put(engine, indexed("a.md", "token bucket"), indexed("b.md", "token ring"), indexed("c.md", "leaky pipe"))
        hits = {hit.chunk.source: hit.lexical for hit in engine.search(by_words("token bucket"))}
        assert set(hits) == {"a.md", "b.md"}
        assert hits["a.md"] > hits["b.md"]

    def test_a_rare_term_counts_more_than_a_frequent_one(self, engine: Engine):
        put(engine, *(indexed(f"{n}.md", "often here") for n in range(20)), indexed("rare.md", "seldom here"))
        hits = engine.search(by_words("often seldom"))
        assert max(hits, key=lambda hit: hit.lexical).chunk.source == "rare.md"

    def test_a_heading_counts_more_than_the_text_below_it(self, engine: Engine):
        put(engine, indexed("head.md", "some words", headings=("token",)), indexed("text.md", "token", headings=("x",)))
        hits = {hit.chunk.source: hit.lexical for hit in engine.search(by_words("token"))}
        assert hits["head.md"] > hits["text.md"] > 0

    def test_words_in_several_chunks_of_a_document_count_together(self, engine: Engine):
        for name, other in (("a.md", "the bucket is there"), ("b.md", "the pipe is there")):
            put(engine, indexed(name, "the token is here"), indexed(name, other, line=9))
        contexts = {hit.chunk.source: hit.context for hit in engine.search(by_words("token bucket"))}
        assert contexts["a.md"] > contexts["b.md"] > 0

    def test_the_limit_is_one_of_documents_and_one_with_many_chunks_leaves_room_for_others(self, engine: Engine):
        put(
            engine,
            *(indexed("long.md", "token token", line=n, piece=n) for n in range(1, 60)),
            indexed("a.md", "token x"),
        )
        assert sources(engine.search(by_words("token", limit=5))) == ["a.md", "long.md"]

    def test_an_upsert_replaces_all_that_was_held_of_a_source_and_nothing_else(self, engine: Engine):
        put(engine, indexed("a.md", "old one"), indexed("a.md", "old two", line=5), indexed("b.md", "old other"))
        put(engine, indexed("a.md", "new one"))
        assert texts(engine.search(by_words("old new"))) == ["new one", "old other"]
        assert (engine.stats().chunks, engine.stats().documents) == (2, 2)

    def test_the_same_upsert_twice_holds_everything_once(self, engine: Engine):
        for _ in range(2):
            put(engine, *VARIED)
        nodes = 1  # a collection of lines, and no document
        assert (engine.stats().chunks, engine.stats().documents) == (len(VARIED), len(VARIED) - nodes)
        assert len(engine.search(by_words("token"))) == len(VARIED)

    def test_the_tokens_of_what_a_source_holds_are_known(self, engine: Engine):
        engine.upsert([("a.md", [indexed("a.md", "alpha beta"), indexed("a.md", "gamma", line=9)])])
        assert engine.counted("a.md") == {"alpha beta": 2, "gamma": 1}
        assert engine.counted("b.md") == {}

    def test_a_source_may_become_empty(self, engine: Engine):
        put(engine, indexed("a.md", "token"))
        engine.upsert([("a.md", ())])
        assert (engine.search(by_words("token")), engine.stats().chunks) == ([], 0)

    def test_a_deleted_source_is_found_no_more_and_unknown_ones_do_not_matter(self, engine: Engine):
        put(engine, indexed("a.md", "token"), indexed("b.md", "token"))
        engine.delete(["a.md", "unknown.md", "not\udcff utf-8.md"])
        assert sources(engine.search(by_words("token"))) == ["b.md"]

    def test_a_name_that_is_part_of_another_is_no_other_source(self, engine: Engine):
        put(engine, indexed("a.md", "token"), indexed("a.md.md", "token"), indexed("A.md", "token"))
        engine.delete(["a.md"])
        assert sources(engine.search(by_words("token"))) == ["A.md", "a.md.md"]

    def test_every_change_is_seen_by_the_next_search(self, engine: Engine):
        for number in range(5):
            put(engine, indexed("a.md", f"token{number}"))
            assert texts(engine.search(by_words(f"token{number}"))) == [f"token{number}"]
            assert engine.search(by_words(f"token{number - 1}")) == []

    def test_a_change_that_fails_did_not_happen(self, engine: Engine):
        put(engine, indexed("a.md", "token before"))

        def broken() -> Any:
            yield "a.md", [indexed("a.md", "token after")]
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            engine.upsert(broken())
        assert texts(engine.search(by_words("token"))) == ["token before"]
        put(engine, indexed("b.md", "token later"))
        assert texts(engine.search(by_words("token"))) == ["token before", "token later"]

    @pytest.mark.parametrize("name", FILTERS)
    def test_a_filter_lets_pass_what_it_names(self, engine: Engine, name: str):
        put(engine, *VARIED)
        assert sources(engine.search(by_words("token", FILTERS[name].where))) == FILTERS[name].passed

    def test_a_filter_changes_no_score(self, engine: Engine):
        put(engine, *VARIED)
        scores = {hit.chunk.source: (hit.lexical, hit.context) for hit in engine.search(by_words("token user"))}
        (hit,) = engine.search(by_words("token user", FILTERS["type"].where))
        assert (hit.lexical, hit.context) == pytest.approx(scores[hit.chunk.source])

    @pytest.mark.parametrize("name", HOSTILE)
    def test_hostile_text_is_kept_and_found(self, engine: Engine, name: str):
        put(engine, indexed("a.md", HOSTILE[name], headings=(HOSTILE[name][:50],)))
        (hit,) = engine.search(by_words("NEEDLE"))
        assert hit.chunk.text == HOSTILE[name]

    @pytest.mark.parametrize("name", HOSTILE)
    def test_hostile_text_is_a_query_like_any_other(self, engine: Engine, name: str):
        put(engine, indexed("a.md", "a needle"), indexed("b.md", "hay"))
        assert sources(engine.search(by_words(HOSTILE[name]))) == ["a.md"]

    def test_a_name_may_be_anything_that_a_file_can_be_called(self, engine: Engine):
        names = ["knowledge/caf\udce9.md", "knowledge/\udcff\udcfe.md", "knowledge/a b\n'\".md", "knowledge/메모.md"]
        put(engine, *(indexed(name, "token", day=None) for name in names))
        assert sources(engine.search(by_words("token"))) == sorted(names)
        engine.delete(names[:1])
        assert sources(engine.search(by_words("token"))) == sorted(names[1:])

    def test_two_tenants_with_the_same_words_are_kept_apart(self, engine: Engine):
        put(engine, *(indexed(f"{name}.md", "token bucket", tenant=name) for name in ("acme", "zeta")))
        for name in ("acme", "zeta"):
            assert sources(engine.search(by_words("token", Filter(tenant=name)))) == [f"{name}.md"]


class VectorConformance:
    """Vectors: by meaning alone, and beside words."""

    @pytest.fixture
    def engine(self) -> Engine:
        raise NotImplementedError

    def test_a_chunk_is_found_by_meaning_without_a_word_in_common(self, engine: Engine):
        notes = [indexed("a.md", "automobile repair"), indexed("b.md", "tax returns")]
        put(engine, *notes)
        embed(engine, *notes)
        best = max(engine.search(by_meaning("car")), key=lambda hit: hit.similarity)
        assert (best.chunk.source, best.lexical, best.context) == ("a.md", 0, 0)
        assert engine.search(by_words("car")) == []

    def test_words_and_meaning_at_once_give_both_scores(self, engine: Engine):
        notes = [indexed("words.md", "car wash"), indexed("meaning.md", "automobile"), indexed("none.md", "tax")]
        put(engine, *notes)
        embed(engine, notes[1])
        query = Query(by_words("car").terms, by_meaning("car").vector)
        hits = {hit.chunk.source: (hit.lexical > 0, hit.similarity > 0) for hit in engine.search(query)}
        assert hits == {"words.md": (True, False), "meaning.md": (False, True)}

    def test_missing_keys_are_those_without_a_vector_in_order_and_once(self, engine: Engine):
        notes = [indexed(f"{n}.md", f"text {n}") for n in range(3)]
        embed(engine, notes[1])
        keys = [item.chunk.key for item in notes]
        assert engine.missing([keys[2], keys[1], keys[0], keys[2]]) == [keys[2], keys[0]]

    def test_the_vectors_of_other_keys_are_dropped(self, engine: Engine):
        notes = [indexed(f"{n}.md", f"text {n}") for n in range(3)]
        put(engine, *notes)
        embed(engine, *notes)
        keys = [item.chunk.key for item in notes]
        engine.keep_vectors(keys[:1])
        assert (engine.missing(keys), engine.stats().vectors) == (keys[1:], 1)
        assert sources(engine.search(by_meaning("text"))) == ["0.md"]

    def test_a_vector_without_a_chunk_is_found_by_nobody(self, engine: Engine):
        notes = [indexed("a.md", "car"), indexed("b.md", "car wash")]
        put(engine, *notes)
        embed(engine, *notes)
        engine.delete(["a.md"])
        assert sources(engine.search(by_meaning("car"))) == ["b.md"]

    def test_the_stats_name_the_model(self, engine: Engine):
        embed(engine, indexed("a.md", "car"))
        assert (engine.stats().model, engine.stats().vectors) == (ENCODER.id, 1)

    @pytest.mark.parametrize("name", FILTERS)
    def test_a_filter_holds_for_meaning_too(self, engine: Engine, name: str):
        put(engine, *VARIED)
        embed(engine, *VARIED)
        assert sources(engine.search(by_meaning("token", FILTERS[name].where))) == FILTERS[name].passed

    def test_a_filter_finds_what_is_far_down_the_list(self, engine: Engine):
        notes = [indexed(f"{n}.md", f"car {n}" if n < 200 else f"tax {n}") for n in range(600)]
        far = indexed("far.md", "car with several other words", type="user")
        put(engine, *notes, far)
        embed(engine, *notes, far)
        assert sources(engine.search(by_meaning("car", Filter(types=frozenset({"user"})), limit=2))) == ["far.md"]

    def test_many_copies_of_one_text_leave_room_for_others(self, engine: Engine):
        copies = [indexed("log.md", "car", line=n) for n in range(1, 300)]
        others = [indexed(f"{n}.md", f"car wash {n}") for n in range(3)]
        put(engine, *copies, *others)
        embed(engine, *copies, *others)
        assert {*sources(engine.search(by_meaning("car", limit=10)))} >= {"0.md", "1.md", "2.md"}

    @pytest.mark.parametrize("name", HOSTILE)
    def test_hostile_text_has_a_vector_too(self, engine: Engine, name: str):
        note = indexed("a.md", HOSTILE[name][:5000])
        put(engine, note)
        embed(engine, note)
        (hit,) = engine.search(by_meaning(HOSTILE[name][:5000]))
        assert hit.similarity > 0.5

    def test_a_vector_without_direction_is_no_obstacle(self, engine: Engine):
        note = indexed("a.md", "car")
        put(engine, note)
        embed(engine, note)
        engine.search(Query((), np.zeros(ENCODER.dims, dtype=np.float32)))
