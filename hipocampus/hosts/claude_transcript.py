"""
The transcripts of Claude Code: JSON lines in `~/.claude/projects/<folder>/<session>.jsonl`.

Only rows of the types `user` and `assistant`, and prompts that were queued while the agent worked
(`attachment` of type `queued_command`), are words of a session. The format is the host's own and may change:
whatever is not known is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hipocampus.hosts import jsonlines, wrappers
from hipocampus.hosts.host import Batch, Machine, Transcript
from hipocampus.hosts.records import blocks, call_line, made_id, texts, time_of
from hipocampus.log.turns import Turn, Voice

# Recaps, notes of the host, errors of the API, and what sub-agents said.
_NOT_SAID = (
    "isMeta",
    "isCompactSummary",
    "repeatsCompactSummary",
    "isVisibleInTranscriptOnly",
    "isVirtual",
    "isApiErrorMessage",
    "isSidechain",
)
_LONGEST_FOLDER = 200


def transcripts(project: Path, machine: Machine) -> Iterator[Transcript]:
    """The sessions of a project and of folders below it, oldest first."""
    found: list[tuple[str, float, Transcript]] = []
    for path in _files(project, machine):
        try:
            folder, since = _head(path)
            if folder and (folder == project or project in folder.parents):
                found.append((since, path.stat().st_mtime, Transcript(path.stem, path, folder)))
        except OSError:
            continue
    yield from (each for _, _, each in sorted(found, key=lambda item: item[:2]))


def transcript(payload: Mapping[str, object], _machine: Machine) -> Transcript | None:
    """The transcript that a hook names; None for a sub-agent's, and where there is no such file."""
    path, folder = payload.get("transcript_path"), payload.get("cwd")
    if payload.get("agent_id") or not isinstance(path, str) or not path:
        return None
    try:
        if not Path(path).is_file():
            return None
    except ValueError:
        return None
    session = payload.get("session_id")
    return Transcript(
        session if isinstance(session, str) and session else Path(path).stem,
        Path(path),
        Path(folder) if isinstance(folder, str) and folder else None,
    )


def read(transcript: Transcript, cursor: str) -> Iterator[Batch]:
    """What was said after a cursor. Raises OSError."""
    return jsonlines.batches(transcript.path, cursor, _turns)


def _files(project: Path, machine: Machine) -> Iterator[Path]:
    """Files that may belong to a project: the name of a folder says less than its path."""
    home = machine.environ.get("CLAUDE_CONFIG_DIR")
    projects = (Path(home) if home else machine.home / ".claude") / "projects"
    name = re.sub(r"[^0-9A-Za-z]", "-", str(project))[:_LONGEST_FOLDER]
    try:
        folders = sorted(folder for folder in projects.iterdir() if folder.name.startswith(name))
    except OSError:
        return
    for folder in folders:
        try:
            yield from sorted(folder.glob("*.jsonl"))
        except OSError:
            continue


def _head(path: Path) -> tuple[Path | None, str]:
    """The folder a session ran in and when it began, from its first rows. Raises OSError."""
    since = ""
    for row in jsonlines.head(path):
        since = since or str(row.get("timestamp") or "")
        if isinstance(row.get("cwd"), str):
            return Path(row["cwd"]), since
    return None, since


def _turns(row: dict[str, Any]) -> Iterator[Turn]:
    if any(row.get(flag) for flag in _NOT_SAID):
        return
    kind = row.get("type")
    if kind == "attachment":
        yield from _queued(row)
        return
    message = row.get("message")
    if not isinstance(message, dict):
        return
    content = list(blocks(message.get("content"), "text"))
    if kind == "user" and _is_person(row) and not any(block.get("type") == "tool_result" for block in content):
        said = [wrappers.spoken_by_person(block["text"]) for block in content if _is_text(block)]
        yield from _turn(row, "user", "\n\n".join(filter(None, said)))
    elif kind == "assistant":
        yield from _turn(row, "assistant", wrappers.without_own_block(texts(content, "text")))
        calls = [block for block in content if block.get("type") == "tool_use"]
        for number, call in enumerate(calls):
            yield from _turn(row, "tool", call_line(call.get("name"), call.get("input")), str(call.get("id") or number))


def _queued(row: dict[str, Any]) -> Iterator[Turn]:
    """A prompt that was typed while the agent still worked."""
    attachment = row.get("attachment")
    if not isinstance(attachment, dict) or attachment.get("type") != "queued_command":
        return
    if attachment.get("commandMode") in (None, "prompt") and _is_person(attachment) and not attachment.get("isMeta"):
        prompt = texts(blocks(attachment.get("prompt"), "text"), "text")
        yield from _turn(row, "user", wrappers.spoken_by_person(prompt))


def _is_person(row: Mapping[str, Any]) -> bool:
    origin = row.get("origin")
    return not isinstance(origin, dict) or origin.get("kind") in (None, "human")


def _is_text(block: Mapping[str, Any]) -> bool:
    return block.get("type") == "text" and isinstance(block.get("text"), str)


def _turn(row: Mapping[str, Any], voice: Voice, text: str, part: str = "") -> Iterator[Turn]:
    if not text.strip():
        return
    uuid = row.get("uuid")
    ident = uuid if isinstance(uuid, str) and uuid else made_id(row.get("timestamp"), voice, text)
    yield Turn(f"{ident}/{part}" if part else ident, voice, text, time_of(row.get("timestamp")))
