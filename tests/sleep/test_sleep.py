"""`sleep`: compact, index and find concepts, and what the concepts lead to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support import Ran, WordEncoder

from hipocampus.derived import embedded_keys
from hipocampus.index import search
from hipocampus.index.home import CONCEPT_VECTORS, CONCEPTS
from hipocampus.index.vectors import VectorStore
from hipocampus.layout import Workspace
from hipocampus.memory import Memory

TODAY = ("--today", "2026-03-15")
Invoke = Callable[..., Ran]


@pytest.fixture
def garage(workspace: Memory, word_encoder: WordEncoder) -> Workspace:
    """Four days about cars, bread and servers, several words each; to the encoder a car is an automobile."""
    word_encoder.synonyms["automobile"] = "car"
    store = workspace.workspace
    for day, texts in enumerate(
        (
            ("my automobile has a flat tyre", "the automobile needs oil"),
            ("bread dough needs flour", "bread needs time"),
            ("server crashed again", "server logs are full"),
            ("the car is red", "wash the car"),
        ),
        1,
    ):
        entries = "".join(f"## Note {day}{n}\n- {text}\n\n" for n, text in enumerate(texts))
        store.raw_log(f"2026-03-0{day}").write_text(f"# 2026-03-0{day}\n\n{entries}")
    return store


def test_sleep_leads_from_a_word_to_entries_without_it(garage: Workspace, invoke: Invoke):
    slept = invoke("sleep", "--json", *TODAY).json
    assert slept["concepts"]["changed"]
    found = invoke("search", "car", "--mode", "concept", "--json", *TODAY).json
    assert {item["source"] for item in found["items"][:4]} == {"memory/2026-03-01.md", "memory/2026-03-04.md"}


def test_a_second_night_changes_nothing(garage: Workspace, invoke: Invoke):
    path = garage.index / CONCEPTS
    invoke("sleep", *TODAY)
    before = path.read_bytes(), path.stat().st_mtime_ns
    assert not invoke("sleep", "--json", *TODAY).json["concepts"]["changed"]
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before


def test_a_rebuilt_index_has_the_same_bytes(garage: Workspace, invoke: Invoke):
    path = garage.index / CONCEPTS
    invoke("sleep", *TODAY)
    before = path.read_bytes()
    path.unlink()
    invoke("sleep", *TODAY)
    assert path.read_bytes() == before


def test_a_damaged_concept_index_is_made_anew(garage: Workspace, invoke: Invoke):
    invoke("sleep", *TODAY)
    (garage.index / CONCEPTS).write_bytes(b"damaged")
    assert invoke("search", "car", "--mode", "fast", "--json", *TODAY).json["items"]
    assert invoke("sleep", "--json", *TODAY).json["concepts"]["changed"]


def test_a_log_that_is_gone_leaves_no_trace(garage: Workspace, invoke: Invoke):
    invoke("sleep", *TODAY)
    garage.raw_log("2026-03-01").unlink()
    invoke("sleep", *TODAY)
    assert b"flat tyre" not in (garage.index / CONCEPTS).read_bytes()


def test_without_an_encoder_concepts_come_from_words_that_occur_together(garage: Workspace, invoke: Invoke):
    invoke("config", "set", "search.vector", "false")
    slept = invoke("sleep", "--json", *TODAY).json
    assert slept["concepts"]["encoder"] == "words"
    found = invoke("search", "bread", "--mode", "concept", "--json", *TODAY).json
    assert found["items"][0]["source"] == "memory/2026-03-02.md"


@pytest.fixture
def others_search(
    garage: Workspace, invoke: Invoke, word_encoder: WordEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Searches use an encoder to which a car is no automobile."""
    found = {"auto": word_encoder, "other": WordEncoder("other@1")}
    monkeypatch.setattr(search, "load_encoder", lambda name, **_: found[name])
    invoke("config", "set", "search.embedModel", "other")


@pytest.mark.usefixtures("others_search")
def test_concepts_come_from_the_embedded_encoder_whatever_searches_use(garage: Workspace, invoke: Invoke):
    assert invoke("sleep", "--json", *TODAY).json["concepts"]["encoder"] == "words@1"
    found = invoke("search", "car", "--mode", "concept", "--json", *TODAY).json
    assert {item["source"] for item in found["items"][:4]} == {"memory/2026-03-01.md", "memory/2026-03-04.md"}
    assert invoke("index", "status", "--json", *TODAY).json["engine"]["model"] == "other@1"


@pytest.mark.usefixtures("others_search")
def test_a_night_computes_vectors_for_concepts_of_what_is_new_alone(
    garage: Workspace, invoke: Invoke, word_encoder: WordEncoder
):
    invoke("sleep", *TODAY)
    word_encoder.encoded.clear()
    with garage.raw_log("2026-03-04").open("a") as log:
        log.write("## Note 5\n- the car was sold\n")
    invoke("sleep", *TODAY)
    assert [text for text in word_encoder.encoded if "\n" in text] == ["Note 5\n- the car was sold"]


@pytest.mark.usefixtures("others_search")
def test_what_is_forgotten_has_no_vector_for_concepts_either(garage: Workspace, invoke: Invoke):
    invoke("sleep", *TODAY)
    keys = embedded_keys(garage, {"memory/2026-03-01.md": ()})
    invoke("forget", "my automobile has a flat tyre", "--yes", *TODAY)
    store = VectorStore(garage.index / CONCEPT_VECTORS, "words@1", 64)
    assert (len(keys), len(store.missing(keys))) == (2, 1)


def test_an_empty_store_has_an_empty_concept_index(workspace: Memory, invoke: Invoke):
    slept = invoke("sleep", "--json", *TODAY)
    assert (slept.code, slept.json["concepts"]["anchors"]) == (0, 0)
    found = invoke("search", "car", "--mode", "fast", "--json", *TODAY)
    assert (found.code, found.json["items"]) == (0, [])


def test_search_switched_off_leaves_compaction_alone(workspace: Memory, invoke: Invoke):
    invoke("config", "set", "search.enabled", "false")
    slept = invoke("sleep", "--json", *TODAY).json
    assert (slept["indexed"], slept["concepts"]) == (None, None)


def test_a_curated_concept_is_kept_however_rare(garage: Workspace, invoke: Invoke):
    garage.anchors.write_text("flat tyre  # what happens\n\n# nothing here\nunheard of\n")
    invoke("sleep", *TODAY)
    listed = invoke("concepts", "list", "--json", *TODAY).json
    assert {"label": "flat tyre", "df": 1} in listed
    shown = invoke("concepts", "show", "flat", "tyre", "--json", *TODAY).json
    assert shown["places"][0]["source"] == "memory/2026-03-01.md"


def test_a_prompt_without_a_concept_is_told_so(garage: Workspace, invoke: Invoke):
    invoke("sleep", *TODAY)
    told = invoke("concepts", "why", "xylophone", *TODAY)
    assert (told.code, told.out) == (0, "")
    assert "none of these words is a concept" in told.err


def test_concepts_say_why_a_prompt_leads_somewhere(garage: Workspace, invoke: Invoke):
    invoke("sleep", *TODAY)
    reason = invoke("concepts", "why", "is the server down", "--json", *TODAY).json
    assert [anchor["label"] for anchor in reason["anchors"]] == ["server"]
    assert (reason["places"][0]["source"], reason["places"][0]["terms"]) == ("memory/2026-03-03.md", ["server"])


def test_an_unknown_concept_and_a_missing_index_say_what_to_do(garage: Workspace, invoke: Invoke):
    missing = invoke("concepts", "list", *TODAY)
    assert (missing.code, "hipocampus sleep" in missing.err) == (1, True)
    invoke("sleep", *TODAY)
    unknown = invoke("concepts", "show", "zebra", *TODAY)
    assert (unknown.code, "no concept" in unknown.err) == (1, True)


def test_sleep_if_due_does_nothing_where_nothing_is_due(workspace: Memory, invoke: Invoke):
    invoke("sleep", *TODAY)
    assert invoke("sleep", "--if-due", "--json", *TODAY).json is None


def test_a_night_that_is_killed_leaves_the_old_index(
    garage: Workspace, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
):
    invoke("sleep", *TODAY)
    path: Path = garage.index / CONCEPTS
    before = path.read_bytes()
    garage.raw_log("2026-03-05").write_text("# 2026-03-05\n\n## New\n- something new\n")

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("hipocampus.index.concept_writer._fill", killed)
    with pytest.raises(KeyboardInterrupt):
        Memory.find(garage.root).sleep()
    assert path.read_bytes() == before
