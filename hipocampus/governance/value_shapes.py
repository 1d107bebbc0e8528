"""
Whether a value that is called a password or a key can be one, by its characters alone.

Plain words, identifiers, paths, references to the environment, placeholders and counts never are.
"""

from __future__ import annotations

import re
from itertools import pairwise

_SHORTEST_PASSWORD = 6
_SHORTEST_KEY = 10
_LONGEST = 4000
# Letters alone are a key when there are so many, and their case changes this often for each of them.
_LETTERS_OF_A_KEY = 20
_CHANGES_OF_CASE = 0.42
_MARKER = "REDACTED"
_NO_VALUE = re.compile(
    r"[$%<@*&#]|\{\{|\.\.\.|\u2026|[^\x21-\x7e]|://|[(]|\[\]"
    r"|(?i:x{4}|\*{3}|your[-_]|example|placeholder|change[-_]?me|dummy|redacted|process\.env|environ\b|getenv|import\.meta"
    r"|^secrets\.|^vars\.|^env\.|^op:|^vault:|^(?:sha\d|md5|blake)\S*[-:])"
)
# In a password these are characters like others, but for where a reference would begin with them.
_NO_PASSWORD = re.compile(
    r"^[$%<@*(&]|\$\{|\$\(|\{\{|%\(|\.\.\.|\u2026|[^\x21-\x7e]|://|\w\(|\[|^\*+$"
    r"|(?i:x{4}|\*{3}|your[-_]|example|placeholder|change[-_]?me|dummy|redacted|process\.env|environ\b|getenv|import\.meta"
    r"|^secrets\.|^vars\.|^env\.|^op:|^vault:)"
)
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_SIGN = re.compile(r"[!@#$%^&*+~?]")
_SPLIT = re.compile(r"[-_.:/+\\=,;|]+")
_QUANTITY = re.compile(r"v?\d+[A-Za-z]*|\d+T\d+Z?")
_NAMED = re.compile(r"[A-Za-z]{2,}\d{1,4}|[A-Za-z]{1,2}\d{1,2}")
_KNOWN_WORDS = re.compile(
    r"(?i:argon2\w*|bcrypt\d*|scrypt|sha\d+|md5|pbkdf2|oauth2?|base\d\d|utf\d+|x509|ed25519|rsa\d*|aes\d*|hs\d+|rs\d+|es\d+"
    r"|saml2?|http2?|ipv[46]|uuid\d?|int\d+|float\d+|log4j|web3|k8s|i18n|s3|ec2|p256|secp\w+)"
)


def is_password(value: str) -> bool:
    """Whether a value can be what somebody chose as a password: letters with digits, or with signs among them."""
    if not _SHORTEST_PASSWORD <= len(value) <= _LONGEST or _NO_PASSWORD.search(value) or _EMAIL.fullmatch(value):
        return False
    said = value.rstrip("!?.,;:*")
    if not re.search(r"[A-Za-z]", said) or not (re.search(r"\d", said) or _SIGN.search(said[:-1])):
        return False
    parts = _parts(said)
    if len(parts) == 1 and not _SIGN.search(said):
        return not (_QUANTITY.fullmatch(said) or _KNOWN_WORDS.fullmatch(said))
    return bool(_SIGN.search(said)) or not all(map(_is_plain, parts))


def is_number(value: str) -> bool:
    """Whether a value can be a password of digits."""
    return _SHORTEST_PASSWORD <= len(value) <= 64 and value.isascii() and value.isdigit()


def is_key(value: str) -> bool:
    """Whether a value can be a key that a machine made: letters and digits in no order that a name would have."""
    if not _SHORTEST_KEY <= len(value) <= _LONGEST or _NO_VALUE.search(value) or _EMAIL.fullmatch(value):
        return False
    if len(re.findall(r"\d", value[:200])) < 2:
        return _is_mixed(value)
    return bool(re.search(r"[A-Za-z]", value)) and not all(map(_is_plain, _parts(value)))


def _parts(value: str) -> list[str]:
    return [part for part in _SPLIT.split(value) if part]


def _is_plain(part: str) -> bool:
    """Whether a part of a value is a word, a camel-cased name, a count or a name with a number."""
    if part.isalpha():
        return not _is_mixed(part)
    return bool(_QUANTITY.fullmatch(part) or _NAMED.fullmatch(part) or _KNOWN_WORDS.fullmatch(part)) or _is_name(part)


def _is_name(part: str) -> bool:
    """Whether a part is words and short numbers, as `refreshTokenV2` is."""
    return len(part) < 40 and bool(re.fullmatch(r"(?:[A-Z]?[a-z]{3,}|[A-Z]{2,5}(?![a-z]))+(?:[A-Z]?\d{1,2})?", part))


def _is_mixed(letters: str) -> bool:
    """Whether the case of letters changes as often as chance would have it."""
    if len(letters) < _LETTERS_OF_A_KEY:
        return False
    changes = sum(a.isupper() != b.isupper() for a, b in pairwise(letters) if (a + b).isalpha())
    return changes / len(letters) >= _CHANGES_OF_CASE
