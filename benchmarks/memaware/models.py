"""
Models that answer and judge: any OpenAI-compatible endpoint, any Anthropic one, or a command that reads a prompt.

A model is named `openai:NAME`, `anthropic:NAME` or `command:PROGRAM ARGUMENTS`. Keys come from OPENAI_API_KEY and
ANTHROPIC_API_KEY, other addresses from OPENAI_BASE_URL and ANTHROPIC_BASE_URL.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

_TRIES = 5
_SECONDS = 120.0
_AGAIN = frozenset({408, 409, 429, 500, 502, 503, 504, 529})


class ModelError(Exception):
    """A model did not answer, after as many tries as make sense."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said, and the tokens of prompt and answer as it counted them; 0 where it did not say."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0


class Model(Protocol):
    """Anything that answers a prompt."""

    def ask(self, system: str, prompt: str, most: int) -> Reply:
        """An answer of at most `most` tokens. Raises ModelError."""
        ...


@dataclass(frozen=True, slots=True)
class OpenAIModel:
    """Chat completions (platform.openai.com/docs/api-reference/chat), as many servers speak them."""

    name: str
    key: str
    address: str

    def ask(self, system: str, prompt: str, most: int) -> Reply:
        """As `Model.ask`."""
        body = {
            "model": self.name,
            "max_tokens": most,
            "temperature": 0,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": prompt}],
        }
        found = _post(f"{self.address}/chat/completions", {"authorization": f"Bearer {self.key}"}, body)
        usage = found.get("usage") or {}
        text = found["choices"][0]["message"].get("content") or ""
        return Reply(text, usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0))


@dataclass(frozen=True, slots=True)
class AnthropicModel:
    """Messages (docs.anthropic.com/en/api/messages)."""

    name: str
    key: str
    address: str

    def ask(self, system: str, prompt: str, most: int) -> Reply:
        """As `Model.ask`."""
        body = {
            "model": self.name,
            "max_tokens": most,
            "system": system,
            "messages": [{"role": "user", "content": prompt}],
        }
        headers = {"x-api-key": self.key, "anthropic-version": "2023-06-01"}
        found = _post(f"{self.address}/v1/messages", headers, body)
        usage = found.get("usage") or {}
        text = "".join(block.get("text", "") for block in found["content"])
        return Reply(text, usage.get("input_tokens", 0), usage.get("output_tokens", 0))


@dataclass(frozen=True, slots=True)
class CommandModel:
    """A program such as `claude -p`: the prompt on stdin, the answer on stdout. It counts no tokens."""

    command: tuple[str, ...]

    def ask(self, system: str, prompt: str, most: int) -> Reply:
        """As `Model.ask`."""
        try:
            done = subprocess.run(
                self.command, input=f"{system}\n\n{prompt}", capture_output=True, text=True, check=True, timeout=600
            )
        except (OSError, subprocess.SubprocessError) as error:
            message = f"{self.command[0]} failed: {error}"
            raise ModelError(message) from error
        return Reply(done.stdout.strip())


def model_named(name: str, environ: Mapping[str, str]) -> Model:
    """The model of a name. Raises ModelError for an unknown kind or a missing key."""
    kind, _, rest = name.partition(":")
    if kind == "command" and rest:
        return CommandModel(tuple(shlex.split(rest)))
    if kind == "openai" and rest:
        address = environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1")
        return OpenAIModel(rest, _key(environ, "OPENAI_API_KEY"), address.rstrip("/"))
    if kind == "anthropic" and rest:
        address = environ.get("ANTHROPIC_BASE_URL", "https://api.anthropic.com")
        return AnthropicModel(rest, _key(environ, "ANTHROPIC_API_KEY"), address.rstrip("/"))
    message = f"{name!r} names no model: use openai:NAME, anthropic:NAME or command:PROGRAM"
    raise ModelError(message)


def _key(environ: Mapping[str, str], name: str) -> str:
    if not environ.get(name):
        message = f"{name} is not set"
        raise ModelError(message)
    return environ[name]


def _post(
    url: str, headers: Mapping[str, str], body: Mapping[str, Any], *, wait: Callable[[float], None] = time.sleep
) -> dict[str, Any]:
    """The JSON that an endpoint answers; tried again, each time later, where it is busy or the line broke."""
    data = json.dumps(body).encode()
    problem = ""
    for attempt in range(_TRIES):
        request = urllib.request.Request(url, data, {"content-type": "application/json", **headers})
        try:
            with urllib.request.urlopen(request, timeout=_SECONDS) as response:
                found: dict[str, Any] = json.load(response)
                return found
        except urllib.error.HTTPError as error:
            problem = f"{error.code} {error.read(300).decode('utf-8', 'replace')}"
            if error.code not in _AGAIN:
                break
        except (OSError, ValueError) as error:
            problem = str(error)
        if attempt + 1 < _TRIES:
            wait(2.0**attempt)
    message = f"{url}: {problem}"
    raise ModelError(message)
