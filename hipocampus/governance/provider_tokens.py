"""
Keys that say by their shape who issued them: a prefix of their own and a body of random characters.

The prefixes are those that the issuers document, so that scanners can tell their keys from other text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from hipocampus.governance.span import Page, Span

# A kind, and the whole of a key; the group named `value` is the secret where it is not all of it.
_SHAPES = (
    ("anthropic", r"sk-ant-[\w-]{20,}+"),
    ("openrouter", r"sk-or-v1-[0-9a-f]{40,}+"),
    ("openai", r"sk-(?:proj|svcacct|admin|None)-[\w-]{20,}+"),
    ("openai", r"sk-[A-Za-z0-9]{20,}+(?![\w-])"),
    ("github", r"gh[pousr]_[A-Za-z0-9]{30,}+"),
    ("github", r"github_pat_[A-Za-z0-9_]{20,}+"),
    ("gitlab", r"gl(?:pat|dt|rt|cbt|ptt|soat|ffct|agent|oas|imt)-[\w-]{20,}+(?:\.[\w-]+)*"),
    ("aws", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("slack", r"xox[a-z](?:\.xox[a-z])?-[\w-]{10,}+"),
    ("slack", r"xapp-\d-[\w-]{20,}+"),
    ("slack", r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<value>[\w/]{20,}+)"),
    ("google", r"AIza[\w-]{35}(?![\w-])"),
    ("google", r"GOCSPX-[\w-]{20,}+"),
    ("google", r"ya29\.[\w-]{20,}+"),
    ("stripe", r"[srp]k_(?:live|test)_[A-Za-z0-9]{16,}+"),
    ("stripe", r"whsec_[A-Za-z0-9+/=]{24,}+"),
    ("npm", r"npm_[A-Za-z0-9]{30,}+"),
    ("pypi", r"pypi-[\w-]{50,}+"),
    ("huggingface", r"(?:hf|api_org)_[A-Za-z0-9]{30,}+"),
    ("sendgrid", r"SG\.[\w-]{16,}+\.[\w-]{16,}+"),
    ("twilio", r"SK[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("mailgun", r"key-[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("mailchimp", r"[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9])"),
    ("telegram", r"(?:bot)?(?P<value>\d{8,10}:[\w-]{35}(?![\w-]))"),
    ("discord", r"[MNO][A-Za-z0-9]{23,27}\.[\w-]{6}\.[\w-]{27,}+"),
    ("discord", r"discord(?:app)?\.com/api/webhooks/\d+/(?P<value>[\w-]{40,}+)"),
    ("azure", r"[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])"),
    ("digitalocean", r"do[opr]_v1_[0-9a-f]{40,}+"),
    ("shopify", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}(?![A-Za-z0-9])"),
    ("databricks", r"dapi[0-9a-f]{32}(?:-\d)?(?![A-Za-z0-9])"),
    ("grafana", r"gl(?:c|sa)_[\w+/=]{32,}+"),
    ("newrelic", r"NR(?:AK|JS|II|RA)-[A-Za-z0-9]{20,}+"),
    ("linear", r"lin_(?:api|oauth)_[A-Za-z0-9]{32,}+"),
    ("notion", r"(?:secret|ntn)_[A-Za-z0-9]{40,}+"),
    ("figma", r"figd_[\w-]{40,}+"),
    ("postman", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    ("doppler", r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[\w-]+\.)?[A-Za-z0-9]{40,44}(?![A-Za-z0-9])"),
    ("dockerhub", r"dckr_(?:pat|oat)_[\w-]{20,}+"),
    ("vault", r"hv[sbr]\.[\w-]{24,}+"),
    ("terraform", r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}+"),
    ("atlassian", r"ATATT3[\w=-]{50,}+"),
    ("sentry", r"sntry[su]_[\w+/=]{40,}+"),
    ("supabase", r"sb_secret_[\w-]{20,}+"),
    ("supabase", r"sbp_[0-9a-f]{40}(?![A-Za-z0-9])"),
    ("square", r"(?:EAAA[\w-]{60}|sq0(?:atp|csp|idp)-[\w-]{22,43})(?![\w-])"),
    ("groq", r"gsk_[A-Za-z0-9]{40,}+"),
    ("xai", r"xai-[A-Za-z0-9]{60,}+"),
    ("perplexity", r"pplx-[A-Za-z0-9]{40,}+"),
    ("replicate", r"r8_[A-Za-z0-9]{37}(?![A-Za-z0-9])"),
    ("age", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    ("jwt", r"ey[JI][\w-]{10,}+\.[\w-]{4,}+\.[\w-]{10,}+"),
    ("jwt", r"eyJ[\w-]{10,}+\.(?:[\w-]*+\.){3}[\w-]{10,}+"),
)
# A key begins where a word begins; the escapes of JSON and of addresses end one.
_LEFT = r"(?:(?<![A-Za-z0-9_-])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2}))"
# Every key is inside of a row of so many of these characters, and but for those of AWS each has digits.
_SHORTEST = 16
_IN_A_ROW = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_-.:/~+=")
_ROWS = bytes(ord("x") if byte in _IN_A_ROW else ord(" ") for byte in range(256))
_TELLING = re.compile(rb"[0-9]|akia|asia|abia|acca")
_WEAK = frozenset({"openai", "slack", "npm", "huggingface", "gitlab", "anthropic", "pypi", "github"})


def find(page: Page) -> Iterator[Span]:
    """The keys of known issuers, in order."""
    for start, end in _rows(page):
        for match in _pattern().finditer(page.text, start, end):
            kind = _SHAPES[int(str(match.lastgroup)[1:])][0]
            if kind not in _WEAK or re.search(r"\d", match[0]):
                yield _span(match, kind)


def _span(match: re.Match[str], kind: str) -> Span:
    value = f"v{str(match.lastgroup)[1:]}"
    inner = match.re.groupindex.get(value)
    start, end = match.span(value if inner else 0)
    return Span(start, end, kind)


def _rows(page: Page) -> Iterator[tuple[int, int]]:
    """The rows of characters of which keys are made that are long enough for one."""
    rows = page.folded.translate(_ROWS)
    row, end = b"x" * _SHORTEST, 0
    at = rows.find(row)
    while at >= 0:
        start, end = max(rows.rfind(b" ", end, at) + 1, end), rows.find(b" ", at)
        end = len(rows) if end < 0 else end
        if _TELLING.search(page.folded, start, end):
            yield start, end
        at = rows.find(row, end)


@cache
def _pattern() -> re.Pattern[str]:
    """All shapes at once, each in a group of its number; compiled when a text needs it."""
    shapes = (f"(?P<k{at}>{shape.replace('?P<value>', f'?P<v{at}>')})" for at, (_, shape) in enumerate(_SHAPES))
    return re.compile(f"{_LEFT}(?:{'|'.join(shapes)})", re.ASCII)
