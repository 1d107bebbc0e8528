"""The files that hold what a memory knows, and the statements in them: what can be taken back, and where it stands."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from hipocampus import files
from hipocampus.errors import NotFound
from hipocampus.files import TextFile
from hipocampus.governance import marks, romanized
from hipocampus.governance.marks import Mark
from hipocampus.governance.selection import Statement, request
from hipocampus.governance.units import units
from hipocampus.layout import CURATED_FOLDERS, HOT_FILES, Workspace
from hipocampus.text.normal_form import forms, normal_form
from hipocampus.text.words import is_stop, stem

_DAY_LOG = re.compile(r"\d{4}-\d{2}-\d{2}\.md")
_TYPE = re.compile(r" \[(?:project|feedback|user|reference)\]\s*$")
_SILENT = re.compile(r"<!-- hipo |\s*\[forgotten [0-9a-f]{8}\]\s*$|#+ +(?:Session|Note)\b|# \d{4}-\d{2}-\d{2}\s*$")
# Characters of a memory that is looked through sentence by sentence; of a larger one only lines that may be meant.
_SMALL = 200_000
_MOST_LINES = 3_000
_PART = 4
# ASCII and the signs of print; no letter of these has another form.
_PLAIN = re.compile("[\x00-\x7f\u2010-\u2027\u2030-\u205e]*")


@dataclass(frozen=True, slots=True)
class Page:
    """A file: `name` is relative to the workspace; `file` is its decoded text."""

    name: str
    path: Path
    file: TextFile

    @property
    def sha256(self) -> str:
        """Digest of its text."""
        return sha256(self.file.text)


@dataclass(frozen=True, slots=True)
class Located:
    """A statement and where it stands in its page; `mutation` is what hid it, "" where nothing did."""

    page: Page
    start: int
    line: int
    statement: Statement
    mutation: str = ""


def sha256(text: str) -> str:
    """Digest of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def pages(workspace: Workspace, names: Collection[str] | None = None) -> Iterator[Page]:
    """
    The files that people, agents and hosts wrote: raw logs, summaries, what was set aside, curated and hot files.

    All of them, or those with some names.
    """
    for path in sorted(paths(workspace)):
        name = workspace.relative(path)
        if names is not None and name not in names:
            continue
        try:
            workspace.inside(name)
            yield Page(name, path, files.read_text(path))
        except (OSError, NotFound):
            continue


def paths(workspace: Workspace) -> Iterator[Path]:
    """Where those files may be."""
    logs = workspace.memory.glob("*.md")
    yield from (log for log in logs if _DAY_LOG.fullmatch(log.name) and not workspace.is_foreign(log))
    for folder in (workspace.summaries, workspace.set_aside):
        yield from folder.rglob("*.md")
    for name in CURATED_FOLDERS:
        yield from (workspace.root / name).rglob("*.md")
    yield from (path for hot in HOT_FILES if (path := workspace.root / hot).is_file())


def rewrite(page: Page, text: str) -> None:
    """Put another text into a file, with its line ends and encoding. Raises StoreNotWritable."""
    files.write_bytes_atomic(page.path, files.encode(text.replace("\n", page.file.newline), page.file.encoding))


def gathered(found: Sequence[Page], query: str) -> list[Located]:
    """The statements that a request may mean: all of a small memory, of a large one those that share its words."""
    if sum(len(page.file.text) for page in found) <= _SMALL:
        return [located for page in found for located in statements(page, lambda _line: True)]
    ranks = _ranker(query)
    ranked = [(hits, n, i) for n, page in enumerate(found) for i, hits in ranks(page.file.text).items()]
    best = max((row[0] for row in ranked), default=0)
    hits = sorted((row for row in ranked if 2 * row[0] >= best), key=lambda row: (-row[0], *row[1:]))[:_MOST_LINES]
    lines: dict[int, set[int]] = {}
    for _, number, line in hits:
        lines.setdefault(number, set()).update((line, line + 1))
    return [
        located
        for number, wanted in sorted(lines.items())
        for located in statements(found[number], lambda line, wanted=wanted: line in wanted)  # type: ignore[misc]
    ]


def statements(page: Page, is_wanted: Callable[[int], bool]) -> Iterator[Located]:
    """The statements in lines of a page, numbered from 0; comments and bare headings of sessions are none."""
    text, hidden = marks.opened(page.file.text)
    offset = 0
    for number, line in enumerate(text.split("\n")):
        if is_wanted(number) and line.strip() and not _SILENT.match(line):
            yield from _of_line(page, line, offset, number + 1, hidden)
        offset += len(line) + 1


def _of_line(page: Page, line: str, offset: int, number: int, hidden: Sequence[Mark]) -> Iterator[Located]:
    said = _TYPE.sub("", line) if line.startswith("## ") else line
    for unit in units(said):
        start = offset + unit.start
        mark = next((m for m in hidden if m.start <= start < m.end), None)
        statement = Statement(unit.text, mark is None, unit.follows)
        yield Located(page, start, number, statement, mark.mutation if mark else "")


def _ranker(query: str) -> Callable[[str], Mapping[int, int]]:
    """How many words of a request each line of a text may have, by its number from 0; lines with none are left out."""
    asked = request(query)
    parts = {_part(form) for form in forms(asked) if not is_stop(form)} or {_part(form) for form in forms(asked)}
    parts |= {part.translate(str.maketrans("gdbj", "ktpc")) for part in _sounds(asked)} | _sounds(asked)
    may_sound = asked.isascii() and asked[:1].isupper()

    def ranks(text: str) -> Mapping[int, int]:
        lines = text.lower().split("\n")
        foreign = []
        for number in _with_other_forms(lines):
            foreign += [number] if may_sound and _is_foreign(lines[number]) else []
            lines[number] = normal_form(lines[number][:_SMALL])
        ends = list(accumulate(len(line) + 1 for line in lines))
        joined = "\n".join(lines)
        counts = Counter(number for part in parts for number in _lines_with(part, joined, ends))
        return {**dict.fromkeys(foreign, 1), **counts}

    return ranks


def _with_other_forms(lines: Sequence[str]) -> list[int]:
    """The lines with letters that may be written in another way."""
    return [at for at, line in enumerate(lines) if not line.isascii() and not _PLAIN.fullmatch(line)]


def _lines_with(part: str, text: str, ends: Sequence[int]) -> Iterator[int]:
    """The lines of a text that hold a part, each once; `ends` are where the next ones begin."""
    at = text.find(part)
    while at >= 0:
        number = bisect_right(ends, at)
        yield number
        at = text.find(part, ends[number])


def _part(form: str) -> str:
    if form.isascii() and form.isalpha():
        return stem(form)[:_PART]
    return form[:_PART]


def _sounds(asked: str) -> set[str]:
    """How the words of a name begin in Latin letters, where it is written in others or with accents."""
    if asked.isascii():
        return set()
    return {key[:2] for word in asked.split() if len(key := romanized.key(word)) > 2}


def _is_foreign(line: str) -> bool:
    return any(romanized.script(sign) not in ("", "LATIN") for sign in line[:400] if not sign.isascii())
