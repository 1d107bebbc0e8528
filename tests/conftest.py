"""
Shared fixtures: a fenced environment, an empty workspace with a frozen clock, and the installed command.

No test may read the home, the git configuration, the date or the zone of the machine that runs it.
"""

from __future__ import annotations

import io
import os
import socket
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest
from support import CLIENTS_SAID, Ran, WordEncoder, command

from hipocampus.cli import main
from hipocampus.clock import Clock
from hipocampus.index import search
from hipocampus.layout import find_workspace
from hipocampus.memory import Memory
from hipocampus.setup import init
from hipocampus.text import tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NOON = datetime(2026, 3, 15, 12, 0, tzinfo=UTC)

_FENCED = (
    "HIPOCAMPUS_TODAY",
    "HIPOCAMPUS_IN_HOOK",
    "NO_COLOR",
    "FORCE_COLOR",
    "TIKTOKEN_CACHE_DIR",
    "PYTHONPATH",
)


# An example takes as long as the machine is busy; what must be quick is a benchmark.
hypothesis.settings.register_profile("suite", deadline=None)
hypothesis.settings.load_profile("suite")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shared", metavar="DIR", help="folder with the external data (data/memaware, cases)")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker tells the process that prints whether it met the real agent clients."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["clients"] = session.config.stash.get(CLIENTS_SAID, "")


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    said = getattr(node, "workeroutput", {}).get("clients")
    if said:
        node.config.stash[CLIENTS_SAID] = said


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The last lines of a run say whether they ran."""
    said = terminalreporter.config.stash.get(CLIENTS_SAID, "were not asked for")
    terminalreporter.write_line(f"real agent clients {said}")


@pytest.fixture
def shared(request: pytest.FixtureRequest) -> Path:
    """The folder with the external data; a test that asks for it is skipped where there is none."""
    folder = request.config.getoption("--shared")
    if not folder or not Path(folder).is_dir():
        pytest.skip("needs the external data: pytest --shared DIR")
    return Path(folder)


@pytest.fixture(autouse=True)
def fence(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty home, UTC, no git configuration and none of our variables."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    for name in ("CONFIG", "CACHE", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
    for name in _FENCED:
        monkeypatch.delenv(name, raising=False)
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Test")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "test@example.invalid")
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield home
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def clock() -> Clock:
    """2026-03-15, noon, UTC."""
    return Clock(UTC, instant=lambda: NOON)


@pytest.fixture
def workspace(tmp_path: Path, clock: Clock) -> Memory:
    """The memory of an empty project in `tmp_path`, on 2026-03-15."""
    init.apply(init.plan(tmp_path))
    return Memory(find_workspace(tmp_path), clock=clock)


@pytest.fixture(scope="session")
def counter() -> tokens.TokenCounter:
    """The real token counter, built once: half a second for each workspace otherwise."""
    return tokens.load_counter()


@pytest.fixture(autouse=True)
def shared_counter(counter: tokens.TokenCounter, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every memory in this process counts with it."""
    monkeypatch.setattr(tokens, "load_counter", lambda _cache=None: counter)


@pytest.fixture(autouse=True)
def word_encoder(monkeypatch: pytest.MonkeyPatch) -> WordEncoder:
    """What every search in this process embeds with: the real one takes a second and 80 MB for each home."""
    encoder = WordEncoder()
    monkeypatch.setattr(search, "load_encoder", lambda _name, **_: encoder)
    return encoder


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every try to reach the network fails, and is noted."""
    tries: list[str] = []

    def refused(*args: Any, **_: Any) -> None:
        tries.append(str(args))
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr(socket, "getaddrinfo", refused)
    monkeypatch.setattr(socket.socket, "connect", refused)
    return tries


@pytest.fixture
def invoke(tmp_path: Path) -> Callable[..., Ran]:
    """As `run`, but inside this process: twenty times faster, for what does not depend on being a program."""

    def call(
        *args: str | os.PathLike[str],
        cwd: Path | None = None,
        stdin: str | bytes = b"",
        env: dict[str, str] | None = None,
    ) -> Ran:
        data = stdin.encode("utf-8", "surrogateescape") if isinstance(stdin, str) else stdin
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace", write_through=True) for _ in range(2))
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(cwd or tmp_path)
            for name, value in (env or {}).items():
                patch.setenv(name, value)
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            code = main.run([os.fspath(argument) for argument in args])
        return Ran(int(code), *(stream.buffer.getvalue().decode() for stream in (out, err)))  # type: ignore[attr-defined]

    return call


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., Ran]:
    """
    Run the installed `hipocampus`: `run("checkpoint", "Title", stdin="…", cwd=…, env={…})`.

    `env` is added to the environment; a value of None removes a variable. No run may show a traceback.
    """

    def call(
        *args: str | os.PathLike[str],
        cwd: Path | None = None,
        stdin: str | bytes = b"",
        env: dict[str, str | None] | None = None,
        timeout: float = 60,
    ) -> Ran:
        given = {**os.environ, **(env or {})}
        done = subprocess.run(
            [*command(), *map(os.fspath, args)],
            cwd=cwd or tmp_path,
            input=stdin.encode("utf-8", "surrogateescape") if isinstance(stdin, str) else stdin,
            env={key: value for key, value in given.items() if value is not None},
            capture_output=True,
            check=False,
            timeout=timeout,
        )
        out, err = (stream.decode("utf-8", "surrogateescape") for stream in (done.stdout, done.stderr))
        assert "Traceback" not in err, err
        return Ran(done.returncode, out, err)

    return call
