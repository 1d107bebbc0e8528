"""The MemAware benchmark, whole: a small dataset of our own, and models that are played on loopback."""

from __future__ import annotations

import http.server
import json
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.memaware import __main__ as memaware
from benchmarks.memaware import models, protocol, report
from benchmarks.memaware.dataset import REPOSITORY, Dataset, DatasetError, prepare
from benchmarks.memaware.evidence import Item, Logs, rates, wilson

DATA = Path(__file__).parent / "memaware" / "data"
ASKED = ("--answer", "openai:played", "--judge", "anthropic:played")


class Endpoint:
    """Answers like both kinds of server; `busy` requests are refused first, `bodies` holds what was asked."""

    def __init__(self) -> None:
        self.busy = 0
        self.bodies: list[dict[str, Any]] = []
        endpoint = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                status, answer = endpoint.answer(self.path, body)
                data = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_args: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        self.bodies.append(body)
        if self.busy:
            self.busy -= 1
            return 429, {"error": "slow down"}
        if path == "/v1/messages":
            aware = "sourdough" in body["messages"][0]["content"].split("<answer>")[1]
            return 200, {
                "content": [{"type": "text", "text": "yes | correct" if aware else "no | abstained"}],
                "usage": {"input_tokens": 30, "output_tokens": 5},
            }
        said = body["messages"][1]["content"]
        text = "Bruno is your sourdough." if "sourdough" in said.partition("Request:")[0] else "No idea."
        usage = {"prompt_tokens": 100, "completion_tokens": 10}
        return 200, {"choices": [{"message": {"content": text}}], "usage": usage}


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setattr(models.time, "sleep", lambda _seconds: None)
    played = Endpoint()
    yield played
    played.server.shutdown()
    played.server.server_close()


@pytest.fixture
def environ(endpoint: Endpoint) -> dict[str, str]:
    address = f"http://127.0.0.1:{endpoint.server.server_address[1]}"
    return {
        "OPENAI_BASE_URL": f"{address}/v1",
        "OPENAI_API_KEY": "x",
        "ANTHROPIC_BASE_URL": address,
        "ANTHROPIC_API_KEY": "x",
    }


@pytest.fixture
def data(tmp_path: Path) -> Path:
    prepare(DATA, tmp_path / "data")
    return tmp_path / "data"


@pytest.fixture(scope="module")
def slept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The dataset with its stores, built once."""
    folder = tmp_path_factory.mktemp("slept")
    prepare(DATA, folder)
    memaware._memories(Dataset(folder))
    return folder


def test_a_run_answers_grades_and_keeps_a_line_for_each_question(
    slept: Path, environ: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    asked = ("run", str(slept), *ASKED, "--condition", "no-memory", "--condition", "tree+bm25")
    assert memaware.main(asked, results=tmp_path, environ=environ) == 0
    lines = {line.question_id: line for line in protocol.read(tmp_path / "tree+bm25-3000.jsonl")}
    assert lines["q-easy"].aware
    assert lines["q-easy"].kind == "correct"
    assert (lines["q-easy"].tokens_in, lines["q-easy"].tokens_out) == (100, 10)
    assert not any(line.aware for line in protocol.read(tmp_path / "no-memory-3000.jsonl"))
    assert "| no-memory-3000 | 0.0 (0.0 to 79.3) |" in capsys.readouterr().out


def test_a_run_that_was_stopped_asks_only_what_is_left(
    slept: Path, endpoint: Endpoint, environ: dict[str, str], tmp_path: Path
):
    asked = ("run", str(slept), *ASKED, "--condition", "no-memory")
    memaware.main((*asked, "--limit", "2"), results=tmp_path, environ=environ)
    with (tmp_path / "no-memory-3000.jsonl").open("a") as file:
        file.write('{"question_id": "q-ha')
    endpoint.bodies.clear()
    assert memaware.main(asked, results=tmp_path, environ=environ) == 0
    assert len(endpoint.bodies) == 2


def test_a_busy_endpoint_is_asked_again(endpoint: Endpoint, environ: dict[str, str]):
    endpoint.busy = 3
    assert models.model_named("openai:played", environ).ask("", "hello", 5).text == "No idea."
    assert len(endpoint.bodies) == 4


def test_a_question_whose_model_fails_gets_no_line(
    slept: Path, endpoint: Endpoint, environ: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    endpoint.busy = 1000
    asked = ("run", str(slept), *ASKED, "--condition", "no-memory", "--limit", "1")
    assert memaware.main(asked, results=tmp_path, environ=environ) == 1
    assert list(protocol.read(tmp_path / "no-memory-3000.jsonl")) == []
    assert "1 questions have no answer yet" in capsys.readouterr().err


def test_the_cost_is_said_first_and_a_cap_keeps_it_from_being_spent(
    slept: Path, endpoint: Endpoint, environ: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    asked = ("run", str(slept), *ASKED, "--condition", "tree", "--most-tokens", "100")
    assert memaware.main(asked, results=tmp_path, environ=environ) == 1
    said = capsys.readouterr()
    assert said.out.startswith("tree: at most ")
    assert "nothing was asked" in said.err
    assert endpoint.bodies == []


def test_a_meter_that_is_full_stops_a_run(slept: Path, environ: dict[str, str], tmp_path: Path):
    runner = protocol.Runner(
        models.model_named("openai:played", environ), models.model_named("anthropic:played", environ),
        protocol.Meter(most=100), at_once=1,
    )  # fmt: skip
    task = protocol.Task("no-memory", lambda _text: "", tmp_path / "x.jsonl")
    assert runner.run(task, Dataset(slept).questions, lambda _line: None) == 2


def test_a_program_answers_from_its_stdin(tmp_path: Path):
    program = tmp_path / "shout.py"
    program.write_text("import sys; print(sys.stdin.read().upper())")
    asked = models.model_named(f"command:{sys.executable} {program}", {})
    assert asked.ask("be loud", "hello", 5).text == "BE LOUD\n\nHELLO"


@pytest.mark.parametrize("name", ["gpt", "openai:", "command:", "openai:x"])
def test_a_model_that_nobody_has_is_named_in_the_error(name: str):
    with pytest.raises(models.ModelError):
        models.model_named(name, {})


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("yes | correct", (True, "correct")),
        ("No | ABSTAINED", (False, "abstained")),
        ("**yes** | partial", (True, "partial")),
        ("no", (False, "unclear")),
    ],
)
def test_a_verdict_is_read_as_judges_write_it(said: str, verdict: tuple[bool, str]):
    assert protocol.parse_verdict(said) == verdict


def test_a_judge_without_a_verdict_is_an_error():
    with pytest.raises(models.ModelError, match="no verdict"):
        protocol.parse_verdict("I can't tell.")


def test_the_model_free_scores_name_every_condition_and_its_tokens(
    slept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert memaware.main(("evidence", str(slept)), results=tmp_path, environ={}) == 0
    table = capsys.readouterr().out
    for what in ("session@5, search bm25", "evidence, recall of 1,500", "root evidence", "page evidence"):
        assert what in table
    assert memaware.main(("report",), results=tmp_path, environ={}) == 0
    assert "1 easy, 1 medium, 1 hard questions" in (tmp_path / "README.md").read_text()
    assert (tmp_path / "evidence.svg").read_text().startswith("<svg ")


def test_an_item_is_evidence_where_it_comes_from_the_session_and_says_the_thing(data: Path):
    logs, question = Logs(Dataset(data).logs), Dataset(data).questions[1]
    said = "We decided to send invoices on the 25th, because accounting closes its books on the 27th."
    assert logs.in_items(question, [Item("memory/2026-03-03.md", (11, 11), said)])
    assert not logs.in_items(question, [Item("memory/2026-03-03.md", (5, 5), said)])
    assert not logs.in_items(question, [Item("memory/2026-03-03.md", (11, 11), "I will use it for the job.")])


def test_a_root_line_is_evidence_only_with_a_pointer_to_the_day(data: Path):
    logs, question = Logs(Dataset(data).logs), Dataset(data).questions[1]
    fact = "- invoices: sent on the 25th as accounting closes its books on the 27th"
    assert logs.in_root(question, f"{fact} → 2026-03-03#a1b2c3")
    assert logs.in_root(question, f"{fact} → 2026-W10")
    assert not logs.in_root(question, f"{fact} → 03-04")
    assert not logs.in_root(question, fact)


def test_sessions_are_ranked_by_their_first_item(data: Path):
    logs, question = Logs(Dataset(data).logs), Dataset(data).questions[0]
    items = [Item("memory/2026-03-02.md", (5, 5), ""), Item("memory/2026-03-02.md", (9, 9), "")]
    assert logs.session_rank(question, [*items, Item("memory/2026-03-02.md", (15, 15), "")]) == 2
    assert logs.session_rank(question, items) == 0


def test_an_interval_holds_its_rate_and_narrows_with_more_questions():
    low, high = wilson(25, 100)
    assert low < 0.25 < high
    assert wilson(250, 1000)[1] - wilson(250, 1000)[0] < high - low
    assert wilson(0, 0) == (0.0, 1.0)


def test_rates_are_per_tier_and_of_all(data: Path):
    questions = Dataset(data).questions
    table = rates({q.id: q.id == "q-easy" for q in questions}, questions)
    assert table == {"easy": 100.0, "medium": 0.0, "hard": 0.0, "all": pytest.approx(33.33, abs=0.01)}


def test_data_never_lands_in_the_repository():
    with pytest.raises(DatasetError, match="lies in this repository"):
        prepare(DATA, REPOSITORY / "benchmarks" / "copied")


def test_a_folder_that_is_no_dataset_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert memaware.main(("prepare", str(tmp_path), str(tmp_path / "out")), results=tmp_path, environ={}) == 1
    assert "has no folder data/sessions" in capsys.readouterr().err


def test_a_plot_shows_each_name_and_number():
    drawn = report.plot("A & B", {"tree <3k>": {"easy": 17.2, "all": 9.0}})
    assert "A &amp; B" in drawn
    assert "tree &lt;3k&gt;" in drawn
    assert ">17.2<" in drawn


def test_the_sample_is_small_enough_to_read():
    assert sum(path.stat().st_size for path in DATA.rglob("*.*")) < 5000
