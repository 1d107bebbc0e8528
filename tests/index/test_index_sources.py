"""Which files are searched, whatever stands in the folders; and what a search sees of an edit."""

from __future__ import annotations

import os
import shutil
from datetime import date
from pathlib import Path

import pytest
from support import CASES

from hipocampus import files
from hipocampus.data import data_folder
from hipocampus.index.sources import Source, list_sources, read_source
from hipocampus.layout import Workspace

TODAY = date(2026, 3, 15)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    (made / "memory").mkdir(parents=True)
    return made


def write(root: Path, name: str, text: str | bytes = "words\n") -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def names(root: Path) -> list[str]:
    return [source.name for source in list_sources(Workspace(root), TODAY).found]


def warnings(root: Path) -> str:
    return "\n".join(list_sources(Workspace(root), TODAY).warnings)


def source(root: Path, name: str) -> Source:
    return next(found for found in list_sources(Workspace(root), TODAY).found if found.name == name)


def test_every_layer_is_listed_and_nothing_else(root: Path):
    searched = {
        "WORKING.md": "hot",
        "knowledge/deep/er/limits.md": "curated",
        "memory/2026-03-15.md": "raw",
        "memory/daily/2026-03-15.md": "node",
        "memory/monthly/2026-03.md": "node",
        "memory/weekly/2026-W11.md": "node",
        "plans/q2.md": "curated",
    }
    others = ["README.md", "memory/ROOT.md", "memory/notes.md", "memory/daily/2026-03-15.md.bak", "knowledge/a.txt"]
    hidden = ["knowledge/.draft.md", "plans/.git/x.md", "memory/.hipocampus/2026-03-15.md", "memory/summaries/daily.md"]
    for name in [*searched, *others, *hidden]:
        write(root, name)
    found = list_sources(Workspace(root), TODAY)
    assert {found.name: found.layer for found in found.found} == searched
    assert found.warnings == ()


def test_a_workspace_without_files_has_no_sources(tmp_path: Path):
    assert list_sources(Workspace(tmp_path / "nowhere"), TODAY).found == ()


def test_size_and_time_tell_an_edit(root: Path):
    path = write(root, "knowledge/edit.md", "old")
    before = source(root, "knowledge/edit.md")
    path.write_text("new")
    os.utime(path, ns=(1, before.mtime_ns + 1))
    after = source(root, "knowledge/edit.md")
    assert (before.size, before.mtime_ns) != (after.size, after.mtime_ns)


def test_case_57_a_deleted_and_a_renamed_file_are_listed_as_they_are_now(tmp_path: Path):
    root = tmp_path / "project"
    shutil.copytree(CASES / "57-stale-index" / "repo", root)
    assert "knowledge/gone.md" in names(root)
    (root / "knowledge/gone.md").unlink()
    (root / "knowledge/old-name.md").rename(root / "knowledge/new-name.md")
    assert names(root) == ["knowledge/edit.md", "knowledge/new-name.md"]


@pytest.mark.parametrize("name", ["2026-3-15.md", "2026-02-30.md", "2026-03-15-b.md"])
def test_a_name_that_is_almost_a_day_is_left_out_with_a_warning(root: Path, name: str):
    write(root, f"memory/{name}")
    assert names(root) == []
    assert f"memory/{name} was left out: its name is not a date" in warnings(root)


def test_a_day_after_tomorrow_is_left_out_with_a_warning(root: Path):
    for day in ("2026-03-16", "2026-03-17"):
        write(root, f"memory/{day}.md")
    assert names(root) == ["memory/2026-03-16.md"]
    assert "its day has not come yet" in warnings(root)


LINKS = {"raw log": "memory/2026-03-01.md", "node": "memory/daily/2026-03-01.md", "curated": "knowledge/a.md"}


@pytest.mark.parametrize("name", [*LINKS.values(), "SCRATCHPAD.md"])
def test_a_link_that_leads_out_is_not_followed(root: Path, name: str):
    secret = write(root.parent, "secret.md", "secret")
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).symlink_to(secret)
    assert names(root) == []
    assert f"{name} was left out: it is a link" in warnings(root)


@pytest.mark.parametrize("name", ["knowledge", "plans", "knowledge/inner", "memory/daily"])
def test_a_linked_folder_that_leads_out_is_not_entered(root: Path, name: str):
    outside = write(root.parent, "outside/2026-03-01.md").parent
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).symlink_to(outside)
    assert names(root) == []


def test_a_link_inside_of_the_workspace_is_followed(root: Path):
    write(root, "docs/limits.md")
    (root / "knowledge").mkdir()
    (root / "knowledge/limits.md").symlink_to(root / "docs/limits.md")
    assert names(root) == ["knowledge/limits.md"]


@pytest.mark.parametrize("name", LINKS.values(), ids=list(LINKS))
def test_what_is_no_file_is_left_out_with_a_warning(root: Path, name: str):
    folder = root / name
    folder.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(folder)
    (root / "memory/2026-03-02.md").symlink_to(root / "memory/nowhere.md")
    assert names(root) == []
    assert f"{name} was left out: it is not a file" in warnings(root)
    assert "memory/2026-03-02.md was left out: it can't be read" in warnings(root)


def test_a_huge_file_is_left_out_with_a_warning(root: Path):
    with write(root, "memory/2026-03-01.md").open("wb") as file:
        file.truncate(200_000_001)
    assert names(root) == []
    assert "it has more than 200,000,000 bytes" in warnings(root)


@pytest.mark.parametrize(
    "data",
    [
        "caf\u00e9 crème".encode("utf-16"),
        b"caf\xe9 cr\xe8me",
        b"\0caf\xc3\xa9\0 cr\xc3\xa8me",
        b"caf\xc3\xa9\r\ncr\xc3\xa8me\r\n",
    ],
    ids=["UTF-16", "Latin-1", "NUL", "CRLF"],
)
@pytest.mark.parametrize("name", [*LINKS.values(), "WORKING.md"])
def test_a_file_in_any_encoding_is_read(root: Path, name: str, data: bytes):
    write(root, name, data)
    (chunk,) = read_source(source(root, name))
    assert chunk.source == name
    assert "caf" in chunk.text
    chunk.key.encode()


def test_each_layer_is_cut_in_its_own_way(root: Path):
    text = "# 2026-03-01\n\n## Limits [user]\n- a\n- b\n"
    for name in [*LINKS.values(), "WORKING.md"]:
        write(root, name, text)
    found = {name: read_source(source(root, name)) for name in [*LINKS.values(), "WORKING.md"]}
    assert [len(chunks) for chunks in found.values()] == [1, 2, 1, 1]
    assert [chunks[0].layer for chunks in found.values()] == ["raw", "node", "curated", "hot"]
    assert found["memory/2026-03-01.md"][0].day == date(2026, 3, 1)


def test_case_65_every_copy_of_a_fact_is_listed_with_its_layer(tmp_path: Path):
    root = tmp_path / "project"
    shutil.copytree(CASES / "65-duplicate-hits" / "repo", root)
    layers = {found.name: found.layer for found in list_sources(Workspace(root), TODAY).found}
    assert layers == {"knowledge/limits.md": "curated", "memory/2026-03-02.md": "raw", "plans/q2.md": "curated"}


def test_a_hot_file_says_nothing_until_somebody_writes_into_it(root: Path):
    template = files.read_text(data_folder("templates") / "WORKING.md").text
    path = write(root, "WORKING.md", template)
    listed = list_sources(Workspace(root), TODAY).found
    assert [read_source(source) for source in listed] == [[]]
    path.write_text(f"{template}\n## Deposits\n- the counter screen\n", "utf-8")
    assert "the counter screen" in "".join(chunk.text for source in listed for chunk in read_source(source))
