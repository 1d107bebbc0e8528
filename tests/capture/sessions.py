"""What the tests of capture share: rows of Claude Code's transcripts, and a reading of them into a memory."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from support import CASES

from hipocampus.hosts.host import Machine, Transcript
from hipocampus.hosts.registry import HOSTS
from hipocampus.memory import Memory
from hipocampus.setup import capturing
from hipocampus.setup.capturing import Captured

CLAUDE = HOSTS["claude-code"]
RECORDED = Path(__file__).parent / "recorded"


def machine(home: Path, **environ: str) -> Machine:
    return Machine(home, environ, "linux")


def row(number: int, text: object, role: str = "user", **fields: Any) -> dict[str, Any]:
    """A row of a transcript; its second is its number."""
    when = f"2026-03-15T09:{number // 60:02}:{number % 60:02}.000Z"
    message = {"role": role, "content": text}
    return {"type": role, "uuid": f"u{number}", "timestamp": when, "message": message, **fields}


def lines(rows: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(each) + "\n" for each in rows)


def write(path: Path, rows: Iterable[Mapping[str, Any]]) -> Transcript:
    path.write_text(lines(rows), encoding="utf-8")
    return Transcript(path.stem, path)


def capture(memory: Memory, transcript: Transcript) -> Captured:
    return capturing.capture(memory, CLAUDE, transcript)


def take_case(name: str, tmp_path: Path, file: str = "transcript.jsonl") -> Transcript:
    """A case's transcript, as a copy with the paths of this test."""
    path = tmp_path / "transcript.jsonl"
    path.write_text((CASES / name / file).read_text("utf-8").replace("{{DIR}}", str(tmp_path)), "utf-8")
    return Transcript("s-0001", path)


def logs(memory: Memory) -> str:
    """All raw logs of a memory."""
    return "\n".join(path.read_text("utf-8") for path in sorted(memory.workspace.memory.glob("2*.md")))


def said(transcript: Transcript, host: str = "claude-code", cursor: str = "") -> list[tuple[str, str]]:
    """Voice and text of all turns of a transcript."""
    return [(turn.voice, turn.text) for batch in HOSTS[host].read(transcript, cursor) for turn in batch.turns]
