"""A regular expression that is compiled when it is needed: what few texts need would cost a hook much of its start."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class LatePattern:
    """Has the methods of a compiled pattern."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._pattern)
        for method in ("sub", "match", "fullmatch", "search", "findall", "finditer"):
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)
