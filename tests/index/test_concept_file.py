"""The concept index on disk: whole or not at all, the same bytes for the same content, read without numpy."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path

import pytest

from hipocampus.errors import DamagedIndex, StoreNotWritable
from hipocampus.index.concept_file import (
    Anchor,
    ConceptFile,
    NearChunk,
    Neighbour,
    SeenSource,
    Vector,
    VectorChunk,
)
from hipocampus.index.concept_writer import Content, write
from hipocampus.index.concepts import look_up
from hipocampus.index.document import Document, Note

NOTE = Document(
    "memory/2026-03-01.md#a1", "memory/2026-03-01.md", (3, 9), "Rate limits", "project", "2026-03-01", "Rate limits",
    12, (Note("decided: token bucket", 1.5, 5, "decid token"),), "bucket token",
)  # fmt: skip
OTHER = NOTE._replace(name="memory/2026-03-01.md#b2", lines=(10, 12), topic="Redis")
KEYS = ("0" * 32, "1" * 32)


def content(near: tuple[NearChunk, ...] = (NearChunk(0, 0.8),)) -> Content:
    anchor = Anchor("token", "token", 2, Vector(0.01, bytes([100, 0])), near, (Neighbour("bucket", 0.7),))
    chunks = [
        VectorChunk(0, KEYS[0], Vector(1 / math.hypot(90, 10), bytes([90, 10]))),
        VectorChunk(1, KEYS[1], Vector(1 / 99, bytes([0, 99]))),
    ]
    meta = {"chunks": "9", "languages": '["en"]', "made from": "x", "encoder": "words"}
    return Content(meta, {"memory/2026-03-01.md": SeenSource(5, 7)}, [NOTE, OTHER], chunks, [anchor])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write(tmp_path / "concepts.sqlite", content())
    return tmp_path / "concepts.sqlite"


def test_what_was_written_is_read(path: Path):
    file = ConceptFile(path)
    (anchor,) = file.anchors(["token", "unknown"])
    assert (anchor.label, anchor.df, file.neighbours("token")) == ("token", 2, (Neighbour("bucket", 0.7),))
    assert file.documents([0, 1]) == {0: NOTE, 1: OTHER}
    assert file.documents_of("memory/2026-03-01.md") == [NOTE, OTHER]
    assert file.sources() == {"memory/2026-03-01.md": SeenSource(5, 7)}


def test_the_same_content_gives_the_same_bytes(path: Path, tmp_path: Path):
    write(tmp_path / "again.sqlite", content())
    assert (tmp_path / "again.sqlite").read_bytes() == path.read_bytes()


@pytest.mark.parametrize("data", [b"", b"no database", b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_is_said_to_be_damaged(path: Path, data: bytes):
    path.write_bytes(data)
    with pytest.raises(DamagedIndex):
        ConceptFile(path)


def test_a_torn_file_is_found_out_when_it_is_read(path: Path):
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(DamagedIndex):
        look_up(ConceptFile(path), ["token"])


def test_a_missing_file_and_one_of_another_format_have_a_hint(path: Path, monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(DamagedIndex, match="missing") as missing:
        ConceptFile(path.with_name("none.sqlite"))
    monkeypatch.setattr("hipocampus.index.concept_file.FORMAT", "0")
    with pytest.raises(DamagedIndex, match="another version") as older:
        ConceptFile(path)
    assert "hipocampus sleep" in missing.value.hint
    assert "hipocampus sleep" in older.value.hint


def test_a_folder_in_its_place_is_an_error_with_a_hint_and_leaves_no_draft(tmp_path: Path):
    (tmp_path / "concepts.sqlite" / "inside").mkdir(parents=True)
    with pytest.raises(StoreNotWritable):
        write(tmp_path / "concepts.sqlite", content())
    assert [entry.name for entry in tmp_path.iterdir()] == ["concepts.sqlite"]


def test_an_anchor_leads_to_its_chunks_with_their_cause(path: Path):
    (near,) = look_up(ConceptFile(path), ["token"])
    assert (near.document, near.key, near.causes[0].term) == (0, KEYS[0], "token")
    assert near.score == pytest.approx(90 / math.hypot(90, 10))


def test_a_list_that_names_another_chunk_leads_there(path: Path):
    write(path, content((NearChunk(1, 1.0),)))
    assert [near.document for near in look_up(ConceptFile(path), ["token"])] == [1]


def test_a_term_that_is_no_anchor_leads_nowhere(path: Path):
    assert look_up(ConceptFile(path), ["unknown"]) == []
    assert look_up(ConceptFile(path), []) == []


def test_the_chunks_of_documents_are_scored_too_without_a_cause(path: Path):
    found = {near.document: near for near in look_up(ConceptFile(path), ["token"], [1])}
    assert (found[1].causes, found[1].score) == ((), 0.0)


def test_looking_up_imports_no_numpy(path: Path):
    code = f"""
import sys
from pathlib import Path
from hipocampus.index.concept_file import ConceptFile
from hipocampus.index.concepts import look_up
from hipocampus.index.document import Document, Note
assert look_up(ConceptFile(Path({str(path)!r})), ["token"])
assert not {{"numpy", "torch", "tantivy"}} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True)
