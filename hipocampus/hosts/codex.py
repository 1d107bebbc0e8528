"""Codex: hooks in `.codex/hooks.json`, a block in AGENTS.md, skills in `.agents/skills`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hipocampus import files
from hipocampus.hosts import answers, codex_trust, instructions, shipped
from hipocampus.hosts.edits import Edit, Hook
from hipocampus.hosts.host import Batch, Concern, Install, Machine, Transcript
from hipocampus.hosts.moments import CODEX

# Seconds; the host clamps SessionEnd to 3 and says so for more.
TIMEOUTS = {"SessionStart": 10, "UserPromptSubmit": 5, "Stop": 20, "PreCompact": 20, "SessionEnd": 3}
MATCHERS = {"SessionStart": "startup|resume|clear|compact"}


class Codex:
    """Codex CLI 0.171."""

    name = "codex"
    title = "Codex"
    reads_imports = False
    context_limit = 4 * answers.CODEX_TOKENS - 1_000

    def is_used(self, project: Path, machine: Machine) -> bool:
        """Whether the project has a folder of its own, or the person one; AGENTS.md proves nothing."""
        return files.is_present(project / ".codex") or files.is_present(codex_trust.home(machine))

    def edits(self, install: Install) -> Iterator[Edit]:
        """Five hooks, the block in AGENTS.md, the skills."""
        path = codex_trust.hook_file(install.project)
        for event in CODEX:
            yield Hook(path, event, MATCHERS.get(event, ""), _handler(install, event))
        yield from instructions.agents_blocks(install)
        yield from shipped.skills(".agents/skills")

    def concerns(self, install: Install, machine: Machine) -> Iterator[Concern]:
        """Hooks that are switched off, and those that nobody has approved: the host skips them without a word."""
        yield from codex_trust.concerns(install.project, machine)

    def transcripts(self, project: Path, machine: Machine) -> Iterator[Transcript]:
        """The sessions it has kept of this project, oldest first."""
        from hipocampus.hosts import codex_transcript

        return iter(codex_transcript.transcripts(project, machine))

    def transcript(self, payload: Mapping[str, object], machine: Machine) -> Transcript | None:
        """The session that a hook's payload speaks of."""
        from hipocampus.hosts import codex_transcript

        return codex_transcript.transcript(payload, machine)

    def read(self, transcript: Transcript, cursor: str) -> Iterator[Batch]:
        """What was said after a cursor."""
        from hipocampus.hosts import codex_transcript

        return codex_transcript.read(transcript, cursor)

    def answer(self, event: str, context: str) -> str:
        """What our hook prints."""
        return answers.of_host(self.name, event, context)


def _handler(install: Install, event: str) -> dict[str, Any]:
    """The host keeps a hash of it: no version and no option that changes may stand in it."""
    command = f"{install.hook} {event} --host {Codex.name} || exit 0"
    handler: dict[str, Any] = {"type": "command", "command": command, "timeout": TIMEOUTS[event]}
    return handler | ({"additionalContextLimit": answers.CODEX_TOKENS} if event == "SessionStart" else {})
