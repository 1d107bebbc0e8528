"""`doctor` finds what keeps a memory from working in its hosts, and mends what it may."""

from __future__ import annotations

import json
import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hipocampus.clock import Clock
from hipocampus.errors import CheckFailed
from hipocampus.hosts import codex_trust
from hipocampus.hosts.host import Machine
from hipocampus.hosts.moments import CLAUDE_CODE
from hipocampus.hosts.registry import HOSTS
from hipocampus.layout import find_workspace
from hipocampus.memory import Memory
from hipocampus.setup import doctor, hook_log, init
from hipocampus.setup.doctor import Finding
from hipocampus.setup.init import Choice
from hipocampus.setup.status import status

ALL = tuple(HOSTS)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine with our programs on its PATH, and nothing else."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("hipocampus", "hipocampus-hook"):
        (programs / name).write_text("#!/bin/sh\n")
        (programs / name).chmod(0o755)
    (tmp_path / "home").mkdir()
    return Machine(tmp_path / "home", {"PATH": str(programs)}, "linux")


def set_up(project: Path, machine: Machine, clock: Clock, *names: str) -> Memory:
    project.mkdir(exist_ok=True)
    planned = init.plan(project, Choice(platforms=names), hosts=HOSTS, machine=machine)
    init.apply(planned)
    if "codex" in names:
        approve_codex(project, machine)
    for name in names:
        hook_log.note_run(str(planned.workspace.state), name, "SessionStart")
    return Memory(find_workspace(project), clock=clock)


def approve_codex(project: Path, machine: Machine) -> None:
    """What a person does with /hooks."""
    lines = [f'[projects."{project}"]', 'trust_level = "trusted"']
    source = project / codex_trust.hook_file(project)
    for _, place, digest in codex_trust._our_hooks(source):
        lines += [f'[hooks.state."{source}:{place}"]', f'trusted_hash = "{digest}"']
    (machine.home / ".codex").mkdir(exist_ok=True)
    (machine.home / ".codex/config.toml").write_text("\n".join(lines))


def findings(memory: Memory, machine: Machine) -> list[Finding]:
    return list(doctor.examine(memory, machine, memory.clock.now()).findings)


def wrong(memory: Memory, machine: Machine) -> list[tuple[str, str]]:
    return [(finding.kind, finding.text) for finding in findings(memory, machine) if finding.is_wrong]


def notes(memory: Memory, machine: Machine) -> list[str]:
    return [finding.text for finding in findings(memory, machine) if not finding.is_wrong]


@pytest.fixture
def memory(tmp_path: Path, machine: Machine, clock: Clock) -> Memory:
    """A project that is set up for all hosts and healthy."""
    return set_up(tmp_path / "project", machine, clock, *ALL)


def test_a_fresh_setup_of_all_hosts_is_healthy(memory: Memory, machine: Machine):
    assert findings(memory, machine) == []


def test_every_finding_says_what_to_do(memory: Memory, machine: Machine):
    for path in (".claude/settings.json", ".codex/hooks.json", "SCRATCHPAD.md", "CLAUDE.md"):
        (memory.workspace.root / path).unlink()
    found = findings(memory, Machine(machine.home, {}, "linux"))
    assert len(found) > 4
    assert all(finding.hint for finding in found)


def test_a_hook_that_a_live_session_wrote_away_is_named_and_mended(memory: Memory, machine: Machine):
    settings = memory.workspace.root / ".claude/settings.json"
    loaded = json.loads(settings.read_text())
    before = settings.read_bytes()
    del loaded["hooks"]["Stop"], loaded["hooks"]["SessionEnd"]
    settings.write_text(json.dumps(loaded))
    assert wrong(memory, machine) == [("missing", ".claude/settings.json: missing hooks Stop, SessionEnd")]
    assert doctor.mend(memory, machine) == (".claude/settings.json",)
    assert wrong(memory, machine) == []
    assert json.loads(settings.read_bytes())["hooks"].keys() == json.loads(before)["hooks"].keys()


def test_a_hook_of_an_older_version_is_stale_and_mended(memory: Memory, machine: Machine):
    settings = memory.workspace.root / ".claude/settings.json"
    settings.write_text(settings.read_text().replace('"timeout": 20', '"timeout": 20000'))
    assert wrong(memory, machine) == [("stale", ".claude/settings.json: stale hooks Stop, PreCompact")]
    doctor.mend(memory, machine)
    assert wrong(memory, machine) == []
    assert "20000" not in settings.read_text()


def test_a_hook_of_the_javascript_hipocampus_is_doubled_and_mended(memory: Memory, machine: Machine):
    private = memory.workspace.root / ".claude/settings.local.json"
    old = {"type": "command", "command": "npx hipocampus compact --stdin", "timeout": 30000}
    private.write_text(json.dumps({"hooks": {"PreCompact": [{"hooks": [old]}]}}))
    assert wrong(memory, machine) == [
        ("doubled", ".claude/settings.local.json holds hooks of ours that belong elsewhere")
    ]
    doctor.mend(memory, machine)
    assert wrong(memory, machine) == []


def test_a_look_alike_of_somebody_else_is_no_matter(memory: Memory, machine: Machine):
    settings = memory.workspace.root / ".claude/settings.local.json"
    theirs = {"type": "command", "command": "/home/x/hipocampus-tools/lint.sh"}
    settings.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [theirs]}]}}))
    assert findings(memory, machine) == []


def test_hooks_that_wait_for_approval_are_not_ours_to_mend(memory: Memory, machine: Machine):
    (machine.home / ".codex/config.toml").write_text(f'[projects."{memory.workspace.root}"]\ntrust_level = "trusted"\n')
    (finding,) = findings(memory, machine)
    assert (finding.kind, finding.host, finding.is_mendable) == ("blocked", "codex", False)
    assert "/hooks" in finding.hint


def test_a_broken_settings_file_is_named_and_left_alone(memory: Memory, machine: Machine):
    settings = memory.workspace.root / ".claude/settings.json"
    settings.write_text('{"hooks": {')
    ((kind, text),) = wrong(memory, machine)
    assert (kind, ".claude/settings.json" in text) == ("broken", True)
    with pytest.raises(CheckFailed):
        doctor.mend(memory, machine)
    assert settings.read_text() == '{"hooks": {'


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".claude/settings.json", '{"enabledPlugins": {"claude-mem@thedotmack": true}}'),
        (".mcp.json", '{"mcpServers": {"basic-memory": {"command": "uvx", "args": ["basic-memory", "mcp"]}}}'),
        (".codex/config.toml", '[mcp_servers.mem0]\ncommand = "mem0-mcp"\n'),
        ("opencode.jsonc", '{"plugin": ["opencode-supermemory"] // two\n}'),
    ],
)
def test_another_memory_tool_is_good_to_know(tmp_path: Path, machine: Machine, clock: Clock, path: str, text: str):
    (tmp_path / "project" / path).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "project" / path).write_text(text)
    memory = set_up(tmp_path / "project", machine, clock, *ALL)
    (note,) = notes(memory, machine)
    assert "is set up as well" in note
    assert path in note
    assert wrong(memory, machine) == []


@pytest.mark.parametrize(
    "text",
    [
        '{"enabledPlugins": {"claude-mem@thedotmack": false}}',
        '{"mcpServers": {"memory": {"command": "remem0ry"}}}',
        '{"permissions": {"deny": ["Bash(mem0:*)"]}}',
        "{",
    ],
)
def test_a_tool_that_is_off_or_only_mentioned_is_no_tool(memory: Memory, machine: Machine, text: str):
    (memory.workspace.root / ".mcp.json").write_text(text)
    assert findings(memory, machine) == []


def test_the_plugin_of_claude_code_beside_our_hooks_runs_everything_twice(memory: Memory, machine: Machine):
    (machine.home / ".claude").mkdir(exist_ok=True)
    (machine.home / ".claude/settings.json").write_text('{"enabledPlugins": {"hipocampus@hipocampus-tools": true}}')
    assert notes(memory, machine)[0].startswith("the hipocampus plugin is set up as well")


def test_a_program_that_is_not_on_path_is_told(tmp_path: Path, machine: Machine, clock: Clock):
    bare = Machine(machine.home, {"PATH": "/nowhere"}, "linux")
    memory = set_up(tmp_path / "project", bare, clock, "claude-code")
    said = notes(memory, bare)
    assert any("not on PATH" in note for note in said)
    assert any("a program of this machine" in note for note in said)
    assert wrong(memory, bare) == []


def test_a_program_that_has_left_path_since_is_mended(memory: Memory, machine: Machine):
    bare = Machine(machine.home, {"PATH": "/nowhere"}, "linux")
    kinds = {kind for kind, _ in wrong(memory, bare)}
    assert {"missing", "stale", "doubled"} & kinds
    doctor.mend(memory, bare)
    approve_codex(memory.workspace.root, bare)
    assert wrong(memory, bare) == []


def test_failures_of_hooks_are_told_for_three_days(memory: Memory, machine: Machine):
    hook_log.append(str(memory.workspace.state), "codex Stop error: no space left")
    now = datetime.now(UTC)
    fresh = doctor.examine(memory, machine, now).findings
    late = doctor.examine(memory, machine, now + timedelta(days=4)).findings
    assert ["no space left" in finding.text for finding in fresh] == [True]
    assert late == ()


def test_a_host_whose_hooks_never_ran_is_told(memory: Memory, machine: Machine):
    (memory.workspace.state / "hooks/opencode").unlink()
    assert notes(memory, machine) == ["no hook of OpenCode has run in this project yet"]


def test_a_missing_hot_file_is_made_again(memory: Memory, machine: Machine):
    (memory.workspace.root / "WORKING.md").unlink()
    assert [kind for kind, _ in wrong(memory, machine)] == ["memory"]
    assert doctor.mend(memory, machine) == ("WORKING.md",)


def test_mending_sets_up_no_host_that_is_not_set_up(workspace: Memory, machine: Machine):
    (workspace.workspace.root / "WORKING.md").unlink()
    (machine.home / ".claude").mkdir()
    assert doctor.mend(workspace, machine) == ("WORKING.md",)
    assert "no host is set up" in notes(workspace, machine)


def test_status_shows_each_hook_and_the_last_capture(memory: Memory, machine: Machine):
    root = memory.workspace.root
    cursor = memory.workspace.state / "cursors/claude-code--s1"
    cursor.parent.mkdir()
    cursor.write_text("")
    os.utime(cursor, (1_700_000_000, 1_700_000_000))
    (root / ".opencode/plugin/hipocampus.js").unlink()
    claude, codex, opencode = status(memory, machine).hosts
    assert claude.hooks == codex.hooks == dict.fromkeys(CLAUDE_CODE, "present")
    assert opencode.hooks == {"hipocampus.js": "missing"}
    assert claude.last_capture
    assert (claude.last_capture.timestamp(), codex.last_capture) == (1_700_000_000, None)


def test_looking_changes_nothing(memory: Memory, machine: Machine):
    root = memory.workspace.root
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    findings(memory, machine)
    status(memory, machine)
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


def test_doctor_is_quick(memory: Memory, machine: Machine):
    begun = time.perf_counter()
    findings(memory, machine)
    assert time.perf_counter() - begun < 5
