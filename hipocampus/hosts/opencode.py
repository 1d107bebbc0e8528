"""OpenCode: a plugin in `.opencode/plugin`, instruction files in its settings, skills in `.agents/skills`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from hipocampus import files
from hipocampus.hosts import answers, instructions, shipped
from hipocampus.hosts.edits import Edit, ListValues, OwnFile
from hipocampus.hosts.host import Batch, Concern, Install, Machine, Transcript

SETTINGS = ("opencode.jsonc", "opencode.json", ".opencode/opencode.jsonc", ".opencode/opencode.json")
NEW_SETTINGS, NEW_PRIVATE_SETTINGS = SETTINGS[1], SETTINGS[3]
SCHEMA = "https://opencode.ai/config.json"
PLUGIN = ".opencode/plugin/hipocampus.js"
# Each of these keeps it from seeing what is in the project.
SWITCHES = ("OPENCODE_DISABLE_PROJECT_CONFIG", "OPENCODE_PURE")


class OpenCode:
    """OpenCode 1 and 2."""

    name = "opencode"
    title = "OpenCode"
    reads_imports = True
    context_limit = 0

    def is_used(self, project: Path, machine: Machine) -> bool:
        """Whether the project has settings or a folder of its own, or the person has."""
        environ, home = machine.environ, machine.home
        settings = Path(environ.get("XDG_CONFIG_HOME") or home / ".config") / "opencode"
        data = Path(environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "opencode"
        return any(map(files.is_present, (*(project / sign for sign in (*SETTINGS, ".opencode")), settings, data)))

    def edits(self, install: Install) -> Iterator[Edit]:
        """The plugin, the files that each session loads, a block in AGENTS.md, the skills."""
        text = shipped.template("opencode.js").replace('"@HOOK@"', json.dumps(install.hook))
        yield OwnFile(PLUGIN, text)
        hidden = ("CLAUDE.md",) if "codex" in install.hosts and _reads_claude(install) else ()
        yield ListValues(_settings_file(install), "instructions", (*hidden, *instructions.LOADED), SCHEMA)
        if "codex" in install.hosts or not _reads_claude(install):
            yield from instructions.agents_blocks(install)
        yield from shipped.skills(".agents/skills")

    def concerns(self, install: Install, machine: Machine) -> Iterator[Concern]:
        """Variables that make it leave out what is in the project."""
        for name in SWITCHES:
            if machine.environ.get(name):
                yield Concern(f"{name} is set: the plugin is not loaded", f"unset {name}")

    def transcripts(self, project: Path, machine: Machine) -> Iterator[Transcript]:
        """The sessions it has kept of this project, oldest first."""
        from hipocampus.hosts import opencode_transcript

        return iter(opencode_transcript.transcripts(project, machine))

    def transcript(self, payload: Mapping[str, object], machine: Machine) -> Transcript | None:
        """The session that a hook's payload speaks of."""
        from hipocampus.hosts import opencode_transcript

        return opencode_transcript.transcript(payload, machine)

    def read(self, transcript: Transcript, cursor: str) -> Iterator[Batch]:
        """What was said after a cursor."""
        from hipocampus.hosts import opencode_transcript

        return opencode_transcript.read(transcript, cursor)

    def answer(self, event: str, context: str) -> str:
        """What our hook prints; the plugin waits for it at a prompt only."""
        return answers.of_host(self.name, event, context) if event == "chat.message" else ""


def _settings_file(install: Install) -> str:
    """The settings that the project has, never a second file beside them; where nobody may see it, one of our own."""
    if install.is_stealth:
        return NEW_PRIVATE_SETTINGS if not (install.project / SETTINGS[2]).exists() else SETTINGS[2]
    return next((name for name in SETTINGS if (install.project / name).exists()), NEW_SETTINGS)


def _reads_claude(install: Install) -> bool:
    """Whether CLAUDE.md is what it reads for want of an AGENTS.md of somebody's."""
    project = install.project
    if instructions.is_same(project / "CLAUDE.md", project / instructions.AGENTS):
        return False
    has_claude = bool(instructions.own_words(project / "CLAUDE.md"))
    return has_claude and not instructions.own_words(project / instructions.AGENTS)
