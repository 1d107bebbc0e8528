"""Codex shortens its context: what the model writes for that is an assistant's item, but no answer to anybody."""

from __future__ import annotations

from pathlib import Path

import pytest
from sessions import lines, said

from hipocampus.hosts.host import Transcript


@pytest.mark.parametrize("marked", [True, False])
def test_a_summary_is_no_turn(tmp_path: Path, *, marked: bool) -> None:
    answer = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "So far: herons."}]}
    row = {"timestamp": "2026-03-15T09:00:00Z", "type": "response_item", "payload": answer}
    rollout = tmp_path / "rollout.jsonl"
    rollout.write_text(lines([row | {"metadata": {"compaction_output": marked}}]), encoding="utf-8")
    turns = said(Transcript("s", rollout), "codex")
    assert turns == ([] if marked else [("assistant", "So far: herons.")])
