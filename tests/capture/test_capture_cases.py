"""The cases of capture: what stands in the raw log after transcripts that led other tools astray."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from sessions import CLAUDE, capture, logs, machine, take_case
from support import CASES, Ran

from hipocampus.hosts.host import Transcript
from hipocampus.memory import Memory


def test_a_transcript_that_is_read_again_and_then_grows_is_stored_once(workspace: Memory, tmp_path: Path):
    transcript = take_case("01-precompact-repeat", tmp_path)
    capture(workspace, transcript)
    first = logs(workspace)
    for _ in range(2):
        assert capture(workspace, transcript).turns == 0
    assert logs(workspace) == first
    take_case("01-precompact-repeat", tmp_path, "transcript-later.jsonl")
    assert [capture(workspace, transcript).turns for _ in range(2)] == [2, 0]
    assert re.findall("MARK-[A-Z]+", logs(workspace)) == [f"MARK-{n}" for n in ("ONE TWO THREE FOUR FIVE SIX".split())]


def test_of_one_uuid_with_two_texts_the_later_one_stands(workspace: Memory, tmp_path: Path):
    transcript = take_case("03-same-uuid-variants", tmp_path)
    capture(workspace, transcript)
    capture(workspace, transcript)
    found = re.findall("MARK-[A-Z]+.*", logs(workspace))
    assert found == ["MARK-SAME", "MARK-BRANCH", "MARK-TEXT, corrected"]


def test_a_recap_of_the_host_is_nobodys_words(workspace: Memory, tmp_path: Path):
    capture(workspace, take_case("04-compact-summary-as-user", tmp_path))
    assert re.findall("User: .*(MARK-[A-Z0-9]+)", logs(workspace)) == ["MARK-REAL1", "MARK-REAL2"]
    assert "MARK-RECAP" not in logs(workspace)
    assert "MARK-META" not in logs(workspace)


def test_what_a_host_wraps_around_words_is_left_out(workspace: Memory, tmp_path: Path):
    capture(workspace, take_case("05-host-wrappers", tmp_path))
    assert re.findall("MARK-[A-Z0-9]+", logs(workspace)) == ["MARK-KEEP1", "MARK-KEEP2", "MARK-KEEP3"]
    assert "`<system-reminder>` in the test" in logs(workspace)
    assert not re.search(r"User:\s*$", logs(workspace), re.M)


def test_results_of_tools_and_thoughts_are_left_out_and_calls_are_named_once(workspace: Memory, tmp_path: Path):
    capture(workspace, take_case("06-tool-result-attribution", tmp_path))
    log = logs(workspace)
    assert "Assistant: running tests MARK-A" in log
    assert "MARK-THINK" not in log
    assert "MARK-TOOLOUT" not in log
    assert log.count("Tool: Bash") == 1


def test_what_sub_agents_say_is_left_out(workspace: Memory, tmp_path: Path):
    capture(workspace, take_case("07-sidechain", tmp_path))
    assert re.findall("MARK-[A-Z0-9]+", logs(workspace)) == ["MARK-MAIN1", "MARK-MAIN2"]


def test_a_line_that_is_still_being_written_waits(workspace: Memory, tmp_path: Path):
    transcript = take_case("08-partial-last-line", tmp_path, "transcript-a.jsonl")
    assert capture(workspace, transcript).unreadable == 0
    assert re.findall("MARK-L[0-9]", logs(workspace)) == ["MARK-L1", "MARK-L2"]
    take_case("08-partial-last-line", tmp_path, "transcript-b.jsonl")
    capture(workspace, transcript)
    assert re.findall("MARK-L[0-9]", logs(workspace)) == ["MARK-L1", "MARK-L2", "MARK-L3", "MARK-L4"]


def test_broken_lines_are_counted_and_the_rest_is_stored(invoke: Callable[..., Ran], workspace: Memory, tmp_path: Path):
    transcript = take_case("08-partial-last-line", tmp_path, "transcript-c.jsonl")
    ran = invoke("capture", "--transcript", transcript.path)
    assert ran.code == 0
    assert "skipped 4 unreadable lines" in ran.err
    assert re.findall("MARK-L[0-9]", logs(workspace)) == ["MARK-L1", "MARK-L2", "MARK-L5", "MARK-L6"]


def test_a_large_transcript_leaves_only_its_words(workspace: Memory, tmp_path: Path):
    path = tmp_path / "s-0001.jsonl"
    with path.open("w") as file:
        for ident, content in (("a", "MARK-FIRST"), ("b", None), ("c", "MARK-LAST")):
            result = [{"type": "tool_result", "tool_use_id": "t", "content": "x" * 5_000_000}]
            message = {"role": "user", "content": content or result}
            file.write(json.dumps({"type": "user", "uuid": ident, "message": message}) + "\n")
    capture(workspace, Transcript(path.stem, path))
    assert re.findall("MARK-[A-Z]+", logs(workspace)) == ["MARK-FIRST", "MARK-LAST"]
    assert max(each.stat().st_size for each in workspace.workspace.memory.rglob("*") if each.is_file()) < 1_000_000


@pytest.mark.parametrize("name", ["hook-blank", "hook-directory", "hook-input"])
def test_a_hook_that_names_no_file_means_no_session(tmp_path: Path, name: str):
    text = (CASES / "13-missing-transcript" / f"{name}.json").read_text("utf-8").replace("{{DIR}}", str(tmp_path))
    assert CLAUDE.transcript(json.loads(text), machine(tmp_path)) is None


def test_an_empty_transcript_makes_no_log(workspace: Memory, tmp_path: Path):
    assert capture(workspace, take_case("13-missing-transcript", tmp_path, "empty.jsonl")).turns == 0
    assert logs(workspace) == ""


def test_no_secret_of_a_transcript_is_in_any_byte_of_the_project(workspace: Memory, tmp_path: Path):
    case = CASES / "68-secret-write-paths"
    transcript = tmp_path.parent / f"{tmp_path.name}.jsonl"
    transcript.write_text((case / "transcript.jsonl").read_text("utf-8").replace("⁂", ""), "utf-8")
    capture(workspace, Transcript("s-0001", transcript))
    workspace.compact()
    stored = b"\n".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()).decode("utf-8", "replace")
    secrets = json.loads((case / "secrets.json").read_text("utf-8").replace("⁂", ""))
    values = [line for value in secrets.values() for line in value.split("\n") if "-----" not in line]
    assert [value for value in values if value in stored] == []
    assert {f"KEEP-{name}" for name in (*secrets, "echo")} <= set(re.findall(r"KEEP-\w+", logs(workspace)))
    assert "[REDACTED:aws]" in logs(workspace)


def test_private_text_of_a_transcript_is_stored_nowhere_and_the_rest_is(workspace: Memory, tmp_path: Path):
    transcript = tmp_path.parent / f"{tmp_path.name}.jsonl"
    transcript.write_bytes((CASES / "72-private-tags" / "transcript.jsonl").read_bytes())
    assert capture(workspace, Transcript("s-0001", transcript)).turns == 4
    workspace.compact()
    stored = b"\n".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()).decode("utf-8", "replace")
    assert "PRIV-" not in stored
    assert re.findall(r"KEEP-\w+", logs(workspace)) == ["KEEP-A", "KEEP-B", "KEEP-D", "KEEP-E"]
