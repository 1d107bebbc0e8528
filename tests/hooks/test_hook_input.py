"""What a host writes to a hook is JSON, or nothing; it is read as the standard library reads it."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hipocampus.setup import hook_input

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(value=st.dictionaries(st.text(), VALUES, max_size=5), ascii_only=st.booleans())
def test_an_object_comes_back_as_it_was(*, value: dict[str, object], ascii_only: bool):
    data = json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    assert hook_input.parse(b"\xef\xbb\xbf \r\n" + data + b"\n") == value


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_any_bytes_give_an_object_and_never_a_fault(data: bytes):
    try:
        wanted = json.loads(data.decode("utf-8", "surrogateescape"))
    except ValueError:
        wanted = {}
    got = hook_input.parse(data)
    assert got == wanted if isinstance(wanted, dict) and "\ufeff" not in str(data) else isinstance(got, dict)


@pytest.mark.parametrize("data", [b"", b"{", b"[1]", b"null", b"{} {}", b'{"a":' * 9999, b"9" * 5000, b"\xff\xfe{}"])
def test_anything_else_is_an_empty_object(data: bytes):
    assert hook_input.parse(data) == {}


def test_bytes_that_are_no_utf8_name_the_file_they_name():
    assert os.fsencode(str(hook_input.parse(b'{"cwd": "/caf\xe9"}')["cwd"])) == b"/caf\xe9"


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch):
    """The writing end of stdin."""
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as stdin:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stdin))
        yield writing
        os.close(writing)


def test_a_whole_object_is_enough_where_stdin_stays_open(pipe: int):
    os.write(pipe, b'{"session_id": "s"}\n')
    began = time.monotonic()
    assert hook_input.read(5) == {"session_id": "s"}
    assert time.monotonic() - began < 2


def test_an_object_that_comes_in_pieces_is_waited_for(pipe: int):
    os.write(pipe, b'{"a": {"b": 1}')
    threading.Timer(0.2, os.write, (pipe, b', "c": 2}')).start()
    assert hook_input.read(5) == {"a": {"b": 1}, "c": 2}


def test_silence_is_not_waited_for_longer_than_told(pipe: int):
    began = time.monotonic()
    assert hook_input.read(0.2) == {}
    assert 0.2 <= time.monotonic() - began < 2


def test_a_large_payload_arrives_whole(pipe: int):
    data = json.dumps({"prompt": "}" * 3_000_000}).encode()
    writer = threading.Thread(target=os.write, args=(pipe, data))
    writer.start()
    assert len(str(hook_input.read(5)["prompt"])) == 3_000_000
    writer.join()


def test_no_stdin_at_all_says_nothing(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert hook_input.read(5) == {}
