"""Case 97: a home, a store or a disk that can't be written is spoken of, and costs no line that was there."""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support import Ran, command

from hipocampus import files
from hipocampus.errors import StoreNotWritable
from hipocampus.memory import Memory

NOWHERE: dict[str, str | None] = {
    "HOME": "/nonexistent",
    "XDG_CACHE_HOME": "/nonexistent/c",
    "XDG_CONFIG_HOME": "/nonexistent/k",
    "XDG_DATA_HOME": "/nonexistent/d",
}
TODAY = ("--today", "2026-03-15")
# Root ignores modes: load everything as root, then become nobody.
AS_NOBODY = """
import contextlib, io, os, sys, tempfile
from pathlib import Path
from platformdirs import user_cache_path
from hipocampus import hooks
from hipocampus.cli import main
from hipocampus.governance import redaction
from hipocampus.setup import background, prompting, session
from hipocampus.text import tokens
redaction.redacted("")
silence = io.StringIO()
with tempfile.TemporaryDirectory() as scratch, contextlib.redirect_stdout(silence), contextlib.redirect_stderr(silence):
    hosts = "--platform claude-code --platform codex --platform opencode"
    once = f"init {hosts}", "checkpoint x --note y", "compact", "status", "capture --all", "search y --mode bm25"
    for line in (*once, "recall x --always --session s --json"):
        main.run(["-C", scratch, *line.split()])
user_cache_path("hipocampus")
tokens.load_counter(Path(sys.argv[1]) / "memory" / ".hipocampus" / "cache")
os.setgroups([]), os.setgid(65534), os.setuid(65534)
if sys.argv[2] == "hook":
    background.start = lambda *_: None
    hooks.handle(sys.argv[3], "codex", {}, os.getcwd())
else:
    sys.exit(main.run(sys.argv[2:]))
"""
HOSTS_AS_NOBODY = """
import os, sys
from pathlib import Path
from hipocampus.hosts.host import Machine
from hipocampus.hosts.registry import HOSTS

def looked(home):
    machine, project = Machine(Path(home), {}, "linux"), Path("/usr")
    used = [host.is_used(project, machine) for host in HOSTS.values()]
    return used, [found for host in HOSTS.values() for found in host.transcripts(project, machine)]

looked("/nonexistent")
if os.geteuid() == 0:
    os.setgroups([]), os.setgid(65534), os.setuid(65534)
print(*looked(sys.argv[1]))
"""


@pytest.fixture
def shared_folder(invoke: Callable[..., Ran]) -> Iterator[Path]:
    """A project that other users may enter, with a day of memory and all modes taken away from it."""
    folder = Path(tempfile.mkdtemp(prefix="hipocampus-test-")).resolve()
    folder.chmod(0o755)
    invoke("init", cwd=folder)
    invoke("checkpoint", "Before", "--note", "old", *TODAY, cwd=folder)
    for path in (folder / "memory", *(folder / "memory").rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    yield folder
    subprocess.run(["chmod", "-R", "u+w", str(folder)], check=True)
    shutil.rmtree(folder)


@pytest.fixture
def as_nobody(shared_folder: Path, run: Callable[..., Ran]) -> Callable[..., Ran]:
    """Run a command in that project as somebody to whom modes matter."""

    def call(*args: str) -> Ran:
        if os.geteuid() != 0:
            return run(*args, cwd=shared_folder)
        done = subprocess.run(
            [sys.executable, "-c", AS_NOBODY, str(shared_folder), *args],
            cwd=shared_folder, capture_output=True, check=False, text=True, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        assert "Traceback" not in done.stderr, done.stderr
        return Ran(done.returncode, done.stdout, done.stderr)

    return call


def test_every_command_works_without_a_home(run: Callable[..., Ran]) -> None:
    for arguments in (("init",), ("checkpoint", "x", "--note", "y"), ("compact",), ("status",), ("tree",)):
        assert run(*arguments, env=NOWHERE).code == 0, arguments
    assert not Path("/nonexistent").exists()


def test_a_checkpoint_into_a_store_without_write_access_fails_and_says_why(
    as_nobody: Callable[..., Ran], shared_folder: Path
) -> None:
    log = shared_folder / "memory" / "2026-03-15.md"
    before = log.read_bytes()
    done = as_nobody("checkpoint", "Later", "--note", "PRECIOUS", *TODAY)
    assert (done.code, "Permission denied" in done.err) == (1, True)
    assert "PRECIOUS" in done.err  # what could not be stored is at least on the screen
    assert log.read_bytes() == before


def test_a_compaction_in_a_store_without_write_access_fails_and_says_why(as_nobody: Callable[..., Ran]) -> None:
    done = as_nobody("compact", *TODAY)
    assert (done.code, "Permission denied" in done.err) == (1, True)


def test_a_store_without_write_access_is_not_healthy(as_nobody: Callable[..., Ran]) -> None:
    found = as_nobody("status", "--json", *TODAY)
    assert found.code == 0
    assert found.json["healthy"] is False
    assert any("can't be written" in problem for problem in found.json["problems"])
    assert "NOT healthy" in as_nobody("status", *TODAY).out


def test_a_search_in_a_store_without_write_access_answers_from_memory(
    as_nobody: Callable[..., Ran], shared_folder: Path
) -> None:
    done = as_nobody("search", "old", "--mode", "bm25", "--json", *TODAY)
    assert (done.code, [item["source"] for item in done.json["items"]]) == (0, ["memory/2026-03-15.md"]), done.err
    assert not (shared_folder / "memory" / ".hipocampus" / "index").exists()


def test_a_search_in_a_store_without_write_access_keeps_its_index_in_the_cache_folder(
    as_nobody: Callable[..., Ran], shared_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = shared_folder / "cache"
    cache.mkdir()
    cache.chmod(0o777)
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    for _ in range(2):
        assert [item["source"] for item in as_nobody("search", "old", "--json", "--mode", "bm25", *TODAY).json["items"]]
    (manifest,) = cache.glob("hipocampus/hipocampus-test-*/index/manifest.json")
    assert "memory/2026-03-15.md" in manifest.read_text()
    assert not (shared_folder / "memory" / ".hipocampus" / "index").exists()


def test_recall_in_a_store_without_write_access_answers_and_writes_nothing(
    as_nobody: Callable[..., Ran], shared_folder: Path
) -> None:
    done = as_nobody("recall", "what was our old note from before?", "--session", "s1", "--json", *TODAY)
    assert (done.code, [item["source"] for item in done.json["items"]]) == (0, ["memory/2026-03-15.md"]), done.err
    state = shared_folder / "memory" / ".hipocampus"
    assert not [name for name in ("sessions", "index", "recalls.json") if (state / name).exists()]


def test_search_and_vectors_work_without_a_home_nor_a_cache(workspace: Memory, run: Callable[..., Ran]) -> None:
    no_home: dict[str, str | None] = {
        name: value.replace("/nonexistent", "/dev/null") for name, value in NOWHERE.items() if value
    }
    assert run("checkpoint", "Limits", "--note", "old", *TODAY).code == 0
    done = run("search", "limits of what is old", "--json", *TODAY, env=no_home)
    assert (done.code, done.err, done.json["mode"]) == (0, "", "hybrid")
    assert done.json["items"][0]["source"] == "memory/2026-03-15.md"
    assert run("index", "status", "--json", *TODAY, env=no_home).json["engine"]["vectors"] > 0


@pytest.mark.parametrize("event", ["Stop", "UserPromptSubmit", "SessionStart"])
def test_a_hook_in_a_store_without_write_access_says_so_and_exits_0(as_nobody: Callable[..., Ran], event: str) -> None:
    if os.geteuid() != 0:
        pytest.skip("the hook is a program of its own; run as root it is called in the process")
    done = as_nobody("hook", event)
    assert (done.code, done.out) == (0, "")
    assert done.err.count("\n") == 1
    assert "can't be written" in done.err


def _with_limit(folder: Path, size: int, *args: str) -> subprocess.CompletedProcess[str]:
    """Run a command whose files may not grow beyond `size` bytes: a disk that is full."""
    return subprocess.run(
        [*command(), *args], cwd=folder, capture_output=True, check=False, text=True, stdin=subprocess.DEVNULL,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
    )  # fmt: skip


@pytest.mark.parametrize("room", [0, 1, 40])
def test_a_checkpoint_that_fits_only_in_part_leaves_the_day_as_it_was(
    workspace: Memory, tmp_path: Path, room: int
) -> None:
    log = workspace.workspace.raw_log("2026-03-15")
    log.write_text("# 2026-03-15\n\n## Before\n- old\n", encoding="utf-8")
    before = log.read_bytes()
    done = _with_limit(tmp_path, len(before) + room, "checkpoint", "Later", "--note", "x" * 5000, *TODAY)
    assert (done.returncode, "can't write" in done.stderr) == (1, True)
    assert log.read_bytes() == before


def test_a_checkpoint_that_does_not_fit_leaves_no_empty_day(workspace: Memory, tmp_path: Path) -> None:
    done = _with_limit(tmp_path, 20, "checkpoint", "First of the day", "--note", "x" * 5000, *TODAY)
    assert done.returncode == 1
    assert not workspace.workspace.raw_log("2026-03-15").exists()


def test_a_write_that_does_not_fit_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text("old", encoding="utf-8")
    code = (
        "import resource, sys; from pathlib import Path; from hipocampus import files\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "files.write_atomic(Path(sys.argv[1]), 'new' * 1000)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, check=False, text=True)
    assert "StoreNotWritable" in done.stderr
    assert path.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.fixture
def small_disk(workspace: Memory) -> Iterator[Path]:
    """`memory/` on a disk of its own that has 128 KB."""
    memory = workspace.workspace.memory
    mount = ["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", str(memory)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("may not mount a file system here")
    yield memory
    subprocess.run(["umount", str(memory)], check=True)


def _fill_up(disk: Path) -> None:
    with contextlib.suppress(OSError), (disk / "filler").open("wb", buffering=0) as file:
        for _ in range(1000):
            file.write(b"x" * 4096)


def test_a_full_disk_costs_nothing_that_was_stored(small_disk: Path, run: Callable[..., Ran]) -> None:
    assert run("checkpoint", "Before", "--note", "old", *TODAY).code == 0
    log = small_disk / "2026-03-15.md"
    before = log.read_bytes()
    _fill_up(small_disk)
    done = run("checkpoint", "Later", "--note", "y" * 9000, *TODAY)
    assert (done.code, "No space left" in done.err) == (1, True)
    assert log.read_bytes() == before
    assert run("status", "--json", *TODAY).json["healthy"] is False
    assert run("compact", *TODAY).code == 1
    (small_disk / "filler").unlink()
    assert run("checkpoint", "Later", "--note", "y" * 9000, *TODAY).code == 0
    assert run("compact", *TODAY).code == 0


def test_a_folder_in_the_place_of_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "log.md").mkdir()
    with pytest.raises(StoreNotWritable, match=r"log\.md: Is a directory"):
        files.append(tmp_path / "log.md", "x")


def test_a_home_that_can_not_be_entered_holds_nothing_of_any_host(fence: Path) -> None:
    (fence / ".claude").mkdir()
    fence.chmod(0)
    done = subprocess.run(
        [sys.executable, "-c", HOSTS_AS_NOBODY, str(fence)], cwd="/", capture_output=True, check=False, text=True
    )
    fence.chmod(0o700)
    assert (done.stdout, done.stderr) == ("[False, False, False] []\n", "")
