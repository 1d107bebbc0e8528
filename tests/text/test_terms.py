"""What texts and queries are cut into, and that both meet."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hipocampus.text.languages import detect
from hipocampus.text.terms import LONGEST, MOST_QUERY_TERMS, fingerprint, index_terms, query_terms

ANY_TEXT = st.text(st.characters(codec=None), max_size=200)


def english(text: str) -> list[str]:
    return index_terms(text, "en")


def finds(query: str, note: str, languages: tuple[str, ...] = ("en", "de", "")) -> bool:
    """Whether a query and a note share a term."""
    return bool(set(query_terms(query, languages)) & set(index_terms(note, detect(note))))


def test_a_plain_word_is_exactly_one_term():
    assert english("Running dogs, running; (dogs)!") == ["run", "dog", "run", "dog"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("café", "cafe"),
        ("résumé", "resume"),
        ("Straße", "STRASSE"),
        ("ＡＰＩ", "api"),
        ("İstanbul", "istanbul"),
        ("smørrebrød", "smorrebrod"),
        ("soft\u00adhyphen", "softhyphen"),
        ("zero\u200bwidth", "zerowidth"),
        ("user’s", "user"),
        ("don't", "dont"),
        ("O’Brien", "obrien"),
        ("l'erreur", "erreur"),
        ("1,200", "1200"),
        ("$45", "45"),
        ("ёлка", "елка"),
        ("מָלֵא", "מלא"),
        ("ﾃｽﾄ", "テスト"),
        ("caf\udce9", "café"),
        ("YouTube", "youtube you tube"),
        ("U.S.", "us"),
    ],
)
def test_two_spellings_of_a_word_are_the_same(one: str, other: str):
    assert english(one) == english(other)


@pytest.mark.parametrize(("one", "other"), [("в", "б"), ("й", "и"), ("が", "か"), ("ば", "ぱ"), ("각", "가")])
def test_letters_of_their_own_are_not_folded(one: str, other: str):
    assert english(one) != english(other)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("parseHTTPResponse", "parsehttprespons pars http respons"),
        ("snake_case_name", "snake_case_name snake case name"),
        ("api/limit.py:120", "api/limit.py api limit.py limit py 120"),
        ("./path/to/file.py", "path/to/file.py path to file.py file py"),
        (r"C:\Users\me", "c users/me user me"),
        ("v2.3.1", "v2.3.1 2.3.1 2.3"),
        ("3.11", "3.11"),
        ("https://docs.example.com/guide?page=2", "docs.example.com/guide docs.example.com doc exampl com guid page 2"),
        ("jo@example.com", "jo@example.com jo example.com exampl com"),
        ("#123", "#123 123"),
        ("C++ C# .NET node.js", "c++ c# .net net node.js node js"),
        ("550e8400-e29b-41d4-a716-446655440000", "550e8400-e29b-41d4-a716-446655440000"),
        ("3f9ac2", "3f9ac2"),
        ("e-mail UTF-8 eco-friendly", "email mail utf8 utf 8 eco friend"),
        ("2026-03-15T14:02:11Z", "2026-03-15 14:02:11 z"),
        ("APIs", "api"),
        ("__init__ **bold**", "init bold"),
        ("ship 🚀👍🏽", "ship 🚀 👍"),
        ("Redis缓存", "redi 缓 存 缓存"),
        ("हिन्दी", "हिन्द"),
        ("ข้อมูล", "ข้อ อมู มูล"),
    ],
)
def test_names_and_scripts_come_out_whole_and_in_parts(text: str, expected: str):
    assert english(text) == expected.split()


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ("http response", "parseHTTPResponse"),
        ("limit.py", "look into src/api/limit.py:12"),
        ("2.3.1", "released v2.3.1."),
        ("issue 123", "closes #123"),
        ("ошибка", "Нашли ошибки в коде"),
        ("errors", "Нашли error в коде"),
    ],
)
def test_a_query_finds_the_note(query: str, note: str):
    assert finds(query, note)


@pytest.mark.parametrize("part", ["캐", "캐시", "재시작", "배포 파이프라인"])
def test_a_korean_word_is_found_by_any_part_of_it(part: str):
    note = index_terms("배포 파이프라인에서 캐시를 지우고 재시작하는 절차를 정했다.", "")
    assert set(query_terms(part, [""])) <= set(note)


@pytest.mark.parametrize("part", ["猫", "文字化け", "ログイン", "コード"])
def test_a_japanese_word_is_found_inside_a_sentence(part: str):
    note = index_terms("昨日は猫のログイン画面の文字化けを直した。原因は文字コードの指定漏れ。", "")
    assert set(query_terms(part, [""])) <= set(note)


def test_a_query_of_cjk_asks_for_pairs_only():
    assert query_terms("文字化け", [""]) == ["文字", "字化", "化け"]


def test_a_german_note_is_found_by_one_german_word():
    note = "Die Verbindungen werden nicht mehr geschlossen."
    assert detect(note) == "de"
    assert finds("Verbindung", note, ("en", "de"))


def test_a_word_is_asked_in_each_language_once():
    assert query_terms("running dogs running", ["en", "de", "en"]) == ["run", "running", "dog"]


def test_function_words_of_a_query_are_dropped():
    assert query_terms("What was the cache that we don't use?", ["en"]) == ["cach", "use"]
    assert query_terms("was ist mit dem Cache?", ["de"]) == ["cach"]


def test_a_query_of_function_words_keeps_them():
    assert query_terms("to be or not to be", ["en"]) == ["to", "be", "or", "not"]


def test_a_function_word_of_another_language_is_kept():
    assert "son" in query_terms("what did my son like?", ["en", "fr"])


def test_a_query_without_languages_is_stemmed_as_english():
    assert query_terms("limits", []) == query_terms("limits", [""]) == ["limit"]


@pytest.mark.parametrize(
    "query",
    [
        " ".join(f"word{i}" for i in range(150_000)),
        "x" * 1_000_000,
        "文" * 400_000,
        "a/" * 500_000,
        "a'" * 500_000,
        "." * 1_000_000,
    ],
    ids=["words", "one word", "cjk", "path", "quotes", "dots"],
)
def test_a_query_of_a_megabyte_is_bounded(query: str):
    start = time.process_time()
    terms = query_terms(query, ["en", "de", "fr"])
    assert time.process_time() - start < 0.5
    assert len(terms) <= MOST_QUERY_TERMS


def test_the_last_word_of_a_long_query_counts():
    assert query_terms("word " * 200_000 + "needle", ["en"]) == ["word", "needl"]
    assert query_terms(" ".join(f"w{i}" for i in range(100_000)) + " needle", ["en"])[-1] == "needl"


@pytest.mark.parametrize("unit", ["x", "aB", "a.", "a-", "a_", "a/b.c@", "文", "'", "1,000"])
def test_a_megabyte_without_a_space_takes_linear_time(unit: str):
    start = time.process_time()
    terms = english(unit * (1_000_000 // len(unit)))
    assert time.process_time() - start < 20
    assert all(len(term) <= LONGEST for term in terms)


def test_a_long_word_is_cut_alike_in_text_and_query():
    assert query_terms("k" * 100, ["en"]) == english("k" * 90)


def test_the_analysis_has_a_name():
    assert "snowball" in fingerprint()


@given(ANY_TEXT)
def test_every_term_can_be_stored(text: str):
    for term in [*index_terms(text, "en"), *query_terms(text, ["en", "tr", "ar", "hi", ""])]:
        assert 0 < len(term) <= LONGEST
        term.encode()
        assert not any(character.isspace() or unicodedata.category(character) == "Cc" for character in term)


@given(ANY_TEXT, st.sampled_from(["en", "de", "ru", ""]))
def test_each_term_of_a_query_is_in_the_text_it_was_copied_from(text: str, language: str):
    assert set(query_terms(text, [language])) <= set(index_terms(text, language))


@given(ANY_TEXT)
def test_the_same_text_gives_the_same_terms(text: str):
    assert index_terms(text, "fr") == index_terms(f"\n{text}\t", "fr")
