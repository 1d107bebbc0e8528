"""JSON lines of a program that is still writing, in whatever state."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.hosts import jsonlines
from hipocampus.hosts.jsonlines import Line
from hipocampus.log.turns import Turn


def turns_of(record: dict[str, object]) -> list[Turn]:
    return [Turn(str(record["id"]), "user", "x" * int(str(record.get("size", 1))), None)]


def ids(path: Path, cursor: str = "") -> tuple[list[str], str]:
    batches = list(jsonlines.batches(path, cursor, turns_of))
    return [turn.id for batch in batches for turn in batch.turns], batches[-1].cursor


def test_lines_after_a_byte_come_with_their_ends(tmp_path: Path):
    path = tmp_path / "t"
    path.write_bytes(b'{"a":1}\n\n\x00\x00{"b":2}\r\nnull\n{"c":\n{"d":4}')
    first, *rest = jsonlines.lines(path)
    assert first == Line({"a": 1}, 8)
    assert [line.record for line in rest] == [{"b": 2}, None, None, {"d": 4}]
    assert list(jsonlines.lines(path, 8)) == rest


def test_a_last_line_that_is_torn_is_left_for_later(tmp_path: Path):
    path = tmp_path / "t"
    path.write_text('{"id":1}\n{"id":')
    found, cursor = ids(path)
    assert found == ["1"]
    path.write_text('{"id":1}\n{"id":2}\n')
    assert ids(path, cursor)[0] == ["2"]


@pytest.mark.parametrize("new", ['{"id":3}\n', '{"id":3}\n{"id":2}\n{"id":4}\n'])
def test_a_file_that_was_replaced_is_read_from_its_beginning(tmp_path: Path, new: str):
    path = tmp_path / "t"
    path.write_text('{"id":1}\n{"id":2}\n')
    cursor = ids(path)[1]
    path.write_text(new)
    assert ids(path, cursor)[0][0] == "3"


@pytest.mark.parametrize("cursor", ["", "x", "-1:", "9:00", "²:0", "9" * 5000, "1e9:x", ":"])
def test_a_cursor_that_makes_no_sense_is_the_beginning(tmp_path: Path, cursor: str):
    path = tmp_path / "t"
    path.write_text('{"id":1}\n')
    assert ids(path, cursor)[0] == ["1"]


def test_a_line_that_is_too_long_is_skipped_in_bounded_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(jsonlines, "LARGEST_LINE", 1000)
    path = tmp_path / "t"
    path.write_text('{"id":1}\n' + json.dumps({"id": "x" * 5000}) + '\n{"id":2}\n')
    batch = next(jsonlines.batches(path, "", turns_of))
    assert ([turn.id for turn in batch.turns], batch.unreadable) == (["1", "2"], 1)


def test_a_line_that_is_too_long_and_not_finished_is_left_for_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(jsonlines, "LARGEST_LINE", 1000)
    path = tmp_path / "t"
    path.write_text('{"id":1}\n{"id":"' + "x" * 5000)
    assert [line.end for line in jsonlines.lines(path)] == [9]


def test_batches_are_bounded(tmp_path: Path):
    path = tmp_path / "t"
    path.write_text("".join(json.dumps({"id": n, "size": 400_000}) + "\n" for n in range(7)))
    assert [len(batch.turns) for batch in jsonlines.batches(path, "", turns_of)] == [3, 3, 1]


def test_deep_json_is_no_record(tmp_path: Path):
    path = tmp_path / "t"
    path.write_text("[" * 100_000 + "\n" + '{"id":1}\n')
    assert [line.record for line in jsonlines.lines(path)] == [None, {"id": 1}]


@given(st.lists(st.binary(max_size=20).map(lambda data: data.replace(b"\n", b""))), st.integers(0, 200))
def test_reading_in_two_parts_reads_the_same(tmp_path_factory: pytest.TempPathFactory, parts: list[bytes], cut: int):
    path = tmp_path_factory.mktemp("lines") / "t"
    data = b"".join(part + b'\n{"id":7}\n' for part in parts)
    path.write_bytes(data[:cut])
    first = list(jsonlines.lines(path))
    path.write_bytes(data)
    rest = list(jsonlines.lines(path, first[-1].end if first else 0))
    assert [line.record for line in first + rest] == [line.record for line in jsonlines.lines(path)]
