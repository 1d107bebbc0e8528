"""Facts: short notes that an entry of the log, or a line of a node, holds."""

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass

from hipocampus.text.clauses import Clause, clauses, is_half, shorten
from hipocampus.text.keyphrases import topic_label
from hipocampus.text.sentences import sentences
from hipocampus.text.words import worth, words
from hipocampus.tree.weight import fact_weight


@dataclass(frozen=True, slots=True)
class Fact:
    """One note: what it says, under which topic, of which day, and where it comes from."""

    text: str
    topic: str
    type: str
    day: datetime.date | None
    pointer: str
    weight: float


_TURN = re.compile(r"^(user|assistant|human|ai)\s*:[ \t]*", re.I | re.M)
_CODE = re.compile(r"^```.*?(?:^```|\Z)", re.S | re.M)
_CODE_LINE = re.compile(r"[{}<>\\]|;\s*$|^\s*(?:def|class|import|from|return|const|let|var|function|SELECT|if|for|while)\b.*[:({]|\w\(\)|^\s{4,}\S|==|=>|\|.*\|")
_ROLE_PLAY = re.compile(r"\b(?:i want you to act|act as an?|you are an? (?:expert|helpful|ai|professional)|pretend (?:to be|you)|ignore (?:all )?previous|your task is|respond only)\b", re.I)
_LIST_ITEM = re.compile(r"^[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+(?:\*\*)?[\"“]?([^:*\n\"”]{3,48}?)[\"”]?(?:\*\*)?(?:\s*(?:\*\*)?[:(]|\s+[-–—]\s|\*\*|[ \t]*$)", re.M)
_LONG_TURN = 1500
_MOST_SENTENCES = 14
_KIND_FACTOR = {"fact": 1.0, "given": 0.7, "plan": 0.75, "wish": 0.5, "ask": 0.4, "reply": 0.0}


def session_facts(title: str, body: str, day: datetime.date | None, pointer: str) -> list[Fact]:
    """Facts of a transcript whose turns start with `User:` or `Assistant:`.

    Args:
        title: The entry's heading; used as topic only if it says something.
        body: The turns.
        day: Day of the entry.
        pointer: What each fact points to.

    Returns:
        Facts with the most telling first; empty only if the body holds no words.
    """
    turns = list(_turns(body))
    said = [_own_words(text) for speaker, text in turns if speaker == "user"]
    told = [text for speaker, text in turns if speaker != "user"]
    topic = topic_label("\n".join(text[:400] for text in said[:8]), "\n".join(text[:1500] for text in told[:8]), default=title)
    found: dict[str, float] = {}
    for text in said:
        for clause in _spoken(text):
            weight = fact_weight(clause.text, own=clause.own) * _KIND_FACTOR[clause.kind] * (1.5 if clause.aside else 1.0)
            if weight > found.get(clause.text, 0.0):
                found[clause.text] = weight
    for text in _answers(told):
        found.setdefault(text, fact_weight(text, own=False))
    facts = [Fact(text, topic, "project", day, pointer, weight) for text, weight in found.items() if weight > 0]
    if not facts and (rest := shorten(body[:400].replace("\n", " "))[:120]):
        facts = [Fact(rest, topic, "project", day, pointer, 0.1)]
    return sorted(facts, key=lambda fact: -fact.weight)


def _turns(body: str) -> Iterator[tuple[str, str]]:
    marks = list(_TURN.finditer(body))
    if not marks:
        yield "user", body
    for at, mark in enumerate(marks):
        end = marks[at + 1].start() if at + 1 < len(marks) else len(body)
        speaker = "user" if mark[1].lower() in ("user", "human") else "assistant"
        yield speaker, body[mark.end() : end]


def _own_words(text: str) -> str:
    """A user's turn without code, pasted documents and role-play prompts."""
    text = _CODE.sub("\n", text).strip()
    if _ROLE_PLAY.search(text[:600]):
        return text[:200].split("\n", 1)[0] if len(text) < _LONG_TURN else ""
    lines = [line for line in text.split("\n") if not _CODE_LINE.search(line)]
    text = "\n".join(lines)
    if len(text) > _LONG_TURN:
        return text[:300].rsplit(" ", 1)[0]
    return text


def _spoken(text: str) -> Iterator[Clause]:
    for sentence in sentences(text)[:_MOST_SENTENCES]:
        for clause in clauses(sentence):
            if not is_half(clause.text):
                yield clause


def _answers(told: list[str]) -> Iterator[str]:
    """What was answered: the names that its lists begin with."""
    for text in told:
        names: list[str] = []
        for name in _LIST_ITEM.findall(_CODE.sub("", text[:6000]) if "```" in text else text[:6000]):
            name = shorten(name)
            if name and 0 < name.count(" ") + 1 <= 5 and sum(worth(word) for word in words(name)) >= 1.0 and name not in names:
                names.append(name)
        for at in range(0, min(len(names), 8), 4):
            yield "answer: " + ", ".join(names[at : at + 4])

