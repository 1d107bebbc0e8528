"""The `doctor` command and the hosts in `status`, as a person and as a program read them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support import Ran

from hipocampus.hosts.host import Machine
from hipocampus.hosts.registry import HOSTS
from hipocampus.setup import init
from hipocampus.setup.init import Choice

Invoke = Callable[..., Ran]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with Claude Code and OpenCode set up."""
    init.apply(init.plan(tmp_path, Choice(platforms=("claude-code", "opencode")), hosts=HOSTS, machine=Machine.here()))
    return tmp_path


def test_a_healthy_project_is_exit_code_0(project: Path, invoke: Invoke):
    ran = invoke("doctor")
    assert ran.code == 0
    assert "host     Claude Code, 5 of 5 hooks, last capture never" in ran.out
    assert ran.err == "nothing is wrong\n"


def test_a_missing_part_is_exit_code_4_until_it_is_mended(project: Path, invoke: Invoke):
    (project / ".opencode/plugin/hipocampus.js").unlink()
    ran = invoke("doctor")
    assert ran.code == 4
    assert "problem  .opencode/plugin/hipocampus.js is missing\n         run `hipocampus doctor --fix`" in ran.out
    mended = invoke("doctor", "--fix")
    assert (mended.code, "mended   .opencode/plugin/hipocampus.js" in mended.out) == (0, True)
    assert invoke("doctor", "--fix").out.count("mended") == 0


def test_what_can_not_be_mended_stays_exit_code_4(project: Path, invoke: Invoke):
    (project / "opencode.json").write_text("{ not json")
    ran = invoke("doctor", "--fix")
    assert ran.code == 4
    assert "opencode.json" in ran.out
    assert (project / "opencode.json").read_text() == "{ not json"


def test_json_has_the_hosts_and_every_finding(project: Path, invoke: Invoke):
    (project / ".opencode/plugin/hipocampus.js").unlink()
    document = invoke("doctor", "--json").json
    assert (document["healthy"], document["mended"]) == (False, [])
    finding = next(one for one in document["findings"] if one["is_wrong"])
    assert (finding["kind"], finding["host"]) == ("missing", "opencode")
    assert [host["name"] for host in document["hosts"]] == ["claude-code", "opencode"]


def test_help_and_an_unknown_option_change_nothing(project: Path, invoke: Invoke):
    plugin = project / ".opencode/plugin/hipocampus.js"
    plugin.unlink()
    assert invoke("doctor", "--fix", "--help").code == 0
    assert invoke("doctor", "--fixx").code == 2
    assert not plugin.exists()


def test_outside_of_a_workspace_doctor_is_exit_code_3(tmp_path: Path, invoke: Invoke):
    assert invoke("doctor").code == 3


def test_status_lists_the_hosts(project: Path, invoke: Invoke):
    (project / ".opencode/plugin/hipocampus.js").unlink()
    assert "host       OpenCode, 0 of 1 hooks (hipocampus.js missing), last capture never" in invoke("status").out
    claude, opencode = invoke("status", "--json").json["hosts"]
    assert claude["hooks"]["Stop"] == "present"
    assert (opencode["hooks"], opencode["last_capture"]) == ({"hipocampus.js": "missing"}, None)


def test_init_says_what_is_left_to_the_person(tmp_path: Path, invoke: Invoke):
    ran = invoke("init", "--platform", "codex")
    assert ran.code == 0
    assert "Codex: the project is not trusted" in ran.err
    assert "/hooks" in ran.err
    (blocked,) = invoke("init", "--json").json["blocked"]
    assert blocked["host"] == "codex"
