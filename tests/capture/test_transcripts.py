"""What the readers make of transcripts that the real programs wrote, and of rows that only some versions write."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from sessions import RECORDED, machine, row, said, write

from hipocampus.hosts.host import Transcript
from hipocampus.hosts.registry import HOSTS

PNPM = ("assistant", "We chose pnpm, because it is strict.")
PROJECT = Path("/work/project")


def test_a_recorded_session_of_claude_code_gives_its_words():
    recorded = Transcript("s", RECORDED / "claude-code-fork.jsonl")
    words = ["please use pnpm here", "and Node 22", "forked words"]
    assert said(recorded) == [
        *(turn for text in words for turn in (("user", text), PNPM)),
        ("user", "/compact keep paths"),
    ]


def test_a_recorded_session_of_codex_gives_each_message_once():
    recorded = Transcript("s", RECORDED / "codex.jsonl")
    assert said(recorded, "codex") == [("user", "fix the parser"), PNPM, ("user", "and the lexer"), PNPM]


def test_claude_code_finds_the_sessions_of_a_project_and_its_folders(tmp_path: Path):
    projects = tmp_path / ".claude" / "projects"
    for folder, cwd in (("-a-b", "/a/b"), ("-a-b-c", "/a/b/c"), ("-a-b-c", "/a/b-c"), ("-a", "/a")):
        (projects / folder).mkdir(parents=True, exist_ok=True)
        write(projects / folder / f"{cwd.replace('/', '_')}.jsonl", [row(1, "x", cwd=cwd)])
    (projects / "-a-b" / "torn.jsonl").write_text('{"cwd":')
    found = HOSTS["claude-code"].transcripts(Path("/a/b"), machine(tmp_path))
    assert sorted(transcript.session for transcript in found) == ["_a_b", "_a_b_c"]


def test_sessions_come_oldest_first(tmp_path: Path):
    folder = tmp_path / "config" / "projects" / "-a"
    folder.mkdir(parents=True)
    for number, name in ((3, "late"), (1, "early"), (2, "middle")):
        write(folder / f"{name}.jsonl", [row(number, "x", cwd="/a")])
    found = HOSTS["claude-code"].transcripts(Path("/a"), machine(tmp_path, CLAUDE_CONFIG_DIR=str(tmp_path / "config")))
    assert [transcript.session for transcript in found] == ["early", "middle", "late"]


@pytest.mark.parametrize("host", ["claude-code", "codex", "opencode"])
def test_a_host_that_never_ran_has_no_sessions(tmp_path: Path, host: str):
    assert list(HOSTS[host].transcripts(PROJECT, machine(tmp_path))) == []
    assert HOSTS[host].transcript({"session_id": "s", "transcript_path": "/no/such"}, machine(tmp_path)) is None


def test_a_hook_inside_a_sub_agent_names_no_session(tmp_path: Path):
    payload = {"session_id": "s", "agent_id": "a", "transcript_path": str(RECORDED / "codex.jsonl")}
    assert HOSTS["claude-code"].transcript(payload, machine(tmp_path)) is None
    assert HOSTS["codex"].transcript(payload, machine(tmp_path)) is None


def test_a_prompt_that_waited_while_the_agent_worked_is_a_users_turn(tmp_path: Path):
    def queued(prompt: object, mode: str) -> dict[str, Any]:
        attachment = {"type": "queued_command", "prompt": prompt, "commandMode": mode}
        return {"type": "attachment", "uuid": f"q{prompt}", "attachment": attachment}

    rows = [queued("also the docs", "prompt"), queued("task done", "task-notification")]
    assert said(write(tmp_path / "s.jsonl", rows)) == [("user", "also the docs")]


def test_what_another_agent_sends_is_no_users_turn(tmp_path: Path):
    rows = [row(1, "from a peer", origin={"kind": "peer"}), row(2, "mine", origin={"kind": "human"})]
    assert said(write(tmp_path / "s.jsonl", rows)) == [("user", "mine")]


@pytest.mark.parametrize(
    "content", [None, 5, [], [None, 7], [{"type": "text"}], [{"type": "text", "text": 3}], {"a": 1}, [["x"]], ""]
)
@pytest.mark.parametrize("role", ["user", "assistant"])
def test_content_of_another_shape_says_nothing(tmp_path: Path, content: object, role: str):
    rows = [row(1, content, role), {"type": role}, {"type": role, "message": "x"}, {"type": ["x"]}]
    assert said(write(tmp_path / "s.jsonl", rows)) == []


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"command": "npm  test\n--all", "description": "Run"}, "Bash: npm test --all"),
        ({"file_path": "/a/b.py", "content": "x" * 9000}, "Bash: /a/b.py"),
        ({}, "Bash"),
        (None, "Bash"),
        ({"command": "x" * 500}, "Bash: " + "x" * 193 + "…"),
    ],
)
def test_a_call_of_a_tool_is_one_bounded_line(tmp_path: Path, given: object, line: str):
    rows = [row(1, [{"type": "tool_use", "id": "t", "name": "Bash", "input": given}], "assistant")]
    assert said(write(tmp_path / "s.jsonl", rows)) == [("tool", line)]


def rollout(path: Path, *payloads: tuple[str, dict[str, Any]]) -> Transcript:
    rows = [
        {"timestamp": f"2026-03-15T09:00:{n:02}Z", "type": kind, "payload": p} for n, (kind, p) in enumerate(payloads)
    ]
    return write(path, rows)


def test_an_older_rollout_gives_each_message_once(tmp_path: Path):
    def item(role: str, text: str) -> tuple[str, dict[str, Any]]:
        return "response_item", {"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}

    transcript = rollout(
        tmp_path / "rollout-x.jsonl",
        ("session_meta", {"id": "s", "cwd": "/work/project"}),
        item("user", "# AGENTS.md instructions for /x"),
        item("user", "<environment_context>x</environment_context>"),
        item("user", "fix it"),
        ("event_msg", {"type": "user_message", "message": "fix it"}),
        (
            "response_item",
            {"type": "function_call", "name": "shell", "arguments": '{"command":["ls","-l"]}', "call_id": "c"},
        ),
        ("event_msg", {"type": "agent_message", "message": "Done."}),
        item("assistant", "Done."),
    )
    assert said(transcript, "codex") == [("user", "fix it"), ("tool", "shell: ls -l"), ("assistant", "Done.")]


def test_a_rollout_with_events_only_is_read_by_its_events(tmp_path: Path):
    def event(kind: str, text: str) -> tuple[str, dict[str, Any]]:
        item = {"type": kind, "id": text, "content": [{"type": "Text", "text": text}]}
        return "event_msg", {"type": "item_completed", "turn_id": "t", "item": item}

    transcript = rollout(tmp_path / "rollout-x.jsonl", event("UserMessage", "fix it"), event("AgentMessage", "Done."))
    assert said(transcript, "codex") == [("user", "fix it"), ("assistant", "Done.")]


def test_codex_finds_sessions_of_a_project_but_not_those_of_its_sub_agents(tmp_path: Path):
    day = tmp_path / ".codex" / "sessions" / "2026" / "03" / "15"
    day.mkdir(parents=True)
    metas: list[dict[str, Any]] = [
        {"id": "mine", "cwd": "/work/project/sub"},
        {"id": "other", "cwd": "/work/projects"},
        {"id": "child", "cwd": "/work/project", "source": {"subagent": "review"}},
    ]
    for meta in metas:
        rollout(day / f"rollout-{meta['id']}.jsonl", ("session_meta", meta))
    shutil.copy(RECORDED / "codex.jsonl", day / "rollout-z.jsonl")
    found = [transcript.session for transcript in HOSTS["codex"].transcripts(PROJECT, machine(tmp_path))]
    assert found == ["mine", "01a22bdb-d06d-7333-900a-a0aa363ee891"]


def test_a_compressed_rollout_says_how_to_read_it(tmp_path: Path):
    path = tmp_path / "rollout-x.jsonl.zst"
    path.write_bytes(b"x")
    with pytest.raises(OSError, match="zstd -d"):
        list(HOSTS["codex"].read(Transcript("s", path), ""))


def opencode(home: Path, *messages: tuple[str, dict[str, Any], list[dict[str, Any]]]) -> Path:
    """A database with the tables of OpenCode 1.18 that are read, and one session `s` with a child `c`."""
    path = home / ".local/share/opencode/opencode.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE session (id, parent_id, directory, time_created)")
    database.execute("INSERT INTO session VALUES ('s', NULL, '/work/project', 1), ('c', 's', '/work/project', 2)")
    database.execute("CREATE TABLE message (id, session_id, time_created, data)")
    database.execute("CREATE TABLE part (id, message_id, data)")
    for number, (ident, data, parts) in enumerate(messages):
        database.execute("INSERT INTO message VALUES (?, 's', ?, ?)", (ident, number, json.dumps(data)))
        rows = [(f"{ident}.{at}", ident, json.dumps(part)) for at, part in enumerate(parts)]
        database.executemany("INSERT INTO part VALUES (?, ?, ?)", rows)
    database.commit()
    database.close()
    return path


USER: dict[str, Any] = {"role": "user", "time": {"created": 1}}
DONE: dict[str, Any] = {"role": "assistant", "time": {"created": 1, "completed": 2}}
WRITING: dict[str, Any] = {"role": "assistant", "time": {"created": 1}}


def text(words: str, **fields: Any) -> dict[str, Any]:
    return {"type": "text", "text": words, **fields}


def test_opencode_says_what_was_said_and_no_more(tmp_path: Path):
    tool = {"type": "tool", "tool": "bash", "state": {"input": {"command": "npm test"}, "output": "ok"}}
    path = opencode(
        tmp_path,
        ("m1", USER, [text('"hello oc"'), text("a file", synthetic=True)]),
        ("m2", DONE, [{"type": "reasoning", "text": "hm"}, text("Running."), tool]),
        ("m3", {**DONE, "summary": True}, [text("a recap")]),
    )
    words = [("user", "hello oc"), ("assistant", "Running."), ("tool", "bash: npm test")]
    assert said(Transcript("s", path), "opencode") == words


def test_an_answer_of_opencode_that_is_still_being_written_waits(tmp_path: Path):
    first = ("m1", USER, [text("hi")])
    path = opencode(tmp_path, first, ("m2", WRITING, [text("Hel")]))
    *_, last = HOSTS["opencode"].read(Transcript("s", path), "")
    assert [turn.text for turn in last.turns] == ["hi"]
    opencode(tmp_path, first, ("m2", DONE, [text("Hello.")]))
    assert said(Transcript("s", path), "opencode", last.cursor) == [("assistant", "Hello.")]


def test_a_prompt_of_opencode_whose_text_is_to_come_waits(tmp_path: Path):
    path = opencode(tmp_path, ("m1", USER, []))
    *_, last = HOSTS["opencode"].read(Transcript("s", path), "")
    opencode(tmp_path, ("m1", USER, [text("hi")]))
    assert said(Transcript("s", path), "opencode", last.cursor) == [("user", "hi")]


def test_a_cursor_of_opencode_whose_message_is_gone_is_the_beginning(tmp_path: Path):
    path = opencode(tmp_path, ("m1", USER, [text("hi")]))
    assert said(Transcript("s", path), "opencode", "7:gone") == [("user", "hi")]


def test_opencode_names_its_sessions_but_not_those_of_sub_agents(tmp_path: Path):
    opencode(tmp_path, ("m1", USER, [text("hi")]))
    host = HOSTS["opencode"]
    assert [found.session for found in host.transcripts(PROJECT, machine(tmp_path))] == ["s"]
    assert host.transcript({"session_id": "s"}, machine(tmp_path)) is not None
    assert host.transcript({"session_id": "c"}, machine(tmp_path)) is None


def test_the_layout_of_opencode_2_is_read_too(tmp_path: Path):
    path = opencode(tmp_path)
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE session_message (id, session_id, type, seq, time_created, data)")
    answer = {"content": [text("Hello."), {"type": "tool", "name": "bash", "state": {"input": {"command": "ls"}}}]}
    rows = [("a", "user", 1, {"text": "hi"}), ("b", "compaction", 2, {"summary": "x"}), ("c", "assistant", 3, answer)]
    for ident, kind, number, data in rows:
        values = (ident, kind, number, json.dumps(data))
        database.execute("INSERT INTO session_message VALUES (?, 's', ?, ?, 1, ?)", values)
    database.commit()
    database.close()
    assert said(Transcript("s", path), "opencode") == [("user", "hi"), ("assistant", "Hello."), ("tool", "bash: ls")]


def test_a_database_of_another_program_can_not_be_read(tmp_path: Path):
    path = tmp_path / "x.db"
    path.write_bytes(b"no database" * 500)
    with pytest.raises(OSError, match="can't read"):
        list(HOSTS["opencode"].read(Transcript("s", path), ""))
