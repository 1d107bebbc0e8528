"""The real agent clients, each in a home and a repository of its own, with no network but the model on loopback."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from model_api import ModelApi
from support import Ran, command
from terminal import Terminal, wait_until

KEY = "sk-ant-test-000"
NO_REGISTRY = "http://127.0.0.1:9/"
SECONDS = 90
OPEN_WORK = "Ask Mirela about the heron deploy"
DECIDED = "Token buckets guard the amber gateway"
"""What stands in SCRATCHPAD.md and in ROOT.md of a desk that is set up."""
KEPT = "the lamp of the north cellar burns whale oil"
NEEDY = "What does our lamp in the north cellar burn?"
BLOCK = '<hipocampus-memory note="Notes of earlier sessions that may matter here.'
"""What a desk remembers where recall is tried, a prompt that needs it, and how what it brings to mind begins."""


@dataclass(frozen=True, slots=True)
class Desk:
    """Somebody's home, their repository and the model that their agents talk to."""

    home: Path
    repo: Path
    model: ModelApi
    programs: Path

    @property
    def environ(self) -> dict[str, str]:
        """All that a client sees of this machine: our console scripts come first on PATH."""
        folders = (str(Path(sys.executable).parent), str(self.programs), os.environ["PATH"])
        git = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        npm = {"npm_config_registry": NO_REGISTRY, "npm_config_fetch_retries": "0"}
        path = {"PATH": os.pathsep.join(folders), "HOME": str(self.home), "LANG": "C.UTF-8", "TERM": "xterm-256color"}
        return {**git, **npm, **path, "TZ": "UTC"}

    def git(self, *args: str) -> str:
        """What git prints in the repository."""
        author = {
            "GIT_AUTHOR_NAME": "T",
            "GIT_AUTHOR_EMAIL": "t@t",
            "GIT_COMMITTER_NAME": "T",
            "GIT_COMMITTER_EMAIL": "t@t",
        }
        argv = ["git", "-C", str(self.repo), *args]
        return subprocess.run(argv, env=self.environ | author, capture_output=True, text=True, check=True).stdout

    def hipocampus(self, *args: str) -> Ran:
        """The installed `hipocampus` in the repository; it must succeed."""
        done = subprocess.run(
            [*command(), *args],
            cwd=self.repo,
            env=self.environ,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        return Ran(done.returncode, done.stdout, done.stderr)

    @property
    def log(self) -> str:
        """The raw log: all days, in order."""
        days = sorted((self.repo / "memory").glob("????-??-??.md"))
        return "\n".join(day.read_text(encoding="utf-8") for day in days)

    def last_event(self, client: Client) -> str:
        """The event that our hook was called for last."""
        told = self.repo / "memory/.hipocampus/hooks" / client.name
        return told.read_text(encoding="utf-8").strip() if told.exists() else ""

    def logs(self, words: str, seconds: float = 20) -> bool:
        """Whether words come to stand in the raw log within some seconds."""
        return wait_until(lambda: words in self.log, seconds)


class Client(Protocol):
    """How one client is made ready and started."""

    name: str

    def prepare(self, desk: Desk) -> None:
        """Write what a person has in their home after the first start of the program."""
        ...

    def argv(self, desk: Desk, prompt: str, *options: str) -> list[str]:
        """Its command for one prompt, without a terminal."""
        ...

    def environ(self, desk: Desk) -> dict[str, str]:
        """Its environment."""
        ...


NewDesk = Callable[[Client], Desk]


@dataclass(frozen=True, slots=True)
class ClaudeCode:
    """Claude Code; the folder is trusted and the welcome is over."""

    name: str = "claude-code"

    def prepare(self, desk: Desk) -> None:
        trust = {str(desk.repo): {"hasTrustDialogAccepted": True}}
        keys = {"approved": [KEY[-20:]], "rejected": []}
        known = {"hasCompletedOnboarding": True, "theme": "dark", "projects": trust, "customApiKeyResponses": keys}
        (desk.home / ".claude.json").write_text(json.dumps(known), encoding="utf-8")

    def argv(self, desk: Desk, prompt: str, *options: str) -> list[str]:
        return [str(desk.programs / "claude"), "-p", prompt, *options]

    def environ(self, desk: Desk) -> dict[str, str]:
        quiet = {"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1"}
        return desk.environ | quiet | {"ANTHROPIC_BASE_URL": desk.model.url, "ANTHROPIC_API_KEY": KEY}

    def terminal(self, desk: Desk) -> Terminal:
        """An interactive session that waits for the first prompt."""
        opened = Terminal([str(desk.programs / "claude")], desk.repo, self.environ(desk))
        assert wait_until(lambda: "❯" in opened.text), opened.text
        return opened


@dataclass(frozen=True, slots=True)
class Codex:
    """Codex; the project is trusted, hooks are trusted unless asked otherwise."""

    name: str = "codex"

    def prepare(self, desk: Desk) -> None:
        provider = f'name = "mock"\nbase_url = "{desk.model.url}/v1"\nwire_api = "responses"\nenv_key = "MOCK_KEY"\n'
        model = f'model = "mock"\nmodel_provider = "mock"\n[model_providers.mock]\n{provider}'
        config = desk.home / ".codex/config.toml"
        config.parent.mkdir(parents=True)
        config.write_text(f'{model}[projects."{desk.repo}"]\ntrust_level = "trusted"\n', encoding="utf-8")

    def argv(self, desk: Desk, prompt: str, *options: str) -> list[str]:
        trusted = ["--skip-git-repo-check", "--dangerously-bypass-hook-trust"]
        return [str(desk.programs / "codex"), "exec", *trusted, *options, prompt]

    def environ(self, desk: Desk) -> dict[str, str]:
        return desk.environ | {"MOCK_KEY": "x"}

    def terminal(self, desk: Desk) -> Terminal:
        """An interactive session that waits for the first prompt."""
        argv = [str(desk.programs / "codex"), "--dangerously-bypass-hook-trust"]
        opened = Terminal(argv, desk.repo, self.environ(desk))
        assert wait_until(lambda: "mock" in opened.text), opened.text
        return opened


@dataclass(frozen=True, slots=True)
class OpenCode:
    """OpenCode 1; the model stands in the person's own settings, the project's are left alone."""

    name: str = "opencode"

    def prepare(self, desk: Desk) -> None:
        options = {"baseURL": f"{desk.model.url}/v1", "apiKey": "x"}
        provider = {"npm": "@ai-sdk/openai-compatible", "name": "m", "options": options, "models": {"m": {"name": "m"}}}
        off = {"autoupdate": False, "snapshot": False, "share": "disabled", "lsp": False, "formatter": False}
        config = desk.home / ".config/opencode/opencode.json"
        config.parent.mkdir(parents=True)
        model = {"model": "mock/m", "small_model": "mock/m", "provider": {"mock": provider}}
        config.write_text(json.dumps(model | off), encoding="utf-8")
        (desk.home / "models.json").write_text("{}", encoding="utf-8")

    def argv(self, desk: Desk, prompt: str, *options: str) -> list[str]:
        return [str(desk.programs / "opencode"), "run", *options, prompt]

    def environ(self, desk: Desk) -> dict[str, str]:
        names = ("DISABLE_AUTOUPDATE", "DISABLE_LSP_DOWNLOAD", "EXPERIMENTAL_DISABLE_FILEWATCHER")
        models = {"OPENCODE_MODELS_PATH": str(desk.home / "models.json")}  # all that exist: half of its computing
        return desk.environ | models | {f"OPENCODE_{name}": "1" for name in names}


def ask(client: Client, desk: Desk, prompt: str, *options: str) -> Ran:
    """One prompt, answered; the client must succeed."""
    process = _started(client, desk, prompt, *options)
    try:
        out, err = process.communicate(timeout=SECONDS)
    finally:
        _signal(process, signal.SIGKILL)
    assert process.returncode == 0, err
    return Ran(process.returncode, out, err)


@dataclass(frozen=True, slots=True)
class Recalled:
    """A prompt that needs memory, and the same words again in the same session: what the model saw of each."""

    line: str
    first: str
    again: str


def recalled(client: Client, desk: Desk, *go_on: str) -> Recalled:
    """Remember something, sleep, and ask for it twice; the options `go_on` continue the session."""
    desk.hipocampus("config", "set", "search.vector", "false")
    entry = json.loads(desk.hipocampus("--json", "checkpoint", "Lamp", "--decision", KEPT).out)["entries"][0]
    desk.hipocampus("sleep")
    ask(client, desk, f"{NEEDY} First of all?")
    ask(client, desk, f"{NEEDY} Once more?", *go_on)
    seen = [next(r.text for r in desk.model.requests if words in r.last_words) for words in ("First of", "Once more")]
    return Recalled(f"\n- {entry['pointer']} Lamp: decided: {KEPT}\n", *seen)


def end_while_answering(client: Client, desk: Desk, prompt: str, how: signal.Signals) -> int:
    """Start on a prompt that the model half answers, then signal the client and its children; its exit code."""
    desk.model.stalled.clear()
    process = _started(client, desk, prompt)
    try:
        assert desk.model.stalled.wait(SECONDS), "the prompt has not reached the model"
        wait_until(lambda: False, 0.5)  # the client writes its own transcript a moment later
        _signal(process, how)
        process.communicate(timeout=SECONDS)
    finally:
        _signal(process, signal.SIGKILL)
    return process.returncode


def _started(client: Client, desk: Desk, prompt: str, *options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        client.argv(desk, prompt, *options),
        cwd=desk.repo,
        env=client.environ(desk),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def _signal(process: subprocess.Popen[str], how: signal.Signals) -> None:
    """As a terminal does it: to the whole group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, how)
