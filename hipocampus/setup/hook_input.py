"""
What a host writes to a hook: a JSON object on stdin, read with a deadline.

`json` imports `re`, which costs half of a start of Python; its scanner alone does not.
"""

import os
import select
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

STDIN_SECONDS = 1.5
_BLOCK = 1 << 16
_BOM = b"\xef\xbb\xbf"


class _Plain:
    """How the scanner of CPython's `json` is told to make plain values (Modules/_json.c)."""

    strict = True
    object_hook = object_pairs_hook = array_hook = None
    parse_float = parse_constant = float
    parse_int = int


def read(seconds: float) -> dict[str, object]:
    """
    The host's JSON object; {} for anything else, also where none has come after so many seconds.

    A whole object is enough: some hosts leave stdin open.
    """
    if sys.stdin is None:
        return {}
    handle = sys.stdin.fileno()
    return _read_waiting(handle, seconds) if os.name == "posix" else _read_in_thread(handle, seconds)


def parse(data: bytes) -> dict[str, object]:
    """The JSON object in some bytes, those that are no UTF-8 as surrogates; {} for anything else."""
    text = data.removeprefix(_BOM).decode("utf-8", "surrogateescape").strip(" \t\r\n")
    try:
        loaded, end = _scanner()(text, 0)
    except (ValueError, RecursionError, StopIteration, SystemError):
        return {}  # the scanner fails with the last one where it can't find the exception of `json`
    return loaded if isinstance(loaded, dict) and end == len(text) else {}


def _scanner() -> "Callable[[str, int], tuple[object, int]]":
    try:
        from _json import make_scanner
    except ImportError:  # another Python
        from json import JSONDecoder

        return JSONDecoder().raw_decode
    return make_scanner(_Plain)  # type: ignore[arg-type]


def _read_waiting(handle: int, seconds: float) -> dict[str, object]:
    deadline, data = time.monotonic() + seconds, b""
    while select.select([handle], [], [], max(0.0, deadline - time.monotonic()))[0]:
        block = os.read(handle, _BLOCK)
        data += block
        if not block or (block.rstrip().endswith(b"}") and not select.select([handle], [], [], 0)[0] and parse(data)):
            break
    return parse(data)


def _read_in_thread(handle: int, seconds: float) -> dict[str, object]:
    """Where pipes can't be waited for."""
    import threading

    blocks: list[bytes] = []
    reader = threading.Thread(target=lambda: blocks.extend(iter(lambda: os.read(handle, _BLOCK), b"")), daemon=True)
    reader.start()
    reader.join(seconds)
    return parse(b"".join(blocks))
