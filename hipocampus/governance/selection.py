"""
Which statements a request means: `Dana`, `TKT-100`, `Sam does not own a boat`, `where the app is hosted`.

A value or a name means every statement that holds it as a whole. Other text means the statements that say what it
says: names and numbers must be there, the rest counts by how rare it is, and yes is not no.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from hipocampus.governance import identifiers, romanized, short_names
from hipocampus.governance.identifiers import Target
from hipocampus.governance.units import Clause, clauses, has_verb
from hipocampus.text.normal_form import Token, forms, tokens
from hipocampus.text.words import is_common, is_stop, stem

Similar = Callable[[str, Sequence[str]], Sequence[float]]
"""Cosines of a text to others."""

_ASKED = re.compile(
    r"^\s*(?:please\s+)?(?:(?:forget|delete|remove|erase|purge|release)\s+)?(?:that\s+)?"
    r"(?:(?:everything|all(?:\s+\w+)?|anything|facts?|information|memories|what\s+(?:you|we)\s+know)\s+"
    r"(?:you\s+know\s+|we\s+know\s+)?(?:about|on|regarding|concerning|of|related\s+to)\s+)?",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|without|cannot|nor|neither|kein\w*|nicht|nie|niemals|ohne|jamás|nunca|sin|ne|pas"
    r"|jamais|sans|aucune?|non|não|niet|geen|не|нет|ни)\b|n['’]t\b|않|못|없|不|没|沒|無|ない|ません",
    re.IGNORECASE,
)
_DETERMINER = re.compile(r"^(?:the|a|an|our|my|der|die|das|el|la|los|las|le|les)\s+", re.IGNORECASE)
# Function words that tell one time from another.
_RELATIONS = frozenset(
    "before after until till since vor nach bis seit antes después avant après depuis hasta desde prima dopo".split()
)
# What stands between a subject and a name or value that is another name for it.
_NAMES_IT = re.compile(
    r"\s*(?:is|are|was|were|has|have|ist|war|hat|heißt|es|est|se|s'|tiene|called|named|known|as|nicknamed|genannt|appelle|llama"
    r"|the|a|an|id|name|number|number:|key|code|[:=])?\b[\s:=#\"'`(+-]*",
    re.IGNORECASE,
)
_MOST_PHRASE_WORDS = 3
_LEAST = 0.45
_NEAR = 0.85
_SAME = 0.97
_LEAST_CLAIM = 0.2
_UNSURE = 0.6
_LEAST_SIMILAR = 0.3
_ABSENT = 0.4
"""What a word of a request counts that no statement has, of what the rarest counts."""
_MOST_COMPARED = 200
_PREFIX = 5
_PREFIX_WORTH = 0.7


@dataclass(frozen=True)
class Statement:
    """A sentence that may be meant; one that is not `is_active` was taken back before."""

    text: str
    is_active: bool = True
    follows: bool = False

    @cached_property
    def words(self) -> list[Token]:
        """Its words in order."""
        return tokens(self.text)

    @cached_property
    def stems(self) -> frozenset[str]:
        """What its words are compared by."""
        return frozenset(_stem(word.form) for word in self.words)


@dataclass(frozen=True, slots=True)
class Chosen:
    """A statement that is meant, by its number, and which part of its text has to go."""

    at: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Term:
    stem: str
    text: str
    is_anchor: bool


def request(query: str) -> str:
    """What a request is about, without `forget everything about`."""
    return _ASKED.sub("", query, count=1).strip() or query.strip()


def meant(query: str, statements: Sequence[Statement], *, similar: Similar | None = None) -> list[Chosen]:
    """What is to be forgotten or let go: all that holds a value or a name, or else what says the same."""
    found = held(query, statements)
    return found if found or _names_one_thing(query) else said(query, statements, similar=similar)


def _names_one_thing(query: str) -> bool:
    """Whether a request is an address, a number or a full name: what is only like it is something else."""
    asked = request(query)
    kind = identifiers.target(asked).kind
    words = asked.split()
    is_full_name = 2 <= len(words) <= _MOST_PHRASE_WORDS and all(w[:1].isupper() and w.isalpha() for w in words)
    return (
        kind in ("address", "host", "number", "dotted", "path") or (kind == "code" and asked.isascii()) or is_full_name
    )


def held(query: str, statements: Sequence[Statement]) -> list[Chosen]:
    """The statements, or their clauses, that hold a value or a name as a whole; for what is neither, none."""
    asked = request(query)
    wanted = identifiers.target(asked)
    is_phrase = len(forms(_DETERMINER.sub("", asked))) <= _MOST_PHRASE_WORDS
    if not wanted.forms or not (wanted.is_identifier or is_phrase or _is_unspaced(asked)):
        return []
    if not wanted.is_identifier:
        wanted = identifiers.target(_DETERMINER.sub("", asked))
    found: list[Chosen] = []
    takes_next = False
    all_spans = [_spans(asked, wanted, statement) for statement in statements]
    short = short_names.spans(asked, [statement.text for statement in statements])
    for at, statement in enumerate(statements):
        spans = all_spans[at] or short[at]
        if spans:
            part = _around(statement.text, spans)
            found.append(Chosen(at, *part))
            takes_next = part == (0, len(statement.text)) and _names_subject(statement.text, spans)
        elif takes_next and statement.follows:
            found.append(Chosen(at, 0, len(statement.text)))
        else:
            takes_next = False
    return [chosen for chosen in found if statements[chosen.at].is_active]


def said(query: str, statements: Sequence[Statement], *, similar: Similar | None = None) -> list[Chosen]:
    """The statements, or their clauses, that say what a request says; none where nothing says nearly that."""
    scores = _scores(request(query), statements, similar)
    top = max(scores, default=0.0)
    if top < _LEAST:
        return []
    meant = [at for at, score in enumerate(scores) if score >= _NEAR * top]
    return [_part(query, statements, at) for at in meant if statements[at].is_active]


def claimed(query: str, statements: Sequence[Statement], *, similar: Similar | None = None) -> list[Chosen]:
    """The statement that a request wants replaced, taken back or not, and others that say just the same."""
    scores = _scores(request(query), statements, similar)
    top = max(scores, default=0.0)
    if top < _LEAST_CLAIM:
        return []
    return [_part(query, statements, at) for at, score in enumerate(scores) if score >= _SAME * top]


def _scores(query: str, statements: Sequence[Statement], similar: Similar | None) -> list[float]:
    """How much of a request each statement says, 0 to 1."""
    wanted = forms(query)
    equal = [tuple(word.form for word in statement.words) == wanted for statement in statements]
    if any(equal):
        return [float(same) for same in equal]
    terms = _terms(query)
    weights = _weights(terms, statements)
    pool = _anchored(query, terms, statements, weights)
    scores = [_covered(terms, weights, s) if at in pool else 0.0 for at, s in enumerate(statements)]
    scores = _of_one_mind(query, statements, scores)
    repeated = [score if score and _repeats(s, wanted) else 0.0 for s, score in zip(statements, scores, strict=True)]
    if any(repeated):
        return repeated
    if similar and (max(scores, default=0.0) < _UNSURE or _is_tied(scores)):
        scores = _with_meaning(query, statements, scores, similar, pool)
    return scores


def _repeats(statement: Statement, wanted: tuple[str, ...]) -> bool:
    """Whether a statement has all words of a request in a row, where they are more than a name or a phrase."""
    size = len(wanted)
    said = [word.form for word in statement.words]
    starts = range(len(said) - size + 1) if size > _MOST_PHRASE_WORDS else ()
    return any(said[at] == wanted[0] and tuple(said[at : at + size]) == wanted for at in starts)


def _terms(query: str) -> list[_Term]:
    found = []
    for number, word in enumerate(tokens(query)):
        text = query[word.start : word.end]
        if is_stop(text) and word.form not in _RELATIONS and not any(sign.isdigit() for sign in text):
            continue
        is_name = text[:1].isupper() and (number > 0 or not is_common(text))
        found.append(_Term(_stem(word.form), text, is_name or any(sign.isdigit() for sign in text)))
    return found


def _weights(terms: Iterable[_Term], statements: Sequence[Statement]) -> dict[_Term, float]:
    """What each word of a request counts: more where few statements have it."""
    counts = Counter({term: sum(_match(term, s) > 0 for s in statements) for term in terms})
    rarest = math.log(1 + len(statements))
    return {
        term: (math.log(1 + len(statements) / count) if count else _ABSENT * rarest) * (2 if term.is_anchor else 1)
        for term, count in counts.items()
    }


def _anchored(
    query: str, terms: Sequence[_Term], statements: Sequence[Statement], weights: dict[_Term, float]
) -> set[int]:
    """The statements with all names and numbers of a request, or, where none has all, with the first of them."""
    anchors = [t for t in dict.fromkeys(terms) if t.is_anchor and any(_match(t, s) > 0 for s in statements)]
    names = [t for t in anchors if _match_any(t, statements)]
    if not names:
        return set(range(len(statements)))
    counts = [sum(_match(t, s) > 0 for t in names) for s in statements]
    most = max(counts)
    if most == len(names):
        return {at for at, count in enumerate(counts) if count == most}
    best = [sum(weights[t] for t in names if _match(t, s) > 0) for s in statements]
    return {at for at, value in enumerate(best) if value == max(best)}


def _match_any(term: _Term, statements: Sequence[Statement]) -> bool:
    return any(_match(term, statement) > 0 for statement in statements)


def _match(term: _Term, statement: Statement) -> float:
    if term.stem in statement.stems:
        return 1.0
    if term.is_anchor:
        return 0.0
    near = term.stem[:_PREFIX]
    if len(term.stem) >= _PREFIX and any(other.startswith(near) for other in statement.stems):
        return _PREFIX_WORTH
    return 0.0


def _covered(terms: Sequence[_Term], weights: dict[_Term, float], statement: Statement) -> float:
    total = sum(weights[term] for term in terms)
    return sum(weights[term] * _match(term, statement) for term in terms) / total if total else 0.0


def _of_one_mind(query: str, statements: Sequence[Statement], scores: list[float]) -> list[float]:
    """Where one that says yes or no as the request does is about as near, the others are not meant."""
    denies = _NOT.search(query) is not None
    same = [(_NOT.search(s.text) is not None) == denies for s in statements]
    best = max((score for score, agrees in zip(scores, same, strict=True) if agrees), default=0.0)
    if best < _UNSURE * max(scores, default=0.0) or not best:
        return scores
    return [score if agrees else 0.0 for score, agrees in zip(scores, same, strict=True)]


def _is_tied(scores: Sequence[float]) -> bool:
    top = sorted(scores)[-2:]
    return len(top) == 2 and top[0] >= _NEAR * top[1]


def _with_meaning(
    query: str, statements: Sequence[Statement], scores: list[float], similar: Similar, pool: set[int]
) -> list[float]:
    """Words and meaning together, where words alone don't tell."""
    asked = sorted(pool, key=lambda at: (-scores[at], at))[:_MOST_COMPARED]
    values = similar(query, [statements[at].text for at in asked])
    near = dict(zip(asked, values, strict=True))
    best = max(near.values(), default=0.0)
    if best < _LEAST_SIMILAR:
        return scores
    return [score + max(0.0, near.get(at, 0.0)) * (1 - score) for at, score in enumerate(scores)]


def _spans(asked: str, wanted: Target, statement: Statement) -> list[tuple[int, int]]:
    found = [(s.start, s.end) for s in identifiers.find(wanted, statement.text, statement.words)]
    if not wanted.is_identifier:
        if len(wanted.forms) == 1 and asked[:1].isupper() and is_common(asked):
            found = [span for span in found if statement.text[span[0]].isupper()]
        if not found and _may_be_name(asked):
            found = romanized.spans(asked, statement.text, statement.words)
    return found


def _may_be_name(text: str) -> bool:
    return all(not word[:1].islower() or not word.isascii() for word in text.split())


def _is_unspaced(text: str) -> bool:
    """Whether a text is written in a script without blanks, where words can't be counted."""
    return len(text) <= 2 * _MOST_PHRASE_WORDS and len(forms(text)) == len(text)


def _names_subject(text: str, spans: Sequence[tuple[int, int]]) -> bool:
    return spans[0][0] <= len(text) // 3


def _around(text: str, spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The clause around a value, if the others can do without it; else the whole sentence."""
    parts = clauses(text)
    inside = [part for part in parts if any(_holds(text, part, span) for span in spans)]
    if len(parts) == 1 or len(inside) != 1:
        return 0, len(text)
    part = inside[0]
    at = parts.index(part)
    if at or parts[1].has_subject:
        return part.cut
    subject = part.cut[0]
    is_it = spans[0][0] < subject or _only_names(text[subject : spans[0][0]])
    return (0, len(text)) if is_it else part.cut


def _only_names(between: str) -> bool:
    """Whether what stands between a subject and a value says only that the value is its name."""
    at = 0
    while at < len(between):
        match = _NAMES_IT.match(between, at)
        if not match or match.end() == at:
            return False
        at = match.end()
    return True


def _holds(text: str, part: Clause, span: tuple[int, int]) -> bool:
    start = text.index(part.text)
    return start <= span[0] < start + len(part.text)


def _part(query: str, statements: Sequence[Statement], at: int) -> Chosen:
    """The clauses of a statement that a request is about; all of it where they are all."""
    text = statements[at].text
    parts = clauses(text)
    whole = Chosen(at, 0, len(text))
    if len(parts) == 1 or (not parts[1].has_subject and _is_another_name(query, text, parts)):
        return whole
    asked = {_stem(form) for form in forms(request(query)) if not is_stop(form)}
    own = [_own_stems(parts, number) for number in range(len(parts))]
    shared = set.intersection(*own)
    counts = [len((stems & asked) - shared - _subject_stems(parts)) for stems in own]
    if not parts[1].has_subject or not any(counts):
        meant = [count > 0 for count in counts]
    else:
        full = [len((stems & asked) - shared) for stems in own]
        meant = [count == max(full) and count > 0 for count in full]
    if sum(meant) != 1:
        return whole
    cut = parts[meant.index(True)].cut
    return Chosen(at, *cut)


def _is_another_name(query: str, text: str, parts: Sequence[Clause]) -> bool:
    """Whether a request without a verb names the subject of a sentence together with what it is called."""
    subject = parts[0].cut[0]
    asked = set(forms(query))
    inside = [word for word in tokens(text) if word.form in asked and word.start >= subject]
    if has_verb(query) or not inside:
        return False
    between = text[subject : inside[0].start].strip()
    return bool(between) and _only_names(between + " ")


def _own_stems(parts: Sequence[Clause], number: int) -> set[str]:
    return {_stem(form) for form in forms(parts[number].text) if not is_stop(form)}


def _subject_stems(parts: Sequence[Clause]) -> set[str]:
    """The words of the subject that further clauses lean on."""
    return set() if parts[1].has_subject else {_stem(form) for form in forms(parts[0].text[: parts[0].cut[0]])}


def _stem(form: str) -> str:
    return stem(form)
