"""What other tenants took over from a memory: found by the origin that an import wrote into each entry."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from hipocampus.governance import ledger, pages
from hipocampus.governance.amendment import Found, Plan
from hipocampus.governance.exchange import origin_name
from hipocampus.governance.ledger import Record
from hipocampus.governance.pages import Page
from hipocampus.governance.tombstones import Hasher
from hipocampus.layout import Workspace
from hipocampus.log import entry as grammar
from hipocampus.log.day_names import day_named


def plans(workspace: Workspace, record: Record) -> Iterator[tuple[Workspace, Plan]]:
    """For each tenant that has copies of what a mutation took back, the same for those and nothing else there."""
    neighbours = list(workspace.neighbours())
    if not neighbours:
        return
    name = origin_name(workspace)
    taken = {str(row.get("hash")) for row in record.targets if row.get("scope") in ("statement", "place")}
    hashers = [Hasher(key) for key in ledger.load(workspace).keys]
    for other in neighbours:
        found: list[Found] = []
        touched: dict[str, str] = {}
        for page in pages.pages(other):
            copied = list(_copied(page, name, hashers, taken))
            found += copied
            touched |= {page.name: page.sha256} if copied else {}
        if found:
            kind: Any = record.kind
            yield other, Plan(ledger.new_id(), kind, "", tuple(found), (), touched)


def _copied(page: Page, origin: str, hashers: Collection[Hasher], taken: Collection[str]) -> Iterator[Found]:
    day = day_named(page.path.stem)
    if day is None or f" origin={origin}:" not in page.file.text:
        return
    for entry in grammar.parse(page.file.text, day):
        if not entry.meta.get("origin", "").startswith(f"{origin}:"):
            continue
        lines = range(entry.first_line - 1, entry.last_line)
        for located in pages.statements(page, lines.__contains__):
            text = located.statement.text
            hashes = (stone.hash for hasher in hashers for stone in hasher.statement(text))
            if located.statement.is_active and any(digest in taken for digest in hashes):
                yield Found(page.name, located.line, located.start, located.start + len(text), text, text)
