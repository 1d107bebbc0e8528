"""How chunks and documents stand in tantivy's indexes, and the queries that find them there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tantivy

    from hipocampus.index.chunk import Chunk
    from hipocampus.index.engine import Filter, Indexed

HEADING_WEIGHT = 2
"""How often a term of a heading counts."""
# Between any two days of our calendar; chunks without a day have no value and are found by no range.
_FIRST_DAY, _LAST_DAY = 1, date.max.toordinal()


def document_of(chunk: Chunk) -> str:
    """The name of the entry or file that a chunk belongs to; a line of a node stands for itself."""
    if chunk.layer == "node":
        return chunk.id
    return f"{chunk.source}#{chunk.entry}" if chunk.layer == "raw" else chunk.source


def area_of(chunk: Chunk) -> str:
    """Where a chunk stands, as filters name it: `raw`, `node`, `hot`, or the folder of a curated file."""
    return chunk.source.partition("/")[0] if chunk.layer == "curated" else chunk.layer


def exact(name: str) -> str:
    """A name as it stands in a field: tantivy takes no surrogates, and names of files may hold some."""
    return name.encode("unicode_escape").decode()


def chunk_schema() -> tantivy.Schema:
    """Rows that are chunks; `held` is the chunk itself, `key` that of its text."""
    builder = _schema()
    builder.add_text_field("key", tokenizer_name="raw", index_option="basic")
    builder.add_bytes_field("held", stored=True)
    return builder.build()


def document_schema() -> tantivy.Schema:
    """Rows that are documents; `own_terms` leaves out what an assistant said."""
    builder = _schema()
    builder.add_text_field("own_terms", tokenizer_name="whitespace", index_option="freq")
    return builder.build()


def _schema() -> tantivy.SchemaBuilder:
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_integer_field("document", indexed=True, fast=True)
    builder.add_integer_field("day", indexed=True, fast=True)
    for name in ("source", "type", "area", "tenant"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("terms", tokenizer_name="whitespace", index_option="freq")
    return builder


def chunk_row(item: Indexed) -> tantivy.Document:
    """The row of a chunk."""
    chunk = item.chunk
    row = _row(chunk)
    row.add_text("terms", " ".join([*item.heading_terms * HEADING_WEIGHT, *item.terms]))
    row.add_text("key", chunk.key)
    row.add_bytes("held", _held(chunk, item.tokens))
    return row


def document_rows(items: Sequence[Indexed]) -> Iterator[tantivy.Document]:
    """The rows of the documents that the chunks of a source belong to; nodes are collections, and are none."""
    documents: dict[str, list[Indexed]] = {}
    for item in (item for item in items if item.chunk.layer != "node"):
        documents.setdefault(document_of(item.chunk), []).append(item)
    for held in documents.values():
        row = _row(held[0].chunk)
        headings = [term for terms in dict.fromkeys(item.heading_terms for item in held) for term in terms]
        said = [term for item in held for term in item.terms]
        own = [term for item in held if item.chunk.is_own for term in item.terms]
        row.add_text("terms", " ".join([*headings * HEADING_WEIGHT, *said]))
        row.add_text("own_terms", " ".join([*headings * HEADING_WEIGHT, *own]))
        yield row


def any_term(schema: tantivy.Schema, fields: Sequence[str], terms: Sequence[str]) -> tantivy.Query:
    """What holds one of the terms or more in one of the fields; the more and the rarer, the better."""
    import tantivy

    return tantivy.Query.boolean_query(
        [
            (tantivy.Occur.Should, tantivy.Query.term_query(schema, name, term, index_option="freq"))
            for name in fields
            for term in terms
        ]
    )


def filtered(
    schema: tantivy.Schema, query: tantivy.Query, where: Filter | None, documents: Sequence[int] = ()
) -> tantivy.Query:
    """A query with conditions that don't change its scores."""
    import tantivy

    conditions = list(_conditions(schema, where)) if where else []
    if documents:
        conditions.append(tantivy.Query.term_set_query(schema, "document", list(documents)))
    if not conditions:  # the plain union of terms is what tantivy answers fastest
        return query
    quiet = [(tantivy.Occur.Must, tantivy.Query.const_score_query(condition, 0.0)) for condition in conditions]
    return tantivy.Query.boolean_query([(tantivy.Occur.Must, query), *quiet])


def restored(row: tantivy.Document) -> tuple[Chunk, int]:
    """The chunk that a row holds, and its tokens."""
    from hipocampus.index.chunk import Chunk

    *values, tokens = json.loads(bytes(row["held"][0]).decode())
    source, first, last, headings, text, kind, day, *rest = values
    return Chunk(source, first, last, tuple(headings), text, kind, day and date.fromisoformat(day), *rest), tokens


def _row(chunk: Chunk) -> tantivy.Document:
    import tantivy

    row = tantivy.Document()
    row.add_integer("document", number_of(document_of(chunk)))
    if chunk.day:
        row.add_integer("day", chunk.day.toordinal())
    row.add_text("source", exact(chunk.source))
    row.add_text("type", chunk.type)
    row.add_text("area", area_of(chunk))
    row.add_text("tenant", exact(chunk.tenant))
    return row


def _held(chunk: Chunk, tokens: int) -> bytes:
    values = (
        chunk.source,
        chunk.first_line,
        chunk.last_line,
        chunk.headings,
        chunk.text,
        chunk.type,
        chunk.day and chunk.day.isoformat(),
        chunk.layer,
        chunk.entry,
        chunk.voice,
        chunk.piece,
        chunk.tenant,
        tokens,
    )
    return json.dumps(values, separators=(",", ":")).encode()


def number_of(document: str) -> int:
    """63 bits of a document's name: what tantivy can hand out for many hits at once."""
    import hashlib

    return int.from_bytes(hashlib.blake2b(document.encode("utf-8", "surrogatepass"), digest_size=8).digest()) >> 1


def _conditions(schema: tantivy.Schema, where: Filter) -> Iterator[tantivy.Query]:
    import tantivy

    if where.tenant is not None:
        yield tantivy.Query.term_query(schema, "tenant", exact(where.tenant), index_option="basic")
    if where.types:
        yield tantivy.Query.term_set_query(schema, "type", sorted(where.types))
    if where.areas:
        yield tantivy.Query.term_set_query(schema, "area", sorted(where.areas))
    if where.since or where.until:
        first = where.since.toordinal() if where.since else _FIRST_DAY
        last = where.until.toordinal() if where.until else _LAST_DAY
        yield tantivy.Query.range_query(schema, "day", tantivy.FieldType.Integer, first, last)
