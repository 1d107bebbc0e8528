"""Long text cut into pieces that an encoder can take in, at the ends of lines and sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator

from hipocampus.log.entry import fenced_lines
from hipocampus.text.sentences import sentences

LIMIT = 300
"""Tokens of a piece at most, as `cost` estimates them."""

# Lines below a third of the limit stay whole, so that paragraphs do; longer ones would leave pieces half empty.
_SHORT_LINE = LIMIT / 3
_LETTERS = bytes(range(ord("A"), ord("Z") + 1)) + bytes(range(ord("a"), ord("z") + 1)) + b" \t\n"
_ASCII = bytes(range(128))
# First bytes of characters of two, three and four bytes (RFC 3629).
_LEADS = (bytes(range(0xC2, 0xE0)), bytes(range(0xE0, 0xF0)), bytes(range(0xF0, 0xF5)))
_LETTER, _SIGN, _TWO_BYTES, _THREE_BYTES, _FOUR_BYTES = 0.23, 0.9, 0.35, 0.84, 2.0


def cost(text: str) -> float:
    """
    Tokens of a text (o200k_base), estimated by classes of characters.

    At or above the true count for what people write in any script and for source code; text without words, such as
    base64, has up to twice as many. The cost of a text is the sum of the costs of its parts.
    """
    data = text.encode("utf-8", "surrogatepass")
    rest = data.translate(None, _LETTERS)
    total = _LETTER * (len(data) - len(rest))
    if not rest:
        return total
    high = rest.translate(None, _ASCII)
    total += _SIGN * (len(rest) - len(high))
    if not high:
        return total
    two, three, four = (len(high) - len(high.translate(None, leads)) for leads in _LEADS)
    return total + _TWO_BYTES * two + _THREE_BYTES * three + _FOUR_BYTES * four


def cut(text: str) -> list[tuple[int, int]]:
    """
    Where the pieces of a text begin and end: one behind the other, about equally long, none above the limit.

    A piece begins with a line or a sentence, in a block of code with a line. What goes on for more than the limit
    without a sentence end is cut at a blank, or anywhere if there is none.
    """
    left = cost(text)
    if left <= LIMIT:
        return [(0, len(text))]
    spans: list[tuple[int, int]] = []
    start, spent, share = 0, 0.0, _share(left)
    for at, price in _units(text):
        if at > start and (spent + price > LIMIT or spent + price / 2 > share):
            spans.append((start, at))
            left -= spent
            start, spent, share = at, 0.0, _share(left)
        spent += price
    return [*spans, (start, len(text))]


def _share(left: float) -> float:
    """What the next piece should cost for all that are left to be about equal."""
    return left / max(1, math.ceil(left / LIMIT))


def _units(text: str) -> Iterator[tuple[int, float]]:
    """Where each part begins that should stay whole, and its cost; a part ends where the next begins."""
    lines = text.split("\n")
    fenced = fenced_lines(lines) if "```" in text or "~~~" in text else set()
    at = 0
    for index, line in enumerate(lines):
        price = cost(line) + _LETTER
        if price <= _SHORT_LINE or (index in fenced and price <= LIMIT):
            yield at, price
        else:
            yield from _sentences(line, at)
        at += len(line) + 1


def _sentences(line: str, offset: int) -> Iterator[tuple[int, float]]:
    starts = [0]
    at = 0
    for sentence in sentences(line):
        begin = line.index(sentence, at)
        if at:
            starts.append(begin)
        at = begin + len(sentence)
    for start, end in zip(starts, [*starts[1:], len(line)], strict=True):
        yield from _halves(line[start:end], offset + start)


def _halves(text: str, offset: int) -> Iterator[tuple[int, float]]:
    price = cost(text)
    if price <= LIMIT:
        yield offset, price
        return
    middle = len(text) // 2
    blank = text.rfind(" ", middle // 2, middle)
    at = blank + 1 if blank >= 0 else middle
    yield from _halves(text[:at], offset)
    yield from _halves(text[at:], offset + at)
