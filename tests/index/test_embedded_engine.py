"""The embedded engine does what every engine has to, on disk and in memory; and what only a folder can do."""

from __future__ import annotations

from pathlib import Path

import engine_conformance as conformance
import pytest
from engine_conformance import ENCODER, by_meaning, by_words, embed, indexed, put, sources
from support import WordEncoder

from hipocampus.index.embedded import EmbeddedEngine


class TestOnDisk(conformance.EngineConformance, conformance.VectorConformance):
    @pytest.fixture
    def engine(self, tmp_path: Path) -> EmbeddedEngine:
        return EmbeddedEngine(tmp_path, ENCODER)


class TestInMemory(conformance.EngineConformance):
    @pytest.fixture
    def engine(self) -> EmbeddedEngine:
        return EmbeddedEngine(None, ENCODER)


def test_what_was_put_is_there_for_the_next_process(tmp_path: Path):
    note = indexed("a.md", "car wash")
    put(EmbeddedEngine(tmp_path, ENCODER), note)
    embed(EmbeddedEngine(tmp_path, ENCODER), note)
    later = EmbeddedEngine(tmp_path, ENCODER)
    assert sources(later.search(by_words("wash"))) == sources(later.search(by_meaning("car"))) == ["a.md"]
    assert later.stats().bytes > 0


def test_vectors_of_another_model_are_not_compared(tmp_path: Path):
    note = indexed("a.md", "car wash")
    put(EmbeddedEngine(tmp_path, ENCODER), note)
    embed(EmbeddedEngine(tmp_path, ENCODER), note)
    other = EmbeddedEngine(tmp_path, WordEncoder("words@2"))
    assert (other.search(by_meaning("car")), other.missing([note.chunk.key])) == ([], [note.chunk.key])


def test_without_an_encoder_words_are_found_and_no_vector_is_missing(tmp_path: Path):
    note = indexed("a.md", "car wash")
    put(EmbeddedEngine(tmp_path, ENCODER), note)
    embed(EmbeddedEngine(tmp_path, ENCODER), note)
    plain = EmbeddedEngine(tmp_path)
    assert (plain.missing([note.chunk.key]), plain.stats().model) == ([], "")
    assert (sources(plain.search(by_words("wash"))), plain.search(by_meaning("car"))) == (["a.md"], [])
