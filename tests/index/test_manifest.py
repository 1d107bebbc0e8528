"""What the index has seen: what changed since then, and a file that says whether it is whole."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.index.manifest import UNREADABLE, Manifest, Seen, load, save, sha256_of
from hipocampus.index.sources import Source

NOW = 1_800_000_000_000_000_000
LONG_AGO = NOW - 3_600_000_000_000
NAMES = st.text(st.characters(codec=None), max_size=20)
SEEN = st.builds(
    Seen, st.integers(0, 2**40), st.integers(0, 2**63), st.text("0123456789abcdef", max_size=64), st.integers(0, 999),
    st.integers(0, 999), st.dictionaries(st.sampled_from(["", "en", "ko"]), st.integers(1, 99)), NAMES,
)  # fmt: skip


@pytest.fixture
def source(tmp_path: Path) -> Source:
    """A file that was written an hour before NOW."""
    path = tmp_path / "a.md"
    path.write_text("old words")
    os.utime(path, ns=(LONG_AGO, LONG_AGO))
    return Source("a.md", str(path), "curated", 9, LONG_AGO)


def seen(source: Source, **fields: Any) -> Seen:
    return Seen(source.size, source.mtime_ns, sha256_of(source), 1, 1, {"en": 1})._replace(**fields)


@given(sources=st.dictionaries(NAMES, SEEN, max_size=5), looked=st.integers(0, 2**63), analysis=NAMES)
def test_a_manifest_comes_back_as_it_was_saved(
    tmp_path_factory: pytest.TempPathFactory, sources: dict[str, Seen], looked: int, analysis: str
):
    path = tmp_path_factory.getbasetemp() / "manifest.json"
    manifest = Manifest(analysis, looked, sources)
    save(path, manifest)
    assert load(path, analysis) == manifest
    assert load(path, analysis + "!") == Manifest(analysis + "!")


@given(place=st.integers(0, 10_000), bit=st.integers(0, 7))
def test_any_flipped_bit_makes_it_an_empty_one(tmp_path_factory: pytest.TempPathFactory, place: int, bit: int):
    path = tmp_path_factory.getbasetemp() / "flipped.json"
    save(path, Manifest("terms 1", 5, {"a.md": Seen(1, 2, "ab", 3, 4, {"en": 5}, "words@1")}))
    data = bytearray(path.read_bytes())
    data[place % len(data)] ^= 1 << bit
    path.write_bytes(data)
    assert load(path, "terms 1") == Manifest("terms 1")


def test_a_missing_manifest_is_an_empty_one(tmp_path: Path):
    assert load(tmp_path / "none" / "manifest.json", "terms 1") == Manifest("terms 1")


def test_a_new_source_is_changed_and_a_missing_one_is_gone(source: Source):
    changes = Manifest("", NOW, {"b.md": seen(source)}).changes([source])
    assert (changes.changed, changes.gone, changes.pending) == ((source,), ("b.md",), True)


def test_a_source_as_it_was_seen_is_neither(source: Source):
    changes = Manifest("", NOW, {"a.md": seen(source)}).changes([source])
    assert (changes.changed, changes.gone, changes.verified, changes.pending) == ((), (), 0, False)


@pytest.mark.parametrize("field", ["size", "mtime_ns"])
def test_another_size_or_time_is_a_change(source: Source, field: str):
    before = seen(source, **{field: getattr(source, field) + 1})
    assert Manifest("", NOW, {"a.md": before}).changes([source]).changed == (source,)


def test_a_file_written_just_before_the_look_is_compared_by_its_bytes(source: Source):
    manifest = Manifest("", LONG_AGO + 1, {"a.md": seen(source)})
    assert (manifest.changes([source]).changed, manifest.changes([source]).verified) == ((), 9)
    Path(source.path).write_text("new words")
    assert manifest.changes([source]).changed == (source,)


def test_a_source_that_could_not_be_read_is_tried_again(source: Source):
    manifest = Manifest("", NOW, {"a.md": seen(source, sha256=UNREADABLE)})
    assert manifest.changes([source]).changed == (source,)
    Path(source.path).unlink()
    assert manifest.changes([source]).pending is False


def test_recorded_sources_are_known_and_gone_ones_forgotten(source: Source):
    manifest = Manifest("", 0, {"old.md": seen(source, languages={"de": 3})})
    assert manifest.languages == ("de",)
    manifest.record({"a.md": seen(source, languages={"en": 2, "ko": 1})}, ["old.md", "unknown.md"])
    assert (manifest.chunks, manifest.languages) == (1, ("en", "ko"))


def test_a_language_of_hardly_any_chunk_is_taken_for_a_mistake(source: Source):
    manifest = Manifest("", 0, {"a.md": seen(source, languages={"en": 1000, "cs": 1})})
    assert manifest.languages == ("en",)


def test_sources_of_another_encoder_wait_for_vectors(source: Source):
    sources = {"a.md": seen(source, encoder="one"), "b.md": seen(source), "empty.md": seen(source, embeddable=0)}
    manifest = Manifest("", 0, sources)
    assert {*manifest.without_vectors("one")} == {"b.md"}
    assert {*manifest.without_vectors("two")} == {"a.md", "b.md"}
    assert {*manifest.without_vectors("")} == {"b.md"}


def test_a_source_that_was_indexed_anew_meanwhile_is_not_marked_as_embedded(source: Source):
    waiting = {"a.md": seen(source), "b.md": seen(source)}
    manifest = Manifest("", 0, {"a.md": seen(source), "b.md": seen(source, size=99)})
    manifest.mark(waiting, "one")
    assert {name: known.encoder for name, known in manifest.sources.items()} == {"a.md": "one", "b.md": ""}


def test_the_digest_of_a_file_that_is_gone_says_so(source: Source):
    Path(source.path).unlink()
    assert sha256_of(source) == UNREADABLE
