"""How texts become entries of the raw logs: through the gate, what was refused noted in the ledger, each once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from hipocampus.clock import Clock
from hipocampus.governance import refusal
from hipocampus.governance.gate import Draft, WritePath, admit
from hipocampus.layout import Workspace
from hipocampus.log import entry as grammar
from hipocampus.log.daylog import NewEntry
from hipocampus.strength.importance import importance


@dataclass(frozen=True, slots=True)
class Writer:
    """Writes into one workspace, by its clock."""

    workspace: Workspace
    clock: Clock

    def admitted(self, drafts: Sequence[Draft], path: WritePath, actor: str) -> list[Draft]:
        """
        The drafts as they may be written; what was refused stands in the ledger, also where nothing else is left.

        Raises UsageError for a draft that says nothing, CheckFailed for one that was taken back, StoreBusy.
        """
        refusals = refusal.refusals(self.workspace, actor)
        try:
            return [admit(draft, path, refusals) for draft in drafts]
        finally:
            refusal.note(self.workspace, refusals, path.value, self.clock.now())

    def rendered(self, draft: Draft, path: WritePath, origin: Mapping[str, str], day: date | None = None) -> NewEntry:
        """An admitted draft as it will stand in the log of a day, today's for None; `origin` names actor and source."""
        now = self.clock.now()
        said = "\n".join([draft.body, *filter(None, [origin.get("corrects")])])
        ident = grammar.entry_id(day or now.date(), draft.title, draft.type, said)
        weight = importance(f"{draft.title}\n{draft.body}", draft.type)
        meta = {
            "id": ident,
            "actor": origin["actor"],
            "via": path.value,
            **{name: value for name, value in origin.items() if name != "actor" and value},
            "at": now.isoformat(timespec="seconds"),
            "importance": f"{weight:g}",
        }
        return NewEntry(ident, draft.title, draft.type, grammar.render(draft.title, draft.type, draft.body, meta))
