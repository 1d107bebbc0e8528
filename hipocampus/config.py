"""Settings of a workspace: `hipocampus.config.json`, read once, edited key by key, unknown keys kept."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hipocampus import files
from hipocampus.clock import zone_named
from hipocampus.errors import InvalidConfig, UsageError

# Each key with its default; the type of the default is the type of the value. None means "not set" and takes a string.
DEFAULTS: Mapping[str, Any] = {
    "platform": [],
    "timezone": None,
    "worktree": "shared",
    "compaction.dailyMaxTokens": 2000,
    "compaction.weeklyMaxTokens": 3000,
    "compaction.monthlyMaxTokens": 5000,
    "compaction.rootMaxTokens": 3000,
    "compaction.cooldownHours": 3,
    "compaction.maxRawLines": 300,
    "compaction.maxCheckpoints": 5,
    "search.enabled": True,
    "search.vector": True,
    "search.embedModel": "auto",
    "search.lexicalWeight": 1.0,
    "search.vectorWeight": 1.0,
    "recall.encoder": "none",
    "recall.maxTokens": 1500,
}
LEAST_TOKENS = 400
MOST = 1_000_000_000
_BOOLEANS = {"true": True, "false": False}
_CHOICES = {"worktree": ("shared", "separate"), "recall.encoder": ("auto", "none")}


class Config:
    """Settings by dotted key, defaults filled in; `raw` is the file's own content, also what we don't know."""

    __slots__ = ("raw", "values")

    def __init__(self, values: Mapping[str, Any] = DEFAULTS, raw: Mapping[str, Any] = MappingProxyType({})) -> None:
        self.values = values
        self.raw = raw

    def __getitem__(self, key: str) -> Any:
        return self.values[key]

    def max_tokens(self, level: str) -> int:
        """Token budget of `daily`, `weekly`, `monthly` or `root`."""
        return int(self.values[f"compaction.{level}MaxTokens"])


def load(path: Path) -> Config:
    """Read the settings; a missing file gives the defaults. Raises InvalidConfig, naming the line or the key."""
    try:
        raw = json.loads(files.read_text(path).text)
    except FileNotFoundError:
        return Config()
    except (ValueError, RecursionError) as error:
        message = f"{path} is not valid JSON: {error}"
        raise InvalidConfig(message, hint="mend the file by hand; it was left as it is") from error
    except OSError as error:
        message = f"can't read {path}: {error.strerror}"
        raise InvalidConfig(message, hint="check the file's permissions") from error
    if not isinstance(raw, dict):
        message = f"{path} must hold a JSON object"
        raise InvalidConfig(message, hint='start from {"platform": []}')
    return Config(values={key: _value(key, raw, path) for key in DEFAULTS}, raw=raw)


def known_key(key: str) -> str:
    """The key itself. Raises UsageError with the nearest one for a key that nothing reads."""
    if key in DEFAULTS:
        return key
    import difflib

    near = difflib.get_close_matches(key, DEFAULTS, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]}?" if near else "`hipocampus config list` shows the keys"
    message = f"unknown setting {key!r}"
    raise UsageError(message, hint=hint)


def other_settings(raw: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Settings in the file that this version does not use, by dotted key: those of other versions, and typos."""
    found: dict[str, Any] = {}
    for name, value in raw.items():
        key = f"{prefix}{name}"
        if isinstance(value, dict):
            found |= other_settings(value, f"{key}.")
        elif key not in DEFAULTS:
            found[key] = value
    return found


def set_value(path: Path, key: str, text: str) -> Any:
    """Change one setting in the file, keep all others; returns the new value. Raises UsageError, InvalidConfig."""
    known_key(key)
    value = _checked(key, _parse(key, text), UsageError)
    files.write_atomic(path, render(with_value(load(path).raw, key, value)))
    return value


def with_value(raw: Mapping[str, Any], key: str, value: Any) -> dict[str, Any]:
    """The file's content with one setting changed."""
    first, _, rest = key.partition(".")
    below = raw.get(first)
    return {**raw, first: with_value(below if isinstance(below, dict) else {}, rest, value) if rest else value}


def render(raw: Mapping[str, Any]) -> str:
    """The file's text for a content."""
    return json.dumps(raw, indent=2, ensure_ascii=False) + "\n"


def _value(key: str, raw: Mapping[str, Any], path: Path) -> Any:
    place: Any = raw
    for part in key.split("."):
        if not isinstance(place, dict):
            message = f"{path}: {key.partition('.')[0]} must be an object, not {place!r}"
            raise InvalidConfig(message, hint=f"it holds settings such as {key}")
        if part not in place:
            return DEFAULTS[key]
        place = place[part]
    try:
        return _checked(key, place, InvalidConfig)
    except InvalidConfig as error:
        message = f"{path}: {error}"
        raise InvalidConfig(message, hint=error.hint) from None


def _parse(key: str, text: str) -> Any:
    default = DEFAULTS[key]
    if isinstance(default, list):
        return _list(text)
    if isinstance(default, bool):
        return _BOOLEANS.get(text.lower(), text)
    if isinstance(default, (int, float)):
        try:
            return type(default)(text)
        except ValueError:
            return text
    return None if text in ("", "null") and default is None else text


def _list(text: str) -> Any:
    """Names between commas, or a JSON list as `config get` prints it."""
    if not text.lstrip().startswith("["):
        return [part.strip() for part in text.split(",") if part.strip()]
    try:
        return json.loads(text)
    except ValueError as error:
        message = f"{text!r} is not a list: {error}"
        raise UsageError(message, hint="give names with commas between them") from error


def _checked(key: str, value: Any, error: type[UsageError] | type[InvalidConfig]) -> Any:
    default = DEFAULTS[key]
    if isinstance(default, list):
        value = [value] if isinstance(value, str) else value
        ok, wish = isinstance(value, list) and all(isinstance(v, str) for v in value), "a name or a list of names"
    elif isinstance(default, bool):
        ok, wish = isinstance(value, bool), "true or false"
    elif isinstance(default, float):
        ok, wish = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= MOST, "a number"
    elif isinstance(default, int):
        least = LEAST_TOKENS if key.endswith("MaxTokens") else 0
        ok = isinstance(value, int) and not isinstance(value, bool) and least <= value <= MOST
        wish = f"a whole number from {least} to {MOST:,}"
    elif key in _CHOICES:
        ok, wish = value in _CHOICES[key], " or ".join(_CHOICES[key])
    else:
        ok, wish = isinstance(value, str) or (value is None and default is None), "a name"
    if not ok:
        message = f"{key} must be {wish}, not {value!r}"
        raise error(message, hint=f"the default is {json.dumps(default)}")
    if key == "timezone":
        try:
            zone_named(value)
        except InvalidConfig as unknown:
            raise error(f"{key}: {unknown}", hint=unknown.hint) from None
    return value
