"""Let the concept index follow at once where something was taken back: only what changed is read and described."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hipocampus.governance import marks, pages
from hipocampus.index import concept_edit
from hipocampus.index.concept_file import ConceptFile, SeenSource
from hipocampus.index.document import Document
from hipocampus.index.rows import document_of
from hipocampus.index.sources import source_named
from hipocampus.layout import Workspace
from hipocampus.sleep.notes import read_page
from hipocampus.text import languages, terms


@dataclass(frozen=True, slots=True)
class Before:
    """What is known before a mutation and not afterwards: the files as they were, and the texts that it takes back."""

    seen: Mapping[str, SeenSource]
    texts: Collection[str]


def look(workspace: Workspace, names: Iterable[str], texts: Collection[str]) -> Before:
    """What has to be known before a mutation changes some files."""
    sources = filter(None, (source_named(workspace, name) for name in names))
    return Before({source.name: SeenSource(source.size, source.mtime_ns) for source in sources}, texts)


def concepts_follow(
    path: Path,
    workspace: Workspace,
    lines: Mapping[str, Collection[int]],
    before: Before,
    count: Callable[[str], int],
) -> None:
    """
    Let the concept index in a file follow a mutation that changed some lines of some files.

    Raises DamagedConcepts for a file that can't be followed up, StoreNotWritable.
    """
    with contextlib.closing(ConceptFile(path)) as file:
        known = file.sources(lines)
        around = {
            name: _around(lines[name], file.documents_of(name)) if known[name] == before.seen.get(name) else ()
            for name in known
        }
    edits = [edit for name in known for edit in _edits(workspace, name, around[name], count)]
    concept_edit.apply(path, edits, _terms(before.texts), _Written(workspace).holds)


def _around(lines: Collection[int], documents: Iterable[Document]) -> set[int]:
    """Some lines and all of the documents in which they stand."""
    spans = [range(first, last + 1) for first, last in (document.lines for document in documents)]
    return set(lines).union(*(span for span in spans if any(line in span for line in lines)))


def _edits(
    workspace: Workspace, name: str, lines: Collection[int], count: Callable[[str], int]
) -> Iterator[concept_edit.Edit]:
    source = source_named(workspace, name)
    if source is None:
        return
    page = read_page(source, count, lines=lines)
    holders = {one.chunk.key: document_of(one.chunk) for one in page.said if one.chunk.is_embedded}
    yield concept_edit.Edit(name, SeenSource(source.size, source.mtime_ns), lines, page.documents, holders)


def _terms(texts: Iterable[str]) -> set[str]:
    """What the words of some texts are called as concepts, whatever language they are taken for."""
    spoken = ((text, language) for text in texts for language in ("", languages.detect(text)))
    return {term for text, language in spoken for term in terms.index_terms(text, language)}


@dataclass(slots=True)
class _Written:
    """What people and agents wrote, read file by file as long as something is looked for."""

    workspace: Workspace
    _read: list[str] = field(default_factory=list)
    _unread: Iterator[str] = field(init=False)

    def __post_init__(self) -> None:
        self._unread = self._texts()

    def holds(self, label: str) -> bool:
        """Whether a label is still written as a whole somewhere."""
        low = label.lower()
        whole = re.compile(rf"(?<!\w){re.escape(low)}(?!\w)")
        return any(low in text and whole.search(text) for text in self._each())

    def _each(self) -> Iterator[str]:
        yield from self._read
        for text in self._unread:
            self._read.append(text)
            yield text

    def _texts(self) -> Iterator[str]:
        for page in pages.pages(self.workspace):
            yield marks.shown(page.file.text).lower()
