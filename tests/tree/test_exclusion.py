"""What its writer marked as temporary reaches no node; everything else does."""

from __future__ import annotations

import pytest

LEVELS = ("daily/2026-03-02.md", "weekly/2026-W10.md", "monthly/2026-03.md", "ROOT.md")
MARKED = {
    "label": "- temporary: SECRET",
    "bold label": "- **Temporary:** SECRET",
    "label in bold": "- **temporary**: SECRET",
    "short label": "- temp: SECRET",
    "numbered": "1. temporary: SECRET",
    "task": "- [ ] temporary: SECRET",
    "quote": "> temporary: SECRET",
    "wide colon": "- 임시： SECRET",
    "bracket": "- SECRET [temporary]",
    "bracket with words": "- SECRET (temporary, until Friday)",
    "korean bracket": "- 【임시】 SECRET",
    "korean label": "- 임시: SECRET",
    "delete later": "- SECRET, delete later",
    "delete this later": "- Delete this later: SECRET",
    "korean delete later": "- SECRET 나중에 삭제",
    "hash": "- SECRET #temporary",
    "comment": "- SECRET <!-- temporary -->",
    "nested": "- temporary: a list\n  - SECRET\n    - deeper SECRET",
    "nested after a blank line": "- temporary: a list\n\n  - SECRET\n\n    SECRET",
    "chapter": "### Temporary\n- SECRET\n#### below\nSECRET",
    "chapter with words": "### Notes (temporary)\nSECRET",
}
PLAIN = {
    "sentence": "- the temporary table was dropped by Priya WORDS",
    "bracketed word that only begins so": "- the sensor (temperature 20 degrees) WORDS",
    "template": "- layout [template of Jonas] WORDS",
    "temporarily": "- the gate is temporarily closed WORDS",
    "korean sentence": "- 임시정부 역사 책을 읽었다 WORDS",
    "delete": "- Olu will delete the branch on Friday WORDS",
    "attempt": "- attempt: second try in Lisbon WORDS",
    "contemporary": "- contemporary: art in Bergen WORDS",
}


def _compacted(store, body: str, title: str = "Work") -> list[str]:
    store.log(
        "2026-03-02", f"# 2026-03-02\n\n## {title} [project]\n{body}\n- KEPT by Priya\n\n## After [project]\n- AFTER\n"
    )
    store.compact("2026-03-03")
    return [store.text(name) for name in LEVELS]


@pytest.mark.parametrize("body", MARKED.values(), ids=list(MARKED))
def test_marked_text_is_in_no_node(store, body: str):
    for text in _compacted(store, body):
        assert "SECRET" not in text
        assert "AFTER" in text


@pytest.mark.parametrize("body", [body for name, body in MARKED.items() if "chapter" not in name])
def test_what_stands_behind_marked_text_is_kept(store, body: str):
    assert all("KEPT" in text for text in _compacted(store, body))


@pytest.mark.parametrize("body", [f"- first line\n{body}" for name, body in MARKED.items() if "label" in name])
def test_a_mark_counts_in_every_line_and_not_only_in_the_first(store, body: str):
    assert not [text for text in _compacted(store, body) if "SECRET" in text]


@pytest.mark.parametrize("body", PLAIN.values(), ids=list(PLAIN))
def test_the_word_in_a_sentence_is_no_mark(store, body: str):
    assert all("WORDS" in text for text in _compacted(store, body)[:3])


@pytest.mark.parametrize(
    "title", ["Temporary", "temp: lock", "Lock (temporary)", "[temporary] lock", "임시", "Delete later"]
)
def test_a_marked_title_excludes_its_entry(store, title: str):
    for text in _compacted(store, "- SECRET", title):
        assert "SECRET" not in text
        assert "KEPT" not in text
        assert "AFTER" in text


def test_marked_rules_are_excluded_too(store):
    store.entry("2026-03-02", "Rule (temporary)", "SECRET", kind="feedback")
    store.compact("2026-03-03")
    assert not [name for name in LEVELS if "SECRET" in store.text(name)]


def test_a_comment_in_code_does_not_take_the_rest_of_the_entry_with_it(store):
    for text in _compacted(store, "```python\n# temporary: no cache\nx = 1\n```")[:3]:
        assert "KEPT" in text


def test_a_marked_heading_in_a_transcript_takes_only_itself(store):
    store.log("2026-03-02", "## Session s1\nUser: look\n### Temporary\nAssistant: KEPT\nUser: my bike is in Lisbon\n")
    store.compact("2026-03-03")
    assert "KEPT" in store.body("daily/2026-03-02.md")


def test_code_and_traces_stand_in_a_node_that_holds_everything(store):
    body = (
        "```python\nprint('CODE')\n```\nTraceback (most recent call last):\n  File \"x.py\", line 3\nValueError: TRACE"
    )
    for text in _compacted(store, body)[:3]:
        assert "CODE" in text
        assert "TRACE" in text


def test_code_and_traces_are_cut_from_a_digest(store):
    said = "of Priya in Lisbon, 40 dollars"
    code = f"```python\nprint('CODE {said}')\n```\nValueError: TRACE {said}\n"
    store.configure(dailyMaxTokens=500)
    body = code + "\n".join(f"- Priya paid {n} dollars in Lisbon for gateway number {n}" for n in range(200))
    daily = _compacted(store, body)[0]
    assert store.fields("daily/2026-03-02.md")["made-by"] == "extract"
    assert "CODE" not in daily
    assert "TRACE" not in daily


def test_many_blank_lines_cost_no_time(store):
    store.log("2026-03-02", "## Work [project]\n" + "\n \t" * 100_000 + "\n- KEPT delete later\n- WORDS\n")
    store.compact("2026-03-03")
    assert "KEPT" not in store.text("daily/2026-03-02.md")
