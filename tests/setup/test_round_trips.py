"""Adding our lines and values to any file and taking them out again gives the same bytes."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from hipocampus.hosts.edits import Block, Edit, Hook, ListValues
from hipocampus.setup.edits import document, jsonc, splice

HANDLER = {"type": "command", "command": "hipocampus-hook Stop --host claude-code || exit 0", "timeout": 20}
HOOKS = (
    Hook("s.json", "Stop", "", HANDLER),
    Hook("s.json", "SessionStart", "startup|resume", {**HANDLER, "timeout": 9}),
)
TOML_HOOKS = tuple(Hook("c.toml", hook.event, hook.matcher, hook.handler) for hook in HOOKS)
LIST = ListValues("s.json", "instructions", ("memory/ROOT.md", "WORKING.md"))
BLOCK = Block("A.md", "Memory is in memory/.\n\n@memory/ROOT.md\n")

newlines = st.sampled_from(["\n", "\r\n"])
words = st.text(st.sampled_from("ab/*,:{}[]# \\\"'é\N{GRINNING FACE}"), max_size=6)


@st.composite
def trivia(draw: st.DrawFn, newline: str) -> str:
    """White space and comments, on one line or on several."""
    word = draw(st.text("ab,{}[]\"' ", max_size=5))
    pieces = ["", " ", newline, newline + "\t", f"/*{word}*/", f"//{word}{newline}", f" /* {word}{newline} */ "]
    return "".join(draw(st.lists(st.sampled_from(pieces), max_size=3)))


@st.composite
def values(draw: st.DrawFn, newline: str, depth: int = 0) -> str:
    """A JSON value written in any way."""
    if depth > 2 or draw(st.booleans()):
        return json.dumps(draw(st.one_of(st.none(), st.booleans(), st.integers(), words)), ensure_ascii=False)
    return draw(containers(newline, depth))


@st.composite
def containers(draw: st.DrawFn, newline: str, depth: int = 0, members: dict[str, str] | None = None) -> str:
    """An object or a list with comments, trailing commas and any spacing."""
    is_object = members is not None or draw(st.booleans())
    found = dict.fromkeys(draw(st.lists(words, max_size=3, unique=True)), "") if is_object else {}
    parts = [
        json.dumps(k, ensure_ascii=False) + ":" + draw(trivia(newline)) + draw(values(newline, depth + 1))
        for k in found
    ]
    parts += [json.dumps(key) + ": " + value for key, value in (members or {}).items()]
    if not is_object:
        parts = draw(st.lists(values(newline, depth + 1), max_size=3))
    spaced = [draw(trivia(newline)) + part + draw(trivia(newline)) for part in draw(st.permutations(parts))]
    trailing = "," + draw(trivia(newline)) if parts and draw(st.booleans()) else ""
    opening, closing = "{}" if is_object else "[]"
    return opening + ",".join(spaced) + trailing + (draw(trivia(newline)) if not parts else "") + closing


@st.composite
def settings(draw: st.DrawFn) -> str:
    """A settings file, with or without hooks of its own; sometimes there is nothing in it at all."""
    newline = draw(newlines)
    bom, end = draw(st.sampled_from(["", "\ufeff"])), draw(st.sampled_from(["", newline]))
    if draw(st.integers(0, 9)) == 0:
        return bom + draw(trivia(newline)) + end
    members = {}
    group = '{"matcher": "x", "hooks": [{"type": "command", "command": "/opt/hipocampus-hook/run.sh"}]}'
    if draw(st.booleans()):
        events = {
            name: draw(st.sampled_from(["[]", "[ ]", f"[{newline}]", f"[{group}]", f"[{newline} {group},{newline}]"]))
            for name in draw(st.sets(st.sampled_from(["Stop", "Other"])))
        }
        members["hooks"] = draw(containers(newline, 2, events))
    if draw(st.booleans()):
        members["instructions"] = draw(
            st.sampled_from(["[]", '["a.md"]', f'[{newline}    "a.md", // mine{newline}  ]'])
        )
    return bom + draw(trivia(newline)) + draw(containers(newline, 0, members)) + draw(trivia(newline)) + end


def _there_and_back(text: str, name: str, edits: tuple[Edit, ...]) -> str:
    done = document.with_edits(text, name, edits)
    assert document.with_edits(done.text, name, edits).text == done.text
    return document.without_edits(done.text, name, edits, done.made, done.values)


@given(settings())
def test_hooks_and_list_values_leave_no_byte_in_any_json_file(text: str) -> None:
    before = {} if jsonc.is_blank(text) else jsonc.parse(text, "s.json").plain
    done = document.with_edits(text, "s.json", (*HOOKS, LIST))
    after = jsonc.parse(done.text, "s.json").plain
    assert {**before, "hooks": None, "instructions": None} == {**after, "hooks": None, "instructions": None}
    assert _there_and_back(text, "s.json", (*HOOKS, LIST)) == text


@given(st.text(st.sampled_from("ab#-`\n\r\ufeff <!>\0"), max_size=30))
def test_a_block_leaves_no_byte_in_any_markdown_file(text: str) -> None:
    assert _there_and_back(text, "A.md", (BLOCK,)) == text


@given(st.text(st.sampled_from("ab#*/\n\r"), max_size=30), st.text(st.sampled_from("ab#*/\n"), max_size=10))
def test_lines_that_a_person_appends_stay_when_the_block_goes(text: str, more: str) -> None:
    done = document.with_edits(text, "A.md", (BLOCK,)).text + more
    left = document.without_edits(done, "A.md", (BLOCK,))
    assert left in (text + more, f"{text}\n{more}", f"{text}\r\n{more}")


@st.composite
def toml(draw: st.DrawFn) -> str:
    """A TOML file of tables, odd strings and hooks of others."""
    newline = draw(newlines)
    pieces = [
        "[features]\nhooks = true\n",
        "# [[hooks.Stop]]\n",
        "\n",
        "[text]\na = '''\n[[hooks.Stop]]\n'''\n",
        'b = """\n[[hooks.Stop]]\n\\""""\n',
        "[lists]\nc = [\n  [1], # ]\n  ['['],\n]\n",
        '[[hooks.Stop]]\nmatcher = "x"\n  [[hooks.Stop.hooks]]\n  type = "command"\n  command = "./mine.sh"\n',
        '[[hooks.SessionStart]]\nhooks = [{type = "command", command = "./start.sh"}]\n',
    ]
    chosen = draw(st.lists(st.sampled_from(pieces), max_size=5, unique=True))
    text = "".join(sorted(chosen, key=lambda piece: piece.startswith("[")))
    return (text if draw(st.booleans()) else text.rstrip("\n")).replace("\n", newline)


@given(toml())
def test_hooks_leave_no_byte_in_any_toml_file(text: str) -> None:
    from hipocampus.setup.edits import toml_hooks

    toml_hooks.parse(text, "c.toml")
    assert _there_and_back(text, "c.toml", TOML_HOOKS) == text


@given(settings())
def test_what_a_person_adds_to_a_json_file_in_between_stays(text: str) -> None:
    before = {} if jsonc.is_blank(text) else jsonc.parse(text, "s.json").plain
    done = document.with_edits(text, "s.json", (*HOOKS, LIST))
    mixed = splice.insert(splice.insert(done.text, "s.json", ("hooks", "Stop"), None, "x"), "s.json", (), "mine", [1])
    after = jsonc.parse(document.without_edits(mixed, "s.json", (*HOOKS, LIST), done.made, done.values), "s.json").plain
    hooks = {**before.get("hooks", {})}
    assert after == {**before, "hooks": {**hooks, "Stop": [*hooks.get("Stop", []), "x"]}, "mine": [1]}
