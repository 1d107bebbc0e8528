"""
Corrections that new entries suggest: "moved from Heroku to Fly.io" makes "We deploy to Heroku" doubtful.

They are proposed to a person, never applied. A proposal that was refused is not made again.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hipocampus.governance import identifiers, pages
from hipocampus.governance.leaks import dismissed
from hipocampus.governance.pages import Located, Page
from hipocampus.layout import Workspace

_THING = r"[^,.;:!?()\n]{2,40}?"
_END = r"(?=[,.;:!?()\n]|$|\s+(?:in|on|for|because|since|as|at|after|this|last|wegen|seit)\b)"
_CHANGES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:moved|moving|migrated|migrating|switched|switching|changed|ported|upgraded)\b[^.\n]{{0,40}}?\bfrom "
        rf"(?P<old>{_THING}) to (?P<new>{_THING}){_END}",
        rf"\breplaced (?P<old>{_THING}) (?:with|by) (?P<new>{_THING}){_END}",
        rf"\b(?P<new>[\w.-]+) (?:replaced|replaces) (?P<old>{_THING}){_END}",
        rf"\bno longer (?:use|using|uses|on|at|with) (?P<old>{_THING}){_END}",
        rf"\b(?P<new>[\w.-]+) instead of (?P<old>{_THING}){_END}",
        rf"\bvon (?P<old>{_THING}) (?:auf|zu|nach) (?P<new>{_THING}) (?:umgestellt|gewechselt|migriert|umgezogen)",
        rf"\b(?P<new>[\w.-]+) statt (?P<old>{_THING}){_END}",
    )
)
_HINT = re.compile(r"from |replace|no longer|instead of|von |statt ", re.IGNORECASE)
_MOST = 50


@dataclass(frozen=True, slots=True)
class Proposal:
    """A statement, where it stands, that a newer one may have overtaken."""

    id: str
    source: str
    line: int
    old: str
    by_source: str
    by_line: int
    by: str


def proposals(workspace: Workspace) -> list[Proposal]:
    """What waits for a decision, the newest first, at most 50. Raises OSError."""
    logs = [page for page in pages.pages(workspace) if page.path.parent == workspace.memory]
    refused = dismissed(workspace)
    found: dict[str, Proposal] = {}
    for page in reversed(logs):
        for newer, value in _changes(page):
            for older in _overtaken(logs, newer, value):
                made = _proposal(older, newer)
                if made.id not in refused:
                    found[made.id] = made
        if len(found) >= _MOST:
            break
    return list(found.values())[:_MOST]


def _changes(page: Page) -> Iterator[tuple[Located, str]]:
    """The statements of a page that say that something took the place of something."""
    wanted = {n for n, line in enumerate(page.file.text.split("\n")) if _HINT.search(line)}
    for located in pages.statements(page, wanted.__contains__) if wanted else ():
        match = next((m for pattern in _CHANGES if (m := pattern.search(located.statement.text))), None)
        if match and located.statement.is_active:
            yield located, re.sub(r"^(?:the|our|a|an)\s+", "", match["old"].strip(), flags=re.IGNORECASE)


def _overtaken(logs: Sequence[Page], newer: Located, value: str) -> Iterator[Located]:
    """Older statements that hold the value as a whole."""
    wanted = identifiers.target(value)
    first = wanted.forms[0] if wanted.forms else "\0"
    for page in logs:
        if page.name > newer.page.name or first not in page.file.text.lower():
            continue
        lines = {n for n, line in enumerate(page.file.text.split("\n")) if first in line.lower()}
        for older in pages.statements(page, lines.__contains__):
            is_before = (page.name, older.line) < (newer.page.name, newer.line)
            if is_before and older.statement.is_active and identifiers.find(wanted, older.statement.text):
                yield older


def _proposal(older: Located, newer: Located) -> Proposal:
    said = "\0".join((older.page.name, older.statement.text, newer.statement.text))
    ident = hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return Proposal(
        ident,
        older.page.name,
        older.line,
        older.statement.text,
        newer.page.name,
        newer.line,
        newer.statement.text,
    )
