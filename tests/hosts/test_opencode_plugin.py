"""The OpenCode plugin under a real node, in the form of OpenCode 1 and of 2."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from installs import edits, install, own_files

from hipocampus.hosts.moments import OPENCODE
from hipocampus.hosts.opencode import PLUGIN

NODE = shutil.which("node")
HOST = Path(__file__).with_name("plugin_host.mjs")
pytestmark = pytest.mark.skipif(not NODE, reason="needs node")
Play = Callable[..., tuple[dict[str, Any], list[dict[str, Any]]]]


PART = {"id": "prt_1", "sessionID": "s1", "messageID": "msg_1", "type": "text", "text": "where are the keys?"}
PROMPT = {"type": "chat.message", "properties": {"sessionID": "s1", "parts": [PART]}}


def event(kind: str, session: str = "s1", **more: object) -> dict[str, Any]:
    return {"type": kind, "properties": {"sessionID": session}, **more}


@pytest.fixture
def play(tmp_path: Path) -> Play:
    """Play events to the plugin; what the host saw, and the payloads that reached the hook."""

    def call(
        form: str,
        events: list[dict[str, Any]],
        *,
        runs: int,
        seconds: float = 0,
        says: str = "",
        environ: dict[str, str] | None = None,
        **more: object,
    ) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        got = tmp_path / "got dir"
        got.mkdir()
        hook = tmp_path / "a hook"
        hook.write_text(
            f'#!/bin/sh\nsleep {seconds}\ncat > "{got}/$$.tmp" && mv "{got}/$$.tmp" "{got}/$1 $3 $$"\necho \'{says}\'\n'
        )
        hook.chmod(0o755)
        plugin = tmp_path / "plugin.mjs"
        plugin.write_text(own_files(edits(install(tmp_path, "opencode", hook=f"'{hook}'")))[PLUGIN])
        scenario = {"directory": str(tmp_path), "worktree": "/", "events": events, **more}
        done = subprocess.run(
            [str(NODE), str(HOST), str(plugin), form, json.dumps(scenario)],
            capture_output=True,
            text=True,
            check=True,
            timeout=30,
            env={**os.environ, **(environ or {})},
        )
        return json.loads(done.stdout), [json.loads(path.read_text()) for path in arrived(got, runs)]

    return call


def arrived(folder: Path, runs: int) -> list[Path]:
    """The files of so many runs, and a moment later of no more."""
    deadline = time.monotonic() + 10
    while len(ready(folder)) < runs and time.monotonic() < deadline:
        time.sleep(0.02)
    time.sleep(0.2)
    return ready(folder)


def ready(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix != ".tmp")


def test_the_plugin_has_one_export_and_flat_hook_keys(play: Play):
    seen, _ = play("1", [], runs=0)
    assert seen["exports"] == ["default"]
    assert seen["keys"] == ["event", "chat.message", "experimental.session.compacting"]


def test_the_events_it_starts_the_hook_for_are_those_that_the_hook_knows(tmp_path: Path):
    text = own_files(edits(install(tmp_path, "opencode")))[PLUGIN]
    listed = text.partition("EVENTS = new Set([")[2].partition("])")[0]
    assert set(json.loads(f"[{listed.strip().rstrip(',')}]")) == set(OPENCODE) - {"chat.message"}


@pytest.mark.parametrize("said", ["", "no json", '{"hookSpecificOutput": {}}'])
def test_a_prompt_goes_on_as_it_is_where_memory_says_nothing(play: Play, said: str):
    seen, _ = play("1", [PROMPT], runs=0, says=said)
    assert (seen["errors"], [part["text"] for part in seen["parts"]]) == ([], ["where are the keys?"])


def test_what_memory_says_to_a_prompt_is_a_part_of_it_that_the_person_does_not_see(play: Play):
    seen, got = play("1", [PROMPT], runs=1, says='{"hookSpecificOutput": {"additionalContext": "by the door"}}')
    typed, recalled = seen["parts"]
    assert (recalled["text"], recalled["synthetic"], recalled["messageID"]) == ("by the door", True, "msg_1")
    assert recalled["id"] > typed["id"]
    assert got[0]["prompt"] == "where are the keys?"


def test_a_prompt_waits_for_memory_but_not_for_long(play: Play):
    seen, _ = play("1", [PROMPT], runs=0, seconds=4, says='{"hookSpecificOutput": {"additionalContext": "late"}}')
    assert len(seen["parts"]) == 1


def test_five_idles_are_one_run_with_session_and_folder(play: Play, tmp_path: Path):
    seen, got = play("1", [event("session.idle")] * 5, runs=1)
    assert seen["errors"] == []
    assert got == [{"session_id": "s1", "cwd": str(tmp_path), "hook_event_name": "session.idle"}]


def test_an_idle_after_something_was_said_is_a_run_of_its_own(play: Play):
    said = {"type": "message.updated", "properties": {"info": {"sessionID": "s1", "id": "m1"}}}
    _, got = play("1", [event("session.idle"), said, event("session.idle"), event("session.idle")], runs=2)
    assert len(got) == 2


@pytest.mark.parametrize("form", ["1", "2"])
def test_sessions_of_sub_agents_are_left_alone(play: Play, form: str):
    _, got = play(form, [event("session.idle", "child"), event("session.idle", "s1")], runs=1, parents={"child": "s1"})
    assert [payload["session_id"] for payload in got] == ["s1"]


def test_a_session_that_says_itself_whose_child_it_is_is_not_looked_up(play: Play):
    made = {"type": "session.created", "properties": {"info": {"id": "unknown", "parentID": "s1"}}}
    _, got = play("1", [made, event("session.idle", "unknown")], runs=0)
    assert got == []


def test_a_session_that_can_not_be_looked_up_is_a_session(play: Play):
    seen, got = play("1", [event("session.idle", "unknown")], runs=1)
    assert (seen["errors"], [payload["session_id"] for payload in got]) == ([], ["unknown"])


def test_the_events_of_a_whole_session_arrive_by_their_names(play: Play):
    made = {"type": "session.created", "properties": {"info": {"id": "s1"}}}
    compacting = event("experimental.session.compacting")
    gone = {"type": "session.deleted", "properties": {"info": {"id": "s1"}}}
    _, got = play("1", [made, event("session.idle"), compacting, gone], runs=4)
    assert sorted(payload["hook_event_name"] for payload in got) == [
        "session.compacting",
        "session.created",
        "session.deleted",
        "session.idle",
    ]


def test_a_slow_hook_does_not_hold_the_host_up(play: Play):
    begun = time.monotonic()
    seen, got = play("1", [event("session.idle")], runs=1, seconds=3)
    assert time.monotonic() - begun > 2.9
    assert seen["longest"] < 500
    assert len(got) == 1


def test_in_version_2_an_event_told_twice_counts_once(play: Play):
    done = event("session.execution.succeeded", id="e1")
    compacted = event("session.compaction.ended", id="e2")
    seen, got = play("2", [done, done, compacted, compacted], runs=2)
    assert seen["errors"] == []
    assert sorted(payload["hook_event_name"] for payload in got) == [
        "session.compaction.ended",
        "session.execution.succeeded",
    ]


def test_in_version_2_events_of_another_project_are_not_ours(play: Play):
    _, got = play("2", [event("session.execution.succeeded", location={"directory": "/elsewhere"})], runs=0)
    assert got == []


SAYS = '{"hookSpecificOutput": {"additionalContext": "<hipocampus-memory>by the door</hipocampus-memory>"}}'


def test_in_version_2_what_memory_says_to_a_prompt_is_a_message_in_front_of_it(play: Play):
    seen, got = play("2", [], runs=1, says=SAYS, prompts=[["s1", "where are the keys?"]])
    (told,) = seen["synthetic"]
    assert (told["sessionID"], told["text"], told["resume"]) == (
        "s1",
        "<hipocampus-memory>by the door</hipocampus-memory>",
        False,
    )
    assert (got[0]["prompt"], got[0]["session_id"], got[0]["hook_event_name"]) == (
        "where are the keys?",
        "s1",
        "chat.message",
    )


@pytest.mark.parametrize("more", [{"parents": {"s1": "s0"}}, {"places": {"s1": "/elsewhere"}}])
def test_in_version_2_prompts_of_sub_agents_and_of_other_projects_are_not_ours(play: Play, more: dict[str, Any]):
    seen, got = play("2", [], runs=0, says=SAYS, prompts=[["s1", "where are the keys?"]], **more)
    assert (seen["synthetic"], seen["errors"], got) == ([], [], [])


def test_in_version_2_a_prompt_goes_on_as_it_is_where_memory_says_nothing(play: Play):
    seen, _ = play("2", [], runs=1, says="no json", prompts=[["s1", "where are the keys?"]])
    assert (seen["synthetic"], seen["errors"]) == ([], [])


@pytest.mark.parametrize("form", ["1", "2"])
def test_inside_of_our_own_hook_the_plugin_does_nothing(play: Play, form: str):
    seen, got = play(form, [event("session.idle")], runs=0, environ={"HIPOCAMPUS_IN_HOOK": "1"})
    assert (seen["keys"], seen["errors"], got) == ([], [], [])


@pytest.mark.parametrize("form", ["1", "2"])
@pytest.mark.parametrize("properties", [None, {}, {"sessionID": 3}, {"info": None}, {"part": {}}])
def test_events_without_a_session_are_no_matter(play: Play, form: str, properties: object):
    seen, got = play(form, [{"type": "session.idle", "properties": properties}], runs=0)
    assert (seen["errors"], got) == ([], [])


def test_a_folder_that_is_gone_is_no_matter(play: Play):
    seen, got = play("1", [event("session.idle")], runs=0, directory="/nowhere/at/all", wait=200)
    assert (seen["errors"], got) == ([], [])
