"""
Secrets in text: found by their shape, replaced by `[REDACTED:kind]`.

Only the value goes; the name in front of it and the line around it stay. A masked text masks to itself.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hipocampus.governance import assignments, key_blocks, provider_tokens, url_passwords
from hipocampus.governance.span import Page, Span

# The first one names the kind where two find the same.
_DETECTORS = (key_blocks.find, provider_tokens.find, url_passwords.find, assignments.find)


@dataclass(frozen=True, slots=True)
class Finding:
    """A secret in a text: its kind, the line it begins in (from 1), and its place in the text as it was."""

    kind: str
    line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Masked:
    """A text without its secrets, with as many lines as before, and what was found."""

    text: str
    findings: tuple[Finding, ...]


def mask(text: str) -> Masked:
    """The text with each secret replaced by `[REDACTED:kind]`; of one over several lines the line ends stay."""
    page = Page.of(text)
    spans = _joined(span for find in _DETECTORS for span in find(page))
    if not spans:
        return Masked(text, ())
    starts = _line_starts(text)
    findings = (Finding(kind, bisect_right(starts, start), start, end) for start, end, kind in spans)
    return Masked("".join(_pieces(text, spans)), tuple(findings))


def _joined(found: Iterable[Span]) -> list[Span]:
    """Spans in order; those that overlap become one of the kind that was found first."""
    spans = list(found)
    order = sorted(range(len(spans)), key=lambda at: (spans[at].start, at))
    joined: list[tuple[int, Span]] = []
    for at in order:
        start, end, kind = spans[at]
        if joined and start < joined[-1][1].end:
            first, last = joined.pop()
            kind = last.kind if first < at else kind
            joined.append((min(first, at), Span(last.start, max(end, last.end), kind)))
        else:
            joined.append((at, spans[at]))
    return [span for _, span in joined]


def _pieces(text: str, spans: Iterable[Span]) -> Iterator[str]:
    done = 0
    for start, end, kind in spans:
        yield text[done:start]
        yield f"[REDACTED:{kind}]" + "\n" * text.count("\n", start, end)
        done = end
    yield text[done:]


def _line_starts(text: str) -> list[int]:
    starts, at = [0], text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts
