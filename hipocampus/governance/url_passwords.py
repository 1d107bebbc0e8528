"""Passwords in addresses (RFC 3986, userinfo): `postgres://app:…@db/orders`; only the password is the secret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from hipocampus.governance.span import Page, Span

KIND = "url-password"
_REFERENCE = re.compile(r"[$<{%*]|\.\.\.|\u2026|.*REDACTED|[xX]+\Z")


def find(page: Page) -> Iterator[Span]:
    """The passwords in addresses."""
    for at in page.places(b"://"):
        match = _userinfo().match(page.text, at)
        if match and not _REFERENCE.match(match[1]):
            yield Span(*match.span(1), KIND)


@cache
def _userinfo() -> re.Pattern[str]:
    """A password may hold what should have been escaped, also an `@`; the last one before the host counts."""
    return re.compile(r"""://[^\s:/@"'`<>?#\[]{0,200}:([^\s/"'`<>]{1,500})@(?=[\w.\[*$%{-])""")
