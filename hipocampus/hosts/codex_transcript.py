"""
The transcripts of Codex: rollouts, JSON lines in `~/.codex/sessions/YYYY/MM/DD/rollout-<time>-<session>.jsonl`.

A message stands there twice, as a `response_item` and as an `event_msg`. Items are what is read; the events of a
voice only where a file has no items of it. Compressed rollouts (`.jsonl.zst`) are not read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hipocampus.hosts import jsonlines, wrappers
from hipocampus.hosts.host import Batch, Machine, Transcript
from hipocampus.hosts.records import blocks, call_line, made_id, texts, time_of
from hipocampus.log.turns import Turn, Voice

_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
_CALLS = ("function_call", "custom_tool_call", "local_shell_call")
_TEXT_TYPES = ("text", "Text", "input_text", "output_text")
_GENUINE = "user.text"
_KINDS = ("internal_chat_message_metadata_passthrough", "content_item_kinds")
_VOICES: frozenset[Voice] = frozenset({"user", "assistant"})


def transcripts(project: Path, machine: Machine) -> Iterator[Transcript]:
    """The sessions of a project and of folders below it, oldest first."""
    home = Path(machine.environ.get("CODEX_HOME") or machine.home / ".codex")
    files = [*(home / "sessions").glob("*/*/*/rollout-*.jsonl"), *(home / "archived_sessions").glob("rollout-*.jsonl")]
    for path in sorted(files, key=lambda path: path.name):
        try:
            meta = _meta(path)
        except OSError:
            continue
        folder = Path(str(meta.get("cwd") or "/"))
        if not _is_agents(meta) and (folder == project or project in folder.parents):
            yield Transcript(str(meta.get("id") or _session(path)), path, folder)


def transcript(payload: Mapping[str, object], _machine: Machine) -> Transcript | None:
    """The transcript that a hook names; None for a sub-agent's, and where there is no such file."""
    path, folder, session = (payload.get(key) for key in ("transcript_path", "cwd", "session_id"))
    if payload.get("agent_id") or not isinstance(path, str) or not path:
        return None
    try:
        if not Path(path).is_file() or _is_agents(_meta(Path(path))):
            return None
    except (OSError, ValueError):
        return None
    return Transcript(
        session if isinstance(session, str) and session else _session(Path(path)),
        Path(path),
        Path(folder) if isinstance(folder, str) and folder else None,
    )


def read(transcript: Transcript, cursor: str) -> Iterator[Batch]:
    """What was said after a cursor. Raises OSError, for a compressed file too."""
    if transcript.path.suffix == ".zst":
        message = f"{transcript.path.name} is compressed; `zstd -d` makes a file that can be read"
        raise OSError(message)
    return jsonlines.batches(transcript.path, cursor, _Reader(_voices_of_items(transcript.path)).turns)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads items, and the events of the voices that have no items."""

    voices: frozenset[Voice]

    def turns(self, row: dict[str, Any]) -> Iterator[Turn]:
        payload = row.get("payload")
        if not isinstance(payload, dict) or _is_summary(row):
            return
        kind = payload.get("type")
        if row.get("type") == "response_item" and kind == "message":
            yield from _message(row, payload)
        elif row.get("type") == "response_item" and kind in _CALLS:
            line = call_line(payload.get("name") or "shell", _given(payload))
            yield from _turn(row, "tool", line, payload.get("call_id") or payload.get("id"))
        elif row.get("type") == "event_msg":
            yield from (turn for turn in _event(row, payload) if turn.voice not in self.voices)


def _is_summary(row: Mapping[str, Any]) -> bool:
    """Whether a row is what the model wrote to shorten the host's context: nobody's answer."""
    metadata = row.get("metadata")
    return isinstance(metadata, dict) and metadata.get("compaction_output") is True


def _message(row: Mapping[str, Any], payload: Mapping[str, Any]) -> Iterator[Turn]:
    parts = list(blocks(payload.get("content"), "input_text"))
    if payload.get("role") == "assistant":
        yield from _turn(row, "assistant", wrappers.without_own_block(texts(parts, *_TEXT_TYPES)), payload.get("id"))
    elif payload.get("role") == "user":
        passed = payload.get(_KINDS[0])
        kinds = passed.get(_KINDS[1]) if isinstance(passed, dict) else None
        if isinstance(kinds, list) and len(kinds) == len(parts):
            parts = [part for part, kind in zip(parts, kinds, strict=True) if kind == _GENUINE]
        yield from _turn(row, "user", _said(parts))


def _event(row: Mapping[str, Any], payload: Mapping[str, Any]) -> Iterator[Turn]:
    item = payload.get("item") if payload.get("type") == "item_completed" else None
    if isinstance(item, dict) and item.get("type") == "UserMessage":
        yield from _turn(row, "user", _said(blocks(item.get("content"), "text")))
    elif isinstance(item, dict) and item.get("type") == "AgentMessage":
        text = texts(blocks(item.get("content"), "Text"), *_TEXT_TYPES)
        yield from _turn(row, "assistant", wrappers.without_own_block(text), item.get("id"))
    elif payload.get("type") == "user_message":
        yield from _turn(row, "user", _said(blocks(payload.get("message"), "text")))
    elif payload.get("type") == "agent_message":
        text = texts(blocks(payload.get("message"), "text"), "text")
        yield from _turn(row, "assistant", wrappers.without_own_block(text))


def _said(parts: Any) -> str:
    said = (wrappers.spoken_by_person(texts([part], *_TEXT_TYPES)) for part in parts)
    return "\n\n".join(filter(None, said))


def _turn(row: Mapping[str, Any], voice: Voice, text: str, ident: object = None) -> Iterator[Turn]:
    """A turn with an id that item and event share: of the exchange it belongs to, and of its item or its text."""
    if not text.strip():
        return
    payload = row["payload"]
    passed = payload.get(_KINDS[0])
    exchange = payload.get("turn_id") or (passed.get("turn_id") if isinstance(passed, dict) else None)
    when = row.get("timestamp")
    yield Turn(made_id(exchange or when, voice, ident or text), voice, text, time_of(when))


def _given(payload: Mapping[str, Any]) -> object:
    action = payload.get("action")
    return action if isinstance(action, dict) else payload.get("arguments") or payload.get("input")


def _voices_of_items(path: Path) -> frozenset[Voice]:
    """The voices that speak by items: both where a user's item, even the host's own, comes early. Raises OSError."""
    items = (row.get("payload") for row in jsonlines.head(path) if row.get("type") == "response_item")
    roles = {item.get("role") for item in items if isinstance(item, dict)}
    return _VOICES if "user" in roles else _VOICES & roles


def _meta(path: Path) -> Mapping[str, Any]:
    """What a rollout says of itself in its first line. Raises OSError."""
    row = next(jsonlines.head(path), {})
    payload = row.get("payload")
    return payload if isinstance(payload, dict) and row.get("type") == "session_meta" else {}


def _is_agents(meta: Mapping[str, Any]) -> bool:
    """Whether a session was started by an agent, not by a person."""
    source = meta.get("source")
    return meta.get("thread_source") == "subagent" or (isinstance(source, dict) and "subagent" in source)


def _session(path: Path) -> str:
    match = _ID.search(os.fspath(path.stem))
    return match[0] if match else path.stem
