"""The hosts that we know, by name."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from types import MappingProxyType

from hipocampus.errors import UsageError
from hipocampus.hosts.claude_code import ClaudeCode
from hipocampus.hosts.codex import Codex
from hipocampus.hosts.host import Host
from hipocampus.hosts.opencode import OpenCode

HOSTS: Mapping[str, Host] = MappingProxyType({host.name: host for host in (ClaudeCode(), Codex(), OpenCode())})


def host_named(name: str) -> Host:
    """The host of that name. Raises UsageError with the nearest name for one that we don't know."""
    if name in HOSTS:
        return HOSTS[name]
    near = difflib.get_close_matches(name, HOSTS, n=1)
    message = f"unknown host {name!r}"
    raise UsageError(message, hint=f"did you mean {near[0]}?" if near else f"known are {', '.join(HOSTS)}")
