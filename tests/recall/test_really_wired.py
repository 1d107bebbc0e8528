"""
Recall is really wired into what a prompt brings to mind: nine tests, a number each.

The last two read the committed figures of the MemAware benchmark.
"""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support import Ran, WordEncoder, command

from hipocampus.index import search
from hipocampus.index.concept_file import ConceptFile
from hipocampus.index.concepts import look_up
from hipocampus.index.home import CONCEPTS
from hipocampus.layout import Workspace
from hipocampus.memory import Memory
from hipocampus.text import terms

Invoke = Callable[..., Ran]
TODAY = ("--today", "2026-03-15")
PROMPT = "what limit did we choose for the payment gateway"
RESULTS = Path(__file__).parents[2] / "benchmarks" / "results" / "memaware" / "evidence.json"
LIMITS = "## Rate limits [project]\n- decisions: token bucket for the payment gateway, limit 100 a second\n\n"
CELLAR = "did we clean the shelf in the cellar"


def wrote(place: Workspace, days: int, chores: int = 1) -> None:
    """So many days of chores, and the decision among them."""
    for day in range(1, days + 1):
        held = "".join(
            f"## Chore {day}-{at} [project]\n- outcome: cleaned shelf number {day + 10 * at} in the cellar\n\n"
            for at in range(chores)
        )
        name = f"2026-03-{day:02}"
        place.raw_log(name).write_text(f"# {name}\n\n{held}{LIMITS if day == 5 else ''}")


@pytest.fixture
def store(workspace: Memory, word_encoder: WordEncoder) -> Workspace:
    """A fortnight of work, after a night's sleep."""
    wrote(workspace.workspace, 10)
    workspace.sleep()
    return workspace.workspace


def recalled(store: Workspace, prompt: str, *args: str) -> dict[str, Any]:
    """What a process of its own brings to mind."""
    asked = [*command(), "recall", "--json", prompt, *args, *TODAY]
    done = subprocess.run(asked, cwd=store.root, capture_output=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def item_with(found: dict[str, Any], text: str) -> dict[str, Any]:
    (item,) = [item for item in found["items"] if text in item["text"]]
    return dict(item)


def repoint(store: Workspace, chunks: bytes, scores: bytes) -> None:
    """Give every concept the same list."""
    with sqlite3.connect(store.index / CONCEPTS) as base:
        base.execute("UPDATE anchors SET chunks = ?, scores = ?", (chunks, scores))


def figures() -> dict[str, dict[str, float]]:
    """The per cent of each committed score."""
    return {score["what"]: score["percent"] for score in json.loads(RESULTS.read_text())["scores"]}


def test_1_model_free(store: Workspace, monkeypatch: pytest.MonkeyPatch):
    before = Memory.find(store.root).recall(PROMPT)
    code = f"""
import sys
from hipocampus.memory import Memory
from pathlib import Path
assert Memory.find(Path({str(store.root)!r})).recall({PROMPT!r}).items
assert not {{"numpy", "torch"}} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "HIPOCAMPUS_TODAY": "2026-03-15"})
    monkeypatch.setattr(search, "load_encoder", lambda *_args, **_named: pytest.fail("an encoder was loaded"))
    assert before.items
    assert Memory.find(store.root).recall(PROMPT) == before


def test_2_causal(store: Workspace):
    with sqlite3.connect(store.index / CONCEPTS) as base:
        query = "SELECT c.number FROM chunks c JOIN documents d ON d.number = c.document WHERE d.source = ?"
        ((number,),) = base.execute(query, ("memory/2026-03-09.md",))
    repoint(store, number.to_bytes(4, sys.byteorder), b"\xff")
    (first,) = [item for item in recalled(store, CELLAR, "--always")["items"] if item["explain"]["concept_rank"] == 1]
    assert (first["source"], first["explain"]["tier"]) == ("memory/2026-03-09.md", "semantic")
    repoint(store, b"", b"")
    assert {item["explain"]["tier"] for item in recalled(store, CELLAR, "--always")["items"]} == {"fallthrough"}


def test_3_traceable(store: Workspace):
    found = recalled(store, CELLAR, "--always")
    item = item_with(found, "shelf number 9 ")
    assert item["explain"]["tier"] == "semantic"
    assert {"cellar", "shelf"} & set(item["explain"]["anchors"])
    assert item["score"] > 0
    first, last = item["lines"]
    named = (store.root / item["source"]).read_text().split("\n")[first - 1 : last]
    assert named[:2] == ["## Chore 9-0 [project]", "- outcome: cleaned shelf number 9 in the cellar"]
    assert all(item["text"] in found["context"] for item in found["items"])


def test_4_fresh(store: Workspace):
    entry = ["checkpoint", "Gateway retries", "--decision", "retry the payment gateway three times", *TODAY]
    subprocess.run([*command(), *entry], cwd=store.root, check=True, capture_output=True)
    prompt = "how often do we retry the payment gateway"
    assert item_with(recalled(store, prompt), "three times")["explain"]["tier"] == "episodic"
    night = subprocess.Popen([*command(), "sleep", *TODAY], cwd=store.root, stderr=subprocess.DEVNULL)
    time.sleep(0.2)
    night.send_signal(signal.SIGKILL)
    night.wait()
    assert item_with(recalled(store, prompt), "three times")["explain"]["tier"] in ("episodic", "semantic")
    subprocess.run([*command(), "sleep", *TODAY], cwd=store.root, check=True, capture_output=True)
    assert item_with(recalled(store, prompt), "three times")["explain"]["tier"] == "semantic"


def test_5_novel_term(store: Workspace, invoke: Invoke):
    path = store.raw_log("2026-03-06")
    path.write_text(f"{path.read_text()}## Codename [project]\n- outcome: zanzibar\n")
    invoke("sleep", *TODAY)
    found = invoke("recall", "--json", "--always", "zanzibar", *TODAY).json["items"]
    words = invoke("search", "--json", "--mode", "bm25", "--in", "raw", "zanzibar", *TODAY).json["items"]
    assert [(item["source"], item["lines"]) for item in found] == [(item["source"], item["lines"]) for item in words]
    assert [item["explain"]["tier"] for item in found] == ["fallthrough"]


def test_6_stable(store: Workspace, invoke: Invoke):
    path = store.index / CONCEPTS
    built = path.read_bytes()
    path.unlink()
    invoke("sleep", *TODAY)
    assert path.read_bytes() == built
    store.raw_log("2026-03-05").unlink()
    invoke("sleep", *TODAY)
    with sqlite3.connect(path) as base:
        assert list(base.execute("SELECT 1 FROM documents WHERE source = 'memory/2026-03-05.md'")) == []
    assert all(item["source"] != "memory/2026-03-05.md" for item in recalled(store, PROMPT, "--always")["items"])


def test_7_fast_and_flat(workspace: Memory, word_encoder: WordEncoder, monkeypatch: pytest.MonkeyPatch):
    """Time hangs on the machine; what a look-up reads of its file does not."""
    read = [_rows_read(workspace, chores, monkeypatch) for chores in (60, 600)]
    assert read[1] <= 1.5 * read[0]


def _rows_read(memory: Memory, chores: int, monkeypatch: pytest.MonkeyPatch) -> int:
    wrote(memory.workspace, 10, chores)
    memory.sleep()
    counted: list[int] = []
    whole = ConceptFile._rows

    def counting(self: ConceptFile, query: str, values: Any) -> Any:
        rows = list(whole(self, query, values))
        counted.append(len(rows))
        return iter(rows)

    monkeypatch.setattr(ConceptFile, "_rows", counting)
    file = ConceptFile(memory.workspace.index / CONCEPTS)
    assert look_up(file, terms.query_terms(f"{PROMPT} {CELLAR}", file.languages))
    file.close()
    monkeypatch.setattr(ConceptFile, "_rows", whole)
    return sum(counted)


@pytest.mark.parametrize("k", [5, 20])
def test_8_no_loss(k: int):
    found = figures()
    words, fused, hybrid = (found[f"session@{k}, search {mode}"]["all"] for mode in ("bm25", "fast", "hybrid"))
    assert fused >= words + 2
    assert fused >= hybrid - 3


def test_9_not_drowned():
    found = {what.rpartition(",")[2].split()[1]: rate["all"] for what, rate in figures().items() if "nothing" in what}
    assert found["short"] >= 99
    assert found["long"] >= 80
