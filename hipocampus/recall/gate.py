"""
Which prompts need memory: a first look at the words alone, a second one at what was found.

The second look asks how much of a prompt an entry covers, by the rarity of its terms. Measured on the 91 days: of
questions that memory can answer the median is 0.6, of requests that need none it is 0.4. Who speaks of "my" and "our"
more likely means something that was said before; so does what somebody wrote down on purpose.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_COMMAND = re.compile(r"\s*(?:/[\w:-]+(?:\s|$)|[!$]\s*\w)")
_DIRECTIVE = re.compile(r"(?<!\S)#(skip|remember)\b", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[\w']+")
_NODS = frozenset(
    """
    ok okay k y n yes yep yeah no nope sure thanks thank you so much thx great nice cool perfect lgtm good works fine
    continue proceed go on ahead next stop wait hold please do it that this again retry try done hello hi hey bye
    morning hmm never mind keep going looks sounds same still
    ja nein danke bitte weiter gut genau oui non merci sí si gracias vale 네 응 아니 고마워 계속 진행해
    はい いいえ ありがとう 続けて 好 好的 是 不 谢谢 继续
    """.split()
)
_OWN = re.compile(
    r"\b(?:i|i'\w+|me|my|mine|we|we'\w+|us|our|ours|last time|again|remember"
    r"|ich|mir|mich|mein\w*|wir|unser\w*|je|j'\w+|moi|mes|mon|ma|nous|notre|nos|yo|mi|mis|nosotros|nuestr\w+|io|mio|mia"
    r"|eu|meu|minha)\b|내|나는|제가|우리|저는|私|僕|俺|うちの|我|我们"
)
_SHARE_OF_OWN, _SHARE = 0.36, 0.56
_TERMS_OF_OWN, _TERMS = 1.0, 2.0
# What an entry that somebody wrote on purpose needs of that.
_WRITTEN = 0.6
# All of a prompt, which is one name: as rare as any, and no everyday word.
_ALL, _RAREST = 0.99, 0.99
_TELLING = 1.0


class Prompt(NamedTuple):
    """A prompt without our marks in it: `#skip` wants no memory, `#remember` wants it stored."""

    text: str
    skips: bool
    remembers: bool


def read_prompt(text: str) -> Prompt:
    """What a user typed, with its marks taken out."""
    marks = {match[1].lower() for match in _DIRECTIVE.finditer(text)}
    return Prompt(_DIRECTIVE.sub("", text).strip(), "skip" in marks, "remember" in marks)


def may_need_memory(text: str) -> bool:
    """Whether a prompt says enough to look anything up: no command, and more than a nod."""
    if _COMMAND.match(text) or not _LETTER.search(text):
        return False
    return any(word not in _NODS for word in _WORD.findall(text.casefold()[:200]))


class Coverage(NamedTuple):
    """How much of a prompt a document holds: its share by rarity, and how many of the rarest terms that would be."""

    share: float
    terms: float


def is_enough(text: str, found: Coverage, *, written: bool) -> bool:
    """Whether a document covers enough of a prompt; `written` says that somebody wrote it to be remembered."""
    is_own = _OWN.search(text.lower()) is not None
    factor = _WRITTEN if written else 1.0
    share, terms = (_SHARE_OF_OWN, _TERMS_OF_OWN) if is_own else (_SHARE, _TERMS)
    if found.share >= factor * share and found.terms >= factor * terms:
        return True
    return written and found.share >= _ALL and found.terms >= _RAREST and _names_something(text)


def _names_something(text: str) -> bool:
    """Whether a word of a text tells something by itself."""
    from hipocampus.text.words import words, worth

    return any(worth(word) >= _TELLING for word in words(text))
