"""
Names across scripts and spellings: Иван Петров is Ivan Petrov, 田中 is Tanaka, Juergen Mueller is Jürgen Müller.

Two names are the same when their keys agree. A key is made from the letters that `anyascii` gives for any script, with
spellings that transliterations differ in made alike: y and i, kh and h, doubled letters, German ue for ü.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from hipocampus.text.normal_form import Token, tokens

# Names that no transliteration of single characters gives: exonyms, and Chinese characters that are read in Japanese.
_KNOWN = """
munich münchen monaco-di-baviera | cologne köln | vienna wien | prague praha прага | warsaw warszawa варшава
| moscow moskva москва | saint-petersburg sankt-peterburg санкт-петербург | kyiv kiev київ киев | athens athina αθήνα
| rome roma | milan milano mailand | florence firenze | naples napoli | venice venezia venedig | turin torino
| lisbon lisboa | seville sevilla | brussels bruxelles brüssel | antwerp antwerpen | the-hague den-haag
| copenhagen københavn kopenhagen | gothenburg göteborg | geneva genève genf | zurich zürich | nuremberg nürnberg
| hanover hannover | bucharest bucurești | belgrade beograd београд | cairo القاهرة kairo | jerusalem ירושלים
| damascus دمشق | beijing peking 北京 | tokyo tokio 東京 东京 токио | osaka 大阪 | kyoto 京都
| nagoya 名古屋
| sapporo 札幌 | fukuoka 福岡 | yokohama 横浜 | seoul 서울 首尔 seúl | busan pusan 부산
| taipei 台北 臺北 | hong-kong 香港
| tanaka 田中 | sato satou 佐藤 | suzuki 鈴木 | takahashi 高橋 | watanabe 渡辺 渡邊 | ito itou 伊藤 | yamamoto 山本
| nakamura 中村 | kobayashi 小林 | kato katou 加藤 | yoshida 吉田 | yamada 山田 | sasaki 佐々木 | yamaguchi 山口
| matsumoto 松本 | inoue 井上 | kimura 木村 | hayashi 林 | shimizu 清水 | mori 森 | abe 阿部 | ikeda 池田
| ishikawa 石川 | lee yi rhee 이 李 | park pak bak 박 朴 | choi choe 최 崔 | jung jeong chung 정 鄭
| alexander aleksandr александр oleksandr олександр | mikhail михаил
"""
_SIGNS = re.compile(r"[^a-z]")
_SPELLINGS = (
    (re.compile(r"ae|oe|ue"), lambda m: m[0][0]),
    (re.compile(r"iy|yi|ij|ii"), lambda _m: "i"),
    (re.compile(r"[yj]"), lambda _m: "i"),
    (re.compile(r"kh"), lambda _m: "h"),
    (re.compile(r"ph"), lambda _m: "f"),
    (re.compile(r"ks"), lambda _m: "x"),
    (re.compile(r"w"), lambda _m: "v"),
    (re.compile(r"tz|ts"), lambda _m: "z"),
    (re.compile(r"(?<!c)ck"), lambda _m: "k"),
    (re.compile(r"ou"), lambda _m: "u"),
    (re.compile(r"(.)\1+"), lambda m: m[1]),
)
# Romanizations of Korean write the same consonant voiced or not.
_VOICED = str.maketrans("gdbj", "ktpc")
# Surnames are not romanized by rule.
_SURNAMES = dict(
    zip(
        "이박최정강조윤임우문유오노신권황안서전주한",
        "lee park choi jung kang cho yoon lim woo moon yoo oh roh shin kwon hwang ahn seo jeon joo han".split(),
        strict=True,
    )
)
_VOWELS = re.compile(r"[aeiouy]")


@lru_cache(maxsize=1 << 14)
def key(name: str) -> str:
    """What a name sounds like, roughly; "" for one without letters."""
    from anyascii import anyascii

    known = _known().get(unicodedata.normalize("NFC", name).casefold())
    letters = _SIGNS.sub("", known or anyascii(name).lower())
    for pattern, spelled in _SPELLINGS:
        letters = pattern.sub(spelled, letters)
    return letters


def same(one: str, other: str) -> bool:
    """Whether two names are one, written in two scripts or spellings."""
    a, b = key(one), key(other)
    if not a or not b:
        return False
    if a == b:
        return True
    scripts = {script(one), script(other)}
    if "HANGUL" in scripts and len(scripts) > 1:
        return _korean(one) == _korean(other)
    if scripts & {"ARABIC", "HEBREW"} and len(scripts) > 1:
        return _consonants(a) == _consonants(b) and len(_consonants(a)) > 1
    return False


def _korean(name: str) -> str:
    """A Korean name as its romanizations agree on it: 박지성 is Park Ji-sung, 김철수 is Kim Chul-soo."""
    from anyascii import anyascii

    surname = _SURNAMES.get(name[:1], "")
    letters = _SIGNS.sub("", (surname + anyascii(name[1:] if surname else name)).lower())
    for vowels in ("eo", "eu", "oo", "ou", "woo"):
        letters = letters.replace(vowels, "u")
    return re.sub(r"(.)\1+", r"\1", letters.translate(_VOICED).replace("r", "l"))


def spans(name: str, text: str, words: list[Token] | None = None) -> list[tuple[int, int]]:
    """Where a name stands in a text in another script or spelling."""
    if any(sign.isdigit() for sign in name):
        return []
    words = tokens(text) if words is None else words
    longest = 1 + (_size(name) if name.isascii() else max(_size(name), len(name)))
    found = []
    for first, word in enumerate(words):
        if not may_be_name(text[word.start : word.end]):
            continue
        for last in range(first, min(len(words), first + longest)):
            start, end = word.start, words[last].end
            part = text[start:end]
            if "\n" in part or len(part) > 4 * len(name) + 8:
                break
            if same(name, part):
                found.append((start, end))
                break
    return found


def script(text: str) -> str:
    """The script of the first letter, as in its Unicode name: LATIN, CYRILLIC, HANGUL."""
    letter = next((c for c in text if c.isalpha()), "")
    return unicodedata.name(letter, "").split(" ")[0].split("-")[0] if letter else ""


def _size(name: str) -> int:
    return len(tokens(name))


def may_be_name(part: str) -> bool:
    """Whether a word may begin a name: written large, or in a script without large letters."""
    return not part[:1].islower() or not part[:1].isascii()


def _consonants(letters: str) -> str:
    return _VOWELS.sub("", letters)


@lru_cache(maxsize=1)
def _known() -> dict[str, str]:
    """A known name in any of its forms → the form that stands for all."""
    table: dict[str, str] = {}
    for row in _KNOWN.replace("\n", " ").split("|"):
        names = [name.replace("-", " ") for name in row.split()]
        table.update({unicodedata.normalize("NFC", name).casefold(): names[0] for name in names})
    return table
