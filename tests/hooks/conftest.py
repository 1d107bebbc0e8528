"""A hook as a program and inside this process; no process of it outlives a test."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from hooking import Calls, FakeHost, Fire, processes_of, until
from support import command

from hipocampus.hosts.host import Transcript
from hipocampus.memory import Memory
from hipocampus.setup import background, capturing, session
from hipocampus.setup.hook_event import Event


@pytest.fixture
def fire() -> Fire:
    """Run the installed hook: `fire(folder, "Stop", payload, HIPOCAMPUS_TODAY="…")`."""

    def call(
        folder: Path, event: str, payload: bytes | Mapping[str, object] = b"{}", *arguments: str, **env: str
    ) -> subprocess.CompletedProcess[bytes]:
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        return subprocess.run(
            [*command("hipocampus-hook"), event, *arguments],
            cwd=folder, input=data, env={**os.environ, **env}, capture_output=True, check=False, timeout=20,
        )  # fmt: skip

    return call


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """A fake host, no capture and no background process: only what was asked for."""
    found = Calls()

    def capture(_memory: Memory, host: FakeHost, transcript: Transcript) -> capturing.Captured:
        found.captured.append(transcript)
        found.order.append("capture")
        return capturing.Captured(host.name, transcript.session, 4, (), 0)

    def start(_workspace: object, catch_up: background.CatchUp | None = None) -> None:
        found.started.append(catch_up)
        found.order.append("start")

    monkeypatch.setattr(session, "host_named", lambda _name: FakeHost())
    monkeypatch.setattr(session.capturing, "capture", capture)
    monkeypatch.setattr(background, "start", start)
    return found


@pytest.fixture
def event(workspace: Memory) -> Callable[..., Event]:
    """An event in the workspace: `event("Stop", session_id="s")`."""
    root = str(workspace.workspace.root)

    def made(name: str, folder: str = root, **payload: object) -> Event:
        return Event(name, "codex", payload, folder, root)

    return made


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    """The transcript of a session, outside of what is remembered."""
    path = tmp_path / "transcript.jsonl"
    path.write_text('{"type": "user"}\n', encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def nothing_is_left(tmp_path: Path) -> Iterator[None]:
    """No process of ours outlives its work: each test waits for those it started."""
    yield
    if Path("/proc/self/cwd").exists():
        assert until(lambda: not processes_of(tmp_path)), processes_of(tmp_path)
