"""What a person must tell Codex before it runs a project's hooks. Read only: approving is the person's part."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hipocampus import files
from hipocampus.hosts.host import Concern, Machine
from hipocampus.hosts.moments import CODEX

HOOKS_JSON, CONFIG_TOML = ".codex/hooks.json", ".codex/config.toml"
# Keys of a handler that its hash covers; the others have no say.
_HASHED = ("type", "command", "timeout", "statusMessage", "additionalContextLimit")
# Events whose hooks the host picks by matcher; for the others a matcher counts for nothing.
_MATCHED = ("SessionStart", "PreCompact")


def home(machine: Machine) -> Path:
    """The folder of settings and sessions."""
    moved = machine.environ.get("CODEX_HOME")
    return Path(moved) if moved else machine.home / ".codex"


def hook_file(project: Path) -> str:
    """Where the project keeps its hooks: `config.toml` if they are there already, else `hooks.json`."""
    hooks = _table(_toml(project / CONFIG_TOML), "hooks")
    in_toml = any(event != "state" for event in hooks) and not (project / HOOKS_JSON).exists()
    return CONFIG_TOML if in_toml else HOOKS_JSON


def concerns(project: Path, machine: Machine) -> Iterator[Concern]:
    """Hooks switched off, a project that is not trusted, hooks that are not approved or were changed since."""
    own = home(machine) / "config.toml"
    settings = _toml(own)
    for path, loaded in ((own, settings), (project / CONFIG_TOML, _toml(project / CONFIG_TOML))):
        if _table(loaded, "features").get("hooks") is False:
            yield Concern(f"{path} switches hooks off", 'remove "hooks = false" from [features]')
    if not _is_trusted(project, settings):
        yield Concern(
            "the project is not trusted, so its hooks don't run",
            "start `codex` here, say that you trust it, then type /hooks and trust them",
        )
        return
    states = sorted(set(hook_states(project, settings)))
    off = ", ".join(event for event, state in states if state == "disabled")
    if off:
        yield Concern(f"hooks are switched off: {off}", "start `codex` here, type /hooks and switch them on")
    waiting = ", ".join(event for event, state in states if state in ("untrusted", "modified"))
    if waiting:
        yield Concern(f"hooks wait to be approved: {waiting}", "start `codex` here, type /hooks and trust them")


def hook_states(project: Path, settings: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """
    Each of our hooks with `trusted`, `modified`, `untrusted` or `disabled`, as the host would say it.

    `settings` is what stands in the person's `config.toml`. Source: codex-rs/hooks/src/engine/discovery.rs.
    """
    source = project / hook_file(project)
    approved = _table(_table(settings, "hooks"), "state")
    for event, place, digest in _our_hooks(source):
        keys = [f"{path}:{place}" for path in (source, source.resolve())]
        state = next((_table(approved, key) for key in keys if key in approved), {})
        if state.get("enabled") is False:
            yield event, "disabled"
        elif "trusted_hash" not in state:
            yield event, "untrusted"
        else:
            yield event, "trusted" if state["trusted_hash"] == digest else "modified"


def trusted_hash(event: str, matcher: str | None, handler: Mapping[str, Any]) -> str:
    """
    What the host remembers of an approved hook: a SHA-256 over its canonical JSON.

    Source: codex-rs/config/src/fingerprint.rs.
    """
    normal = {key: handler[key] for key in _HASHED if handler.get(key) is not None}
    identity: dict[str, Any] = {"event_name": _snake(event), "hooks": [{"timeout": 600, **normal, "async": False}]}
    if matcher is not None and event in _MATCHED:
        identity["matcher"] = matcher
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _our_hooks(source: Path) -> Iterator[tuple[str, str, str]]:
    """Event, place as the host writes it, and hash of every hook of ours in a file."""
    loaded = _toml(source) if source.suffix == ".toml" else _json(source)
    for event in CODEX:
        groups = _table(loaded, "hooks").get(event)
        for i, group in enumerate(groups if isinstance(groups, list) else ()):
            handlers = _table({"group": group}, "group").get("hooks")
            for j, handler in enumerate(handlers if isinstance(handlers, list) else ()):
                if isinstance(handler, dict) and "hipocampus-hook" in str(handler.get("command")):
                    digest = trusted_hash(event, group.get("matcher"), handler)
                    yield event, f"{_snake(event)}:{i}:{j}", digest


def _is_trusted(project: Path, settings: Mapping[str, Any]) -> bool:
    """Whether the folder or the repository it lies in is trusted."""
    known = _table(settings, "projects")
    top = next((folder for folder in (project, *project.parents) if (folder / ".git").exists()), project)
    folders = {str(path) for folder in (project, top) for path in (folder, folder.resolve())}
    return any(_table(known, folder).get("trust_level") == "trusted" for folder in folders)


def _snake(event: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", event).lower()


def _table(holder: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = holder.get(key)
    return found if isinstance(found, dict) else {}


def _toml(path: Path) -> dict[str, Any]:
    """A file that can be read, else nothing: whoever edits it says what is wrong with it."""
    try:
        return tomllib.loads(files.read_text(path).text)
    except (OSError, ValueError, RecursionError):
        return {}


def _json(path: Path) -> dict[str, Any]:
    try:
        loaded = json.loads(files.read_text(path).text)
    except (OSError, ValueError, RecursionError):
        return {}
    return loaded if isinstance(loaded, dict) else {}
