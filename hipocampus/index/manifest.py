"""
What the index has seen: each source with its size, time and hash, in `manifest.json` beside the index.

The file is a line with the sha256 of the rest, then JSON: format and version of the rules for secrets, analysis, the
time of the look, the sources.

A source counts as seen when size and time agree. A file that was written in the last moments before it was looked at
may change again within the same tick of the clock, so such files are compared by hash.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from hipocampus import files
from hipocampus.governance import redaction
from hipocampus.index.sources import Source
from hipocampus.layout import LEVELS

FORMAT = 2
"""Of the manifest, of the rows in the index, and of how files are cut; another one means that all is made anew."""
# The coarsest clock of a common file system (FAT) ticks every two seconds.
_TICK_NS = 2_000_000_000
# A language that fewer chunks than one in so many are in is taken for a mistake of the detection.
_RARE_LANGUAGE = 500
_MOST_HASHED = 1_000_000
# Of a source that has to be read again, whatever its file says.
_NO_SIZE = -1
_NODES = tuple(f"memory/{level}/" for level in LEVELS)
UNREADABLE = ""
"""The hash of a source that could not be read; it is tried again at each look."""


class Seen(NamedTuple):
    """
    A source as it was indexed: `languages` with the numbers of their chunks, `encoder` of the vectors or "".

    A tuple, since a search makes one for each file of the workspace.
    """

    size: int
    mtime_ns: int
    sha256: str
    chunks: int = 0
    embeddable: int = 0
    languages: Mapping[str, int] = MappingProxyType({})
    encoder: str = ""


@dataclass(frozen=True, slots=True)
class Changes:
    """What has to be done: sources to read anew, names to forget; `verified` bytes had to be hashed to know it."""

    changed: tuple[Source, ...]
    gone: tuple[str, ...]
    verified: int = 0

    @property
    def pending(self) -> bool:
        """Whether the index has to be written; a little hashing at each search costs less than that."""
        return bool(self.changed or self.gone) or self.verified > _MOST_HASHED


@dataclass
class Manifest:
    """All that was seen, up to `looked` (nanoseconds since 1970); `analysis` names how terms were made."""

    analysis: str
    looked: int = 0
    sources: dict[str, Seen] = field(default_factory=dict)

    def changes(self, sources: Sequence[Source]) -> Changes:
        """What differs from the files as they are now."""
        verified = 0
        changed = []
        for source in sources:
            seen = self.sources.get(source.name)
            if seen is None or seen.mtime_ns != source.mtime_ns or seen.size != source.size:
                changed.append(source)
            elif seen.sha256 == UNREADABLE:
                if sha256_of(source) != UNREADABLE:
                    changed.append(source)
            elif seen.mtime_ns >= self.looked - _TICK_NS:
                verified += source.size
                if sha256_of(source) != seen.sha256:
                    changed.append(source)
        gone = self.sources.keys() - {source.name for source in sources}
        return Changes(tuple(changed), tuple(sorted(gone)), verified)

    def record(self, seen: Mapping[str, Seen], gone: Iterable[str] = ()) -> None:
        """Note sources as they were indexed, and forget others."""
        self.sources.update(seen)
        for name in gone:
            self.sources.pop(name, None)
        for name in ("chunks", "languages"):
            self.__dict__.pop(name, None)

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages of the chunks, the most frequent first."""
        counts: Counter[str] = Counter()
        for seen in self.sources.values():
            for name, count in seen.languages.items():
                counts[name] += count
        return tuple(name for name, count in counts.most_common() if count * _RARE_LANGUAGE >= counts.total())

    @cached_property
    def chunks(self) -> int:
        """How many chunks the sources have."""
        return sum(seen.chunks for seen in self.sources.values())

    @property
    def has_documents(self) -> bool:
        """Whether any source has documents; the nodes have none."""
        return any(seen.chunks and not name.startswith(_NODES) for name, seen in self.sources.items())

    def mark(self, finished: Mapping[str, Seen], encoder: str) -> None:
        """Note sources as embedded, unless they were indexed anew meanwhile."""
        for name, seen in finished.items():
            if self.sources.get(name) == seen:
                self.sources[name] = seen._replace(encoder=encoder)

    def without_vectors(self, encoder: str) -> dict[str, Seen]:
        """Sources that were not embedded by this encoder, or for "" by any."""
        return {
            name: seen
            for name, seen in self.sources.items()
            if seen.embeddable and (seen.encoder != encoder if encoder else not seen.encoder)
        }


def emptied(manifest: Manifest) -> Manifest:
    """That of an index from which all rows were taken; which sources have vectors is still known."""
    kept = {n: Seen(_NO_SIZE, 0, seen.sha256, encoder=seen.encoder) for n, seen in manifest.sources.items()}
    return Manifest(manifest.analysis, 0, {name: seen for name, seen in kept.items() if seen.encoder})


def load(path: Path, analysis: str) -> Manifest:
    """The manifest of an index; an empty one where it is missing, damaged, or of another format or analysis."""
    try:
        digest, _, body = path.read_bytes().partition(b"\n")
        if hashlib.sha256(body).hexdigest().encode() != digest:
            return Manifest(analysis)
        document = json.loads(body)
        if (document["format"], document["analysis"]) != ([FORMAT, redaction.VERSION], analysis):
            return Manifest(analysis)
        sources = {name: Seen._make(row) for name, row in document["sources"].items()}
        return Manifest(analysis, document["looked"], sources)
    except (OSError, ValueError, TypeError, KeyError):
        return Manifest(analysis)


def save(path: Path, manifest: Manifest) -> None:
    """Write the manifest. Raises StoreNotWritable."""
    document = {
        "format": [FORMAT, redaction.VERSION],
        "analysis": manifest.analysis,
        "looked": manifest.looked,
        "sources": manifest.sources,
    }
    body = json.dumps(document, separators=(",", ":"), default=dict)
    files.write_atomic(path, f"{hashlib.sha256(body.encode()).hexdigest()}\n{body}", durable=False)


def sha256_of(source: Source) -> str:
    """Digest of a source's bytes; UNREADABLE when it can't be read."""
    try:
        with Path(source.path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return UNREADABLE
