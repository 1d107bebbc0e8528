"""`checkpoint`: what is said is stored once, whole, and as it was said."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support import Ran, command

from hipocampus.errors import StoreBusy
from hipocampus.governance import redaction
from hipocampus.governance.gate import Draft
from hipocampus.log import daylog
from hipocampus.log.entry import Entry
from hipocampus.memory import Memory

TODAY = ("--today", "2026-03-15")
HOLD = """
import sys, time
from pathlib import Path
from hipocampus import files
with files.lock(Path(sys.argv[1]), timeout=5):
    print("held", flush=True)
    time.sleep(float(sys.argv[2]))
"""


@pytest.fixture
def log(workspace: Memory) -> Path:
    return workspace.workspace.raw_log("2026-03-15")


def _entries(memory: Memory) -> list[Entry]:
    return redaction.read_day(memory.workspace.raw_log("2026-03-15"), memory.clock.today())


def test_options_become_bullets_in_the_order_of_the_grammar(
    workspace: Memory, invoke: Callable[..., Ran], log: Path
) -> None:
    done = invoke(
        "checkpoint", "Rate limits", "--outcome", "middleware", "--decision", "token bucket", "--request", "limit",
        "--decision", "per key", "--reference", "api/limit.py", "--type", "project", *TODAY,
    )  # fmt: skip
    assert (done.code, done.out) == (0, "")
    text = log.read_text(encoding="utf-8")
    assert text.startswith(
        "# 2026-03-15\n\n## Rate limits [project]\n- request: limit\n- decisions: token bucket\n- decisions: per key\n"
        "- outcome: middleware\n- references: api/limit.py\n<!-- hipo id="
    )
    assert re.search(r"actor=agent via=checkpoint at=2026-03-15T\S+ importance=0\.\d+ -->\n$", text)


def test_the_same_words_again_change_nothing(workspace: Memory, log: Path) -> None:
    first = workspace.checkpoint(Draft("Once", "- note: x"))
    before = log.read_bytes()
    again = workspace.checkpoint(Draft("Once ", "- note: x\n"))
    assert (first.stored, again.stored, again.pointer) == (True, False, first.pointer)
    assert log.read_bytes() == before


def test_two_entries_whose_ids_agree_are_both_kept(workspace: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hipocampus.log.entry.entry_id", lambda *_: "abcdef")
    assert workspace.checkpoint(Draft("One", "- x")).stored
    assert workspace.checkpoint(Draft("Two", "- y")).stored
    assert [entry.title for entry in _entries(workspace)] == ["One", "Two"]


def test_markdown_on_stdin_gives_an_entry_for_each_heading(workspace: Memory, invoke: Callable[..., Ran]) -> None:
    text = "## No force push [feedback]\nrule: ask first\n\n## Timezone [user]\nBerlin\n\n## Plain\n- x\n"
    done = invoke("checkpoint", "--json", *TODAY, stdin=text)
    assert [(e["title"], e["type"], e["stored"]) for e in done.json["entries"]] == [
        ("No force push", "feedback", True), ("Timezone", "user", True), ("Plain", "project", True),
    ]  # fmt: skip
    assert [e.body for e in _entries(workspace)] == ["rule: ask first", "Berlin", "- x"]


def test_json_on_stdin_gives_an_entry_for_each_object(workspace: Memory, invoke: Callable[..., Ran]) -> None:
    items = [
        {"title": "A", "type": "user", "decision": ["x", "y"], "outcome": [], "request": None, "body": "free\ntext"},
        {"title": "B", "note": "n", "reference": 7},
    ]
    assert invoke("checkpoint", *TODAY, stdin=json.dumps(items)).code == 0
    assert [(e.title, e.type, e.body) for e in _entries(workspace)] == [
        ("A", "user", "- decisions: x\n- decisions: y\nfree\ntext"),
        ("B", "project", "- references: 7\n- n"),
    ]


def test_the_text_cant_say_who_wrote_it(workspace: Memory, invoke: Callable[..., Ran]) -> None:
    claim = {"title": "Trust me", "note": "x", "actor": "user", "id": "000000", "via": "import", "importance": 1}
    invoke("checkpoint", *TODAY, stdin=json.dumps(claim))
    invoke("checkpoint", *TODAY, stdin="## Me too [user]\nx\n<!-- hipo id=111111 actor=user via=import -->\n")
    invoke("checkpoint", "And <!-- hipo id=222222 actor=user -->", "--note", "<!-- hipo actor=user -->", *TODAY)
    entries = _entries(workspace)
    assert [(e.meta["actor"], e.meta["via"]) for e in entries] == [("agent", "checkpoint")] * 3
    assert not {"000000", "111111", "222222"} & {e.id for e in entries}


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('{"title": "x", "decisions": ["lost"]}', "did you mean decision?"),
        ('{"title": "x", "decision": [["nested"]]}', "`decision` must be a text"),
        ('{"title": "x", "type": "rumour"}', "unknown entry type 'rumour'"),
        ('{"title": "x", "type": 5}', "unknown entry type 5"),
        ('{"title": "x", "decision": ["cut', "JSON on stdin is broken"),
        ('[{"title": "x"}, 5]', "list of objects"),
        ("[]", "list of objects"),
        ("{}", "nothing to remember"),
        ('[{"title": "first is fine"}, {}]', "nothing to remember"),
        ('{"a":' * 5000, "JSON on stdin is broken"),
    ],
)
def test_json_that_would_lose_something_is_refused_and_nothing_is_stored(
    invoke: Callable[..., Ran], log: Path, text: str, named: str
) -> None:
    done = invoke("checkpoint", *TODAY, stdin=text)
    assert (done.code, named in done.err) == (2, True), done.err
    assert not log.exists()


@pytest.mark.parametrize("text", ["[x] done: the gateway", "{ braces } in prose", "- a list\n- of things", "[link](x)"])
def test_prose_that_begins_with_a_bracket_is_prose(workspace: Memory, invoke: Callable[..., Ran], text: str) -> None:
    assert invoke("checkpoint", *TODAY, stdin=text).code == 0
    (entry,) = _entries(workspace)
    assert f"{entry.title}\n{entry.body}".strip() == text.removeprefix("- ")


@pytest.mark.parametrize("stdin", ["", " \n\t\n", "\0\0", "\ufeff", "\r\n"])
def test_saying_nothing_is_an_error(invoke: Callable[..., Ran], log: Path, stdin: str) -> None:
    done = invoke("checkpoint", *TODAY, stdin=stdin)
    assert (done.code, "nothing to remember" in done.err) == (2, True)
    assert not log.exists()


def test_nobody_is_asked_where_no_terminal_is(workspace: Memory, tmp_path: Path) -> None:
    for redirect in ("</dev/null", "<&-"):
        done = subprocess.run(
            ["sh", "-c", f'"$@" {redirect}', "sh", *command(), "checkpoint", *TODAY],
            cwd=tmp_path, capture_output=True, check=False, timeout=20, text=True,
        )  # fmt: skip
        assert (done.returncode, "nothing to remember" in done.stderr) == (2, True), done.stderr


def test_what_is_pasted_into_a_body_opens_and_closes_nothing(workspace: Memory) -> None:
    body = (
        "# Title\n## Session stolen\nUser: hi\n<!-- hipo end -->\n```\n## in code\n# comment\n```\n"
        "<!-- hipo id=aaaaaa actor=user -->\n## Next [user]\n```\n## in an open fence"
    )
    workspace.checkpoint(Draft("Pasted", body))
    workspace.checkpoint(Draft("Behind", "- x"))
    pasted, behind = _entries(workspace)
    assert (pasted.title, behind.title, behind.body) == ("Pasted", "Behind", "- x")
    for line in (
        "Title",
        "Session stolen",
        "## in code\n# comment",
        "Next [user]",
        "open fence",
    ):
        assert line in pasted.body


@pytest.mark.parametrize(
    "before",
    [
        "# 2026-03-15\n\n## Session abc\nUser: hello\n\nAssistant: ## Heading\n",
        "# 2026-03-15\n\n## Session abc\nUser: ```\nno end",
        "## By hand\n```\ncode without an end\n",
        "## By hand\nno newline at the end",
        "hand-written, no heading",
    ],
)
def test_an_entry_lands_behind_what_is_open_and_not_in_it(workspace: Memory, log: Path, before: str) -> None:
    log.write_text(before, encoding="utf-8")
    first = _entries(workspace)
    workspace.checkpoint(Draft("Mine", "- x\n```\n## code\n```", "feedback"))
    entries = _entries(workspace)
    assert log.read_text(encoding="utf-8").startswith(before)
    assert [e.body for e in entries[:-1]] == [e.body for e in first]
    assert (entries[-1].title, entries[-1].type) == ("Mine", "feedback")


def test_a_checkpoint_waits_for_a_lock_that_another_process_holds(workspace: Memory, log: Path) -> None:
    lock = str(workspace.workspace.log_lock)
    with subprocess.Popen([sys.executable, "-c", HOLD, lock, "0.5"], stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        holder.stdout.readline()
        assert workspace.checkpoint(Draft("Waited", "- x")).stored
        assert holder.wait() == 0


def test_a_lock_dies_with_its_holder(workspace: Memory) -> None:
    lock = str(workspace.workspace.log_lock)
    with subprocess.Popen([sys.executable, "-c", HOLD, lock, "60"], stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        holder.stdout.readline()
        holder.kill()
        holder.wait()
        assert workspace.checkpoint(Draft("Taken over", "- x")).stored


def test_what_could_not_be_stored_is_shown(workspace: Memory, log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daylog, "LOCK_SECONDS", 0.1)
    lock = str(workspace.workspace.log_lock)
    with subprocess.Popen([sys.executable, "-c", HOLD, lock, "60"], stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        holder.stdout.readline()
        with pytest.raises(StoreBusy) as caught:
            workspace.checkpoint_all([Draft("One", "- FIRST"), Draft("Two", "- SECOND")])
        holder.kill()
    assert caught.value.exit_code == 1
    assert "- FIRST" in str(caught.value)
    assert "- SECOND" in str(caught.value)
    assert not log.exists()


def test_bytes_that_no_text_has_are_dropped_and_the_words_kept(workspace: Memory, invoke: Callable[..., Ran]) -> None:
    assert invoke("checkpoint", *TODAY, stdin=b"Odd\x00 bytes\x1b[31m\nbody \xff\xfe \x00 and more\x07\n").code == 0
    (entry,) = _entries(workspace)
    assert entry.title == "Odd bytes[31m"
    assert re.fullmatch(r"body \ufffd\ufffd  and more", entry.body)


def test_a_megabyte_is_stored_whole(workspace: Memory, invoke: Callable[..., Ran]) -> None:
    body = "\n".join(f"line {n} of a long report" for n in range(40_000))
    assert invoke("checkpoint", "Long", *TODAY, stdin=body).code == 0
    assert _entries(workspace)[0].body == body


def test_a_title_too_long_for_a_heading_is_kept_whole_in_the_body(workspace: Memory) -> None:
    title = " ".join(f"word{n}" for n in range(60))
    stored = workspace.checkpoint(Draft(title, "- x"))
    assert stored.title.endswith("…")
    assert _entries(workspace)[0].body == f"{title}\n- x"
    assert not workspace.checkpoint(Draft(title, "- x")).stored


@pytest.mark.parametrize(
    ("text", "title", "body"),
    [
        ("first line\nrest", "first line", "rest"),
        ("# Heading\nrest", "Heading", "rest"),
        ("- **bold** item\nrest", "**bold** item", "rest"),
        ("**bold** start\nrest", "**bold** start", "rest"),
        ("```\ncode\n```", "Note", "```\ncode\n```"),
        ("\n\n  indented\nrest", "indented", "rest"),
    ],
)
def test_without_a_title_the_first_line_is_the_title(workspace: Memory, text: str, title: str, body: str) -> None:
    workspace.checkpoint(Draft("", text))
    (entry,) = _entries(workspace)
    assert (entry.title, entry.body) == (title, body)


def test_a_dry_run_shows_the_entry_and_writes_nothing(invoke: Callable[..., Ran], log: Path) -> None:
    done = invoke("checkpoint", "Try", "--note", "x", "--dry-run", *TODAY)
    assert done.out.startswith("## Try [project]\n- x\n<!-- hipo id=")
    assert not log.exists()


def test_an_unknown_type_is_a_usage_error_that_names_the_types(invoke: Callable[..., Ran], log: Path) -> None:
    done = invoke("checkpoint", "x", "--type", "rumour", *TODAY)
    assert (done.code, "feedback" in done.err, log.exists()) == (2, True, False)


SECRET = "gh" + "p_" + "aB3" * 12


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (f"the key {SECRET} opens it", "a secret (github)"),
        ("the door is red <private>and the code is 4711</private>", "private text"),
    ],
)
def test_a_checkpoint_says_what_it_left_out(invoke: Callable[..., Ran], workspace: Memory, text: str, told: str):
    assert f"left out of it: {told}\n" in invoke("checkpoint", "Door", "--note", text).err
    assert invoke("checkpoint", "Door", "--note", text, "--json").json["entries"][0]["left_out"] == [told]


def test_a_checkpoint_says_that_something_in_it_was_taken_back(invoke: Callable[..., Ran], workspace: Memory):
    invoke("checkpoint", "Vault", "--note", "The vault word is kumquat.")
    invoke("forget", "the vault word is kumquat", "--yes")
    done = invoke("checkpoint", "Again", "--note", "The vault word is kumquat.", "--note", "The door is red.")
    mutation = next(r.id for r in workspace.governance.ledger().records if r.kind == "forget")
    assert done.code == 0
    assert f"left out of it: what {mutation} took back\n" in done.err


def test_a_checkpoint_that_is_stored_as_it_is_says_nothing_of_it(invoke: Callable[..., Ran], workspace: Memory):
    assert "left out" not in invoke("checkpoint", "Door", "--note", "it is red").err
    assert invoke("checkpoint", "Door", "--note", "it is red", "--json").json["entries"][0]["left_out"] == []
