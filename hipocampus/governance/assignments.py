"""
Values that a name calls a secret: `PASSWORD=…`, `"api_key": "…"`, `--token …`, `Authorization: Bearer …`.

A name alone is not enough, since people write about tokens all day: the value has to look like one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from hipocampus.governance.span import Page, Span

_HINTS = (b"pass", b"pw", b"secret", b"token", b"key", b"cred", b"auth", b"bearer", b"sig=")
_KOREAN = ("비밀번호", "비번", "암호", "패스워드", "토큰", "시크릿", "API 키", "인증키")
_KOREAN_LETTERS = "번암드큰릿키"
_IN_A_NAME = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_-.")
_LONGEST_NAME = 80
_DASH = ord("-")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")

_PASSWORDS = frozenset(
    "password passwd passwort passphrase passcode pwd pass pw userpass dbpass pgpassword sshpass".split()
)
_SECRETS = frozenset("secret secrets credential credentials cred creds".split())
_TOKENS = frozenset("token authtoken accesstoken bearer jwt".split())
_KEYS = frozenset(
    "apikey secretkey accesskey privatekey authkey accountkey sharedaccesskey signingkey encryptionkey".split()
)
# What a key opens, in the word before it: a primary key or a key point is none.
_OPENING = frozenset(
    "api secret access private auth account sharedaccess signing encryption master service client app application "
    "admin session license deploy storage hmac jwt webhook subscription shared functions host ssh".split()
)
# Words behind which a name means something about the secret and not the secret.
_ABOUT = frozenset(
    "id ids name names url uri urls path file files filename dir type types kind length len size count limit max min "
    "ttl hash hashes hashed digest checksum fingerprint sha1 sha256 sha512 md5 policy expiry expires expiration at env "
    "ref reference field label hint format regex pattern validator validation rotation budget usage used left endpoint "
    "algorithm header prefix suffix arn version provider store manager form input reset page count public bucket "
    "rate".split()
)
# A bare value ends where the next pair of a list begins, as in addresses and connection strings.
_BARE = r"""(?:[^\s"'`<>&;,?\\]|[&;,?](?![\w.-]*[=:]|\s|\Z)|\\(?![nrt"']))++"""
_VALUE = (
    r"""(?:\\?"(?P<double>[^"\\\n]{1,4000}+)|\\?'(?P<single>[^'\\\n]{1,4000}+)|`(?P<tick>[^`\n]{1,4000}+)"""
    rf"|(?P<bare>{_BARE}))"
)
_SCHEME = r"(?:(?i:bearer|basic|token|bot|apikey|digest)[ \t]++)?"
_STARS = r"[ \t]*+\*{0,2}+[ \t]*+"
_BETWEEN = r"""(?:\\?["'`\])*]){0,4}+"""


class _Kind:
    """What is found, by name."""

    PASSWORD, TOKEN, KEY, SECRET = "password", "token", "api-key", "secret"


def find(page: Page) -> Iterator[Span]:
    """The values of names that call them secrets."""
    yield from _headers(page)
    yield from _named(page)
    yield from _logins(page)
    yield from _korean(page)


def _named(page: Page) -> Iterator[Span]:
    for hint in _HINTS:
        done = 0
        for at in page.places(hint):
            if at < done:
                continue
            start, end = _name_around(page.folded, at)
            done, kind = end, _kind(page.text[start:end])
            if not kind or page.folded.endswith(b"redacted:", 0, start):
                continue
            match = _assigned(is_flag=page.folded[start] == _DASH).match(page.text, end)
            if match and match["bare"]:
                done = match.end()  # or a long row of names would be read to its end from each
            if match and (span := _judged(match, kind)):
                yield span


def _name_around(folded: bytes, at: int) -> tuple[int, int]:
    """Where the name begins and ends that holds a place."""
    start, low = at, max(0, at - _LONGEST_NAME)
    while start > low and folded[start - 1] in _IN_A_NAME:
        start -= 1
    end, high = at, min(len(folded), at + _LONGEST_NAME)
    while end < high and folded[end] in _IN_A_NAME:
        end += 1
    return start, end


@lru_cache(maxsize=1024)
def _kind(name: str) -> str:
    """What a name calls its value, or ""."""
    words = [word.lower() for word in _WORDS.findall(name)]
    if not words or words[-1] in _ABOUT:
        return ""
    for word in words:
        if word in _PASSWORDS:
            return _Kind.PASSWORD
        if word in _TOKENS:
            return _Kind.TOKEN
    if not _KEYS.isdisjoint(words) or ("key" in words and not _OPENING.isdisjoint(words[: words.index("key")][-1:])):
        return _Kind.KEY
    if not _SECRETS.isdisjoint(words):
        return _Kind.SECRET
    return _Kind.TOKEN if words == ["sig"] or words[-1] in ("auth", "authorization") else ""


@cache
def _assigned(*, is_flag: bool) -> re.Pattern[str]:
    """From behind a name to the end of its value."""
    typed = r"[ \t]*+(?::[ \t]*+[\w\[\]|.]{1,30}+[ \t]*+=|=>|:=|={1,2}+|:)"
    said = rf"{typed}|[ \t]++(?:is|was|ist)(?=[ \t])|>|,(?=[ \t]*+[\"'])"
    sign = r"=|[ \t]++" if is_flag else said
    return re.compile(rf"{_BETWEEN}(?:{sign}){_STARS}{_SCHEME}{_VALUE}", re.ASCII)


def _judged(match: re.Match[str], kind: str) -> Span | None:
    """The value of an assignment where it looks like a secret."""
    from hipocampus.governance.value_shapes import is_key, is_number, is_password  # only where something is assigned

    group = str(match.lastgroup)
    start, end = match.span(group)
    value = match[group]
    if group == "bare":
        value = value.rstrip(")]}.,;:*|")
        end = start + len(value)
    is_last = group != "bare" or not match.string[end : end + 200].split("\n", 1)[0].strip(" \t)]}.,;:\"'`")
    looks = is_key(value) or (kind == _Kind.PASSWORD and (is_password(value) or (is_last and is_number(value))))
    return Span(start, end, kind) if looks else None


def _headers(page: Page) -> Iterator[Span]:
    """`Bearer …` and `Basic …` wherever they stand."""
    for scheme in (b"bearer ", b"basic "):
        for at in page.places(scheme):
            from hipocampus.governance.value_shapes import is_key

            match = _scheme().match(page.text, at)
            if match and is_key(match[1]):
                yield Span(*match.span(1), "authorization")


@cache
def _scheme() -> re.Pattern[str]:
    return re.compile(r"(?i:bearer|basic) +([A-Za-z0-9._~+/=-]{16,}+)", re.ASCII)


def _logins(page: Page) -> Iterator[Span]:
    """Passwords where a program takes them by position: curl, sshpass, mysql and .netrc."""
    for word, pattern in _LOGINS:
        done = 0
        for at in page.places(word):
            if at < done:
                continue
            match = _compiled(pattern).match(page.text, at)
            done = match.end() if match else min(at + _LONGEST_LINE, _end_of_line(page.folded, at))
            if match and not _REFERENCE.match(match[1]):
                yield Span(*match.span(1), _Kind.PASSWORD)


_LONGEST_LINE = 1000
_REFERENCE = re.compile(r"[$<{%*]|.*REDACTED")
_LOGINS = (
    (b"curl ", r"""curl\b[^\n]{0,1000}?\s(?:-u|--user)[ =]?["']?[^\s:"'\[]{1,80}+:([^\s"']{1,200}+)"""),
    (b"sshpass ", r"""sshpass -p ?["']?([^\s"']{1,200}+)"""),
    (b"mysql", r"""mysql(?:dump|admin)?\b[^\n]{0,1000}?\s-p([^\s"']{3,100}+)"""),
    (b"machine ", r"machine\s++\S{1,200}+\s++login\s++\S{1,200}+\s++password\s++(\S{1,200}+)"),
)


def _end_of_line(folded: bytes, at: int) -> int:
    end = folded.find(b"\n", at)
    return len(folded) if end < 0 else end


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _korean(page: Page) -> Iterator[Span]:
    """The same in Korean, where a particle may stand between the name and its value."""
    if not any(letter in page.text for letter in _KOREAN_LETTERS):  # many times as fast as to look for the words
        return
    for word in _KOREAN:
        at = page.text.find(word)
        while at >= 0:
            match = _particle().match(page.text, at + len(word))
            if match and (span := _judged(match, _Kind.PASSWORD)):
                yield span
            done = match.end() if match and match["bare"] else at + len(word)
            at = page.text.find(word, done)


@cache
def _particle() -> re.Pattern[str]:
    return re.compile(rf"{_BETWEEN}[ \t]*+(?:[:=：]|은|는|이|가){_STARS}{_VALUE}")
