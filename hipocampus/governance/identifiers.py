"""
What in a request names one thing exactly: an address, a number, a key, a version, a path, a ticket.

Such a value is matched as a whole: `TKT-100` is neither in `TKT-1000` nor in `TKT-100-B`, however it is written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from hipocampus.text.normal_form import Token, forms, tokens

Kind = Literal["address", "host", "number", "dotted", "code", "path", "words"]

_QUOTES = " \t\n\"'`“”‘’«»„<>"
_AT = re.compile(r"\s*[\[({<]\s*(?:at|@|ät)\s*[\])}>]\s*", re.IGNORECASE)
_DOT = re.compile(r"\s*[\[({<]\s*(?:dot|\.|punkt|punto|point)\s*[\])}>]\s*", re.IGNORECASE)
_PHONE = 9
_INVISIBLE = "[\u00ad\u200b-\u200f\u2060\ufeff]*"
_ADDRESS = re.compile(rf"[\w.+-]+{_INVISIBLE}@{_INVISIBLE}[\w-]+(?:\.[\w-]+)+")
_HOST = re.compile(r"(?:[a-z][a-z+.-]*://)?(?:[\w-]+\.)+[a-z]{2,24}(?:[/?#]\S*)?", re.IGNORECASE)
_DOTTED = re.compile(r"v?\d+(?:\.\d+)+", re.IGNORECASE)
_NUMBER = re.compile(r"\+?[\d\s().\-/]{4,}|\d+")
_PATH = re.compile(r"[#@~./\\]?[\w.-]+(?:[/\\][\w.-]+)+/?|[/~#@][\w./-]+")
_SHAPES: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("address", _ADDRESS),
    ("dotted", _DOTTED),
    ("host", _HOST),
    ("number", _NUMBER),
    ("path", _PATH),
)
_CODE = re.compile(r"(?=\S*\d)[\w#]+(?:[-_:. ]?[\w]+)*|[A-Z]+(?:[-_][A-Z0-9]+)+|\w+(?:[-_]\w+)+-?")
_SPELLED = re.compile(
    r"\s*[\[({<]\s*(?:at|@|ät|dot|\.|punkt|punto|point)\s*[\])}>]\s*|\s+(?:at|ät|dot|punkt|punto|point|arroba)\s+",
    re.IGNORECASE,
)
# What stands between the parts of one identifier; a comma or the end of a sentence parts two.
_INSIDE = re.compile(r"[^\w\n,;!?]{0,4}_?|_")
_STOP = re.compile(r"(?<!\s)[.:]\s")
# Signs that tie what follows to what stands before.
_TIES = frozenset("-_.@/+#\\&'’")
_ENDINGS = re.compile(
    r"['’]s\b|[-–](?:based|style|like|only|related|owned|led|specific|side|free|ready)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Target:
    """
    A value that is looked for: the normal forms of its words in order.

    `sign` is what a path, a channel or a phone number begins with.
    """

    kind: Kind
    forms: tuple[str, ...]
    sign: str = ""

    @property
    def skeleton(self) -> str:
        """All words in one."""
        return "".join(self.forms)

    @property
    def is_identifier(self) -> bool:
        """Whether it names one thing and is no word of a language."""
        return self.kind != "words"


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a text, from `start` to before `end`."""

    start: int
    end: int


def target(value: str) -> Target:
    """What a value is, by its shape."""
    plain = spelled(value.strip(_QUOTES))
    kind = _kind(plain)
    has_sign = (kind == "path" and plain[0] in "#@~/") or (kind == "number" and plain[0] == "+")
    return Target(kind, forms(plain), plain[0] if has_sign else "")


def spelled(text: str) -> str:
    """A text in which `carol [at] example [dot] net` is written with signs."""
    return _DOT.sub(".", _AT.sub("@", text)) if "[" in text or "(" in text or "{" in text or "<" in text else text


def _kind(text: str) -> Kind:
    shaped = next((kind for kind, shape in _SHAPES if shape.fullmatch(text)), None)
    if shaped:
        return shaped
    return "code" if _CODE.fullmatch(text) and _looks_like_a_code(text) else "words"


def _looks_like_a_code(text: str) -> bool:
    """Letters and digits in one word, or parts that are joined; words beside a number are none."""
    words = text.split()
    if len(words) == 1:
        return True
    return all(re.search(r"\d|^[A-Z]{2,6}$", word) for word in words) or (
        len(words) == 2 and words[0].isupper() and words[1].isdigit()
    )


def find(wanted: Target, text: str, words: list[Token] | None = None) -> list[Stretch]:
    """Where a value stands in a text, in linear time for a value of bounded length."""
    words = tokens(text) if words is None else words
    return [stretch for skeleton in _skeletons(wanted) for stretch in _find(wanted, skeleton, text, words)]


def _skeletons(wanted: Target) -> list[str]:
    """A value as one word, and a phone number also without the code of its country."""
    whole = wanted.skeleton
    if wanted.sign != "+" or len(whole) < _PHONE:
        return [whole]
    return [
        whole,
        *(f"{trunk}{whole[size:]}" for size in (1, 2, 3) for trunk in ("", "0") if len(whole) - size >= _PHONE - 1),
    ]


def _find(wanted: Target, skeleton: str, text: str, words: list[Token]) -> list[Stretch]:
    if wanted.kind == "address" and _SPELLED.search(text):
        fillers = [match.span() for match in _SPELLED.finditer(text)]
        words = [word for word in words if not any(start <= word.start < end for start, end in fillers)]
    found = []
    for first, token in enumerate(words):
        if skeleton and skeleton.startswith(token.form):
            last = _last_of(words, first, skeleton)
            if last is not None and stands(wanted, text, words[first : last + 1]):
                found.append(Stretch(token.start, words[last].end))
    return found


def _last_of(words: list[Token], first: int, skeleton: str) -> int | None:
    """The word that completes a skeleton begun by another, if it ends there."""
    length = 0
    for at in range(first, len(words)):
        if not skeleton.startswith(words[at].form, length):
            return None
        length += len(words[at].form)
        if length == len(skeleton):
            return at
    return None


def stands(wanted: Target, text: str, matched: list[Token]) -> bool:
    """Whether words that make up a value stand by themselves, and belong together."""
    gaps = [text[a.end : b.start] for a, b in pairwise(matched)]
    if wanted.kind == "dotted" and (any(gap.strip() != "." for gap in gaps) or len(matched) != len(wanted.forms)):
        return False
    if wanted.is_identifier and not all(_joins(gap) for gap in gaps):
        return False
    if wanted.kind == "path" and wanted.sign and text[matched[0].start - 1 : matched[0].start] != wanted.sign:
        return False
    if not wanted.is_identifier and any("\n\n" in gap for gap in gaps):
        return False
    return not _tied_before(text, matched[0].start, wanted) and not _tied_behind(text, matched[-1].end, wanted)


def _joins(gap: str) -> bool:
    """Whether two words with this between them can be parts of one identifier."""
    return bool(_INSIDE.fullmatch(gap) and not _STOP.search(gap)) or bool(_SPELLED.fullmatch(gap))


def _tied_before(text: str, start: int, wanted: Target) -> bool:
    if start < 2 or text[start - 1] not in _TIES or wanted.sign:
        return False
    if text[start - 1] in "'’":
        return False
    return text[start - 2].isalnum()


def _tied_behind(text: str, end: int, wanted: Target) -> bool:
    behind = text[end : end + 2]
    if len(behind) < 2 or behind[0] not in _TIES or not behind[1].isalnum():
        return False
    if wanted.kind == "host" and behind[0] == "/":
        return False
    return _ENDINGS.match(text, end) is None
