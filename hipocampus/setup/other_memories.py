"""Other tools that remember in the same hosts: both would tell the model of the past, and pay for it twice."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hipocampus import files
from hipocampus.errors import CheckFailed
from hipocampus.hosts.host import Machine
from hipocampus.setup.edits import jsonc

# Names as they stand in commands, packages, servers and plugins.
TOOLS = (
    "claude-mem",
    "mem0",
    "openmemory",
    "memsearch",
    "basic-memory",
    "supermemory",
    "honcho",
    "memorix",
    "agentmemory",
    "claude-remember",
)
_NAMES = re.compile(rf"(?<![a-z0-9])(?:{'|'.join(map(re.escape, TOOLS))})(?![a-z0-9])", re.I)
_OUR_PLUGIN = re.compile(r'"hipocampus@[^"]*"')
# Where settings name programs; other parts hold paths and prose, in which a name means nothing.
_TABLES = ("hooks", "mcp", "mcpServers", "mcp_servers", "plugin", "plugins", "enabledPlugins")
_IN_PROJECT = (
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".mcp.json",
    ".codex/hooks.json",
    ".codex/config.toml",
    "opencode.json",
    "opencode.jsonc",
    ".opencode/opencode.json",
    ".opencode/opencode.jsonc",
)
_AT_HOME = (
    ".claude/settings.json",
    ".codex/hooks.json",
    ".codex/config.toml",
    ".config/opencode/opencode.json",
    ".config/opencode/opencode.jsonc",
)


def other_memories(project: Path, machine: Machine) -> Iterator[tuple[str, Path]]:
    """Each tool with the settings file that names it, and `the hipocampus plugin` where that runs besides our hooks."""
    for path in (*(project / name for name in _IN_PROJECT), *(machine.home / name for name in _AT_HOME)):
        text = _programs(path)
        for name in sorted({match[0].lower() for match in _NAMES.finditer(text)}):
            yield name, path
        if _OUR_PLUGIN.search(text):
            yield "the hipocampus plugin", path
    for folder in (".opencode/plugin", ".opencode/plugins"):
        for path in sorted((project / folder).glob("*.[jt]s")):
            if _NAMES.search(path.stem) or (path.stem == "hipocampus" and folder.endswith("s")):
                yield path.stem, path


def _programs(path: Path) -> str:
    """The parts of a settings file that name programs, as JSON; "" for one that can't be read."""
    try:
        text = files.read_text(path).text
        plain = tomllib.loads(text) if path.suffix == ".toml" else jsonc.parse(text, path.name).plain
    except (OSError, ValueError, RecursionError, CheckFailed):
        return ""
    found = {key: _enabled(plain[key]) for key in _TABLES if key in plain} if isinstance(plain, dict) else {}
    return json.dumps(found, default=str)


def _enabled(value: Any) -> Any:
    """Without entries that are switched off."""
    if not isinstance(value, dict):
        return value
    return {
        k: v for k, v in value.items() if v is not False and not (isinstance(v, dict) and v.get("enabled") is False)
    }
