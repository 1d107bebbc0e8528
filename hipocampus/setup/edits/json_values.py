"""Hooks and list values in JSON files with comments, put in and taken out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from hipocampus.errors import CheckFailed
from hipocampus.hosts.edits import Hook, ListValues
from hipocampus.setup.edits import commands, jsonc, lines, splice
from hipocampus.setup.edits.made import Made, is_new

_SCHEMA = "$schema"


class Place(NamedTuple):
    """Where a handler stands: `hooks.<event>[group].hooks[index]`."""

    event: str
    group: int
    position: int


def group_of(hook: Hook) -> dict[str, Any]:
    """The matcher group that holds one hook of ours."""
    return {**({"matcher": hook.matcher} if hook.matcher else {}), "hooks": [dict(hook.handler)]}


def handlers(plain: Any, exact: Sequence[Mapping[str, Any]]) -> dict[Place, tuple[str, Mapping[str, Any]]]:
    """Every handler of ours in a settings file, with the matcher of its group; odd shapes are nobody's."""
    found: dict[Place, tuple[str, Mapping[str, Any]]] = {}
    hooks = plain.get("hooks") if isinstance(plain, dict) else None
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for number, group in enumerate(groups) if isinstance(groups, list) else ():
            inner = group.get("hooks") if isinstance(group, dict) else None
            for index, handler in enumerate(inner) if isinstance(inner, list) else ():
                if isinstance(handler, dict) and (handler in exact or commands.is_ours(handler.get("command"))):
                    found[Place(event, number, index)] = str(group.get("matcher") or ""), handler
    return found


def missing_and_stale(plain: Any, hooks: Sequence[Hook]) -> tuple[list[Hook], list[Place]]:
    """The hooks that a settings file lacks, and the places of ours that are not among them."""
    present = handlers(plain, [hook.handler for hook in hooks])
    missing = []
    for hook in hooks:
        same = (p for p, kept in present.items() if (p.event, *kept) == (hook.event, hook.matcher, hook.handler))
        place = next(same, None)
        if place is None:
            missing.append(hook)
        else:
            del present[place]
    return missing, list(present)


def with_hooks(text: str, name: str, hooks: Sequence[Hook]) -> tuple[str, tuple[Made, ...]]:
    """
    The text with our hooks beside those of others, each in a group of its own; stale ones of ours go.

    Raises CheckFailed for a file that is broken or has another shape.
    """
    text, made = _started(text, name)
    missing, stale = missing_and_stale(jsonc.parse(text, name).plain, hooks)
    for place in reversed(stale):
        text = _without_handler(text, name, place)
    for event in dict.fromkeys(place.event for place in stale):
        if not jsonc.find(jsonc.parse(text, name), ("hooks", event)).plain:
            text = splice.remove(text, name, ("hooks",), event)
    for hook in missing:
        text, more = _with_hook(text, name, hook)
        made += more
    return text, made


def without_hooks(text: str, name: str, exact: Sequence[Mapping[str, Any]], made: tuple[Made, ...] | None) -> str:
    """
    The text without our hooks, and without the containers that were made for them.

    Where `made` is None, nobody remembers: then every container goes that our hooks leave empty.
    """
    found = handlers(jsonc.parse(text, name).plain, exact)
    for place in reversed(found):
        text = _without_handler(text, name, place)
    for event in dict.fromkeys(place.event for place in found):
        text = _emptied(text, name, ("hooks", event), made)
    return _emptied(text, name, ("hooks",), made) if found else text


def with_values(text: str, name: str, edit: ListValues) -> tuple[str, tuple[Made, ...], tuple[str, ...]]:
    """The text whose list at a key holds our values, and which of them were missing. Raises CheckFailed."""
    text, made = _started(text, name)
    if made and edit.schema:
        text = splice.insert(text, name, (), _SCHEMA, edit.schema)
    plain = jsonc.parse(text, name).plain
    if edit.key not in plain:
        made += (*_made_root(text, name, plain), Made((edit.key,), None))
        return splice.insert(text, name, (), edit.key, list(edit.values)), made, edit.values
    present = _expect(plain[edit.key], list, name, edit.key)
    missing = tuple(value for value in edit.values if value not in present)
    if missing and not present:
        made += (Made((edit.key,), _inside(text, name, (edit.key,))),)
    for value in missing:
        text = splice.insert(text, name, (edit.key,), None, value)
    return text, made, missing


def without_values(text: str, name: str, key: str, values: Iterable[str], made: tuple[Made, ...] | None) -> str:
    """The text whose list at a key has none of these values, a list gone that was made for them."""
    plain = jsonc.parse(text, name).plain
    present = plain.get(key) if isinstance(plain, dict) else None
    ours = [value for value in values if isinstance(present, list) and value in present]
    for value in ours:
        index = jsonc.find(jsonc.parse(text, name), (key,)).plain.index(value)
        text = splice.remove(text, name, (key,), index)
    return _emptied(text, name, (key,), made) if ours else text


def finished(text: str, name: str, made: tuple[Made, ...] | None) -> str:
    """
    The text as it was, where nothing but an empty object is left of a file that held no value.

    A `$schema` counts for nothing in a file that we began: a host writes it there by itself.
    """
    whole = next((one for one in made or () if not one.path), None)
    root = jsonc.parse(text, name)
    is_begun = whole is not None and whole.inside is None
    if whole is None or (root.plain and not (is_begun and set(root.plain) == {_SCHEMA})):
        return text
    if whole.inside is None:
        outside = text[: root.start] + text[root.end :]
        return whole.text if not outside.replace(whole.text, "", 1).strip() else text
    return splice.with_inside(text, root, whole.inside) if not splice.inside(text, root).strip() else text


def _started(text: str, name: str) -> tuple[str, tuple[Made, ...]]:
    """A text that holds an object: an empty file counts as `{}`, and so does the list that 0.5 wrote for Codex."""
    if jsonc.is_blank(text):
        before = text if not text.removeprefix(lines.BOM) or text.endswith("\n") else text + lines.newline_of(text)
        return before + "{}" + lines.newline_of(text), (Made((), None, text),)
    root = jsonc.parse(text, name)
    if root.kind == "array" and root.plain and all(_is_old_hook(item) for item in root.plain):
        return text[: root.start] + "{}" + text[root.end :], ()
    _expect(root.plain, dict, name, "the file")
    return text, ()


def _is_old_hook(item: object) -> bool:
    return isinstance(item, dict) and commands.is_ours(item.get("command"))


def _with_hook(text: str, name: str, hook: Hook) -> tuple[str, tuple[Made, ...]]:
    group = group_of(hook)
    plain = jsonc.parse(text, name).plain
    if "hooks" not in plain:
        made = (*_made_root(text, name, plain), Made(("hooks",), None))
        return splice.insert(text, name, (), "hooks", {hook.event: [group]}), made
    hooks = _expect(plain["hooks"], dict, name, "hooks")
    made = () if hooks else (Made(("hooks",), _inside(text, name, ("hooks",))),)
    if hook.event not in hooks:
        text = splice.insert(text, name, ("hooks",), hook.event, [group])
        return text, (*made, Made(("hooks", hook.event), None))
    path = ("hooks", hook.event)
    if not _expect(hooks[hook.event], list, name, f"hooks.{hook.event}"):
        made = (Made(path, _inside(text, name, path)),)
    return splice.insert(text, name, path, None, group), made


def _made_root(text: str, name: str, plain: Any) -> tuple[Made, ...]:
    return () if plain else (Made((), _inside(text, name, ())),)


def _inside(text: str, name: str, path: tuple[str, ...]) -> str:
    return splice.inside(text, jsonc.find(jsonc.parse(text, name), path))


def _expect(plain: Any, kind: type, name: str, what: str) -> Any:
    if not isinstance(plain, kind):
        shape = "an object" if kind is dict else "a list"
        message = f"{name}: {what} must be {shape}, not {str(plain)[:40]!r}"
        raise CheckFailed(message, hint="mend the file by hand; it was left as it is")
    return plain


def _without_handler(text: str, name: str, place: Place) -> str:
    """Without one handler; a group that held no other goes as well."""
    event = ("hooks", place.event)
    if len(jsonc.find(jsonc.parse(text, name), (*event, place.group, "hooks")).parts) == 1:
        return splice.remove(text, name, event, place.group)
    return splice.remove(text, name, (*event, place.group, "hooks"), place.position)


def _emptied(text: str, name: str, path: tuple[str, ...], made: tuple[Made, ...] | None) -> str:
    """An empty container as it was before us: gone, or with what stood between its brackets."""
    container = jsonc.find(jsonc.parse(text, name), path)
    if container.plain:
        return text
    if made is None or is_new(path, made):
        return splice.remove(text, name, path[:-1], path[-1]) if not splice.inside(text, container).strip() else text
    known = next((one for one in made if one.path == path), None)
    if known is None or splice.inside(text, container).strip():
        return text
    return splice.with_inside(text, container, known.inside or "")
