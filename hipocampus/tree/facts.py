"""Facts of a transcript: what the user told about themselves, and the names that the answers gave."""

import datetime
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hipocampus.log import turns
from hipocampus.text.clauses import Clause, clauses, is_half, shorten
from hipocampus.text.keyphrases import topic_label
from hipocampus.text.sentences import sentences
from hipocampus.text.words import is_cjk, words, worth
from hipocampus.tree.weight import ANSWER, MENTION, fact_weight


@dataclass(frozen=True, slots=True)
class Fact:
    """
    One note: what it says, under which topic, of which day, and where it comes from.

    `titled` facts were written under a title that somebody chose; the topic of the others is a guess.
    """

    text: str
    topic: str
    type: str
    day: datetime.date | None
    pointer: str
    weight: float
    titled: bool = False


LONGEST_FACT = 300
_DATE_LINE = re.compile(r"^Session Date: .*$", re.M)
_FENCE = re.compile(r"^```.*?(?:^```|\Z)", re.S | re.M)
_CODE_LINE = re.compile(
    r"[{}<>\\]|;\s*$|^\s*(?:def|class|import|from|return|const|let|var|function|SELECT|if|for|while)\b.*[:({]"
    r"|\w\(\)|^\s{4,}\S|==|=>|\|.*\|"
)
_CODE_SIGN = re.compile(r"[{}<>\\;=|(:]|^\s{4}")
_ROLE_PLAY = re.compile(
    r"\b(?:want you to act|act as an?|you are an? (?:expert|helpful|ai|professional)|pretend (?:to be|you)"
    r"|ignore (?:all )?previous|your task is|respond only)\b",
    re.I,
)
_LIST_ITEM = re.compile(
    r"^[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+(?:\*\*)?[\"“]?([^:*\n\"”]{3,48}?)[\"”]?(?:\*\*)?"
    r"(?:\s*(?:\*\*)?[:(]|\s+[-–—]\s|\*\*|[ \t]*$)",
    re.M,
)
_LONG_TURN = 1500
_READ_OF_ANSWER = 1500
_MOST_SENTENCES = 14
_NAMES = 4
_NAMES_A_FACT = 4
_ASIDE = 1.5
_KIND = {"fact": 1.0, "given": 0.7, "plan": 0.75, "wish": 0.5, "ask": 0.4, "reply": 0.0}


def session_facts(title: str, body: str, day: datetime.date | None, pointer: str) -> list[Fact]:
    """Facts of a transcript whose turns start with `User:` or `Assistant:`.

    Args:
        title: The entry's heading; the topic when the turns name none.
        body: The turns.
        day: Day of the entry.
        pointer: Where the facts come from.

    Returns:
        Facts with the most telling first; empty only if the body is, or where tools alone speak.
    """
    spoken = list(_turns(body))
    said = [_own_words(text) for speaker, text in spoken if speaker == "user"]
    told = [text[:_READ_OF_ANSWER] for speaker, text in spoken if speaker == "assistant"]
    topic = topic_label(
        "\n".join(text[:240] for text in said[:4]), "\n".join(text[:600] for text in told[:4]), default=title
    )
    weights = _weighed(said, told) or _last_resort(body)
    facts = [Fact(text[:LONGEST_FACT], topic, "project", day, pointer, weight) for text, weight in weights.items()]
    return sorted(facts, key=lambda fact: -fact.weight)


def _weighed(said: Iterable[str], told: Iterable[str]) -> dict[str, float]:
    found: dict[str, float] = {}
    for clause in (clause for text in said for clause in _spoken(text)):
        weight = fact_weight(clause.text, own=clause.own) * _KIND[clause.kind] * (_ASIDE if clause.aside else 1.0)
        if weight > found.get(clause.text, 0.0):
            found[clause.text] = weight
    for text in (text for answer in told for text in _answers(answer)):
        found.setdefault(text, fact_weight(text))
    return found


def _last_resort(body: str) -> dict[str, float]:
    """The first words of a transcript in which nothing was found, so that it leaves a trace."""
    said = " ".join(text for voice, text in _turns(_DATE_LINE.sub("", body[:400])) if voice != "tool")
    text = clean(shorten(said.replace("\n", " ")))[:120]
    return {MENTION + text: 0.1} if text else {}


def clean(text: str) -> str:
    """Text without the signs that a digest line is made of."""
    return " ".join(text.replace(";", ",").replace("→", "->").split())


def _turns(body: str) -> Iterator[tuple[str, str]]:
    marks = list(turns.MARK.finditer(body))
    if not marks:
        yield "user", body
    for at, mark in enumerate(marks):
        end = marks[at + 1].start() if at + 1 < len(marks) else len(body)
        yield turns.voice_of(mark), body[mark.end() : end]


def _own_words(text: str) -> str:
    """A user's turn without code, pasted documents and role-play prompts."""
    text = _FENCE.sub("\n", text).strip()
    if _ROLE_PLAY.search(text[:600]):
        return text[:200].split("\n", 1)[0] if len(text) < _LONG_TURN else ""
    text = "\n".join(line for line in text.split("\n") if not _is_code(line[:400]))
    return text[:300].rsplit(" ", 1)[0] if len(text) > _LONG_TURN else text


def _is_code(line: str) -> bool:
    """Whether a line is code; the first look spares most prose the second."""
    return _CODE_SIGN.search(line) is not None and _CODE_LINE.search(line) is not None


def _spoken(text: str) -> Iterator[Clause]:
    for sentence in sentences(text)[:_MOST_SENTENCES]:
        yield from (clause for clause in clauses(sentence) if not is_half(clause.text))


def _answers(text: str) -> Iterator[str]:
    """What was answered: the names that its lists begin with, a few to a fact."""
    names: list[str] = []
    for item in _LIST_ITEM.finditer(_FENCE.sub("", text) if "```" in text else text):
        name = clean(shorten(item[1]))
        if name not in names and _is_name(name):
            names.append(name)
        if len(names) == _NAMES:
            break
    for at in range(0, len(names), _NAMES_A_FACT):
        yield ANSWER + ", ".join(names[at : at + _NAMES_A_FACT])


def _is_name(text: str) -> bool:
    if is_cjk(text):
        return len(text) <= 16
    return 0 < text.count(" ") + 1 <= 5 and sum(worth(word) for word in words(text)) >= 1.0
