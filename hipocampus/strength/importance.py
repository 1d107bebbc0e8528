"""
Importance of an entry between 0 and 1, by the scoring table of the memory-skill seed:
explicit "remember" 0.9, feelings 0.85, preferences 0.8, decisions 0.75, facts 0.7, else 0.5.
"""

from __future__ import annotations

import re

from hipocampus.log.entry import EntryType

_SIGNALS: tuple[tuple[float, re.Pattern[str]], ...] = tuple(
    (score, re.compile(pattern, re.IGNORECASE))
    for score, pattern in (
        (0.9, r"\b(remember (this|that)|don'?t forget|never forget|keep in mind)\b|기억해|잊지 ?마|覚えて|记住|記住"),
        (0.85, r"\bI(?: feel| am|'m) (?:\w+ )?(worried|scared|afraid|anxious|upset|sad|excited)\b|\bI (love|hate)\b"),
        (0.8, r"\b(I|we) (prefer|always|never|like)\b|\bprefers?\b|선호|好き|喜欢"),
        (0.75, r"\b(decid(e|ed|es)|decisions?|agreed|chose|chosen|let'?s go with|we should)\b|결정|決定|决定"),
        (0.7, r"\b(deadline|incident|root cause|outage|launch(ed)?|release[ds]?)\b|\d{4}-\d{2}-\d{2}"),
    )
)
_BY_TYPE: dict[EntryType, float] = {"feedback": 0.9, "user": 0.8, "reference": 0.6, "project": 0.5}


def importance(text: str, kind: EntryType) -> float:
    """Importance of a text of an entry type: the higher of what its type and its words say."""
    said = max((score for score, pattern in _SIGNALS if pattern.search(text)), default=0.0)
    return max(said, _BY_TYPE[kind])
