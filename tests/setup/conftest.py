"""Two agents that exist only in these tests, and a repository to set them up in."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from hipocampus.hosts import registry
from hipocampus.hosts.edits import Block, Edit, Hook, ListValues, OwnFile
from hipocampus.hosts.host import Install, Machine

SKILL = "---\nname: hipocampus-core\ndescription: Says when to checkpoint.\n---\n\nRun `hipocampus checkpoint`.\n"


def handler(install: Install, event: str) -> dict[str, object]:
    return {"type": "command", "command": f"{install.hook} {event} --host x || exit 0", "timeout": 10}


class Calm:
    """An agent that nothing keeps from remembering."""

    def concerns(self, _install: Install, _machine: Machine) -> tuple[()]:
        return ()


@dataclass(frozen=True)
class Claude(Calm):
    """An agent with hooks in a settings file, and imports in CLAUDE.md."""

    name: str = "claude-code"
    title: str = "Claude Code"

    def is_used(self, project: Path, _machine: Machine) -> bool:
        return (project / ".claude").is_dir() or (project / "CLAUDE.md").exists()

    def edits(self, install: Install) -> Iterator[Edit]:
        is_private = install.is_stealth or not install.is_shared
        path = ".claude/settings.local.json" if is_private else ".claude/settings.json"
        for event, matcher in (("SessionStart", "startup|compact"), ("Stop", ""), ("PreCompact", "")):
            yield Hook(path, event, matcher, handler(install, event))
        yield Block("CLAUDE.local.md" if install.is_stealth else "CLAUDE.md", "@memory/ROOT.md\n@SCRATCHPAD.md\n")
        yield OwnFile(".claude/skills/hipocampus-core/SKILL.md", SKILL)


@dataclass(frozen=True)
class Codex(Calm):
    """An agent with hooks in JSON or TOML, that shares AGENTS.md and its skills with the next one."""

    name: str = "codex"
    title: str = "Codex"

    def is_used(self, project: Path, _machine: Machine) -> bool:
        return (project / ".codex").is_dir()

    def edits(self, install: Install) -> Iterator[Edit]:
        in_toml = "[[hooks." in _text(install.project / ".codex" / "config.toml")
        for event in ("SessionStart", "Stop"):
            yield Hook(f".codex/{'config.toml' if in_toml else 'hooks.json'}", event, "", handler(install, event))
        yield from _shared(install)


@dataclass(frozen=True)
class OpenCode(Calm):
    """An agent with a list of instructions and a plugin."""

    name: str = "opencode"
    title: str = "OpenCode"

    def is_used(self, project: Path, _machine: Machine) -> bool:
        return any((project / name).exists() for name in ("opencode.json", "opencode.jsonc"))

    def edits(self, install: Install) -> Iterator[Edit]:
        name = "opencode.jsonc" if (install.project / "opencode.jsonc").exists() else "opencode.json"
        if not install.is_stealth:
            yield ListValues(name, "instructions", ("memory/ROOT.md", "WORKING.md"))
        yield OwnFile(".opencode/plugin/hipocampus.js", "// The plugin of hipocampus.\nexport default {};\n")
        yield from _shared(install)


def _shared(install: Install) -> Iterator[Edit]:
    if not install.is_stealth:
        yield Block("AGENTS.md", "Memory is in memory/ROOT.md.\n")
    yield OwnFile(".agents/skills/hipocampus-core/SKILL.md", SKILL)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


@pytest.fixture(autouse=True)
def hosts(monkeypatch: pytest.MonkeyPatch) -> Mapping[str, object]:
    """What the command line takes for all agents of the world."""
    known = {host.name: host for host in (Claude(), Codex(), OpenCode())}
    monkeypatch.setattr(registry, "HOSTS", known)
    return known


@pytest.fixture(autouse=True)
def on_path(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """`hipocampus-hook` where every shell finds it."""
    folder = tmp_path_factory.mktemp("bin")
    program = folder / "hipocampus-hook"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    return program


@pytest.fixture
def git(tmp_path: Path) -> Callable[..., str]:
    """Run git in the project."""

    def call(*args: str, cwd: Path = tmp_path) -> str:
        return subprocess.run(["git", *args], cwd=cwd, capture_output=True, check=True, text=True).stdout

    return call


@pytest.fixture
def commit(git: Callable[..., str]) -> Callable[[], None]:
    """Commit all that is in the project."""

    def call() -> None:
        git("init", "-q")
        git("add", "-A", "-f")
        git("commit", "-q", "--allow-empty", "-m", "before")

    return call
