"""Secrets that stand in files as proposals: take it out, or say that it is none and be asked no more."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

from hipocampus.governance import ledger, pages, secrets
from hipocampus.governance.amendment import Found, Plan
from hipocampus.governance.pages import Page
from hipocampus.governance.secrets import Finding
from hipocampus.layout import Workspace

_LONGEST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Exposed:
    """A secret that may be taken out: its kind, where it stands first, that line masked, and how often it stands."""

    id: str
    kind: str
    source: str
    line: int
    text: str
    places: int = 1


def ident(kind: str, value: str) -> str:
    """What a secret is called when it is decided on, wherever it stands."""
    said = f"{kind}\0{value}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(said, digest_size=4, person=b"leak").hexdigest()


def dismissed(workspace: Workspace) -> frozenset[str]:
    """The proposals, of secrets or other, that somebody refused. Raises OSError."""
    return frozenset(record.of for record in ledger.load(workspace).records if record.kind == "refuse" and record.of)


def exposed(workspace: Workspace) -> list[Exposed]:
    """The secrets in files that people, agents and hosts wrote, each once; those that are none left out."""
    refused = dismissed(workspace)
    found: dict[str, Exposed] = {}
    for page in pages.pages(workspace):
        masked = secrets.mask(page.file.text)
        lines = masked.text.split("\n") if masked.findings else []
        for finding in masked.findings:
            name = ident(finding.kind, _value(page, finding))
            shown = lines[finding.line - 1].strip()[:_LONGEST_SHOWN]
            made = Exposed(name, finding.kind, page.name, finding.line, shown, 0)
            if name not in refused:
                known = found.get(name, made)
                found[name] = replace(known, places=known.places + 1)
    return list(found.values())


def plan(workspace: Workspace, one: Exposed) -> Plan:
    """What takes a secret out of every file in which it stands, and keeps it out."""
    found: list[Found] = []
    touched: dict[str, str] = {}
    for page in pages.pages(workspace):
        places = list(_places(page, one))
        found += places
        touched |= {page.name: page.sha256} if places else {}
    values = tuple({place.text for place in found if "\n" not in place.text})
    return Plan(ledger.new_id(), "forget", "", tuple(found), values, touched)


def _places(page: Page, one: Exposed) -> Iterator[Found]:
    for finding in secrets.mask(page.file.text).findings:
        value = _value(page, finding)
        if finding.kind == one.kind and ident(finding.kind, value) == one.id:
            yield Found(page.name, finding.line, finding.start, finding.end, value, value)


def _value(page: Page, finding: Finding) -> str:
    return page.file.text[finding.start : finding.end]
