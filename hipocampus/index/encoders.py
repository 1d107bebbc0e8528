"""What turns text into vectors, and which of them a workspace gets for the name in its settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# Names that mean "the encoder that comes with hipocampus". The original's `qwen3` asks for a multilingual model.
EMBEDDED_NAMES = ("auto", "qwen3")
NO_ENCODER = "none"


class Encoder(Protocol):
    """
    A model that places texts as unit vectors; near vectors mean near texts.

    The same text gets the same vector; beside other texts it may differ by rounding, below 1e-5 in any component.
    """

    @property
    def id(self) -> str:
        """Name and weights, as `usem3@0db566fd0af8`; vectors of different ids can't be compared."""

    @property
    def dims(self) -> int:
        """Length of a vector."""

    def encode(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """One row of length 1 for each text, whatever it holds."""


def load_encoder(
    name: str, *, cache: Path | None = None, offline: bool = True, say: Callable[[str], None] | None = None
) -> Encoder | None:
    """
    The encoder for a value of `search.embedModel`; None for `none`.

    `auto` is the embedded one; `minilm`, a hub name or a local folder go to sentence-transformers. `cache` is a folder
    for prepared weights; it may be missing or read-only. `offline=True` never tries the network. `say` is told what a
    user should know, such as a device that had no room. Raises EncoderUnavailable; search goes on with words alone.
    """
    if name == NO_ENCODER:
        return None
    if name in EMBEDDED_NAMES:
        from hipocampus.index.embedded_encoder import load_embedded

        return load_embedded(cache)
    from hipocampus.index.transformer_encoder import load_transformer

    return load_transformer(name, offline=offline, say=say or (lambda _: None))
