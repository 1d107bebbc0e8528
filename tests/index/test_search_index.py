"""The index of a workspace whatever happens to its files: gone, torn, of another version, locked, on a full disk."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from project import TODAY, Project
from support import Ran, WordEncoder

from hipocampus import files
from hipocampus.errors import DamagedIndex, StoreBusy, StoreNotWritable
from hipocampus.index import search_index, updater
from hipocampus.index.engine import Query
from hipocampus.index.search_index import SearchIndex
from hipocampus.memory import Memory

WORDS = "gateway invoice parser migration dashboard queue sensor contract cache bucket token limit".split()


def _days(project: Project) -> None:
    dice = random.Random(1)
    for day in range(1, 11):
        entries = "".join(
            f"## Entry {n} of day {day}\n- {' '.join(dice.choices(WORDS, k=20))} TOKEN{day}x{n}\n\n" for n in range(4)
        )
        project.write(f"memory/2026-03-{day:02}.md", f"# 2026-03-{day:02}\n\n{entries}")
    project.write("knowledge/limits.md", "# Limits\nThe gateway limits requests: token bucket.\n")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    project = Project(tmp_path_factory.mktemp("made"))
    project.write("hipocampus.config.json", "{}")
    _days(project)
    project.index().update()
    return project.root


@pytest.fixture
def project(made: Path, tmp_path: Path) -> Project:
    """Ten days of notes, indexed."""
    return Project(Path(shutil.copytree(made, tmp_path / "project")))


def assert_right(project: Project) -> None:
    """Every note is found, and by its own words only."""
    for day, number in ((1, 0), (5, 2), (10, 3)):
        assert project.found(f"TOKEN{day}x{number}") == [f"memory/2026-03-{day:02}.md"]
    assert project.found("gateway limits requests")[0] == "knowledge/limits.md"


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


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for a lock, waits a moment only."""
    monkeypatch.setattr(search_index, "SEARCH_WAITS", 0.05)
    monkeypatch.setattr("hipocampus.index.search.SEARCH_WAITS", 0.05)


@pytest.fixture
def locked(project: Project) -> Iterator[Project]:
    """The project while another process indexes it."""
    holder = subprocess.Popen(
        [
            sys.executable, "-c",
            "import sys; from pathlib import Path; from hipocampus import files\n"
            "with files.lock(Path(sys.argv[1]), timeout=5): print('held', flush=True); sys.stdin.read()",
            str(project.home / "index.lock"),
        ],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert holder.stdout
    assert holder.stdout.readline() == b"held\n"
    yield project
    holder.communicate()


@pytest.mark.usefixtures("impatient")
def test_a_search_beside_a_long_indexing_run_answers_from_what_there_is(locked: Project):
    locked.write("knowledge/new.md", "NEWTOKEN\n")
    found = locked.search("gateway limits requests")
    assert found.items[0].source == "knowledge/limits.md"
    assert found.notes == ("another process is indexing: what changed last may be missing",)


@pytest.mark.usefixtures("impatient")
def test_an_update_beside_a_long_indexing_run_gives_up_and_says_so(locked: Project):
    locked.write("knowledge/new.md", "NEWTOKEN\n")
    with pytest.raises(StoreBusy, match=r"another process holds index\.lock"):
        locked.index().update(wait=0.1)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("mode", ["bm25", "hybrid"])
@pytest.mark.parametrize("damage", ["removed", "torn", "not there yet"])
def test_beside_another_process_that_makes_the_index_nothing_is_found_yet(locked: Project, damage: str, mode: str):
    for name in ("chunks", "documents"):
        if damage == "torn":
            (locked.home / name / "meta.json").write_text("torn")
        else:
            shutil.rmtree(locked.home / name)
    if damage == "not there yet":
        (locked.home / "manifest.json").unlink()
    found = locked.search("gateway limits requests", mode=mode)
    assert found.items == ()
    assert found.notes[0] == "another process is indexing: what changed last may be missing"


def test_a_lock_that_a_dead_process_left_is_no_obstacle(project: Project):
    (project.home / "index.lock").write_text("4194304")
    (project.home / "chunks" / ".tantivy-writer.lock").write_text("")
    project.write("knowledge/new.md", "NEWTOKEN\n")
    assert project.search("NEWTOKEN").notes == ()
    assert project.found("NEWTOKEN") == ["knowledge/new.md"]


LIMITED = """
import resource, sys
from pathlib import Path
sys.path[:0] = sys.argv[2:]
from project import Project
project = Project(Path(sys.argv[1]))
project.memory().count("warm")
resource.setrlimit(resource.RLIMIT_FSIZE, (600, 600))
found = project.search("gateway limits requests")
print([item.source for item in found.items][0])
print(*found.notes, sep="\\n")
"""


def _search_on_a_full_disk(project: Project) -> list[str]:
    here = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(project.root), str(here), str(here.parent)],
        capture_output=True, check=False, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_first_search_on_a_full_disk_answers_from_memory(project: Project):
    shutil.rmtree(project.home)
    first, note, *_ = _search_on_a_full_disk(project)
    assert first == "knowledge/limits.md"
    assert note.startswith("the index was not brought up to date: can't write")
    assert_right(project)


def test_a_search_on_a_disk_that_has_become_full_answers_and_leaves_the_index_as_it_was(project: Project):
    project.write("memory/2026-03-11.md", "# 2026-03-11\n\n## Late\n- " + "LATETOKEN words " * 200 + "\n")
    first, note, *_ = _search_on_a_full_disk(project)
    assert first == "knowledge/limits.md"
    assert note.startswith("the index was not brought up to date: can't write")
    assert_right(project)
    assert {*project.found("LATETOKEN")} == {"memory/2026-03-11.md"}


def test_an_update_on_a_full_disk_fails_and_says_why(project: Project, monkeypatch: pytest.MonkeyPatch):
    def full(*_: Any, **__: Any) -> None:
        message = "can't write manifest.json: No space left on device"
        raise StoreNotWritable(message, hint="free some space")

    project.write("knowledge/new.md", "NEWTOKEN\n")
    monkeypatch.setattr(files, "write_atomic", full)
    with pytest.raises(StoreNotWritable, match="No space left"):
        project.memory().update_index()


def test_an_index_that_is_damaged_again_and_again_is_answered_from_memory(
    project: Project, monkeypatch: pytest.MonkeyPatch
):
    real = search_index.EmbeddedEngine

    def opened(folder: Path | None, encoder: Any = None) -> Any:
        if folder:
            message = f"the search index {folder} can't be read"
            raise DamagedIndex(message, hint="rebuild it")
        return real(None, encoder)

    monkeypatch.setattr(search_index, "EmbeddedEngine", opened)
    found = project.search("gateway limits requests")
    assert found.items[0].source == "knowledge/limits.md"
    assert any("can't be read" in note for note in found.notes)


@pytest.mark.parametrize("mode", ["bm25", "hybrid", "vector"])
def test_without_a_disk_that_takes_an_index_words_answer(project: Project, monkeypatch: pytest.MonkeyPatch, mode: str):
    monkeypatch.setattr(search_index, "index_home", lambda _: None)
    found = project.search("gateway limits requests", mode=mode)
    assert (found.mode, found.items[0].source) == ("bm25", "knowledge/limits.md")
    assert (mode == "bm25") == (found.notes == ())


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


@settings(max_examples=60, deadline=None)
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
    for wait in (0.4, 0.6, 0.8):
        process = subprocess.Popen(
            [sys.executable, "-m", "hipocampus", "index", "rebuild"],
            cwd=project.root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(wait)
        process.kill()
        process.wait()
        assert project.found("KILLTOKEN149") == ["knowledge/149.md"]
    assert_right(project)
