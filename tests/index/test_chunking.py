"""How days, curated files and nodes are cut: nothing is lost, every line range is exact, no piece is too long."""

from __future__ import annotations

import time
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.index.chunk import Chunk
from hipocampus.index.chunking import chunks_of_day, chunks_of_markdown, chunks_of_node
from hipocampus.index.pieces import LIMIT, cost, cut
from hipocampus.log import turns
from hipocampus.log.entry import fenced_lines, parse

DAY = date(2026, 3, 15)
RAW = "memory/2026-03-15.md"
NODE = "memory/daily/2026-03-15.md"
LONG = " ".join(f"Sentence number {n} tells that Jonas moved gateway {n} to Bergen." for n in range(200))


def of_day(text: str) -> list[Chunk]:
    return chunks_of_day(text, DAY, RAW)


def curated(text: str, source: str = "knowledge/rate-limit.md") -> list[Chunk]:
    return chunks_of_markdown(text, source, "curated")


def lines_of(text: str, chunk: Chunk) -> str:
    return "\n".join(text.split("\n")[chunk.first_line - 1 : chunk.last_line])


# Days


def test_an_entry_is_one_chunk_with_its_heading_and_without_its_comment():
    text = "# 2026-03-15\n\n## Limits [feedback]\n- rule: token bucket\n- why: bursts\n<!-- hipo id=3f9ac2 -->\n"
    (chunk,) = of_day(text)
    assert (chunk.id, chunk.type, chunk.day, chunk.layer) == ("2026-03-15#3f9ac2", "feedback", DAY, "raw")
    assert chunk.headings == ("Limits",)
    assert chunk.text == "- rule: token bucket\n- why: bursts"
    assert (chunk.first_line, chunk.last_line) == (3, 5)


def test_each_turn_of_a_transcript_is_a_chunk_that_knows_who_spoke():
    text = "## Session a\nSession Date: 2026-03-15\n\nUser: my commute takes\n45 minutes\nAssistant: Noted.\n"
    first, second = of_day(text)
    assert (first.voice, first.text, first.first_line, first.last_line) == (
        "user",
        "my commute takes\n45 minutes",
        1,
        5,
    )
    assert (second.voice, second.text, second.first_line, second.last_line) == ("assistant", "Noted.", 6, 6)
    assert [first.piece, second.piece] == [1, 2]
    assert second.id == f"{first.id.removesuffix('.1')}.2"


def test_words_before_the_first_turn_are_not_lost():
    spoken = of_day("## Session a\nTopic: bread\n\nUser: hello\n")
    assert [(chunk.voice, chunk.text) for chunk in spoken] == [("", "Topic: bread"), ("user", "hello")]


def test_an_entry_without_a_body_is_found_by_its_title():
    (chunk,) = of_day("## Call the bakery [user]\n")
    assert (chunk.text, chunk.first_line, chunk.last_line) == ("Call the bakery", 1, 1)


def test_a_title_as_long_as_a_page_is_text_too():
    chunks = of_day(f"## {LONG}\n- outcome: done\n")
    assert all(len(chunk.headings[0]) <= 200 for chunk in chunks)
    assert "gateway 199" in " ".join(chunk.text for chunk in chunks)


def test_notes_above_the_first_heading_are_a_chunk_without_a_heading():
    (chunk,) = of_day("# 2026-03-15\n\nbread is in the oven\n")
    assert (chunk.headings, chunk.text, chunk.last_line) == ((), "bread is in the oven", 3)


def test_a_file_of_blanks_has_no_chunks():
    assert of_day("") == of_day("# 2026-03-15\n\n \n") == curated("\n") == chunks_of_node("", NODE) == []


def test_ids_stay_unique_when_a_file_repeats_them():
    entries = "".join(
        f"## {n}\nsame\n<!-- hipo id={ident} -->\n" for n, ident in enumerate(("x", "x", "x-2", "x", "x-2"))
    )
    ids = [chunk.id for chunk in of_day(entries)]
    assert ids[:2] == ["2026-03-15#x", "2026-03-15#x-2"]
    assert len(set(ids)) == 5


# Long text


def test_a_long_turn_is_cut_at_sentence_ends_into_pieces_of_like_length():
    pieces = of_day(f"## Session a\nUser: {LONG}\n")
    assert all(chunk.text.startswith("Sentence") and chunk.text.endswith(".") for chunk in pieces)
    assert {(chunk.first_line, chunk.last_line) for chunk in pieces[1:]} == {(2, 2)}
    costs = [cost(chunk.text) for chunk in pieces]
    assert max(costs) <= LIMIT
    assert min(costs) > LIMIT / 3


def test_pieces_of_code_begin_with_a_line():
    code = [f"    value_{n} = call(first. Second, {n}); done. More()" for n in range(120)]
    pieces = of_day("\n".join(["## Session a", "User: look", "```", *code, "```", ""]))
    assert len(pieces) > 3
    said = "\n".join(chunk.text for chunk in pieces).split("\n")
    assert [line.strip() for line in said if "value" in line] == [line.strip() for line in code]


@pytest.mark.parametrize("text", ["a" * 1_000_000, "あ" * 300_000, "🎉" * 200_000, "word " * 200_000], ids=len)
def test_a_line_without_any_sentence_end_is_cut_all_the_same(text: str):
    pieces = of_day(f"## Session a\nUser: {text}\n")
    assert max(cost(chunk.text) for chunk in pieces) <= LIMIT
    assert "".join(chunk.text for chunk in pieces).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize("text", ["." * 300_000, "x" + " " * 300_000 + "x", '."' * 150_000, "- \n" * 100_000])
def test_odd_long_lines_cost_their_length_and_not_its_square(text: str):
    begin = time.process_time()
    of_day(f"## {text}")
    curated(text)
    assert time.process_time() - begin < 10


SAMPLES = {
    "english": LONG,
    "german": "Die Ratenbegrenzung der öffentlichen Schnittstelle wurde umgesetzt, weil Spitzen erwünscht sind. " * 9,
    "korean": "오늘은 공개 API의 속도 제한을 구현했습니다. 토큰 버킷을 선택한 이유는 버스트가 정당하기 때문입니다. "
    * 9,
    "japanese": "今日はレート制限のミドルウェアを実装しました。佐藤さんが確認しました。" * 9,
    "russian": "Сегодня мы ограничили частоту запросов, потому что всплески допустимы. " * 9,
    "thai": "วันนี้เราได้ทำการจำกัดอัตราการเรียกใช้งาน" * 9,
    "code": 'for name, value in sorted(fields.items()):\n    print(f"{name}: {value[0]}")\n' * 9,
    "numbers": "2026-03-15 14:02:11 200 GET 10.0.0.1 1,234.56\n" * 9,
}


@pytest.mark.parametrize("text", SAMPLES.values(), ids=list(SAMPLES))
def test_the_estimate_is_not_below_the_tokens_of_a_text(counter, text: str):
    assert cost(text) >= counter(text)


# Curated files


def test_a_section_has_the_headings_that_lead_to_it():
    text = "intro\n# Limits\n\n## Choice\n\ntoken bucket\n\n### Size #\n40\n## Later\n"
    found = [(chunk.headings, chunk.text, chunk.first_line, chunk.last_line) for chunk in curated(text)]
    assert found == [
        (("rate limit",), "intro", 1, 1),
        (("Limits", "Choice"), "token bucket", 4, 6),
        (("Limits", "Choice", "Size"), "40", 8, 9),
        (("Limits", "Later"), "Later", 10, 10),
    ]


def test_a_hash_inside_of_code_is_no_heading():
    (chunk,) = curated("# Install\n```sh\n# comment\nmake\n```\n")
    assert chunk.headings == ("Install",)
    assert "# comment\nmake" in chunk.text


def test_front_matter_gives_title_type_and_day():
    text = "---\ntitle: Keys\ntype: user\ndate: 2026-03-01\n---\n\n## Turn\n\nevery month\n"
    (chunk,) = curated(text)
    assert (chunk.headings, chunk.type, chunk.day) == (("Keys", "Turn"), "user", date(2026, 3, 1))
    assert (chunk.id, chunk.first_line, chunk.last_line) == ("knowledge/rate-limit.md#L7", 7, 9)


def test_a_title_that_the_first_heading_repeats_stands_once():
    (chunk,) = curated("---\ntitle: Keys\n---\n# Keys\nevery month\n")
    assert chunk.headings == ("Keys",)


def test_what_else_front_matter_says_is_found():
    found = curated("---\ntitle: Keys\ntags: [kubernetes]\n---\nbody\n")
    assert [(chunk.first_line, chunk.last_line) for chunk in found] == [(2, 3), (5, 5)]
    assert "kubernetes" in found[0].text


@pytest.mark.parametrize("front", ["- a\n- b", "a: [b: {c", "just words\nbetween lines"])
def test_lines_that_are_no_fields_are_text(front: str):
    text = f"---\n{front}\n---\nbody\n"
    said = "\n".join(chunk.text for chunk in curated(text))
    assert front in said
    assert "body" in said


@pytest.mark.parametrize(("source", "kind"), [("knowledge/a.md", "reference"), ("plans/a.md", "project")])
def test_the_type_without_front_matter_depends_on_the_folder(source: str, kind: str):
    assert curated("---\ntype: nonsense\n---\nwords\n", source)[-1].type == kind


# Nodes

DIGEST = """---
type: weekly
period: 2026-W11
made-by: extract
---

# 2026-W11

## Rate limiting [feedback]
- token bucket over leaky bucket → 2026-03-15#3f9ac2, 03-17
- no pointer here

- wraps into
  a second line → 2026-03-16
"""
VERBATIM = """---
type: daily
period: 2026-03-15
made-by: verbatim
---

# 2026-03-15

## Session a → 2026-03-15#aaaaaa
User: hello

- a list
Assistant: hi

## Rate limiting [feedback] → 2026-03-15#3f9ac2
- token bucket
- bursts
"""


def test_each_item_of_a_digest_is_a_chunk_that_knows_where_it_comes_from():
    first, second, third = chunks_of_node(DIGEST, "memory/weekly/2026-W11.md")
    assert (first.entry, first.day, first.type, first.headings) == ("3f9ac2", DAY, "feedback", ("Rate limiting",))
    assert first.text.endswith("→ 2026-03-15#3f9ac2, 03-17")
    assert (second.entry, second.day) == ("", None)
    assert (third.day, third.first_line, third.last_line) == (date(2026, 3, 16), 13, 14)


def test_a_section_of_a_verbatim_node_is_a_chunk_like_that_of_the_log():
    spoken, answered, noted = chunks_of_node(VERBATIM, NODE)
    assert [spoken.voice, answered.voice, noted.voice] == ["user", "assistant", ""]
    assert (noted.entry, noted.type, noted.headings) == ("3f9ac2", "feedback", ("Rate limiting",))
    (logged,) = of_day("## Rate limiting [feedback]\n- token bucket\n- bursts\n")
    assert noted.key == logged.key
    assert noted.id == f"{NODE}#L15"


def test_an_impossible_day_in_a_pointer_is_no_reason_to_stop():
    (chunk,) = chunks_of_node("- words → 2026-13-45#3f9ac2\n", NODE)
    assert (chunk.day, chunk.entry) == (None, "")


# Any text

MARKUP = (
    "## Title [user]",
    "## Session a",
    "### Deep",
    "##",
    "##  [user]",
    "# 2026-03-15",
    "---",
    "title: a",
    "```",
    "~~~",
)
SPOKEN = (
    "User: ",
    "assistant:",
    "Session Date: 2026-03-15",
    "<!-- hipo id=x -->",
    "- item → 2026-03-15#ab",
    "    code();",
)
WORDS = ("", "\0\udc80", "A sentence. Another one!", LONG[:1500], "漢字かな。" * 90, "x" * 1500)
PARTS = st.sampled_from(MARKUP + SPOKEN + WORDS)
TEXTS = st.lists(PARTS | st.text(max_size=40), max_size=30).map("\n".join)


def cut_in_every_way(text: str) -> list[list[Chunk]]:
    node = f"---\nmade-by: verbatim\n---\n{text}"
    return [of_day(text), curated(text), chunks_of_node(text, NODE), chunks_of_node(node, NODE)]


@given(TEXTS)
def test_the_words_of_a_chunk_stand_in_its_lines(text: str):
    for chunks, whole in zip(
        cut_in_every_way(text), [text, text, text, f"---\nmade-by: verbatim\n---\n{text}"], strict=True
    ):
        for chunk in chunks:
            assert chunk.text in lines_of(whole, chunk)


@given(TEXTS)
def test_no_chunk_is_blank_or_too_long_and_each_has_its_own_id(text: str):
    for chunks in cut_in_every_way(text):
        assert all(chunk.text.strip() and cost(chunk.text) <= LIMIT + 1 for chunk in chunks)
        assert len({chunk.id for chunk in chunks}) == len(chunks)


@given(TEXTS)
def test_no_line_of_an_entry_is_lost(text: str):
    for entry in parse(text, DAY):
        said = "\n".join(chunk.text for chunk in of_day(text) if chunk.entry == entry.id)
        body = turns.MARK.sub("", entry.body) if entry.is_session else entry.body
        lost = [line for line in body.split("\n") if "".join(line.split()) not in "".join(said.split())]
        assert [line for line in lost if line.strip() not in ("Session Date: 2026-03-15", "# 2026-03-15")] == []


@given(TEXTS)
def test_no_line_of_a_curated_file_is_lost(text: str):
    chunks = curated(text)
    said = "".join("".join([*(chunk.text for chunk in chunks), *(chunk.headings[-1] for chunk in chunks)]).split())
    lines = [line for line in text.split("\n") if line.strip("- \t") and not line.startswith(("title:", "#"))]
    assert [line for line in lines if "".join(line.split()) not in said] == []


@given(TEXTS)
def test_pieces_follow_each_other_and_never_begin_inside_a_line_of_code(text: str):
    spans = cut(text)
    assert [begin for begin, _ in spans] == [0, *(end for _, end in spans[:-1])]
    assert spans[-1][1] == len(text)
    lines = text.split("\n")
    for begin, _ in spans[1:]:
        line = text.count("\n", 0, begin)
        begins_line = text[begin - 1] == "\n"
        assert begins_line or line not in fenced_lines(lines) or cost(lines[line]) + 1 > LIMIT


def test_the_key_ignores_case_blanks_and_composition():
    keys = {curated(text)[0].key for text in ("Café  au lait", "café au\nlait", "cafe\u0301 au lait")}
    assert len(keys) == 1
