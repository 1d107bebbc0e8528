"""Settings: listed, read and changed one by one; what the file holds beside them stays."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from support import Ran

from hipocampus import config
from hipocampus.errors import InvalidConfig, UsageError
from hipocampus.memory import Memory

ORIGINAL = {
    "platform": "claude-code",
    "search": {"vector": True, "embedModel": "auto"},
    "compaction": {"cooldownHours": 5, "rootMaxTokens": 2500},
    "tenants": {"team": {"root": "x"}},
}


@pytest.fixture
def path(workspace: Memory) -> Path:
    return workspace.workspace.config


def test_the_list_names_every_setting_with_value_and_default(invoke: Callable[..., Ran], path: Path) -> None:
    invoke("config", "set", "compaction.rootMaxTokens", "2000")
    listed = invoke("config", "list").out
    assert set(config.DEFAULTS) <= set(listed.split())
    row = next(line for line in listed.splitlines() if line.startswith("compaction.rootMaxTokens"))
    assert row.split() == ["compaction.rootMaxTokens", "2000", "3000"]
    assert invoke("config", "list", "--json").json["compaction.rootMaxTokens"] == 2000
    assert invoke("config").out == listed


def test_a_value_that_was_set_can_be_read(invoke: Callable[..., Ran], path: Path) -> None:
    for key, value, shown in (("timezone", "Asia/Seoul", '"Asia/Seoul"'), ("compaction.cooldownHours", "0", "0")):
        assert invoke("config", "set", key, value).code == 0
        assert invoke("config", "get", key).out == f"{shown}\n"


def test_an_unknown_key_is_refused_with_the_nearest_one(invoke: Callable[..., Ran], path: Path) -> None:
    before = path.read_bytes()
    for arguments in (("set", "compaction.rootMaxToken", "5000"), ("get", "compaction.rootMaxToken")):
        done = invoke("config", *arguments)
        assert (done.code, "did you mean compaction.rootMaxTokens?" in done.err) == (2, True)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("compaction.rootMaxTokens", "many"), ("compaction.rootMaxTokens", "199"), ("compaction.rootMaxTokens", "1e3"),
        ("compaction.cooldownHours", "99999999999999"), ("worktree", "alone"), ("timezone", "Mars/Base"),
        ("compaction.maxRawLines", "9" * 5000), ("platform", '["cut'), ("platform", "[1]"),
    ],
)  # fmt: skip
def test_a_value_that_makes_no_sense_is_refused(path: Path, key: str, value: str) -> None:
    before = path.read_bytes()
    with pytest.raises(UsageError):
        config.set_value(path, key, value)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '"x"', "{'a': 1}", '{"a": ' * 3000, '{"a": ' + "9" * 5000 + "}"]
)
def test_a_broken_file_is_named_and_left_alone(invoke: Callable[..., Ran], path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    for arguments in (("config", "set", "timezone", "UTC"), ("init",)):
        done = invoke(*arguments)
        assert (done.code, "hipocampus.config.json" in done.err) == (1, True), arguments
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    "raw",
    [
        {"compaction": {"rootMaxTokens": "3000"}}, {"compaction": {"rootMaxTokens": 10}}, {"compaction": 5},
        {"platform": 5}, {"platform": ["a", 1]}, {"timezone": "Mars/Base"}, {"timezone": 9}, {"worktree": True},
        {"compaction": {"cooldownHours": float("nan")}}, {"compaction": {"cooldownHours": True}},
    ],
)  # fmt: skip
def test_a_wrong_type_in_the_file_is_named_with_its_key(path: Path, raw: dict[str, object]) -> None:
    path.write_text(json.dumps(raw), encoding="utf-8")
    with pytest.raises(InvalidConfig) as caught:
        config.load(path)
    assert str(path) in str(caught.value)
    assert next(iter(raw)) in str(caught.value)


def test_keys_that_we_do_not_know_are_kept_and_shown(invoke: Callable[..., Ran], path: Path) -> None:
    path.write_text(json.dumps(ORIGINAL), encoding="utf-8")
    invoke("config", "set", "compaction.rootMaxTokens", "2000")
    expected = {**ORIGINAL, "compaction": {"cooldownHours": 5, "rootMaxTokens": 2000}}
    assert json.loads(path.read_text(encoding="utf-8")) == expected
    assert "search.embedModel" in invoke("config", "list").out
    assert invoke("config", "get", "search.embedModel").out == '"auto"\n'


def test_the_settings_of_the_original_are_accepted(path: Path) -> None:
    path.write_text(json.dumps(ORIGINAL), encoding="utf-8")
    loaded = config.load(path)
    assert (loaded["platform"], loaded["compaction.cooldownHours"], loaded.max_tokens("root")) == (
        ["claude-code"],
        5,
        2500,
    )
    assert loaded.max_tokens("daily") == config.DEFAULTS["compaction.dailyMaxTokens"]


@pytest.mark.parametrize("given", ["claude-code,codex", '["claude-code", "codex"]', " claude-code , codex ,"])
def test_platforms_are_given_as_names_or_as_json(path: Path, given: str) -> None:
    assert config.set_value(path, "platform", given) == ["claude-code", "codex"]
    assert config.load(path)["platform"] == ["claude-code", "codex"]


@pytest.mark.parametrize(
    "data", [b"\xef\xbb\xbf{}", '{"timezone": "UTC"}'.encode("utf-16"), b'{\r\n"platform": []\r\n}\r\n']
)
def test_a_file_from_another_editor_is_read(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    assert config.load(path)["platform"] == []


def test_a_setting_can_be_taken_back(path: Path) -> None:
    config.set_value(path, "timezone", "UTC")
    assert config.set_value(path, "timezone", "null") is None
    assert config.load(path)["timezone"] is None
