"""Taking back a mutation: what it hid is shown again, and the entry that a correction wrote goes."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from hipocampus import files
from hipocampus.errors import CheckFailed, NotFound
from hipocampus.governance import ledger, marks, pages, returned
from hipocampus.governance.amendment import REMOVES, Amendment, By
from hipocampus.governance.ledger import Record
from hipocampus.governance.pages import Page
from hipocampus.layout import Workspace
from hipocampus.log import entry as grammar
from hipocampus.log.day_names import day_named
from hipocampus.log.daylog import LOCK_SECONDS


def undo(workspace: Workspace, ident: str, by: By) -> Record:
    """
    Take back a mutation, the last one for "": what it hid is there again, and a replacement of it is taken out.

    Raises NotFound, and CheckFailed for one that removed text for good, which nobody can bring back.
    """
    book = ledger.load(workspace)
    known = [r for r in book.records if r.kind in get_args(Amendment) and r.id not in book.undone]
    record = next((r for r in reversed(known) if ident in ("", r.id)), None)
    if record is None:
        message = f"there is no mutation {ident} to undo" if ident else "there is nothing to undo"
        raise NotFound(message, hint="`hipocampus ledger` lists the mutations")
    if record.kind in REMOVES:
        message = f"{record.id} removed text for good; nothing keeps a copy of it"
        raise CheckFailed(message, hint="write it again if it is wanted; `hipocampus ledger` shows where it stood")
    done = Record(ledger.new_id(), "undo", by.actor, by.now.isoformat(timespec="seconds"), by.path, by.why, record.id)
    with files.lock(workspace.mutation_lock, timeout=LOCK_SECONDS):
        book = ledger.append(workspace, [replace(done, where=record.where)])
        _restore(workspace, record)
        returned.carry_over(workspace, book, record)
    return record


def _restore(workspace: Workspace, record: Record) -> None:
    with files.lock(workspace.log_lock, timeout=LOCK_SECONDS):
        for page in pages.pages(workspace):
            text = marks.restore(page.file.text, record.id)
            text = _without_correction(text, page, record.id)
            if text != page.file.text:
                pages.rewrite(page, text)


def _without_correction(text: str, page: Page, mutation: str) -> str:
    """A raw log without the entry that a correction wrote."""
    day = day_named(page.path.stem)
    if day is None or f" corrects={mutation}" not in text:
        return text
    lines = text.split("\n")
    for entry in reversed(grammar.parse(text, day)):
        if entry.meta.get("corrects") == mutation:
            del lines[entry.first_line - 1 : entry.last_line]
    return "\n".join(lines)
