"""JSON with comments, trailing commas and a byte order mark, read into values that know where they stand."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Literal

from hipocampus.errors import CheckFailed

TRIVIA = re.compile(r"(?:[ \t\r\n\ufeff]++|//[^\r\n]*+|/\*[\s\S]*?\*/)*+")
"""White space and comments."""
_STRING = re.compile(r'"[^"\\\r\n]*+(?:\\.[^"\\\r\n]*+)*+"')
_SCALAR = re.compile(r"-?[0-9][0-9.eE+-]*+|true\b|false\b|null\b")
_DEEPEST = 100


@dataclass(frozen=True, slots=True)
class Part:
    """An item of an array, or a key with its value: the text from `start` to `end`, without the comma."""

    start: int
    end: int
    key: str | None
    value: Value


@dataclass(frozen=True, slots=True)
class Value:
    """A value at `text[start:end]`, as plain Python, with the parts of a container."""

    start: int
    end: int
    kind: Literal["object", "array", "scalar"]
    plain: Any
    parts: tuple[Part, ...] = ()


def parse(text: str, name: str) -> Value:
    """The value of a document. Raises CheckFailed that says in which line of the file `name` it is broken."""
    reader = _Reader(text, name)
    root = reader.value(reader.skip(0), 0)
    rest = reader.skip(root.end)
    if rest < len(text):
        raise reader.broken(rest, "there is more text behind the end")
    return root


def is_blank(text: str) -> bool:
    """Whether there is no value in it at all."""
    return TRIVIA.fullmatch(text) is not None


def find(root: Value, path: tuple[str | int, ...]) -> Value:
    """
    The value at a path of keys and positions; of a key that stands twice the last one, as every reader takes it.

    Raises KeyError.
    """
    for step in path:
        if isinstance(step, int):
            root = root.parts[step].value
            continue
        named = [part for part in root.parts if part.key == step]
        if not named:
            raise KeyError(step)
        root = named[-1].value
    return root


@dataclass(frozen=True, slots=True)
class _Reader:
    text: str
    name: str

    def skip(self, at: int) -> int:
        match = TRIVIA.match(self.text, at)
        return match.end() if match else at

    def broken(self, at: int, what: str) -> CheckFailed:
        line = self.text.count("\n", 0, at) + 1
        message = f"{self.name}, line {line}: {what}"
        return CheckFailed(message, hint="mend the file by hand; it was left as it is")

    def value(self, at: int, depth: int) -> Value:
        if depth > _DEEPEST:
            raise self.broken(at, "values are nested too deep")
        opening = self.text[at : at + 1]
        if opening == "{":
            return self._container(at, "object", "}", depth)
        if opening == "[":
            return self._container(at, "array", "]", depth)
        match = (_STRING if opening == '"' else _SCALAR).match(self.text, at)
        return Value(at, match.end(), "scalar", self._plain(match)) if match else self._no_value(at)

    def _no_value(self, at: int) -> Value:
        found = repr(self.text[at : at + 10]) if at < len(self.text) else "the end of the file"
        raise self.broken(at, f"there is {found} where a value should be")

    def _plain(self, match: re.Match[str]) -> Any:
        try:
            return json.loads(match[0])
        except ValueError:
            raise self.broken(match.start(), f"{match[0][:40]!r} is no JSON value") from None

    def _container(self, start: int, kind: Literal["object", "array"], closing: str, depth: int) -> Value:
        parts: list[Part] = []
        at = self.skip(start + 1)
        while self.text[at : at + 1] != closing:
            if parts:
                at = self._comma(at, closing)
                if self.text[at : at + 1] == closing:
                    break
            part = self._member(at, depth) if kind == "object" else self._item(at, depth)
            parts.append(part)
            at = self.skip(part.end)
        plain = {p.key: p.value.plain for p in parts} if kind == "object" else [p.value.plain for p in parts]
        return Value(start, at + 1, kind, plain, tuple(parts))

    def _comma(self, at: int, closing: str) -> int:
        if self.text[at : at + 1] != ",":
            raise self.broken(at, f"a comma or {closing} is missing")
        return self.skip(at + 1)

    def _item(self, at: int, depth: int) -> Part:
        value = self.value(at, depth + 1)
        return Part(at, value.end, None, value)

    def _member(self, at: int, depth: int) -> Part:
        key = _STRING.match(self.text, at)
        if key is None:
            raise self.broken(at, "a key in double quotes is missing")
        colon = self.skip(key.end())
        if self.text[colon : colon + 1] != ":":
            raise self.broken(colon, "a colon is missing behind the key")
        value = self.value(self.skip(colon + 1), depth + 1)
        return Part(at, value.end, self._plain(key), value)
