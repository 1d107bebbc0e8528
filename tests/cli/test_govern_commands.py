"""forget, release, purge, correct, undo, ledger, review, why, export and import from the shell."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support import Ran

from hipocampus.cli.group import COMMANDS
from hipocampus.governance.gate import Draft
from hipocampus.memory import Memory

Call = Callable[..., Ran]


@pytest.fixture
def call(workspace: Memory, invoke: Call) -> Call:
    """The command on the day of the workspace, which holds two entries."""
    workspace.checkpoint(Draft("Hosting", "- We deploy to Heroku.\n- The contact is dora@example.com."))
    workspace.checkpoint(Draft("Move", "- We moved from Heroku to Fly.io."))
    return lambda *args, **more: invoke("--today", "2026-03-15", *args, **more)


def test_without_a_terminal_nothing_is_asked_and_nothing_is_done(call: Call, workspace: Memory):
    ran = call("forget", "dora@example.com")
    assert ran.code == 4
    assert "--yes" in ran.err
    assert "dora" in (workspace.workspace.memory / "2026-03-15.md").read_text()


def test_a_dry_run_shows_what_would_go_and_changes_nothing(call: Call, workspace: Memory):
    ran = call("forget", "dora@example.com", "--dry-run")
    assert ran.code == 0
    assert ran.out == "remove memory/2026-03-15.md:5  The contact is dora@example.com.\n"
    assert not workspace.workspace.ledger.exists()


def test_forget_with_yes_says_where_it_is_recorded(call: Call):
    ran = call("forget", "dora@example.com", "--yes", "--why", "asked to")
    assert ran.code == 0
    assert "ledger" in ran.err
    assert "dora" not in call("read", "2026-03-15").out
    assert "asked to" in call("ledger", "--verify").out


@pytest.mark.parametrize("command", ["forget", "purge", "release"])
def test_a_plan_is_one_json_document(call: Call, command: str):
    document = call(command, "dora@example.com", "--dry-run", "--json").json
    assert document["kind"] == command
    assert document["found"] == [
        {"source": "memory/2026-03-15.md", "line": 5, "text": "The contact is dora@example.com."}
    ]


def test_what_nobody_says_is_an_error_with_a_hint(call: Call):
    ran = call("forget", "zeppelin@example.com", "--yes")
    assert ran.code == 1
    assert "hint" in ran.err


def test_everything_is_a_usage_error(call: Call):
    assert call("forget", "*", "--yes").code == 2


def test_correct_wants_exactly_one_way(call: Call):
    assert call("correct", "we deploy to Heroku", "--yes").code == 2
    assert call("correct", "we deploy to Heroku", "x", "--retract", "--yes").code == 2


def test_a_correction_and_its_undo(call: Call):
    assert call("correct", "we deploy to Heroku", "We deploy to Fly.io.", "--yes").code == 0
    assert "We deploy to Fly.io." in call("search", "deploy").out
    assert "We deploy to Heroku" not in call("search", "deploy").out
    assert call("undo", "--json").json["kind"] == "correct"
    assert "We deploy to Heroku" in call("search", "deploy").out


def test_a_ledger_that_was_edited_fails_its_check(call: Call, workspace: Memory):
    call("release", "we deploy to Heroku", "--yes")
    path = workspace.workspace.ledger
    path.write_text(path.read_text().replace('"release"', '"dispute"'))
    assert call("ledger", "--verify").code == 4
    assert call("ledger", "--json").json["damages"][0]["line"] == 2


def test_review_lists_and_accepts(call: Call):
    [proposal] = call("review", "--json").json["proposals"]
    assert proposal["old"] == "We deploy to Heroku."
    assert call("review", "--accept", proposal["id"]).code == 0
    assert "We deploy to Heroku." not in call("search", "deploy").out
    assert call("review", "--accept", proposal["id"]).code == 1


def test_why_names_the_origin(call: Call, workspace: Memory):
    pointer = workspace.checkpoint(Draft("Move", "- We moved from Heroku to Fly.io.")).pointer
    workspace.compact()
    document = call("why", pointer, "--json").json
    assert (document["actor"], document["via"], document["state"]) == ("agent", "checkpoint", "stated")
    assert "memory/daily/2026-03-15.md" in document["cited_by"]


def test_an_export_is_imported_once(call: Call, tmp_path: Path):
    exported = call("export").out
    assert len(exported.splitlines()) == 2
    (tmp_path / "out.jsonl").write_text(exported)
    document = call("import", str(tmp_path / "out.jsonl"), "--json").json
    assert (document["stored"], document["present"]) == (0, 2)


@pytest.mark.parametrize(
    "line", ["{}", "no json", '{"date": "2026-13-01", "title": "x"}', '{"date": "2026-03-01", "title": 1}']
)
def test_a_broken_export_stores_nothing(call: Call, line: str):
    before = call("export").out
    good = '{"date": "2026-03-14", "title": "fine", "body": "x"}'
    assert call("import", "-", stdin=f"{good}\n{line}\n").code == 2
    assert call("export").out == before


def test_every_command_of_governance_is_listed():
    wanted = {"forget", "release", "purge", "correct", "undo", "ledger", "review", "export", "import", "why"}
    assert wanted <= set(COMMANDS)


def test_a_tenant_has_a_memory_of_its_own(call: Call, workspace: Memory, invoke: Call):
    root = workspace.workspace.root
    assert call("init", "--tenant", "acme").code == 0
    tenant = root / "tenants" / "acme"
    assert (tenant / "hipocampus.config.json").is_file()
    assert invoke("--today", "2026-03-15", "checkpoint", "Only acme knows quince", cwd=tenant).code == 0
    assert "quince" in invoke("--today", "2026-03-15", "search", "quince", cwd=tenant).out
    assert "quince" not in call("search", "quince").out
    assert "Heroku" not in invoke("--today", "2026-03-15", "search", "Heroku", cwd=tenant).out
    assert call("uninstall", "--tenant", "acme", "--purge", "--yes").code == 0
    assert not (tenant / "memory").exists()
    assert (root / "memory").is_dir()


@pytest.mark.parametrize("name", ["../x", "", "*", "a/b", "."])
def test_a_tenant_with_a_name_that_leads_elsewhere_is_refused(call: Call, name: str):
    assert call("init", "--tenant", name).code == 2
