"""Secrets in text: what is found, what is left alone, and that nothing but the value changes."""

from __future__ import annotations

import time

import pytest
from corpus import Leak, harmless, key_block, leaks
from hypothesis import given, settings
from hypothesis import strategies as st
from support import CASES

from hipocampus.governance.secrets import mask

LEAKS = leaks()
PIECES = r"""password: token= \n \" ' ` , ; & ? = : / @ :// > < [ ] ( ) - _ . é 비밀번호 [REDACTED:aws]""".split(" ")
PARTS = [
    *(leak.text for leak in LEAKS),
    *(value for leak in LEAKS for value in leak.values),
    *harmless(),
    *PIECES,
    *" \n\r\0\ud800",
    "-----BEGIN RSA PRIVATE KEY-----",
    "-----END RSA PRIVATE KEY-----",
]
texts = st.lists(st.one_of(st.sampled_from(PARTS), st.text(max_size=12)), max_size=12).map("".join)


@pytest.mark.parametrize("leak", LEAKS, ids=[f"{at}-{leak.kind}" for at, leak in enumerate(LEAKS)])
def test_a_secret_is_replaced_by_its_kind(leak: Leak):
    masked = mask(leak.text)
    assert [value for value in leak.values if value in masked.text] == []
    assert f"[REDACTED:{leak.kind}]" in masked.text
    assert masked.text.count("\n") == leak.text.count("\n")


@pytest.mark.parametrize("line", harmless())
def test_a_harmless_line_stays_as_it_is(line: str):
    assert mask(line).text == line


def test_harmless_lines_stay_when_they_stand_together():
    text = "\n".join(harmless())
    assert mask(text).text == text


def test_only_the_value_goes():
    secret = "Tr0ub4" + "dor&3"
    line = f'  - note: {{"db_password": "{secret}", "user": "app"}} KEEP'
    assert mask(line).text == '  - note: {"db_password": "[REDACTED:password]", "user": "app"} KEEP'


def test_a_finding_says_line_and_place():
    secret = "gh" + "p_" + "aB3" * 12
    text = f"one\ntwo\nthe key {secret}\n"
    (finding,) = mask(text).findings
    assert (finding.kind, finding.line) == ("github", 3)
    assert text[finding.start : finding.end] == secret


def test_lines_behind_a_key_block_keep_their_numbers():
    block, _ = key_block()
    masked = mask(f"before\n{block}\nbehind").text.split("\n")
    assert masked[1].startswith("-----BEGIN")
    assert masked[2] == "[REDACTED:private-key]"
    assert (masked.index("behind"), len(masked)) == (9, 10)


def test_two_key_blocks_leave_what_stands_between_them():
    block, body = key_block()
    masked = mask(f"{block}\nKEEP between\n{block}").text
    assert "KEEP between" in masked
    assert [line for line in body if line in masked] == []


def test_every_secret_of_the_case_goes_and_the_words_beside_them_stay():
    import json

    folder = CASES / "68-secret-write-paths"
    values = json.loads((folder / "secrets.json").read_text("utf-8").replace("⁂", ""))
    masked = mask((folder / "checkpoint.txt").read_text("utf-8").replace("⁂", "")).text
    body = values.pop("pem").split("\n")[1:-1]
    assert [value for value in (*values.values(), *body) if value in masked] == []
    assert [f"KEEP-{name}" for name in (*values, "pem") if f"KEEP-{name}" not in masked] == []
    assert "[REDACTED:aws]" in masked


@settings(max_examples=200)
@given(texts)
def test_a_masked_text_masks_to_itself(text: str):
    masked = mask(text).text
    assert mask(masked).text == masked


@settings(max_examples=200)
@given(texts)
def test_nothing_but_the_values_changes(text: str):
    masked = mask(text)
    rest, done = masked.text, 0
    for found in masked.findings:
        before = text[done : found.start]
        marker = f"[REDACTED:{found.kind}]" + "\n" * text.count("\n", found.start, found.end)
        assert rest.startswith(before + marker)
        rest, done = rest[len(before + marker) :], found.end
    assert rest == text[done:]


@pytest.mark.parametrize(
    "unit",
    [
        *("password:", 'key="', "sk-", ".eyJaaaaaaaaaaaaaaa", "://a:", "curl -u ", "machine ", "비밀번호:", "token=&"),
        *("-----BEGIN RSA PRIVATE KEY-----\nAA", "-----END PRIVATE KEY-----", "password= ", "a", "aZ9", "\n", "\\n"),
    ],
)
def test_the_time_grows_with_the_length_and_no_faster(unit: str):
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        took = []
        for _ in range(3):
            began = time.process_time()
            mask(text)
            took.append(time.process_time() - began)
        return min(took)

    seconds(1000)
    assert seconds(800_000) < 30 * seconds(80_000) + 0.1
