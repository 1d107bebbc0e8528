"""A chunk: the piece of a file that a search finds."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass
from datetime import date
from typing import Literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipocampus.log.entry import EntryType
    from hipocampus.log.turns import Voice

Layer = Literal["raw", "curated", "hot", "node"]


@dataclass(frozen=True, slots=True)
class Chunk:
    """
    A piece of a source with what is known about it.

    `text` stands in lines `first_line` to `last_line` (1-based) of `source`, a path relative to the workspace.
    The range also holds the heading, which is no part of the text but the last of `headings`.

    `entry` is the id of the entry that the text belongs to, or in a node the entry it was made from, and `day` the
    day of that entry. `piece` numbers the pieces of an entry from 1 and is 0 where the entry is whole; in other
    files it counts the chunks that begin in the same line, 0 for the first.
    """

    source: str
    first_line: int
    last_line: int
    headings: tuple[str, ...]
    text: str
    type: EntryType
    day: date | None
    layer: Layer
    entry: str = ""
    voice: Voice | Literal[""] = ""
    piece: int = 0
    tenant: str = ""

    @property
    def id(self) -> str:
        """
        The name of the chunk, unique within a workspace.

        `2026-03-15#3f9ac2` for an entry, `2026-03-15#3f9ac2.3` for its third piece; `knowledge/limits.md#L10` for
        what begins in line 10 of another file, `knowledge/limits.md#L10.2` for the second that begins there.
        """
        name = f"{self.day}#{self.entry}" if self.layer == "raw" else f"{self.source}#L{self.first_line}"
        return f"{name}.{self.piece}" if self.piece else name

    @property
    def statement(self) -> str:
        """What the chunk says, read by itself: its text under its last heading; a turn has no heading that tells."""
        return self.text if self.voice else "\n".join((*self.headings[-1:], self.text))

    @property
    def is_own(self) -> bool:
        """Whether people said or wrote it, and no assistant or tool did."""
        return self.voice in ("", "user")

    @property
    def is_embedded(self) -> bool:
        """
        Whether the chunk gets a vector: what was stated or asked, but not what an assistant answered at length.

        Nodes repeat what their sources say, and have none.
        """
        return self.layer != "node" and self.is_own

    @property
    def key(self) -> str:
        """32 hex digits of the statement; case, blanks and ways to compose a character don't count."""
        said = " ".join(unicodedata.normalize("NFC", self.statement).casefold().split())
        return hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
