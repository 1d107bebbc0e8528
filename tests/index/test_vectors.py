"""The store of vectors: right neighbours, whole batches whatever happens, one model at a time."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hipocampus.errors import StoreNotWritable
from hipocampus.index.vectors import VectorStore

DIMS = 16


def key(text: object) -> str:
    return hashlib.blake2b(str(text).encode(), digest_size=16).hexdigest()


def vectors(count: int, seed: int = 1) -> npt.NDArray[np.float32]:
    rows = np.random.default_rng(seed).standard_normal((count, DIMS)) + 1.0
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def keys(count: int, start: int = 0) -> list[str]:
    return [key(number) for number in range(start, start + count)]


def opened(folder: Path, encoder: str = "model@1") -> VectorStore:
    return VectorStore(folder, encoder, DIMS)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "vectors"


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("original") / "vectors"
    for start in (0, 1000, 2000):
        opened(folder).append(keys(1000, start), vectors(3000)[start : start + 1000])
    return folder


@pytest.fixture
def filled(original: Path, folder: Path) -> Path:
    """A store of 3,000 vectors that were appended in three batches."""
    return Path(shutil.copytree(original, folder))


def test_a_vector_is_its_own_nearest_neighbour(filled: Path):
    found = opened(filled).search(vectors(3000)[1234], 3)
    assert found[0] == (key(1234), pytest.approx(1, abs=1e-3))
    assert found[0][1] > found[1][1] >= found[2][1]


def test_neighbours_are_those_of_exact_cosines_without_the_mean(filled: Path):
    rows = vectors(3000)
    centred = rows - rows.mean(axis=0)
    centred /= np.linalg.norm(centred, axis=1, keepdims=True)
    for number in range(0, 3000, 500):
        exact = [key(row) for row in np.argsort(-centred @ centred[number])[:20]]
        found = [name for name, _ in opened(filled).search(rows[number], 20)]
        assert len({*exact} & {*found}) >= 18


def test_an_empty_store_finds_nothing_and_makes_no_folder(folder: Path):
    store = opened(folder)
    assert store.search(vectors(1)[0], 5) == []
    assert store.missing(keys(3)) == keys(3)
    assert store.keep_only([]) == 0
    assert not folder.exists()


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_store_of_few_texts_finds_the_right_one(folder: Path, count: int):
    opened(folder).append(keys(count), vectors(count))
    for number in range(count):
        assert opened(folder).search(vectors(count)[number], 1)[0][0] == key(number)


@pytest.mark.parametrize(("n", "expected"), [(0, 0), (-1, 0), (2, 2), (3000, 3000), (9999, 3000)])
def test_as_many_are_found_as_asked_for(filled: Path, n: int, expected: int):
    assert len(opened(filled).search(vectors(1)[0], n)) == expected


def test_a_search_among_some_finds_only_those(filled: Path):
    among = {key(5), key(6), key("unknown")}
    assert {name for name, _ in opened(filled).search(vectors(3000)[9], 10, among)} == {key(5), key(6)}
    assert opened(filled).search(vectors(3000)[9], 10, set()) == []


def test_missing_keys_come_once_in_the_order_given(filled: Path):
    assert opened(filled).missing([key("b"), key(1), key("a"), key("b")]) == [key("b"), key("a")]


def test_a_key_is_kept_once_with_its_first_vector(folder: Path):
    store = opened(folder)
    store.append([key(0), key(1), key(0)], vectors(3))
    store.append([key(1), key(2)], vectors(2, seed=2))
    assert store.stats().rows == 3
    assert store.search(vectors(3)[1], 1)[0][0] == key(1)


def test_the_same_rows_give_the_same_scores_whatever_the_batches(filled: Path, tmp_path: Path):
    at_once = opened(tmp_path / "other")
    at_once.append(keys(3000), vectors(3000))
    query = vectors(1, seed=9)[0]
    assert at_once.search(query, 50) == opened(filled).search(query, 50)


def test_another_model_starts_with_an_empty_store(filled: Path):
    other = opened(filled, "model@2")
    assert other.search(vectors(1)[0], 5) == []
    other.append(keys(2), vectors(2))
    assert opened(filled, "model@2").stats().rows == 2
    assert opened(filled, "model@1").stats().rows == 0


def test_what_is_dropped_is_never_found_again(filled: Path):
    assert opened(filled).keep_only(keys(2900)) == 100
    store = opened(filled)
    assert (store.stats().rows, store.stats().dropped) == (2900, 100)
    assert {name for name, _ in store.search(vectors(3000)[2950], 3000)} == {*keys(2900)}
    assert store.missing(keys(3000)) == keys(100, 2900)


def test_a_text_that_comes_back_is_found_again(filled: Path):
    opened(filled).keep_only(keys(2900))
    opened(filled).append([key(2950)], vectors(3000)[2950:2951])
    assert opened(filled).search(vectors(3000)[2950], 1)[0][0] == key(2950)


def test_a_store_that_lost_much_becomes_small(filled: Path):
    before = opened(filled).stats().size
    opened(filled).keep_only(keys(300))
    store = opened(filled)
    assert (store.stats().rows, store.stats().dropped, store.stats().size) == (300, 0, before // 10)
    assert len([*filled.glob("rows-*.bin")]) == 1
    assert store.search(vectors(3000)[7], 1)[0][0] == key(7)


def test_a_reader_keeps_its_view_while_another_sweeps(filled: Path):
    reader = opened(filled)
    opened(filled).keep_only(keys(10))
    assert reader.search(vectors(3000)[2000], 1)[0][0] == key(2000)


@pytest.mark.parametrize("name", ["vectors.json", "rows-1.bin", "rows-1.centre"])
@pytest.mark.parametrize("damage", ["cut", "empty", "garbage", "longer", "gone", "flip"])
def test_damage_is_noticed_and_never_a_crash(filled: Path, name: str, damage: str):
    opened(filled).search(vectors(1)[0], 1)  # leaves the sidecar
    hurt(filled / name, damage)
    store = opened(filled)
    for number in (0, 2999):
        if not store.missing([key(number)]):
            assert store.search(vectors(3000)[number], 1)[0] == (key(number), pytest.approx(1, abs=1e-3))
    lost = store.missing(keys(3000))
    number_of = {name: number for number, name in enumerate(keys(3000))}
    store.append(lost, vectors(3000)[[number_of[name] for name in lost]])
    assert opened(filled).stats().rows == 3000
    assert opened(filled).search(vectors(3000)[2999], 1)[0][0] == key(2999)


def hurt(path: Path, damage: str) -> None:
    data = path.read_bytes()
    if damage == "gone":
        path.unlink()
        return
    flipped = data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 255]) + data[len(data) // 2 + 1 :]
    after = {"cut": data[: len(data) * 2 // 3], "empty": b"", "garbage": b"\x00\xff" * 500, "longer": data + b"torn"}
    path.write_bytes(after.get(damage, flipped))


def test_a_cut_file_keeps_its_sound_pages(filled: Path):
    hurt(filled / "rows-1.bin", "cut")
    assert opened(filled).stats().rows == 1024


def test_a_cut_file_forgets_what_was_dropped_behind_the_cut(filled: Path):
    opened(filled).keep_only([*keys(500), *keys(2000, 600)])
    hurt(filled / "rows-1.bin", "cut")
    assert opened(filled).stats().rows == 924
    opened(filled).append([key("new")], vectors(1))
    assert opened(filled).missing(keys(700)) == keys(100, 500)


def test_a_copied_store_is_as_good(filled: Path, tmp_path: Path):
    copy = Path(shutil.copytree(filled, tmp_path / "copy", copy_function=shutil.copy))
    assert opened(copy).stats().rows == 3000


@pytest.mark.parametrize(
    "header", [[], {}, {"rows": -1}, {"rows": 10**12}, {"file": "../x"}, {"file": "\0"}, {"dims": 0}, {"new": 1}]
)
def test_a_strange_header_means_an_empty_store(filled: Path, header: dict[str, object]):
    _, body = (filled / "vectors.json").read_text().split("\n")
    text = json.dumps({**json.loads(body), **header} if header else header)
    (filled / "vectors.json").write_text(f"{hashlib.sha256(text.encode()).hexdigest()}\n{text}")
    opened(filled).search(vectors(1)[0], 1)


def test_a_killed_run_leaves_whole_batches(folder: Path):
    script = (
        "import sys, numpy as np; from pathlib import Path; sys.path.insert(0, sys.argv[2])\n"
        "from test_vectors import *\n"
        "for start in range(0, 10**6, 10):\n"
        "    opened(Path(sys.argv[1])).append(keys(10, start), vectors(10)); print(start, flush=True)\n"
    )
    here = str(Path(__file__).parent)
    with subprocess.Popen([sys.executable, "-c", script, str(folder), here], stdout=subprocess.PIPE) as process:
        assert process.stdout
        written = [process.stdout.readline() for _ in range(20)]
        process.kill()
    rows = opened(folder).stats().rows
    assert rows >= 10 * len(written)
    assert rows % 10 == 0
    assert opened(folder).missing(keys(rows)) == []


def test_a_full_disk_leaves_the_store_as_it_was(filled: Path, monkeypatch: pytest.MonkeyPatch):
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    store = opened(filled)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", full)
        with pytest.raises(StoreNotWritable, match="No space left"):
            store.append([key("new")], vectors(1))
    assert store.missing([key("new")]) == [key("new")]
    assert opened(filled).stats().rows == 3000
    assert opened(filled).missing([key("new")]) == [key("new")]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs a user whom permissions bind")
def test_a_read_only_store_can_be_searched(filled: Path):
    filled.chmod(0o555)
    try:
        assert opened(filled).search(vectors(3000)[3], 1)[0][0] == key(3)
    finally:
        filled.chmod(0o755)


@pytest.mark.parametrize("shape", [(1, DIMS + 1), (2, DIMS), (DIMS,)])
def test_vectors_of_another_shape_are_refused(folder: Path, shape: tuple[int, ...]):
    with pytest.raises(ValueError, match="need vectors of shape"):
        opened(folder).append([key(1)], np.zeros(shape, dtype=np.float32))


@pytest.mark.parametrize("bad", ["", "ab", "no hex", key(1) + "00"])
def test_a_key_that_is_no_digest_is_refused(folder: Path, bad: str):
    with pytest.raises(ValueError, match="hex"):
        opened(folder).append([bad], vectors(1))


@settings(max_examples=50)
@given(
    rows=st.lists(st.lists(st.floats(width=32, allow_nan=True), min_size=DIMS, max_size=DIMS), min_size=1, max_size=5)
)
def test_any_numbers_can_be_kept_and_searched(tmp_path_factory: pytest.TempPathFactory, rows: list[list[float]]):
    store = opened(tmp_path_factory.mktemp("any"))
    store.append(keys(len(rows)), np.array(rows, dtype=np.float32))
    found = store.search(vectors(1)[0], 10)
    assert len(found) == len(rows)
    assert all(abs(score) < 1.01 for _, score in found)
