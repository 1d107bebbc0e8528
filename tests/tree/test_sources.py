"""Raw logs that vanish, change or were never text."""

from __future__ import annotations

import os

import pytest

LEVELS = ("daily/2026-03-02.md", "weekly/2026-W10.md", "monthly/2026-03.md")


@pytest.fixture
def two_days(store):
    store.entry("2026-03-02", "Monday", "MARK-MON")
    store.entry("2026-03-03", "Tuesday", "MARK-TUE")
    store.compact("2026-03-20")
    return store


def _set_aside(store) -> list[str]:
    folder = store.memory / ".hipocampus/set-aside"
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md"))


def test_a_deleted_log_leaves_the_tree_but_its_node_is_kept_aside(two_days):
    (two_days.memory / "2026-03-02.md").unlink()
    done = two_days.compact("2026-03-20")
    assert not [name for name, data in two_days.tree().items() if b"MARK-MON" in data]
    assert _set_aside(two_days) == ["daily/2026-03-02.md"]
    assert done.warnings == ("memory/daily/2026-03-02.md was set aside: its raw log is gone",)


def test_the_last_log_of_a_month_takes_week_and_month_with_it(two_days):
    for day in ("2026-03-02", "2026-03-03"):
        (two_days.memory / f"{day}.md").unlink()
    two_days.compact("2026-03-20")
    assert two_days.names("weekly") == two_days.names("monthly") == []


def test_a_renamed_log_moves_to_its_new_day(two_days):
    (two_days.memory / "2026-03-02.md").rename(two_days.memory / "2026-02-02.md")
    two_days.compact("2026-03-20")
    assert "MARK-MON" in two_days.body("monthly/2026-02.md")
    assert "MARK-MON" not in two_days.body("monthly/2026-03.md")


def test_a_log_that_comes_back_is_as_it_was(two_days):
    before, text = two_days.tree(), two_days.text("2026-03-02.md")
    (two_days.memory / "2026-03-02.md").unlink()
    two_days.compact("2026-03-20")
    two_days.log("2026-03-02", text)
    two_days.compact("2026-03-20")
    assert two_days.tree() == before


def test_a_log_edited_by_hand_changes_every_level(two_days):
    two_days.log("2026-03-02", "## Monday [project]\n- EDITED\n")
    two_days.compact("2026-03-20")
    for name in LEVELS:
        assert "EDITED" in two_days.body(name)
        assert "MARK-MON" not in two_days.body(name)


@pytest.mark.parametrize("text", ["", "\n", "# 2026-03-02\n", "\ufeff"])
def test_an_emptied_log_says_nothing_at_any_level(two_days, text: str):
    two_days.log("2026-03-02", text)
    two_days.compact("2026-03-20")
    assert not [name for name, data in two_days.tree().items() if b"MARK-MON" in data]
    assert "MARK-TUE" in two_days.body("monthly/2026-03.md")


def test_a_folder_in_place_of_a_log_is_reported_and_the_other_days_are_built(two_days):
    (two_days.memory / "2026-03-02.md").unlink()
    (two_days.memory / "2026-03-02.md").mkdir()
    two_days.entry("2026-03-03", "Evening", "MARK-EVE")
    done = two_days.compact("2026-03-20")
    assert done.warnings[0] == "memory/2026-03-02.md was left out: it is not a file"
    assert "MARK-EVE" in two_days.body("monthly/2026-03.md")
    assert two_days.at("2026-03-20").due() == ""


def test_a_log_that_is_a_link_to_nowhere_is_reported(store):
    store.entry("2026-03-03", "Tuesday", "MARK-TUE")
    (store.memory / "2026-03-02.md").symlink_to(store.memory / "gone.md")
    assert store.compact("2026-03-20").warnings == ("memory/2026-03-02.md was left out: it is not a file",)
    assert "MARK-TUE" in store.text("ROOT.md")


def test_a_log_that_is_a_link_to_a_file_is_read(store):
    store.write("memory/shared/monday.md", "## Linked [project]\n- MARK-LINK\n")
    (store.memory / "2026-03-02.md").symlink_to(store.memory / "shared/monday.md")
    store.compact("2026-03-20")
    assert "MARK-LINK" in store.body("daily/2026-03-02.md")


def test_a_log_that_the_system_refuses_to_open_is_reported(two_days, monkeypatch):
    two_days.log("2026-03-02", "## Locked [project]\n- LOCKED\n")
    refuse = two_days.memory / "2026-03-02.md"
    real = type(refuse).read_bytes

    def read_bytes(path):
        if path == refuse:
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(type(refuse), "read_bytes", read_bytes)
    done = two_days.compact("2026-03-20")
    assert done.warnings[0] == "memory/2026-03-02.md was left out: Permission denied"
    assert "MARK-TUE" in two_days.body("monthly/2026-03.md")


BYTES = {
    "not utf-8": "## Caf\xe9 [feedback]\n- rule: caf\xe9 WORDS\n".encode("latin-1"),
    "nul": b"## A\0b [feedback]\n- nul \0 WORDS\n",
    "utf-16": "## Wide [feedback]\n- wide WORDS\n".encode("utf-16"),
    "surrogate": b"## \xed\xa0\x80 [feedback]\n- lone \xed\xa0\x80 WORDS\n",
    "control": "## \x85\u2028\x1b[0m [feedback]\n- line\u2028separator \x0c WORDS\n".encode(),
    "carriage returns": b"## Old [feedback]\r- old WORDS\r",
}


@pytest.mark.parametrize("data", BYTES.values(), ids=list(BYTES))
def test_odd_bytes_are_kept_and_a_second_run_writes_nothing(store, data: bytes):
    store.log("2026-03-02", data)
    done = store.compact("2026-03-20")
    assert done.warnings == ()
    for name in LEVELS:
        assert "WORDS" in store.body(name)
        assert store.fields(name)["type"] in name
    (store.memory / ".hipocampus/compact.json").unlink()
    again = store.compact("2026-03-20")
    assert (again.written, again.removed, again.warnings) == ((), (), ())


def test_without_a_memory_folder_there_is_an_empty_root(store):
    store.memory.rmdir()
    done = store.compact("2026-03-20")
    assert done.written == ("memory/ROOT.md",)
    assert "## Topics Index" in store.text("ROOT.md")


def test_an_edit_that_keeps_size_and_nearly_the_time_is_seen(store):
    path = store.memory / "2026-03-02.md"
    path.write_text("## A [project]\n- one MARK-1\n")
    store.compact("2026-03-20")
    stat = path.stat()
    path.write_text("## A [project]\n- two MARK-2\n")
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    store.compact("2026-03-20")
    assert "MARK-2" in store.body("monthly/2026-03.md")


def test_hot_files_and_foreign_files_in_memory_are_not_touched(two_days):
    kept = ["SCRATCHPAD.md", "memory/notes.md", "memory/2026-03-02.md.bak", "memory/daily/.keep", "memory/weekly/x.txt"]
    for name in kept:
        two_days.write(name, f"mine {name} status: fixed")
    before = {name: (two_days.root / name).stat() for name in kept}
    two_days.compact("2026-04-20")
    assert {name: (two_days.root / name).stat() for name in kept} == before
