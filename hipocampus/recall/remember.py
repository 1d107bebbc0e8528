"""`#remember`: what a person types to have it kept, as a draft of an entry."""

from __future__ import annotations

import re

from hipocampus.governance.gate import TITLE_LENGTH, Draft
from hipocampus.log.entry import EntryType

# How somebody tells an agent what to do from now on, and how somebody speaks of themselves.
_RULE = re.compile(
    r"\b(?:always|never|don'?t|do not|stop|avoid|prefer|instead of|from now on|make sure|must|should(?:n'?t)?"
    r"|immer|nie(?:mals)?|ab jetzt|bitte|toujours|jamais|siempre|nunca)\b|항상|절대|必ず|总是|不要",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"\b(?:i(?:'m| am| have| live| work| like| love| use| need| was| own)|my (?!code|repo|project|branch|test)\w+"
    r"|ich (?:bin|habe|wohne|arbeite|mag)|je suis|soy)\b|저는|나는|私は|我是",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


def type_of(text: str) -> EntryType:
    """Rules for the agent are `feedback`, what somebody says of themselves is `user`, all else `project`."""
    said = text.replace("’", "'")
    return "feedback" if _RULE.search(said) else "user" if _PERSON.search(said) else "project"


def draft_of(text: str) -> Draft:
    """The draft of a text: its first sentence is the title, all of it the body."""
    stripped = text.strip()
    title = _SENTENCE.split(stripped.partition("\n")[0], 1)[0]
    lines = "\n".join(f"  {line}" if line.strip() else "" for line in stripped.split("\n"))
    return Draft(title[:TITLE_LENGTH], f"- {lines.lstrip()}" if stripped else "", type_of(stripped))
