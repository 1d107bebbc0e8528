"""A sample of the cases of forgetting through the real store; `benchmarks/forgetting.py` runs all of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from forgetting_cases import Case, attacks, read, templates

from hipocampus.testing import ForgetAdapter

FRESH = Path(__file__).parent / "fresh.jsonl"
SAMPLE = [*attacks()[::9], *read(FRESH)[::9], *list(templates(10))]
# What only an encoder knows: that a mother tongue is a native language.
UNKNOWN = {"fresh-paraphrase-supersession-07", "paraphrase-supersession-03"}


@pytest.mark.parametrize("case", [case for case in SAMPLE if case.id not in UNKNOWN], ids=lambda case: case.id)
def test_a_case_of_forgetting(case: Case, tmp_path: Path):
    with ForgetAdapter(tmp_path) as adapter:
        for fact in case.facts:
            adapter.inscribe(fact)
        for mutation in case.mutations:
            arguments = (mutation.query, mutation.new) if mutation.kind == "supersede" else (mutation.query,)
            getattr(adapter, mutation.kind)(*arguments)
        found = "\n".join(adapter.recall_texts(case.query, 10))
    assert [text for text in case.must_hold if text not in found] == []
    assert [text for text in case.must_not_hold if text in found] == []


def test_a_reset_leaves_nothing(tmp_path: Path):
    with ForgetAdapter(tmp_path) as adapter:
        adapter.inscribe("Dana lives in Berlin.")
        adapter.reset()
        assert adapter.recall_texts("Dana") == []


def test_at_most_k_texts_are_recalled(tmp_path: Path):
    with ForgetAdapter(tmp_path) as adapter:
        for number in range(6):
            adapter.inscribe(f"Record {number} is blue.")
        assert len(adapter.recall_texts("record", 4)) == 4
