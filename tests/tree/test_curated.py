"""`knowledge/` and `plans/`: in ROOT's Topics Index, whatever state their files are in."""

from __future__ import annotations

import pytest


def test_a_curated_file_is_in_the_topics_index_with_its_path(store):
    store.write("knowledge/rate-limit.md", "# Rate limiting\n\nToken bucket of Jonas, 40 requests per second.\n")
    store.write("plans/launch.md", "# Launch in Bergen\n\n- Priya signs the contract\n")
    store.compact("2026-03-02")
    index = store.text("ROOT.md").partition("## Topics Index")[2]
    assert "Rate limiting" in index
    assert "knowledge/rate-limit.md" in index
    assert "plans/launch.md" in index


def test_a_changed_or_deleted_curated_file_changes_root(store):
    path = store.write("knowledge/limits.md", "# Old title\n\nWords.\n")
    store.compact("2026-03-02")
    store.write("knowledge/limits.md", "# New title\n\nWords.\n")
    assert store.compact("2026-03-02").written == ("memory/ROOT.md",)
    assert "New title" in store.text("ROOT.md")
    path.unlink()
    store.compact("2026-03-02")
    assert "limits" not in store.text("ROOT.md")


FRONT = {
    "open": "---\ntitle: x\n",
    "not yaml": "---\ntitle: [a: {b\n---\n",
    "deep": "---\n" + "[" * 4000 + "\n---\n",
    "bad tag": "---\ntitle: !!timestamp x\nother: !!int ''\n---\n",
    "loops": "---\na: &a [*a]\ntitle: *a\n---\n",
    "list": "---\n- a\n- b\n---\n",
    "bad date": "---\ndate: 2026-13-45\n---\n",
    "python": "---\ntitle: !!python/object:os.system x\n---\n",
    "huge number": "---\ntitle: 1e99999\nn: " + "9" * 5000 + "\n---\n",
}


@pytest.mark.parametrize("front", FRONT.values(), ids=list(FRONT))
def test_broken_front_matter_is_no_reason_to_stop(store, front: str):
    store.write("knowledge/odd.md", f"{front}# The Lighthouse API\n\nJonas runs it in Bergen.\n")
    store.entry("2026-03-02", "Work", "Priya sold 40 gateways")
    done = store.compact("2026-03-02")
    assert "knowledge/odd.md" in store.text("ROOT.md")
    assert done.warnings == ()


@pytest.mark.parametrize("data", [b"", b"\0\1\2", b"\xff\xfe\x00", b"\x89PNG\r\n" * 90, b"#" * 99_999, b"- " * 50_000])
def test_a_curated_file_that_is_no_text_is_no_reason_to_stop(store, data: bytes):
    store.write("knowledge/odd.md", data)
    store.compact("2026-03-02")
    assert store.compact("2026-03-02").written == ()


def test_a_huge_curated_file_is_left_out_with_a_warning(store):
    store.write("knowledge/huge.md", "# Huge\n" + "words of Jonas\n" * 200_000)
    store.write("knowledge/small.md", "# Small\n\nWords.\n")
    done = store.compact("2026-03-02")
    assert "knowledge/huge.md was left out" in done.warnings[0]
    assert "knowledge/small.md" in store.text("ROOT.md")


def test_two_thousand_curated_files_leave_room_for_the_logs(store, count):
    for n in range(2000):
        store.write(
            f"knowledge/area{n % 20}/note{n}.md", f"# Note {n} on gateways\n\nJonas measured {n} ms in Bergen.\n"
        )
    store.entry("2026-03-02", "Lighthouse", "Priya chose the Lighthouse gateway for 40 dollars")
    store.compact("2026-03-02")
    root = store.text("ROOT.md")
    assert count(root) <= 3000
    assert "Lighthouse" in root
    assert "knowledge/area" in root


def test_links_out_of_the_workspace_and_hidden_files_are_not_followed(store):
    store.root.with_name("outside").mkdir()
    (store.root.with_name("outside") / "secret.md").write_text("# SECRET plan\n")
    store.write("knowledge/.hidden.md", "# SECRET hidden\n")
    (store.root / "knowledge/link.md").symlink_to(store.root.with_name("outside") / "secret.md")
    (store.root / "knowledge/folder").symlink_to(store.root.with_name("outside"))
    store.compact("2026-03-02")
    assert "SECRET" not in store.text("ROOT.md")


def test_temporary_lines_of_curated_files_are_left_out(store):
    store.write("knowledge/limits.md", "# Limits\n\n- temporary: SECRET of Jonas\n- 40 requests per second in Bergen\n")
    store.compact("2026-03-02")
    assert "SECRET" not in store.text("ROOT.md")


def test_curated_files_are_never_written_to(store):
    store.write("knowledge/a.md", "# A\r\n\r\nmine\r\n")
    before = store.times()
    store.compact("2026-03-02")
    assert {name: at for name, at in store.times().items() if name in before} == before
