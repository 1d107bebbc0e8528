"""
The published protocol: a model answers each request with the memory of a condition on the page, another one judges
whether the answer shows awareness of what should have been recalled.

Each answer is one line of a JSONL file, written when it is there: a run that was stopped goes on where it was.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from pathlib import Path

from benchmarks.memaware.dataset import Question
from benchmarks.memaware.models import Model, ModelError, Reply

MOST_ANSWER = 2048
MOST_VERDICT = 60
KINDS = ("correct", "partial", "hallucinated", "abstained")

BARE = "You are a helpful assistant. Answer the user's request."
WITH_MEMORY = (
    "You are a helpful assistant that has worked with this user for months. Above the request you see what your memory "
    "holds of that time. Use what bears on the request, as somebody would who remembers it; ignore the rest."
)
JUDGE = "You grade whether an assistant remembered. You answer with one line and nothing else."
VERDICT = """\
A user made a request. Earlier, in another conversation, something was said that a person who remembers it would have
brought into the answer. The request does not mention it.

Request: {question}

What should have come back to mind: {should_recall}
How it bears on the request: {connection}

The assistant's answer:
<answer>
{answer}
</answer>

Does the answer show that the assistant knew of it: does it name it, use what it says, or refer to it as known? Advice
that fits by chance, or that any stranger would have given, does not count.

Then say of which kind the answer is:
correct (it brought up the right thing), partial (it brought up something else that is related and true),
hallucinated (it claims to remember what is wrong or was never said), abstained (it refers to no past at all).

One line: yes or no, a vertical bar, the kind. For example: no | abstained"""


@dataclass(frozen=True, slots=True)
class Graded:
    """An answer and its verdict; `tokens_in` and `tokens_out` are those of answering, without the judge's."""

    question_id: str
    tier: str
    condition: str
    aware: bool
    kind: str
    answer: str
    tokens_in: int
    tokens_out: int


@dataclass(frozen=True)
class Task:
    """One condition that is run: how a request's context is made, where its lines go."""

    condition: str
    context: Callable[[str], str]
    file: Path

    def left(self, questions: Sequence[Question]) -> list[Question]:
        """The questions that the file has no line of."""
        done = {graded.question_id for graded in read(self.file)}
        return [question for question in questions if question.id not in done]


@dataclass(slots=True)
class Meter:
    """Tokens that were spent, and the most that may be; None for no end."""

    most: int | None = None
    spent: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, *replies: Reply) -> None:
        """Count what models answered."""
        with self.lock:
            self.spent += sum(reply.tokens_in + reply.tokens_out for reply in replies)

    @property
    def is_over(self) -> bool:
        """Whether nothing more may be asked."""
        return self.most is not None and self.spent >= self.most


@dataclass(frozen=True, slots=True)
class Runner:
    """Two models, how many requests may be under way, and what they may cost."""

    answerer: Model
    judge: Model
    meter: Meter
    at_once: int = 4

    def run(self, task: Task, questions: Sequence[Question], done: Callable[[Graded], None]) -> int:
        """
        Answer and grade what is left, in any order; says how many questions still have no line.

        One whose model fails gets none, and is asked again by the next run.
        """
        left = task.left(questions)
        task.file.parent.mkdir(parents=True, exist_ok=True)
        with ThreadPoolExecutor(self.at_once) as pool, task.file.open("a", encoding="utf-8") as file:
            graded = 0
            for answered in as_completed([pool.submit(self._one, task, question) for question in left]):
                line = answered.result()
                if line:
                    file.write(json.dumps(asdict(line), ensure_ascii=False) + "\n")
                    file.flush()
                    graded += 1
                    done(line)
        return len(left) - graded

    def _one(self, task: Task, question: Question) -> Graded | None:
        """The line of a question; None where a model failed or nothing more may be spent."""
        if self.meter.is_over:
            return None
        context = task.context(question.text)
        prompt = f"{context}\n\nRequest: {question.text}" if context else question.text
        try:
            reply = self.answerer.ask(WITH_MEMORY if context else BARE, prompt, MOST_ANSWER)
            verdict = self.judge.ask(JUDGE, verdict_prompt(question, reply.text), MOST_VERDICT)
            aware, kind = parse_verdict(verdict.text)
        except ModelError:
            return None
        self.meter.add(reply, verdict)
        tokens = reply.tokens_in, reply.tokens_out
        return Graded(question.id, question.tier, task.condition, aware, kind, reply.text, *tokens)


def verdict_prompt(question: Question, answer: str) -> str:
    """What the judge is asked about an answer."""
    return VERDICT.format(
        question=question.text, should_recall=question.should_recall, connection=question.connection, answer=answer
    )


def parse_verdict(text: str) -> tuple[bool, str]:
    """Whether the judge said yes, and the kind it named. Raises ModelError where it said neither yes nor no."""
    said = re.search(r"\b(yes|no)\b(?:[^a-z]*\b([a-z]+)\b)?", text.lower())
    if said is None:
        message = f"the judge gave no verdict: {text[:80]!r}"
        raise ModelError(message)
    kind = said[2] if said[2] in KINDS else "unclear"
    return said[1] == "yes", kind


def read(file: Path) -> Iterator[Graded]:
    """The lines of a results file; a torn last one is left out."""
    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except FileNotFoundError:
        return
    for line in lines:
        try:
            yield Graded(**json.loads(line))
        except (ValueError, TypeError):
            continue


def estimate(
    contexts: Mapping[str, Callable[[str], str]], questions: Sequence[Question], count: Callable[[str], int]
) -> dict[str, int]:
    """Tokens that a run of each condition will take at most, prompts and answers of both models."""
    return {name: sum(_cost(context, question, count) for question in questions) for name, context in contexts.items()}


def _cost(context: Callable[[str], str], question: Question, count: Callable[[str], int]) -> int:
    answering = count(WITH_MEMORY) + count(context(question.text)) + count(question.text) + MOST_ANSWER
    return answering + count(verdict_prompt(question, "")) + MOST_ANSWER + MOST_VERDICT


def rows(graded: Iterable[Graded]) -> dict[str, list[Graded]]:
    """The lines of each tier and of all."""
    table: dict[str, list[Graded]] = {"easy": [], "medium": [], "hard": [], "all": []}
    for line in graded:
        table[line.tier].append(line)
        table["all"].append(line)
    return table
