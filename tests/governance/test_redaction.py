"""Every way in and every way out: no secret and no private text in any byte but those a person wrote by hand."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from corpus import key_block
from support import CASES, Ran, WordEncoder

from hipocampus import files
from hipocampus.errors import StoreBusy, UsageError
from hipocampus.governance import redaction
from hipocampus.governance.gate import Draft, WritePath, admit
from hipocampus.log import daylog
from hipocampus.memory import Memory

SECRET = "gh" + "p_" + "aB3" * 12
PRIVATE = "PRIVTEXT"
TEXT = f"deploy key {SECRET} KEEPWORD <private>{PRIVATE}</private>"
PACKAGE = Path(__file__).parents[2] / "hipocampus"
# Modules that read files which hipocampus made itself, or settings; all others read through `redaction`.
READ_THEMSELVES = {
    "cli/tree.py": "a summary from an agent, for the gate",
    "config.py": "settings",
    "governance/redaction.py": "the one place",
    "governance/returned.py": "whether something was put back",
    "governance/scan.py": "decodes, to report",
    "governance/pages.py": "files as they are, to take something out of them",
    "sleep/concepts.py": "anchors.txt, named by people",
    "derived.py": "the hook log, to take something out of it",
    "tree/provenance.py": "whether a pointer stands in a node, and marks",
    "cli/exchange.py": "an export, for the gate",
    "hosts/claude_code.py": "settings of the host",
    "hosts/codex_trust.py": "settings of the host",
    "hosts/instructions.py": "whether our block and imports are there",
    "hosts/shipped.py": "templates and skills",
    "layout.py": "git's pointers",
    "log/daylog.py": "what is appended to",
    "log/session_log.py": "what is appended to",
    "log/session_text.py": "what is appended to",
    "cli/write.py": "stdin, for the gate",
    "recall/shown.py": "ids of what a session has seen",
    "recall/news.py": "ids of what the last session could know",
    "recall/tally.py": "counts",
    "setup/gitignore.py": ".gitignore",
    "setup/demo.py": "ROOT.md, as made",
    "setup/init.py": "templates",
    "setup/host_state.py": "settings of the hosts",
    "setup/other_memories.py": "settings of the hosts, for names of other tools",
    "setup/record.py": "the record of what was added",
    "index/sources.py": "templates",
    "tree/catalog.py": "front matter of nodes",
    "tree/root_file.py": "ROOT.md as it is, to compare",
    "tree/shelf.py": "nodes",
    "tree/state.py": "hashes and counts",
    "tree/triggers.py": "counts",
}


@pytest.fixture(autouse=True)
def same_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands live on the day of `workspace`."""
    monkeypatch.setenv("HIPOCAMPUS_TODAY", "2026-03-15")


def case(name: str, file: str) -> str:
    return (CASES / name / file).read_text("utf-8").replace("⁂", "")


def values() -> list[str]:
    """The secrets of the case, of the key block the two lines of its body."""
    given = json.loads(case("68-secret-write-paths", "secrets.json"))
    body = given.pop("pem").split("\n")[1:-1]
    return [*given.values(), *body]


def holders(root: Path, wanted: list[str]) -> set[str]:
    """Files below a folder with any of the texts in their bytes."""
    found = [path for path in root.rglob("*") if path.is_file()]
    return {p.relative_to(root).as_posix() for p in found if any(w.encode() in p.read_bytes() for w in wanted)}


def everything(memory: Memory) -> None:
    """All that is derived: nodes, ROOT.md, index with vectors."""
    memory.compact()
    memory.update_index()


def test_a_checkpoint_of_the_case_leaves_no_secret_anywhere(invoke: Callable[..., Ran], workspace: Memory):
    done = invoke("checkpoint", stdin=case("68-secret-write-paths", "checkpoint.txt"))
    assert done.code == 0
    everything(workspace)
    assert holders(workspace.workspace.root, values()) == set()
    log = next(workspace.workspace.memory.glob("2*.md")).read_text()
    assert (log.count("KEEP-"), "[REDACTED:aws]" in log) == (12, True)


def test_a_log_written_by_hand_is_the_only_file_with_its_secrets(workspace: Memory, word_encoder: WordEncoder):
    path = workspace.workspace.raw_log("2026-03-14")
    text = case("68-secret-write-paths", "checkpoint.txt")
    path.write_text(text)
    everything(workspace)
    assert holders(workspace.workspace.root, values()) == {"memory/2026-03-14.md"}
    assert path.read_text() == text
    assert [value for value in values() if any(value in said for said in word_encoder.encoded)] == []
    assert "KEEP-pem" in workspace.read("memory/daily/2026-03-14.md").text


def test_reading_and_searching_show_no_secret_of_a_log_written_by_hand(workspace: Memory):
    workspace.workspace.raw_log("2026-03-14").write_text(case("68-secret-write-paths", "checkpoint.txt"))
    passage = workspace.read("2026-03-14")
    found = workspace.search("rotated openai", mode="bm25")
    shown = passage.text + "".join(item.text + item.heading for item in found.items)
    assert found.items
    assert [value for value in values() if value in shown] == []
    assert workspace.read("memory/2026-03-14.md:16").text.endswith("KEEP-pem\n")


def test_lines_of_the_false_positives_stay_in_log_and_node(invoke: Callable[..., Ran], workspace: Memory):
    lines = case("70-redaction-false-positives", "lines.txt").splitlines()
    assert invoke("checkpoint", "Lines", stdin="\n".join(lines)).code == 0
    workspace.compact()
    for path in (*workspace.workspace.memory.glob("2*.md"), *workspace.workspace.memory.glob("daily/*.md")):
        text = path.read_text()
        assert [line for line in lines if line not in text] == []


def test_private_text_of_the_case_is_in_no_byte(invoke: Callable[..., Ran], workspace: Memory):
    assert invoke("checkpoint", stdin=case("72-private-tags", "checkpoint.txt")).code == 0
    everything(workspace)
    assert holders(workspace.workspace.root, ["PRIV-"]) == set()
    assert holders(workspace.workspace.root, ["KEEP-G"]) >= {"memory/ROOT.md"}


@pytest.mark.parametrize("name", ["knowledge/old.md", "plans/old.md", "WORKING.md", "memory/2026-03-14.md"])
def test_what_a_person_wrote_keeps_its_bytes_and_goes_nowhere(name: str, workspace: Memory):
    path = workspace.workspace.root / name
    path.write_text(f"# Deploy notes\n\n{TEXT}\n")
    everything(workspace)
    assert holders(workspace.workspace.root, [SECRET, PRIVATE]) == {name}
    shown = workspace.read(name).text + repr(workspace.search("deploy key", mode="bm25").items)
    assert (SECRET in shown, PRIVATE in shown, "KEEPWORD" in shown) == (False, False, True)


@pytest.mark.parametrize(
    ("arguments", "stdin"),
    [
        (["checkpoint", TEXT], ""),
        *((["checkpoint", "Title", f"--{name}", TEXT], "") for name in ("request", "decision", "reference", "note")),
        (["checkpoint"], TEXT),
        (["checkpoint"], f"## {TEXT} [user]\n- {TEXT}\n\n## Other [project]\n{TEXT}\n"),
        (["checkpoint"], json.dumps({"title": TEXT, "note": [TEXT], "body": TEXT})),
    ],
)
def test_every_way_to_checkpoint_is_redacted(
    arguments: list[str], stdin: str, invoke: Callable[..., Ran], workspace: Memory
):
    done = invoke(*arguments, stdin=stdin)
    assert (done.code, SECRET in done.out + done.err, PRIVATE in done.out + done.err) == (0, False, False)
    workspace.compact()
    assert holders(workspace.workspace.root, [SECRET, PRIVATE]) == set()
    assert "KEEPWORD" in next(workspace.workspace.memory.glob("2*.md")).read_text()


@pytest.mark.parametrize(
    ("arguments", "stdin"),
    [
        (["checkpoint", "<private>x</private>"], ""),
        (["checkpoint"], "<private>x"),
        (["checkpoint"], "## <private>x</private> [user]\n- <private>y</private>\n"),
        (["checkpoint", "--note", "<private>x</private>"], ""),
        (["checkpoint"], '{"note": "<private>x</private>"}'),
    ],
)
def test_what_is_all_private_makes_no_entry(
    arguments: list[str], stdin: str, invoke: Callable[..., Ran], workspace: Memory
):
    assert invoke(*arguments, stdin=stdin).code == 2
    assert list(workspace.workspace.memory.glob("2*.md")) == []


def test_a_private_entry_keeps_no_other_out(invoke: Callable[..., Ran], workspace: Memory):
    assert invoke("checkpoint", stdin="## <private>x</private> [user]\n\n## KEEP [user]\ny\n").code == 0
    assert next(workspace.workspace.memory.glob("2*.md")).read_text().count("\n## ") == 1


def test_private_text_over_two_entries_is_gone_from_both(invoke: Callable[..., Ran], workspace: Memory):
    text = f"## A [user]\nKEEP <private>{PRIVATE}\n\n## {PRIVATE} [user]\n{PRIVATE}</private>\n"
    assert invoke("checkpoint", stdin=text).code == 0
    assert holders(workspace.workspace.root, [PRIVATE]) == set()


def test_a_control_character_hides_no_secret():
    body = f"key {SECRET[:9]}\x00{SECRET[9:]}"
    assert SECRET not in admit(Draft("t", body), WritePath.CHECKPOINT).body


def test_what_could_not_be_stored_is_said_without_its_secrets(workspace: Memory, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(daylog, "LOCK_SECONDS", 0.05)
    with files.lock(workspace.workspace.log_lock, timeout=5), pytest.raises(StoreBusy) as raised:
        workspace.checkpoint(Draft("Title", TEXT))
    assert "this was not stored" in str(raised.value)
    assert (SECRET in str(raised.value), PRIVATE in str(raised.value)) == (False, False)


def test_the_log_of_the_hooks_holds_no_secret(workspace: Memory):
    from hipocampus.setup import hook_log

    hook_log.append(str(workspace.workspace.state), f"codex Stop error: can't store {TEXT}")
    assert SECRET not in workspace.workspace.hook_log.read_text()


def test_a_summary_of_an_agent_and_a_foreign_root_are_redacted(workspace: Memory):
    block, body = key_block()
    workspace.workspace.root_node.write_text(f"# Old index\n\n- deploy: {TEXT}\n{block}\n")
    workspace.checkpoint(Draft("Deploy", "KEEPNODE"))
    everything(workspace)
    node = next(workspace.workspace.memory.glob("daily/*.md")).read_text()
    workspace.write_node(node.replace("KEEPNODE", TEXT))
    assert holders(workspace.workspace.root, [SECRET, PRIVATE, *body]) == set()
    assert "KEEPWORD" in workspace.workspace.imported_root.read_text()


def test_a_node_edited_by_hand_is_set_aside_without_its_secrets(workspace: Memory):
    workspace.checkpoint(Draft("Deploy", "KEEP"))
    workspace.compact()
    node = next(workspace.workspace.memory.glob("daily/*.md"))
    node.write_text(node.read_text() + TEXT)
    workspace.compact()
    assert holders(workspace.workspace.root, [SECRET]) == set()


def test_other_rules_build_nodes_root_and_index_anew(workspace: Memory, monkeypatch: pytest.MonkeyPatch):
    workspace.checkpoint(Draft("Deploy", "KEEP"))
    everything(workspace)
    monkeypatch.setattr(redaction, "VERSION", redaction.VERSION + 1)
    assert len(workspace.compact().written) == 4
    assert workspace.index_state().state.stale_sources > 0


def test_an_entry_without_a_word_is_refused():
    with pytest.raises(UsageError, match="nothing to remember"):
        admit(Draft("<private>x</private>", ""), WritePath.CHECKPOINT)


def test_every_other_module_reads_files_through_the_one_place():
    found = set()
    for path in PACKAGE.rglob("*.py"):
        calls = [n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Attribute)]
        if any(c.attr in ("read_text", "decode") and ast.unparse(c.value) == "files" for c in calls):
            found.add(path.relative_to(PACKAGE).as_posix())
    assert found - set(READ_THEMSELVES) == set()
