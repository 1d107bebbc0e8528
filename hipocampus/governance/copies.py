"""What other tenants took over from a memory: found by the origin that an import wrote into each entry."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hipocampus.governance import ledger, pages
from hipocampus.governance.amendment import Found, Plan
from hipocampus.governance.exchange import origin_name
from hipocampus.governance.pages import Page
from hipocampus.layout import Workspace
from hipocampus.log import entry as grammar
from hipocampus.log.day_names import day_named
from hipocampus.text.normal_form import forms


def plans(workspace: Workspace, made: Plan) -> Iterator[tuple[Workspace, Plan]]:
    """For each tenant that has copies of what a plan takes back, the same for those copies and nothing else there."""
    name = origin_name(workspace)
    said = {forms(text) for one in made.found for text in (one.text, one.sentence)}
    for other in workspace.neighbours():
        found: list[Found] = []
        touched: dict[str, str] = {}
        for page in pages.pages(other):
            copied = list(_copied(page, name, said))
            found += copied
            touched |= {page.name: page.sha256} if copied else {}
        if found:
            yield other, replace(made, id=ledger.new_id(), found=tuple(found), values=(), files=touched, new="")


def _copied(page: Page, origin: str, said: set[tuple[str, ...]]) -> Iterator[Found]:
    day = day_named(page.path.stem)
    if day is None or f" origin={origin}:" not in page.file.text:
        return
    for entry in grammar.parse(page.file.text, day):
        if not entry.meta.get("origin", "").startswith(f"{origin}:"):
            continue
        lines = range(entry.first_line - 1, entry.last_line)
        for located in pages.statements(page, lines.__contains__):
            text = located.statement.text
            if located.statement.is_active and forms(text) in said:
                yield Found(page.name, located.line, located.start, located.start + len(text), text, text)
