"""
What recall shows of a file: its entries and sections as documents, each with condensed notes.

The notes are the facts that digests are made of, so recall and tree say the same in the same words.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from hipocampus.governance import redaction
from hipocampus.governance.states import written_state
from hipocampus.index.chunk import Chunk
from hipocampus.index.document import Document, Note, joined
from hipocampus.index.rows import document_of
from hipocampus.index.sources import Source, read_source
from hipocampus.log.entry import KEPT_TYPES, Entry
from hipocampus.text import languages, terms
from hipocampus.tree.body import sections_of_day
from hipocampus.tree.builder import section_facts
from hipocampus.tree.exclusion import prose_lines
from hipocampus.tree.facts import Fact
from hipocampus.tree.statements import entry_facts

MOST_NOTES = 40
"""Notes of a document at most, the most telling ones."""
# What a line that must stay word for word weighs.
_KEPT = 2.0


@dataclass(frozen=True, slots=True)
class Said:
    """A chunk and the terms of its text."""

    chunk: Chunk
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A source that was read."""

    said: tuple[Said, ...]
    documents: tuple[Document, ...]


def read_page(
    source: Source,
    count: Callable[[str], int],
    known: Sequence[Document] | None = None,
    *,
    lines: Collection[int] = (),
) -> Page:
    """
    A source with its documents; where they are `known`, they are taken as they are.

    Of a raw log only the entries that hold some `lines`, if any are given. Raises OSError.
    """
    chunks = read_source(source, lines)
    said = [Said(chunk, tuple(terms.index_terms(chunk.text, languages.detect(chunk.text)))) for chunk in chunks]
    documents = list(_documents(source, said, count)) if known is None else known
    return Page(tuple(said), tuple(documents))


def read_documents(source: Source, count: Callable[[str], int]) -> tuple[Document, ...]:
    """The documents of a source alone. Raises OSError."""
    return read_page(source, count).documents


def _documents(source: Source, said: Iterable[Said], count: Callable[[str], int]) -> Iterator[Document]:
    held: dict[str, list[Said]] = {}
    for one in said:
        held.setdefault(document_of(one.chunk), []).append(one)
    if source.day is None:
        yield from (_of_file(name, parts, count) for name, parts in held.items())
        return
    entries = {entry.id: entry for entry in redaction.read_day(Path(source.path), source.day)}
    for name, parts in held.items():
        if entry := entries.get(parts[0].chunk.entry):
            yield _of_entry(name, entry, parts, count)


def _of_entry(name: str, entry: Entry, parts: Sequence[Said], count: Callable[[str], int]) -> Document:
    sections = sections_of_day([entry])
    facts = section_facts(sections)
    notes = _notes(facts, count)
    if entry.type in KEPT_TYPES and not entry.is_session:
        notes = _kept((line for section in sections for line in section.lines), count)
    described = Document(
        name=name,
        source=parts[0].chunk.source,
        lines=(entry.first_line, entry.last_line),
        heading=entry.title,
        type=entry.type,
        day=entry.day.isoformat(),
        topic=facts[0].topic if facts and entry.is_session else entry.title,
        tokens=0,
        notes=notes,
        terms=_terms(entry.title, parts),
        state=written_state(entry.meta),
        is_session=entry.is_session,
    )
    return _with_cost(described, count)


def _of_file(name: str, parts: Sequence[Said], count: Callable[[str], int]) -> Document:
    chunks = [one.chunk for one in parts]
    first = chunks[0]
    title = first.headings[0] if first.headings else name
    described = Document(
        name=name,
        source=first.source,
        lines=(min(chunk.first_line for chunk in chunks), max(chunk.last_line for chunk in chunks)),
        heading=title,
        type=first.type,
        day=first.day.isoformat() if first.day else "",
        topic=title,
        tokens=0,
        notes=_notes((fact for chunk in chunks for fact in _section_facts(chunk)), count),
        terms=_terms("\n".join(heading for chunk in chunks for heading in chunk.headings), parts),
    )
    return _with_cost(described, count)


def _section_facts(chunk: Chunk) -> list[Fact]:
    prose = "\n".join(prose_lines(chunk.text.split("\n")))
    return entry_facts(" › ".join(chunk.headings), chunk.type, prose, chunk.day, chunk.id)


def _notes(facts: Iterable[Fact], count: Callable[[str], int]) -> tuple[Note, ...]:
    weights: dict[str, float] = {}
    for fact in facts:
        weights[fact.text] = max(fact.weight, weights.get(fact.text, 0.0))
    best = sorted((text for text in weights if text), key=lambda text: -weights[text])[:MOST_NOTES]
    return tuple(_note(text, weights[text], count) for text in best)


def _kept(lines: Iterable[str], count: Callable[[str], int]) -> tuple[Note, ...]:
    """Lines that must stay as they are, in order."""
    texts = [" ".join(line.split()).removeprefix("- ") for line in lines]
    return tuple(_note(text, _KEPT, count) for text in texts[:MOST_NOTES] if text)


def _note(text: str, weight: float, count: Callable[[str], int]) -> Note:
    return Note(text, round(weight, 3), count(f"; {text}"), joined(terms.index_terms(text, "")))


def _terms(headings: str, parts: Iterable[Said]) -> str:
    return joined(chain(terms.index_terms(headings, ""), *(one.terms for one in parts)))


def _with_cost(document: Document, count: Callable[[str], int]) -> Document:
    """The document with what its line costs around its notes."""
    return document._replace(tokens=count(f"- {document.head}: \n"))
