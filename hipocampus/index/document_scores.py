"""
BM25 scores of whole documents, for recall: from the same two indexes as `lexical`, without their texts.

A search hands out chunks and has to read them; a prompt waits for a few numbers.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hipocampus.index.rows import any_term, filtered
from hipocampus.index.tantivy_files import translated

if TYPE_CHECKING:
    import tantivy

CHUNK_SHARE = 0.5
"""How much the BM25 score of a document's best chunk counts beside that of the document."""
_CHUNKS_A_DOCUMENT = 3


class DocumentScores:
    """The word index in a folder, to be asked. Whatever is called raises DamagedIndex where it can't be read."""

    def __init__(self, folder: Path) -> None:
        import tantivy

        self._folder = folder
        with translated(folder):
            self._chunks = tantivy.Index.open(os.fspath(folder / "chunks"))
            self._documents = tantivy.Index.open(os.fspath(folder / "documents"))

    def best(self, terms: Sequence[str], limit: int) -> dict[int, float]:
        """The score of the documents that hold the terms best, by `rows.number_of`, best first."""
        if not terms:
            return {}
        with translated(self._folder):
            whole = _found(self._documents, ("terms", "own_terms"), terms, limit)
            parts = _found(self._chunks, ("terms",), terms, _CHUNKS_A_DOCUMENT * limit)
            missing = [number for number in whole if number not in parts]
            if missing:
                parts |= _found(self._chunks, ("terms",), terms, _CHUNKS_A_DOCUMENT * len(missing), missing)
        scores = {name: CHUNK_SHARE * parts.get(name, 0.0) + whole.get(name, 0.0) for name in {*whole, *parts}}
        return {name: scores[name] for name in sorted(scores, key=lambda name: (-scores[name], name))}


def _found(
    index: tantivy.Index, fields: Sequence[str], terms: Sequence[str], limit: int, documents: Sequence[int] = ()
) -> dict[int, float]:
    """The best score of each document among the best rows."""
    searcher = index.searcher()
    query = filtered(index.schema, any_term(index.schema, fields, terms), None, documents)
    hits = searcher.search(query, limit, count=False).hits
    numbers = searcher.fast_field_values("document", [address for _, address in hits])
    found: dict[int, float] = {}
    for number, (score, _) in zip(numbers, hits, strict=True):
        found.setdefault(int(number or 0), score)
    return found
