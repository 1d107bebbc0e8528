"""What of the things that a host needs is in place: a look at files that changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from hipocampus import files
from hipocampus.errors import CheckFailed
from hipocampus.hosts.edits import Block, Edit, Hook, ListValues, OwnFile
from hipocampus.hosts.host import Host, Install, Machine
from hipocampus.hosts.registry import HOSTS
from hipocampus.layout import Workspace
from hipocampus.memory import Memory
from hipocampus.setup import hook_log, joined, record
from hipocampus.setup.edits import blocks, document, json_values, jsonc, toml_hooks

State = Literal["present", "missing", "stale", "broken"]
Kind = Literal["hook", "plugin", "skill", "block", "list"]
HOOK_FILES = (".claude/settings.json", ".claude/settings.local.json", ".codex/hooks.json", ".codex/config.toml")
"""Every file that may hold hooks of ours; one that a setup does not use should hold none."""


@dataclass(frozen=True, slots=True)
class Part:
    """
    One thing that a host needs, in the file `path`: `name` is the event of a hook, else the name of the file.

    `stale` is one that another version or another setup put there, `broken` a file that can't be read.
    """

    kind: Kind
    name: str
    path: str
    state: State
    problem: str = ""


@dataclass(frozen=True, slots=True)
class HostState:
    """A host that is set up: its parts, and when its hooks last ran and last captured something (local times)."""

    name: str
    title: str
    parts: tuple[Part, ...]
    last_hook: datetime | None
    last_capture: datetime | None

    @property
    def hooks(self) -> dict[str, State]:
        """The state of each hook by the event it is for; a plugin has all events of its host in one file."""
        return {part.name: part.state for part in self.parts if part.kind in ("hook", "plugin")}


def installed(memory: Memory, machine: Machine) -> Install:
    """How hipocampus is set up in a workspace, by its settings and by the record of what was added."""
    workspace = memory.workspace
    names = tuple(name for name in memory.config["platform"] if name in HOSTS)
    return joined.install_of(workspace.root, machine, names, is_stealth=record.load(workspace).is_stealth)


def look_at_all(workspace: Workspace, install: Install) -> tuple[HostState, ...]:
    """The state of every host of an install."""
    return tuple(look(workspace, install, HOSTS[name]) for name in install.hosts)


def look(workspace: Workspace, install: Install, host: Host) -> HostState:
    """The state of one host."""
    run = hook_log.last_run(str(workspace.state), host.name)
    return HostState(
        host.name,
        host.title,
        tuple(parts(install, host.edits(install))),
        datetime.fromtimestamp(run[1]).astimezone() if run else None,
        _last_capture(workspace, host),
    )


def parts(install: Install, edits: Iterable[Edit]) -> Iterator[Part]:
    """The state of each edit, in the order of the edits."""
    listed = list(edits)
    hooks = {path: _hooks(install, listed, path) for path in {e.path for e in listed if isinstance(e, Hook)}}
    for edit in listed:
        if isinstance(edit, Hook):
            yield hooks[edit.path][edit.event]
        else:
            yield _part(install.project, edit)


def doubled(install: Install, edits: Iterable[Edit]) -> Iterator[str]:
    """Files where a hook of ours stands that does not belong there: it would run twice."""
    listed = [edit for edit in edits if isinstance(edit, Hook)]
    for path in HOOK_FILES:
        hooks = [hook for hook in listed if hook.path == path]
        try:
            plain = _plain(install.project, path)
        except CheckFailed:
            continue
        missing, stale = json_values.missing_and_stale(plain, hooks)
        if {place.event for place in stale} - {hook.event for hook in missing}:
            yield path


def _hooks(install: Install, edits: Iterable[Edit], path: str) -> dict[str, Part]:
    """The hooks of one file by event."""
    wanted = [edit for edit in edits if isinstance(edit, Hook) and edit.path == path]
    try:
        missing, stale = json_values.missing_and_stale(_plain(install.project, path), wanted)
    except CheckFailed as error:
        return {hook.event: Part("hook", hook.event, path, "broken", str(error)) for hook in wanted}
    absent, old = {hook.event for hook in missing}, {place.event for place in stale}
    states: dict[str, State] = {event: "stale" if event in old else "missing" for event in absent}
    return {hook.event: Part("hook", hook.event, path, states.get(hook.event, "present")) for hook in wanted}


def _part(project: Path, edit: Block | ListValues | OwnFile) -> Part:
    kind, name = _kind(edit), PurePosixPath(edit.path).name
    try:
        return Part(kind, name, edit.path, _state(project, edit))
    except (CheckFailed, OSError) as error:
        return Part(kind, name, edit.path, "broken", str(error))


def _kind(edit: Block | ListValues | OwnFile) -> Kind:
    if isinstance(edit, OwnFile):
        return "skill" if "/skills/" in edit.path else "plugin"
    return "block" if isinstance(edit, Block) else "list"


def _state(project: Path, edit: Block | ListValues | OwnFile) -> State:
    """Raises CheckFailed and OSError."""
    path = project / edit.path
    if not path.exists():
        return "missing"
    if isinstance(edit, ListValues):
        listed = _plain(project, edit.path).get(edit.key)
        return "present" if isinstance(listed, list) and set(edit.values) <= {str(v) for v in listed} else "missing"
    text = files.read_text(path).text
    if isinstance(edit, OwnFile):
        return "present" if text == edit.text else "stale"
    body = blocks.body(text, blocks.MARKDOWN)
    if body is None:
        return "missing"
    return "present" if body == edit.text.splitlines() else "stale"


def _plain(project: Path, path: str) -> dict[str, Any]:
    """The document in a settings file; {} for one that is missing or empty. Raises CheckFailed."""
    try:
        text = document.decode((project / path).read_bytes(), path)
    except FileNotFoundError:
        return {}
    except OSError as error:
        message = f"can't read {path}: {error.strerror}"
        raise CheckFailed(message, hint="check the file's permissions") from error
    if path.endswith(".toml"):
        return toml_hooks.parse(text, path)
    plain = {} if jsonc.is_blank(text) else jsonc.parse(text, path).plain
    if not isinstance(plain, dict):
        message = f"{path} must hold a JSON object"
        raise CheckFailed(message, hint="mend the file by hand; it was left as it is")
    return plain


def _last_capture(workspace: Workspace, host: Host) -> datetime | None:
    """When a session of a host was last read, by the files that keep how far."""
    times = [path.stat().st_mtime for path in (workspace.state / "cursors").glob(f"{host.name}--*")]
    return datetime.fromtimestamp(max(times)).astimezone() if times else None
