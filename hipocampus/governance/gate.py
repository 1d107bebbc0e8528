"""
The gate in front of the raw logs and the summaries: every write path passes it.

It takes private text and secrets out, makes text safe for the grammar of the log (a pasted heading or comment must
not open or close an entry) and decides actor and path, which the text itself can't.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from hipocampus.errors import CheckFailed, UsageError
from hipocampus.governance.redaction import redact, redacted
from hipocampus.governance.refusal import Refusals
from hipocampus.log.entry import ENTRY_TYPES, EntryType, fenced_lines, open_fence
from hipocampus.log.turns import MARK, Turn

TITLE_LENGTH = 120
TURN_LENGTH = 100_000
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_HEADING = re.compile(r"(#{1,2})( |$)")
_SESSION = re.compile(r"^##( +Session\b)")
_SURROGATE = re.compile("[\ud800-\udfff]")
_MARK = re.compile(r"^(?:#{1,6}|[-*+])(?: +|$)")
_TYPE_SUFFIX = re.compile(r" \[(?:project|feedback|user|reference)\]$")


class WritePath(StrEnum):
    """By which way a text wants to become memory."""

    CHECKPOINT = "checkpoint"
    CAPTURE = "capture"
    CORRECTION = "correct"
    IMPORT = "import"
    SUMMARY = "summary"


@dataclass(frozen=True, slots=True)
class Draft:
    """What somebody wants remembered; behind the gate `left_out` says in words what it took out."""

    title: str
    body: str
    type: EntryType = "project"
    left_out: tuple[str, ...] = ()


def admit(draft: Draft, path: WritePath, refusals: Refusals | None = None) -> Draft:
    """
    The draft as it may be written; `refusals` leaves out what was taken back.

    Raises UsageError for an unknown type or a draft that says nothing, CheckFailed when all of it was taken back.
    """
    refusals = refusals or Refusals()
    if draft.type not in ENTRY_TYPES:
        message = f"unknown entry type {draft.type!r}"
        raise UsageError(message, hint=f"use one of {', '.join(ENTRY_TYPES)}")
    before = len(refusals.refused)
    shown, heading = redact(_cleaned(draft.body)), redact(_as_line(draft.title))
    body = refusals.without(shown.text.strip("\n").rstrip())
    if path is WritePath.SUMMARY:
        return Draft(draft.title, body, draft.type)
    said = refusals.without(heading.text.strip())
    taken_back = (f"what {match.mutation} took back" for match in refusals.refused[before:])
    left_out = tuple(dict.fromkeys((*draft.left_out, *heading.left_out, *shown.left_out, *taken_back)))
    title = one_line(said)
    if not title and not body.strip():
        if refusals.refused:
            message = "this was taken back before and is not stored again"
            raise CheckFailed(message, hint="`hipocampus ledger` shows when; somebody at a terminal may state it anew")
        message = "there is nothing to remember"
        hint = "give a title, options like --decision, or text on stdin; what is <private> is not kept"
        raise UsageError(message, hint=hint)
    if not title:
        title, body = _split_title(body)
    elif title != said:
        body = f"{said}\n{body}".rstrip()
    return Draft(title, _inside_an_entry(body), draft.type, left_out)


def admit_turn(turn: Turn, refusals: Refusals | None = None) -> Turn | None:
    """
    What a host says was said, as it may be written below a mark of its own; None when nothing is left of it.

    A line that would begin another turn, session or comment is disarmed; a block of code that is left open is closed.
    """
    text = (refusals or Refusals()).without(redacted(_cleaned(turn.text)).strip())
    if len(text) > TURN_LENGTH:
        text = f"{text[:TURN_LENGTH].rstrip()}\n(… {len(text) - TURN_LENGTH:,} more characters)"
    lines = [_SESSION.sub(r"####\1", line) for line in _without_comments(MARK.sub(r" \g<0>", text).split("\n"))]
    body = "\n".join([*lines, *filter(None, [open_fence(lines)])]).strip()
    return replace(turn, text=body) if body else None


def one_line(title: str) -> str:
    """A title as one line without control characters; a long one is cut at a word."""
    text = _as_line(title)
    if len(text) <= TITLE_LENGTH:
        return text
    return text[:TITLE_LENGTH].rsplit(" ", 1)[0].rstrip() + "…"


def _as_line(text: str) -> str:
    return _SURROGATE.sub("\ufffd", _CONTROL.sub(" ", text.replace("\n", " "))).strip()


def _cleaned(text: str) -> str:
    text = _SURROGATE.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))
    return _CONTROL.sub("", text).strip("\n").rstrip()


def _inside_an_entry(body: str) -> str:
    """Disarm our own comment and deepen headings outside of code, so that the body stays one entry."""
    lines = _without_comments(body.split("\n"))
    fenced = fenced_lines(lines)
    for index, line in enumerate(lines):
        if index not in fenced and _HEADING.match(line):
            lines[index] = "##" + line
    return "\n".join(lines)


def _without_comments(lines: list[str]) -> list[str]:
    return [re.sub("^<!-- hipo ", "<!-- (hipo) ", line) for line in lines]


def _split_title(body: str) -> tuple[str, str]:
    """The first line as the title and the rest; a line too long for a title also stays in the body."""
    first, _, rest = body.lstrip("\n").partition("\n")
    said = _as_line(_TYPE_SUFFIX.sub("", _MARK.sub("", first.strip())))
    title = one_line(said) if re.search(r"\w", said) else "Note"
    return title, rest.strip("\n") if title == said else body
