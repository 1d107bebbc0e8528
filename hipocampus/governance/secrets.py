"""
Secrets in text: found by their shape, replaced by `[REDACTED:kind]`.

Only the value goes; the name in front of it and the line around it stay. A masked text masks to itself.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hipocampus.governance import assignments, provider_tokens
from hipocampus.governance.span import Page, Span

_MOST_ROUNDS = 4


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
    spans = _joined(_found(Page.of(text)))
    if not spans:
        return Masked(text, ())
    for _ in range(_MOST_ROUNDS):  # what stood right before or behind a secret may only now be one
        masked = "".join(_pieces(text, spans))
        more = _joined(_found(Page.of(masked)))
        if not more:
            break
        spans = _joined([*spans, *_moved_back(more, text, spans)])
    starts = _line_starts(text)
    findings = (Finding(kind, bisect_right(starts, start), start, end) for start, end, kind in spans)
    return Masked("".join(_pieces(text, spans)), tuple(findings))


def _found(page: Page) -> Iterator[Span]:
    """
    What the detectors find; the first one names the kind where two find the same.

    Those that few texts need are imported for these: a hook or a checkpoint of a few words waits for all of this.
    """
    if b"private key" in page.folded:
        from hipocampus.governance import key_blocks

        yield from key_blocks.find(page)
    yield from provider_tokens.find(page)
    if b"://" in page.folded:
        from hipocampus.governance import url_passwords

        yield from url_passwords.find(page)
    yield from assignments.find(page)


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


def _moved_back(found: Iterable[Span], text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Spans of the masked text, as they stand in the text that was masked."""
    places, shifts = [0], [0]
    for start, end, kind in spans:
        longer = end - start - len(_marker(text, start, end, kind))
        places.append(end - shifts[-1] - longer)
        shifts.append(shifts[-1] + longer)
    for start, end, kind in found:
        shift = shifts[bisect_right(places, start) - 1]
        yield Span(start + shift, end + shift, kind)


def _pieces(text: str, spans: Iterable[Span]) -> Iterator[str]:
    done = 0
    for start, end, kind in spans:
        yield text[done:start]
        yield _marker(text, start, end, kind)
        done = end
    yield text[done:]


def _marker(text: str, start: int, end: int, kind: str) -> str:
    return f"[REDACTED:{kind}]" + "\n" * text.count("\n", start, end)


def _line_starts(text: str) -> list[int]:
    starts, at = [0], text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts
