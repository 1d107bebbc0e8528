"""What can be forgotten or corrected by itself: the sentences of a text and their clauses, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hipocampus.text.sentences import sentences
from hipocampus.text.words import is_stop

_MARK = re.compile(r"^[ \t]*(?:(?:[-*+>]|\d+[.)])[ \t]+|#{1,6}[ \t]+)*(?:(?:User|Assistant|Tool|Human|AI):[ \t]*)?")
_JOINT = re.compile(
    r";\s+|[,，]?\s+(?:and|but|while|whereas|und|aber|während|sowie|y|pero|mientras|et|mais|tandis que|mentre|maar|och"
    r"|и|но|그리고)\s+|,\s+|[，、；]\s*|\s+[–—]\s+"
)
_PRONOUN = re.compile(
    r"(?:she|he|they|it|her|his|their|its|this|that|sie|er|ihr|ihre|sein|seine|elle|il|ella|él|su|она|он|они)\b", re.I
)
_VERB = re.compile(
    r"(?:is|are|was|were|be|has|have|had|does|do|did|will|would|can|could|may|must|should|goes|go|went|runs?|ran|uses?"
    r"|takes?|took|lives?|works?|gets?|got|owns?|keeps?|kept|makes?|made|writes?|wrote|reads?|says?|ist|sind|war|hat"
    r"|haben|nutzt|wohnt|läuft|laufen|verwendet|es|son|está|vive|usa|tiene|est|sont|vit|utilise)$",
    re.I,
)
# What may be a verb or the plural of a noun: its neighbours decide.
_MAYBE_VERB = re.compile(r"[a-z]{2,}(?:[^s\W]s|ed)$")
_DETERMINER = re.compile(
    r"(?:the|a|an|our|my|your|his|her|their|its|this|that|der|die|das|el|la|los|las|le|les)\b", re.I
)
_WORD = re.compile(r"[\w'’./@-]*\w")
_LONGEST_SUBJECT = 5


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence, `text` at `start` of what it was cut from; `follows`: a pronoun ties it to the one before."""

    start: int
    text: str
    follows: bool = False

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Clause:
    """
    A clause of a sentence, and what has to go from the sentence to leave the rest readable.

    `has_subject` says that it names whom it is about and does not lean on the clause before.
    """

    text: str
    cut: tuple[int, int]
    has_subject: bool


def units(text: str) -> list[Unit]:
    """The sentences of a text in order; the marks of lists, headings and turns belong to none."""
    found: list[Unit] = []
    offset = 0
    for line in text.split("\n"):
        found += _of_line(line, offset, continues=bool(found))
        offset += len(line) + 1
    return found


def _of_line(line: str, offset: int, *, continues: bool) -> Iterator[Unit]:
    mark = _MARK.match(line)
    at = mark.end() if mark else 0
    for sentence in sentences(line[at:]):
        at = line.index(sentence, at)
        follows = continues and _PRONOUN.match(sentence) is not None
        yield Unit(offset + at, sentence, follows)
        at += len(sentence)
        continues = True


def clauses(sentence: str) -> list[Clause]:
    """The clauses of a sentence, at least one; of a sentence with one clause all of it has to go."""
    joints = [match.span() for match in _JOINT.finditer(sentence)]
    bounds = _kept_joints(sentence, joints)
    if not bounds:
        return [Clause(sentence, (0, len(sentence)), has_subject=True)]
    starts = [0, *(end for _, end in bounds)]
    ends = [*(start for start, _ in bounds), len(sentence)]
    parts = [sentence[a:b] for a, b in zip(starts, ends, strict=True)]
    subject = _subject(parts[0])
    own = [True, *(_has_subject(part) for part in parts[1:])]
    found = []
    for at, part in enumerate(parts):
        if at:
            cut = (bounds[at - 1][0], ends[at] - (1 if at == len(parts) - 1 and _stop(part) else 0))
        elif own[1]:
            cut = (0, starts[1])
        else:
            cut = (_predicate(parts[0], parts[1], subject), starts[1])
        found.append(Clause(part, cut, own[at]))
    return found


def _kept_joints(sentence: str, joints: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Joints with something worth a clause on both sides; a comma and the `and` behind it are one."""
    kept: list[tuple[int, int]] = []
    for start, end in joints:
        if kept and not sentence[kept[-1][1] : start].strip():
            kept[-1] = (kept[-1][0], end)
        elif sentence[:start].strip() and _WORD.search(sentence, end):
            kept.append((start, end))
    return kept


def _stop(part: str) -> bool:
    return part.rstrip()[-1:] in ".!?。！？"


def _subject(part: str) -> int:
    """Where the subject of a clause ends: names at its beginning, or the words before its verb."""
    words = list(_WORD.finditer(part))
    for at in range(min(len(words), _LONGEST_SUBJECT)):
        if at and _is_verb([other[0] for other in words], at):
            return words[at - 1].end()
    if words and _DETERMINER.match(part):
        return words[min(1, len(words) - 1)].end()
    return words[0].end() if words else 0


def is_name_part(word: str) -> bool:
    """Whether a word inside a sentence begins as names do."""
    return word[:1].isupper()


def _has_subject(part: str) -> bool:
    """Whether a further clause brings its own subject: a name, a pronoun or a noun that stands before a verb."""
    words = [match[0] for match in _WORD.finditer(part)][: _LONGEST_SUBJECT + 1]
    return not _is_verb(words, 0) and any(_is_verb(words, at) for at in range(1, len(words)))


def has_verb(text: str) -> bool:
    """Whether a text says something, as far as the forms of its words tell, and is no bare name for a thing."""
    words = [match[0] for match in _WORD.finditer(text)]
    return any(_is_verb(words, at) for at in range(1, len(words)))


def _is_verb(words: list[str], at: int) -> bool:
    """Whether a word is a verb, as far as its form and its neighbours tell."""
    if at >= len(words) or (is_name_part(words[at]) and at):
        return False
    if _VERB.match(words[at]):
        return True
    if not _MAYBE_VERB.match(words[at]) or (at and is_stop(words[at - 1])):
        return False
    return at + 1 >= len(words) or not _VERB.match(words[at + 1])


def _predicate(first: str, second: str, subject: int) -> int:
    """Where the cut of a first clause begins whose subject the second needs: at its verb, or behind it."""
    at = subject + len(first[subject:]) - len(first[subject:].lstrip())
    verb = _WORD.match(first, at)
    begins = _WORD.search(second)
    if verb and begins and not _is_verb([m[0] for m in _WORD.finditer(second)], 0) and verb.end() < len(first):
        rest = first[verb.end() :]
        return verb.end() + len(rest) - len(rest.lstrip())
    return at
