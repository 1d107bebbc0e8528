"""The index of a workspace whatever happens to its files: gone, torn, of another version, locked, on a full disk."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from project import TODAY, Project, assert_right
from support import Ran, WordEncoder

from hipocampus.index import rows, search_index, updater
from hipocampus.index.engine import Query
from hipocampus.index.search_index import SearchIndex
from hipocampus.memory import Memory


def test_an_index_that_is_up_to_date_is_not_written(project: Project):
    project.search("token")
    before = {path: path.stat().st_mtime_ns for path in project.home.rglob("*") if path.suffix == ".json"}
    project.search("token")
    assert {path: path.stat().st_mtime_ns for path in before} == before


@pytest.mark.parametrize(
    "name", [".", "chunks", "documents", "manifest.json", "chunks/meta.json", "documents/meta.json"]
)
def test_what_is_deleted_of_an_index_is_made_anew(project: Project, name: str):
    path = project.home / name
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert_right(project)
    state = project.memory().index_state().state
    assert (state.engine.chunks, state.engine.documents, state.stale_sources) == (41, 41, 0)


def _segments(project: Project) -> list[Path]:
    return sorted(path for path in project.home.rglob("*") if path.is_file() and path.stat().st_size)


@pytest.mark.parametrize("part", [0, 0.5, 0.99])
def test_truncated_files_are_made_anew(project: Project, part: float):
    for path in _segments(project):
        os.truncate(path, int(path.stat().st_size * part))
    assert_right(project)


@pytest.mark.parametrize("suffix", [".term", ".idx", ".store", ".fast", ".json", ".fieldnorm"])
def test_one_truncated_file_of_each_kind_is_made_anew(project: Project, suffix: str):
    for path in [path for path in _segments(project) if path.suffix == suffix]:
        os.truncate(path, path.stat().st_size // 2)
    assert_right(project)


@pytest.mark.parametrize("seed", range(12))
def test_flipped_bytes_fail_no_search(project: Project, seed: int):
    dice = random.Random(seed)
    path = dice.choice(_segments(project))
    data = bytearray(path.read_bytes())
    for _ in range(dice.choice((1, 8, 64))):
        data[dice.randrange(len(data))] = dice.randrange(256)
    path.write_bytes(data)
    for text in ("TOKEN5x2", "gateway limits requests", "cache of the sensor"):
        project.search(text)
    project.memory().update_index(rebuild=True)
    assert_right(project)


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", "null", "\0", "[" * 100_000, '{"format": 1}', '{"format": 99, "analysis": "x", "sources": {}}'],
)
def test_a_manifest_that_is_damaged_or_newer_leads_to_a_new_index(project: Project, text: str):
    (project.home / "manifest.json").write_text(text)
    assert_right(project)
    assert project.memory().index_state().state.stale_sources == 0


@pytest.mark.parametrize("seed", range(5))
def test_a_manifest_with_a_flipped_bit_leads_to_a_new_index(project: Project, seed: int):
    manifest = project.home / "manifest.json"
    data = bytearray(manifest.read_bytes())
    data[random.Random(seed).randrange(len(data))] ^= 1
    manifest.write_bytes(data)
    assert project.memory().index_state().state.stale_sources == 11
    assert_right(project)
    assert project.memory().index_state().state.stale_sources == 0


def test_an_index_that_another_version_cut_is_made_anew(project: Project, monkeypatch: pytest.MonkeyPatch):
    before = (project.home / "manifest.json").read_text()
    monkeypatch.setattr(search_index.terms, "fingerprint", lambda: "terms 2")
    assert_right(project)
    assert (project.home / "manifest.json").read_text() != before


@pytest.mark.parametrize("name", ["chunks", "documents", "manifest.json", "vectors"])
@pytest.mark.parametrize("kind", ["file", "folder", "link to nowhere"])
def test_what_stands_in_the_place_of_an_index_keeps_no_search_from_answering(project: Project, name: str, kind: str):
    path = project.home / name
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    if kind == "file":
        path.write_text("not an index")
    elif kind == "folder":
        path.mkdir()
        (path / "stranger.txt").write_text("x")
    else:
        path.symlink_to(project.root / "nowhere" / "there")
    assert_right(project)
    assert project.found("TOKEN5x2", mode="hybrid")[0] == "memory/2026-03-05.md"


def test_a_file_that_goes_while_it_is_indexed_is_left_out(project: Project, monkeypatch: pytest.MonkeyPatch):
    (project.root / "knowledge/limits.md").write_text("# Limits\nGONETOKEN is no more.\n")
    real = updater.read_source

    def vanishing(source: Any) -> Any:
        if source.name == "knowledge/limits.md":
            Path(source.path).unlink()
        return real(source)

    monkeypatch.setattr(updater, "read_source", vanishing)
    found = project.search("GONETOKEN gateway limits requests", limit=1000)
    assert "knowledge/limits.md" not in {item.source for item in found.items}
    assert found.notes == ("knowledge/limits.md was left out: No such file or directory",)
    assert "knowledge/limits.md" not in project.found("gateway limits requests")


def test_a_file_that_cannot_be_read_for_a_while_comes_back(project: Project, monkeypatch: pytest.MonkeyPatch):
    path = project.write("knowledge/new.md", "# New\nSHYTOKEN\n")

    def refused(source: Any) -> Any:
        raise PermissionError(13, "Permission denied", source.path)

    with monkeypatch.context() as patch:
        patch.setattr(updater, "read_source", refused)
        patch.setattr(updater.manifests, "sha256_of", lambda _: "")
        assert project.search("SHYTOKEN").notes == ("knowledge/new.md was left out: Permission denied",)
        assert project.found("SHYTOKEN") == []
    assert path.exists()
    assert project.found("SHYTOKEN") == ["knowledge/new.md"]


def test_a_link_that_leads_out_of_the_store_is_found_by_nobody(project: Project):
    outside = project.root.parent / "secret.md"
    outside.write_text("SECRETTOKEN\n")
    (project.root / "knowledge/link.md").symlink_to(outside)
    (project.root / "plans").symlink_to(outside.parent)
    found = project.search("SECRETTOKEN")
    assert found.items == ()
    assert "knowledge/link.md was left out: it is a link that leads out of the workspace" in found.notes


@pytest.mark.parametrize(
    "data",
    [
        b"# N\nbefore\0after BYTETOKEN\n", b"# N\ncaf\xe9 \xff\xfe BYTETOKEN\n",
        "# N\nBYTETOKEN é".encode("utf-16"), b"\xef\xbb\xbfBYTETOKEN\r\n",
    ],
    ids=["NUL", "Latin-1", "UTF-16", "BOM and CRLF"],
)  # fmt: skip
@pytest.mark.parametrize("mode", ["bm25", "hybrid"])
def test_a_file_that_is_not_plain_text_is_found(project: Project, data: bytes, mode: str):
    project.write("knowledge/bytes.md", data)
    assert project.found("BYTETOKEN", mode=mode)[0] == "knowledge/bytes.md"


def test_a_file_whose_name_is_not_utf_8_is_found_and_forgotten(project: Project):
    path = Path(os.fsdecode(os.fsencode(project.root) + b"/knowledge/caf\xe9.md"))
    path.write_text("NAMETOKEN\n")
    assert project.found("NAMETOKEN") == ["knowledge/caf\udce9.md"]
    path.unlink()
    assert project.found("NAMETOKEN") == []


def test_two_open_indexes_on_one_folder_see_each_others_changes(project: Project):
    one, other = project.index(), project.index()
    for index in (one, other):
        index.update()
        index.search(Query(("token",)))
    for number, index in enumerate((one, other, one)):
        project.write(f"knowledge/{number}.md", f"EACHTOKEN{number}\n")
        index.update()
    for index in (one, other, project.index()):
        index.update()
        assert [len(index.search(Query((f"eachtoken{number}",)))) for number in range(3)] == [1, 1, 1]


def test_an_index_that_another_process_made_anew_stays_in_order(project: Project):
    open_one = project.index()
    open_one.update()
    open_one.search(Query(("token",)))
    project.index().rebuild()
    project.write("knowledge/later.md", "LATERTOKEN\n")
    open_one.update()
    assert len(open_one.search(Query(("latertoken",)))) == 1
    assert_right(project)
    assert project.index().notes == []


def test_two_that_embed_keep_each_others_vectors(project: Project):
    encoder = WordEncoder()
    one, other = project.index(), project.index()
    for index in (one, other):
        index.encoder = encoder
        index.update()
        assert index.engine.stats().vectors == 0
    project.write("knowledge/new.md", "only one of them has seen this\n")
    one.update()
    one.embed()
    other.embed()
    state = project.index()
    state.encoder = encoder
    assert (state.state().stale_sources, state.state().chunks_without_vector) == (0, 0)
    assert state.engine.stats().vectors == state.embeddable == 42


def test_only_new_texts_are_embedded(project: Project, word_encoder: WordEncoder):
    project.memory().update_index()
    word_encoder.encoded.clear()
    project.write("knowledge/new.md", "# New\na new text\n")
    project.memory().update_index()
    assert word_encoder.encoded == ["New\na new text"]


def test_a_rebuild_keeps_the_vectors_of_texts_that_are_there_and_drops_others(
    project: Project, word_encoder: WordEncoder
):
    project.memory().update_index()
    (project.root / "knowledge/limits.md").unlink()
    word_encoder.encoded.clear()
    state = project.memory().update_index(rebuild=True).state
    assert (word_encoder.encoded, state.engine.vectors, state.chunks_without_vector) == ([], 40, 0)


def test_another_model_embeds_everything_anew(project: Project, word_encoder: WordEncoder):
    project.memory().update_index()
    word_encoder.id = "words@2"
    word_encoder.encoded.clear()
    state = project.memory().update_index().state
    assert (len(word_encoder.encoded), state.engine.model, state.engine.vectors) == (41, "words@2", 41)


def test_a_search_leaves_the_vectors_of_many_new_texts_to_an_update(project: Project, word_encoder: WordEncoder):
    for number in range(300):
        project.write(f"knowledge/{number}.md", f"text number {number}\n")
    found = project.search("text number 7", mode="hybrid")
    assert (found.mode, word_encoder.encoded) == ("bm25", [])
    assert "`hipocampus index update` computes them" in found.notes[0]
    project.memory().update_index()
    assert project.search("text number 7", mode="hybrid").mode == "hybrid"


def test_what_was_indexed_before_a_stop_is_not_read_again(project: Project, monkeypatch: pytest.MonkeyPatch):
    shutil.rmtree(project.home)
    monkeypatch.setattr(updater, "_BATCH_BYTES", 1)
    read: list[str] = []
    real = updater.read_source

    def stopping(source: Any) -> Any:
        read.append(source.name)
        if len(read) == 4:
            raise KeyboardInterrupt
        return real(source)

    monkeypatch.setattr(updater, "read_source", stopping)
    with pytest.raises(KeyboardInterrupt):
        project.index().update()
    before = [*read]
    project.index().update()
    assert (len(before), before[3], len(read)) == (4, read[4], 4 + 11 - 3)
    assert_right(project)


@pytest.fixture(scope="module")
def searched(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Memory:
    """A memory that stays open, for many questions."""
    return Project(Path(shutil.copytree(made, tmp_path_factory.mktemp("searched") / "project"))).memory()


@settings(max_examples=60)
@given(text=st.text(st.characters(codec=None), max_size=80), mode=st.sampled_from(["bm25", "hybrid", "vector"]))
def test_any_text_is_a_question(searched: Memory, text: str, mode: Any):
    items = searched.search(text, limit=3, mode=mode).items
    assert len(items) <= 3
    assert len({item.id for item in items}) == len(items)


def test_a_tick_of_progress_names_what_is_done(project: Project):
    seen: list[tuple[str, int, int]] = []
    index = SearchIndex(project.index().workspace, TODAY, len, WordEncoder(), lambda *tick: seen.append(tick))
    index.rebuild()
    index.embed()
    assert ("indexing", 0, 11) in seen
    assert ("embedding", 0, 41) in seen


def test_a_killed_index_run_leaves_an_index_that_the_next_search_repairs(project: Project, run: Callable[..., Ran]):
    shutil.rmtree(project.home)
    for number in range(150):
        project.write(f"knowledge/{number}.md", f"# N\nKILLTOKEN{number} " + "some more words " * 300 + "\n")
    project.write("hipocampus.config.json", '{"search": {"vector": false}}')
    killed: list[bool] = []
    for wait in (0.0, 0.05, 0.2):
        shutil.rmtree(project.home, ignore_errors=True)
        process = subprocess.Popen(
            [sys.executable, "-m", "hipocampus", "index", "rebuild"],
            cwd=project.root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        while not project.home.exists() and process.poll() is None:
            time.sleep(0.001)
        time.sleep(wait)
        process.kill()
        killed.append(process.wait() == -signal.SIGKILL)
        assert project.found("KILLTOKEN149") == ["knowledge/149.md"]
    assert killed[0]
    assert_right(project)


def test_a_memory_that_was_asked_before_sees_what_another_one_took_in(project: Project):
    memory = project.memory()
    assert memory.search("LATETOKEN", mode="bm25").items == ()
    project.write("memory/2026-03-11.md", "# 2026-03-11\n\n## Late\n- LATETOKEN\n")
    assert project.found("LATETOKEN") == ["memory/2026-03-11.md"]
    assert [item.source for item in memory.search("LATETOKEN", mode="bm25").items] == ["memory/2026-03-11.md"]


@pytest.mark.parametrize("name", [".", "chunks", "documents", "manifest.json"])
def test_a_memory_that_was_asked_before_outlives_the_loss_of_its_index(project: Project, name: str):
    memory = project.memory()
    memory.search("LATETOKEN", mode="bm25")
    path = project.home / name
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    project.write("memory/2026-03-11.md", "# 2026-03-11\n\n## Late\n- LATETOKEN\n")
    assert [item.source for item in memory.search("LATETOKEN", mode="bm25").items] == ["memory/2026-03-11.md"]
    assert_right(project)


def test_a_memory_opens_its_index_once(project: Project, monkeypatch: pytest.MonkeyPatch):
    memory = project.memory()
    memory.search("token", mode="bm25")
    monkeypatch.setattr(search_index, "EmbeddedEngine", None)
    assert memory.search("gateway limits requests", mode="bm25").items[0].source == "knowledge/limits.md"


def test_a_log_that_grew_keeps_the_rows_of_its_entries(project: Project, monkeypatch: pytest.MonkeyPatch):
    project.write("memory/2026-03-11.md", "# 2026-03-11\n\n## Early\n- EARLYTOKEN\n")
    project.found("EARLYTOKEN")
    added: list[str] = []
    real = rows.chunk_row
    monkeypatch.setattr(rows, "chunk_row", lambda item: added.append(item.chunk.text) or real(item))
    project.write("memory/2026-03-11.md", "# 2026-03-11\n\n## Early\n- EARLYTOKEN\n\n## Late\n- LATETOKEN\n")
    assert project.found("LATETOKEN") == project.found("EARLYTOKEN") == ["memory/2026-03-11.md"]
    assert added == ["- LATETOKEN"]


def test_an_entry_that_moved_or_went_is_found_where_it_is_now(project: Project):
    project.write("memory/2026-03-11.md", "# 2026-03-11\n\n## One\n- ONETOKEN\n\n## Two\n- TWOTOKEN\n")
    assert project.search("TWOTOKEN").items[0].lines == (6, 7)
    project.write("memory/2026-03-11.md", "# 2026-03-11\n\n\n## Two\n- TWOTOKEN\n")
    assert project.found("ONETOKEN") == []
    assert project.search("TWOTOKEN").items[0].lines == (4, 5)
