"""Claude Code: hooks in `.claude/settings.json`, imports in CLAUDE.md, skills in `.claude/skills`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hipocampus import files
from hipocampus.hosts import answers, instructions, shipped
from hipocampus.hosts.edits import Edit, Hook
from hipocampus.hosts.host import Batch, Concern, Install, Machine, Transcript
from hipocampus.hosts.moments import CLAUDE_CODE

SHARED, PRIVATE = ".claude/settings.json", ".claude/settings.local.json"
# Seconds. Without one, all hooks of SessionEnd together get 1.5; the largest in a settings file raises that.
TIMEOUTS = {"SessionStart": 10, "UserPromptSubmit": 5, "Stop": 20, "PreCompact": 20, "SessionEnd": 10}
MATCHERS = {"SessionStart": "startup|resume|clear|compact|fork"}


class ClaudeCode:
    """Claude Code 2."""

    name = "claude-code"
    title = "Claude Code"
    reads_imports = True
    context_limit = answers.LONGEST

    def is_used(self, project: Path, machine: Machine) -> bool:
        """Whether the project has a file of its own, or the person a folder."""
        signs = (".claude", *instructions.CLAUDE_FILES, instructions.CLAUDE_PRIVATE)
        return any(files.is_present(project / sign) for sign in signs) or files.is_present(_home(machine))

    def edits(self, install: Install) -> Iterator[Edit]:
        """Five hooks, the block with imports, the skills."""
        path = PRIVATE if install.is_stealth or not install.is_shared else SHARED
        for event in CLAUDE_CODE:
            yield Hook(path, event, MATCHERS.get(event, ""), _handler(install, event))
        yield instructions.claude_block(install)
        yield from shipped.skills(".claude/skills")

    def concerns(self, install: Install, machine: Machine) -> Iterator[Concern]:
        """Hooks that are switched off, and transcripts that are not kept."""
        for path in (_home(machine) / "settings.json", install.project / SHARED, install.project / PRIVATE):
            if _settings(path).get("disableAllHooks") is True:
                yield Concern(f"{path} switches all hooks off", 'remove "disableAllHooks" from it')
        if machine.environ.get("CLAUDE_CODE_SKIP_PROMPT_HISTORY"):
            yield Concern(
                "CLAUDE_CODE_SKIP_PROMPT_HISTORY is set: there are no transcripts to remember from",
                "unset it for the sessions that are to be remembered",
            )

    def transcripts(self, project: Path, machine: Machine) -> Iterator[Transcript]:
        """The sessions it has kept of this project, oldest first."""
        from hipocampus.hosts import claude_transcript

        return iter(claude_transcript.transcripts(project, machine))

    def transcript(self, payload: Mapping[str, object], machine: Machine) -> Transcript | None:
        """The session that a hook's payload speaks of."""
        from hipocampus.hosts import claude_transcript

        return claude_transcript.transcript(payload, machine)

    def read(self, transcript: Transcript, cursor: str) -> Iterator[Batch]:
        """What was said after a cursor."""
        from hipocampus.hosts import claude_transcript

        return claude_transcript.read(transcript, cursor)

    def answer(self, event: str, context: str) -> str:
        """What our hook prints."""
        return answers.of_host(self.name, event, context)


def _handler(install: Install, event: str) -> dict[str, Any]:
    """Harmless where the program is missing or broken; `||` means the same to sh, bash, cmd and PowerShell 7."""
    command = f"{install.hook} {event} --host {ClaudeCode.name} || exit 0"
    return {"type": "command", "command": command, "timeout": TIMEOUTS[event]}


def _home(machine: Machine) -> Path:
    moved = machine.environ.get("CLAUDE_CONFIG_DIR")
    return Path(moved) if moved else machine.home / ".claude"


def _settings(path: Path) -> dict[str, Any]:
    """A settings file that can be read, else nothing: whoever edits it says what is wrong with it."""
    try:
        loaded = json.loads(files.read_text(path).text)
    except (OSError, ValueError, RecursionError):
        return {}
    return loaded if isinstance(loaded, dict) else {}
