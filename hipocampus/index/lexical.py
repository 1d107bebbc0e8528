"""
The lexical half of the embedded engine: BM25 over chunks and over whole documents, with tantivy.

A prompt often shares words with a conversation as a whole and with no single turn of it, so both are indexed: a row
of `chunks` is a chunk, a row of `documents` an entry, session or file with all its terms, and with those of the
user's own turns apart. Terms are made by `text.terms`; no text of a user reaches a query parser.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hipocampus.index import rows
from hipocampus.index.engine import Filter, Hit, Indexed
from hipocampus.index.tantivy_files import is_made, opened, translated

if TYPE_CHECKING:
    import tantivy

    from hipocampus.index.chunk import Chunk

_HEAP_BYTES = 60_000_000
# Chunks that are looked at for each document that is asked for.
_CHUNKS_A_DOCUMENT = 3
# Chunks with the same text that are found by it; more would all say the same.
_COPIES = 4

_Scored = tuple[int, float, Any]
"""A row that was found: number of its document, score, tantivy's address."""


class LexicalIndex:
    """
    Two tantivy indexes in a folder, or in memory where `folder` is None.

    Whatever is called raises DamagedIndex when what is on disk can't be used, StoreNotWritable when the disk refuses.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        with translated(folder):
            if folder and is_made(folder / "chunks") != is_made(folder / "documents"):
                message = "one of its two halves is missing"
                raise ValueError(message)
            self._chunks = opened(folder and folder / "chunks", rows.chunk_schema())
            self._documents = opened(folder and folder / "documents", rows.document_schema())

    def replace(self, sources: Iterable[tuple[str, Sequence[Indexed]]]) -> None:
        """
        Replace what is held of each source; a reader sees all of it or, after a kill, none.

        Documents that are held as they are stay: a day's log grows by an entry, and has hundreds.
        """
        from concurrent.futures import ThreadPoolExecutor

        with translated(self._folder):
            chunks, documents = (index.writer(_HEAP_BYTES, 1) for index in (self._chunks, self._documents))
            for name, items in sources:
                before, now = _by_document(self._held(name)), _by_document(item.chunk for item in items)
                stays = {document for document in now if before.get(document) == now[document]}
                for document in before.keys() - stays:
                    for writer in (chunks, documents):
                        writer.delete_documents_by_term("document", rows.number_of(document))
                new = [item for item in items if rows.document_of(item.chunk) not in stays]
                for item in new:
                    chunks.add_document(rows.chunk_row(item))
                for row in rows.document_rows(new):
                    documents.add_document(row)
            with ThreadPoolExecutor() as pool:  # each waits for the disk
                list(pool.map(_finish, (documents, chunks), (self._documents, self._chunks)))

    def counted(self, source: str) -> dict[str, int]:
        """The tokens of each text that is held of a source."""
        with translated(self._folder):
            return {chunk.text: tokens for chunk, tokens in self._held(source).items()}

    def find(self, terms: Sequence[str], where: Filter, limit: int) -> list[Hit]:
        """The `limit` best chunks, each with its own score and that of its document; a document's best come first."""
        if not terms:
            return []
        with translated(self._folder):
            contexts = self._contexts(terms, where, limit)
            query = rows.any_term(self._chunks.schema, ("terms",), terms)
            found = self._scored(query, where, limit * _CHUNKS_A_DOCUMENT)
            reached = {number for number, _, _ in found}
            missing = [number for number in contexts if number not in reached]
            if missing:
                found += self._scored(query, where, _CHUNKS_A_DOCUMENT * len(missing), missing)
            best = _best(found, contexts)[:limit]
            return [self._hit(address, score, contexts.get(number, 0.0)) for number, score, address in best]

    def with_keys(self, keys: Sequence[str], where: Filter) -> list[Hit]:
        """The chunks whose texts have one of the keys; their scores are 0."""
        import tantivy

        wanted, hits = set(keys), []
        with translated(self._folder):
            while wanted:  # a text with many copies may fill the first look
                query = tantivy.Query.term_set_query(self._chunks.schema, "key", sorted(wanted))
                query = rows.filtered(self._chunks.schema, query, where)
                found = self._chunks.searcher().search(query, _COPIES * len(wanted), count=False).hits
                hits += [self._hit(address, 0.0, 0.0) for _, address in found]
                if len(found) < _COPIES * len(wanted):
                    break
                wanted -= {hit.chunk.key for hit in hits}
        return hits

    @property
    def chunks(self) -> int:
        """Chunks that can be found."""
        return int(self._chunks.searcher().num_docs)

    @property
    def documents(self) -> int:
        """Documents that can be found."""
        return int(self._documents.searcher().num_docs)

    def _held(self, source: str) -> dict[Chunk, int]:
        """The chunks of a source with their tokens."""
        import tantivy

        searcher = self._chunks.searcher()
        query = tantivy.Query.term_query(self._chunks.schema, "source", rows.exact(source), index_option="basic")
        number: int = searcher.search(query, 1).count  # type: ignore[attr-defined]  # its stubs lack it
        held = searcher.search(query, number, count=False).hits if number else []
        return dict(rows.restored(searcher.doc(address)) for _, address in held)

    def _contexts(self, terms: Sequence[str], where: Filter, limit: int) -> dict[int, float]:
        """The score of each of the best documents, by its number."""
        searcher = self._documents.searcher()
        query = rows.any_term(self._documents.schema, ("terms", "own_terms"), terms)
        hits = searcher.search(rows.filtered(self._documents.schema, query, where), limit, count=False).hits
        return dict(zip(_numbers(searcher, hits), (score for score, _ in hits), strict=True))

    def _scored(self, query: tantivy.Query, where: Filter, limit: int, documents: Sequence[int] = ()) -> list[_Scored]:
        """The best chunks, of some documents if any are given."""
        searcher = self._chunks.searcher()
        hits = searcher.search(rows.filtered(self._chunks.schema, query, where, documents), limit, count=False).hits
        numbers = _numbers(searcher, hits)
        return [(number, score, address) for number, (score, address) in zip(numbers, hits, strict=True)]

    def _hit(self, address: Any, score: float, context: float) -> Hit:
        chunk, tokens = rows.restored(self._chunks.searcher().doc(address))
        return Hit(chunk, rows.document_of(chunk), tokens, score, context)


def _by_document(chunks: Iterable[Chunk]) -> dict[str, set[Chunk]]:
    documents: dict[str, set[Chunk]] = {}
    for chunk in chunks:
        documents.setdefault(rows.document_of(chunk), set()).add(chunk)
    return documents


def _finish(writer: tantivy.IndexWriter, index: tantivy.Index) -> None:
    writer.commit()
    writer.wait_merging_threads()
    index.reload()


def _best(found: list[_Scored], contexts: Mapping[int, float]) -> list[_Scored]:
    """Each document's best chunk, best document first, before the second chunks, and so on."""
    placed: Counter[int] = Counter()
    order: list[tuple[int, float, int, int, _Scored]] = []
    for number, score, address in sorted(found, key=lambda row: (-row[1], row[0])):
        order.append((placed[number], -score - contexts.get(number, 0.0), number, len(order), (number, score, address)))
        placed[number] += 1
    return [row for *_, row in sorted(order)]


def _numbers(searcher: tantivy.Searcher, hits: Sequence[tuple[float, Any]]) -> list[int]:
    values = searcher.fast_field_values("document", [address for _, address in hits])
    return [int(value or 0) for value in values]
