"""What each host asks for in a project."""

from __future__ import annotations

from pathlib import Path

import pytest
from installs import blocks, edits, hooks, in_use, install, lists, machine, marked, own_files

from hipocampus.errors import UsageError
from hipocampus.hosts import registry
from hipocampus.hosts.moments import EVENTS
from hipocampus.hosts.registry import HOSTS

WITH_HOOKS = ("claude-code", "codex")


@pytest.mark.parametrize("name", WITH_HOOKS)
def test_every_event_has_a_hook_that_is_harmless_without_the_program(tmp_path: Path, name: str):
    found = hooks(edits(install(tmp_path, name)))
    assert set(found) == set(EVENTS[name])
    for event, hook in found.items():
        assert hook.handler["type"] == "command"
        assert hook.handler["command"] == f"hipocampus-hook {event} --host {name} || exit 0"


@pytest.mark.parametrize("name", WITH_HOOKS)
def test_timeouts_are_seconds_and_short(tmp_path: Path, name: str):
    found = hooks(edits(install(tmp_path, name)))
    assert all(isinstance(hook.handler["timeout"], int) for hook in found.values())
    assert all(1 <= hook.handler["timeout"] <= 60 for hook in found.values())


def test_codex_is_not_asked_for_more_than_its_three_seconds_at_the_end(tmp_path: Path):
    assert hooks(edits(install(tmp_path, "codex")))["SessionEnd"].handler["timeout"] == 3


def test_only_session_start_has_a_matcher(tmp_path: Path):
    found = hooks(edits(install(tmp_path, "claude-code")))
    assert found["SessionStart"].matcher == "startup|resume|clear|compact|fork"
    assert {hook.matcher for event, hook in found.items() if event != "SessionStart"} == {""}


@pytest.mark.parametrize("kind", [{"is_stealth": True}, {"is_shared": False}])
def test_a_hook_of_this_machine_goes_to_the_private_settings_of_claude_code(tmp_path: Path, kind: dict[str, bool]):
    found = hooks(edits(install(tmp_path, "claude-code", **kind)))  # type: ignore[arg-type]
    assert {hook.path for hook in found.values()} == {".claude/settings.local.json"}


def test_codex_hooks_stay_in_the_toml_that_has_some(tmp_path: Path):
    (tmp_path / ".codex").mkdir()
    config = tmp_path / ".codex/config.toml"
    config.write_text('[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "say done"\n')
    assert {hook.path for hook in hooks(edits(install(tmp_path, "codex"))).values()} == {".codex/config.toml"}
    (tmp_path / ".codex/hooks.json").write_text("{}")
    assert {hook.path for hook in hooks(edits(install(tmp_path, "codex"))).values()} == {".codex/hooks.json"}


@pytest.mark.parametrize("text", ["", "model = 'x'", "[hooks.state]\n", "[hooks", "hooks = 3", "\x00"])
def test_codex_hooks_go_to_hooks_json_where_the_toml_has_none(tmp_path: Path, text: str):
    (tmp_path / ".codex").mkdir()
    (tmp_path / ".codex/config.toml").write_text(text)
    assert hooks(edits(install(tmp_path, "codex")))["Stop"].path == ".codex/hooks.json"


def test_the_imports_stand_on_lines_of_their_own(tmp_path: Path):
    text = blocks(edits(install(tmp_path, "claude-code")))["CLAUDE.md"]
    imports = [line for line in text.splitlines() if line.startswith("@")]
    assert imports == ["@memory/ROOT.md", "@SCRATCHPAD.md", "@WORKING.md", "@TASK-QUEUE.md"]
    assert "@" not in text.partition("@memory")[0]


def test_imports_are_relative_to_the_file_that_holds_them(tmp_path: Path):
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude/CLAUDE.md").write_text("be brief\n")
    found = blocks(edits(install(tmp_path, "claude-code")))
    assert list(found) == [".claude/CLAUDE.md"]
    assert "\n@../memory/ROOT.md\n" in found[".claude/CLAUDE.md"]


def test_the_block_stays_in_the_file_that_has_it(tmp_path: Path):
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude/CLAUDE.md").write_text(f"be brief\n\n{marked('old')}")
    (tmp_path / "CLAUDE.md").write_text("made later\n")
    assert list(blocks(edits(install(tmp_path, "claude-code")))) == [".claude/CLAUDE.md"]


def test_a_claude_md_that_we_make_imports_the_agents_md_it_would_hide(tmp_path: Path):
    (tmp_path / "AGENTS.md").write_text("run the tests\n")
    first = blocks(edits(install(tmp_path, "claude-code")))["CLAUDE.md"]
    assert "\n@AGENTS.md\n@memory/ROOT.md\n" in first
    (tmp_path / "CLAUDE.md").write_text(marked(first))
    assert blocks(edits(install(tmp_path, "claude-code")))["CLAUDE.md"] == first
    (tmp_path / "CLAUDE.md").write_text(f"and be brief\n{marked(first)}")
    assert blocks(edits(install(tmp_path, "claude-code")))["CLAUDE.md"] == first


def test_a_private_claude_file_hides_agents_md_too_but_only_for_its_owner(tmp_path: Path):
    (tmp_path / "AGENTS.md").write_text("run the tests\n")
    hidden = install(tmp_path, "claude-code", is_stealth=True)
    assert "\n@AGENTS.md\n" in blocks(edits(hidden))["CLAUDE.local.md"]
    (tmp_path / "CLAUDE.local.md").write_text("my own wishes\n")
    assert "@AGENTS.md" not in blocks(edits(hidden))["CLAUDE.local.md"]
    assert "\n@AGENTS.md\n" in blocks(edits(install(tmp_path, "claude-code")))["CLAUDE.md"]


def test_a_claude_md_of_the_project_decides_itself_what_it_imports(tmp_path: Path):
    (tmp_path / "AGENTS.md").write_text("run the tests\n")
    (tmp_path / "CLAUDE.md").write_text("be brief\n")
    assert "@AGENTS.md" not in blocks(edits(install(tmp_path, "claude-code")))["CLAUDE.md"]


def test_an_agents_md_with_nothing_but_our_block_is_not_imported(tmp_path: Path):
    both = install(tmp_path, "claude-code", "codex")
    found = blocks(edits(both))
    for name, text in found.items():
        (tmp_path / name).write_text(marked(text))
    assert set(found) == {"CLAUDE.md", "AGENTS.md"}
    assert blocks(edits(both)) == found
    assert "@AGENTS.md" not in found["CLAUDE.md"]


def test_one_file_under_two_names_gets_one_block(tmp_path: Path):
    (tmp_path / "AGENTS.md").write_text("run the tests\n")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    found = blocks(edits(install(tmp_path, "claude-code", "codex", "opencode")))
    assert list(found) == ["CLAUDE.md"]
    assert "@AGENTS.md" not in found["CLAUDE.md"]


def test_codex_is_told_where_the_index_is_because_it_imports_nothing(tmp_path: Path):
    text = blocks(edits(install(tmp_path, "codex")))["AGENTS.md"]
    assert "`memory/ROOT.md`" in text
    assert "@" not in text


def test_opencode_loads_the_index_and_the_hot_files(tmp_path: Path):
    found = lists(edits(install(tmp_path, "opencode")))["opencode.json"]
    assert (found.key, found.schema) == ("instructions", "https://opencode.ai/config.json")
    assert found.values == ("memory/ROOT.md", "SCRATCHPAD.md", "WORKING.md", "TASK-QUEUE.md")


@pytest.mark.parametrize("name", ["opencode.jsonc", "opencode.json", ".opencode/opencode.jsonc"])
def test_opencode_never_gets_a_second_settings_file(tmp_path: Path, name: str):
    (tmp_path / ".opencode").mkdir()
    (tmp_path / name).write_text("{}")
    assert list(lists(edits(install(tmp_path, "opencode")))) == [name]


def test_opencode_gets_no_agents_md_that_would_hide_a_claude_md(tmp_path: Path):
    (tmp_path / "CLAUDE.md").write_text("be brief\n")
    assert blocks(edits(install(tmp_path, "opencode"))) == {}


def test_where_codex_needs_an_agents_md_opencode_is_told_of_the_hidden_claude_md(tmp_path: Path):
    (tmp_path / "CLAUDE.md").write_text("be brief\n")
    both = install(tmp_path, "codex", "opencode")
    assert lists(edits(both))["opencode.json"].values[0] == "CLAUDE.md"
    (tmp_path / "AGENTS.md").write_text(marked(blocks(edits(both))["AGENTS.md"]))
    assert lists(edits(both))["opencode.json"].values[0] == "CLAUDE.md"


def test_the_plugin_starts_the_hook_of_this_install(tmp_path: Path):
    hook = r'"C:\Users\A B\hipocampus-hook.exe"'
    text = own_files(edits(install(tmp_path, "opencode", hook=hook)))[".opencode/plugin/hipocampus.js"]
    assert r'const HOOK = "\"C:\\Users\\A B\\hipocampus-hook.exe\"" //' in text


def test_one_copy_of_the_skills_serves_codex_and_opencode(tmp_path: Path):
    all_three = own_files(edits(install(tmp_path, "claude-code", "codex", "opencode")))
    folders = {path.partition("/skills/")[0] for path in all_three if "/skills/" in path}
    assert folders == {".claude", ".agents"}
    assert all_three[".agents/skills/hipocampus-core/SKILL.md"].startswith("---\nname: hipocampus-core\n")


@pytest.mark.parametrize("name", HOSTS)
def test_stealth_touches_no_file_that_a_project_shares(tmp_path: Path, name: str):
    for shared in ("CLAUDE.md", "AGENTS.md", "opencode.json"):
        (tmp_path / shared).write_text("{}")
    found = {edit.path for edit in edits(install(tmp_path, name, is_stealth=True))}
    assert found.isdisjoint({"CLAUDE.md", "AGENTS.md", "opencode.json", ".claude/settings.json"})


@pytest.mark.parametrize("name", HOSTS)
def test_asking_twice_gives_the_same_edits(tmp_path: Path, name: str):
    assert edits(install(tmp_path, name)) == edits(install(tmp_path, name))


@pytest.mark.parametrize(
    ("sign", "names"),
    [
        (".claude/settings.json", ("claude-code",)),
        ("CLAUDE.local.md", ("claude-code",)),
        (".codex/config.toml", ("codex",)),
        ("opencode.jsonc", ("opencode",)),
        (".opencode/agent/x.md", ("opencode",)),
        ("AGENTS.md", ()),
        (".mcp.json", ()),
    ],
)
def test_a_host_is_found_by_its_own_signs(tmp_path: Path, sign: str, names: tuple[str, ...]):
    path = tmp_path / "project" / sign
    path.parent.mkdir(parents=True)
    path.write_text("")
    assert in_use(tmp_path / "project", machine(tmp_path / "home")) == names


def test_hosts_that_a_person_uses_are_found_in_every_project(tmp_path: Path):
    for folder in (".claude", ".codex", ".config/opencode"):
        (tmp_path / "home" / folder).mkdir(parents=True)
    assert in_use(tmp_path, machine(tmp_path / "home")) == tuple(HOSTS)


def test_moved_homes_are_looked_into(tmp_path: Path):
    for folder in ("c", "x", "d/opencode"):
        (tmp_path / folder).mkdir(parents=True)
    moved = {"CLAUDE_CONFIG_DIR": "c", "CODEX_HOME": "x", "XDG_DATA_HOME": "d"}
    here = machine(tmp_path / "home", **{name: str(tmp_path / folder) for name, folder in moved.items()})
    assert in_use(tmp_path / "project", here) == tuple(HOSTS)


def test_an_unknown_host_is_answered_with_the_nearest_name():
    with pytest.raises(UsageError) as caught:
        registry.host_named("claude")
    assert caught.value.hint == "did you mean claude-code?"
