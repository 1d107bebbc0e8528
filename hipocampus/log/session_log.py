"""
The turns of sessions in the raw logs, each exactly once.

Three steps, each whole or not at all: the log itself, whose entry names its last record; then the ids of the
records; then (by whoever reads the transcript) the cursor. Killed between two of them, or with the ids lost, the
next run meets records again: those of a day up to the one its entry names are known, and so is the beginning of
another session's entry whose records are not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from hipocampus import files
from hipocampus.errors import StoreNotWritable
from hipocampus.layout import Workspace
from hipocampus.log import captured, daylog, session_text
from hipocampus.log.captured import Captured
from hipocampus.log.session_text import Found, Session, Spoken


@dataclass(frozen=True, slots=True)
class Stored:
    """What was new: how many turns, a later text of a known one too, and in which days."""

    turns: int
    days: tuple[date, ...]


class SessionLog:
    """
    One reading of one session's transcript, from a cursor on.

    `upcoming` gives the ids of all turns that this reading brings; it is asked only where a log knows more than
    the ids do. All ids are tokens. A dry run only counts.
    """

    def __init__(
        self, workspace: Workspace, session: Session, upcoming: Callable[[], Iterable[str]], *, dry_run: bool = False
    ) -> None:
        self._workspace = workspace
        self._session = session
        self._upcoming = upcoming
        self._dry_run = dry_run
        self._ids: frozenset[str] | None = None
        self._until: dict[date, str] = {}
        self._standing: dict[date, frozenset[str]] = {}
        self._copies: dict[date, list[list[str]]] = {}

    def store(self, spoken: Sequence[Spoken]) -> Stored:
        """
        Write what is new of some turns.

        Raises StoreBusy after 20 seconds and StoreNotWritable; the days before the one that failed are written.
        """
        days: dict[date, list[Spoken]] = {}
        for turn in spoken:
            days.setdefault(turn.day, []).append(turn)
        if not days:
            return Stored(0, ())
        try:
            with (
                files.lock(self._workspace.log_lock, timeout=daylog.LOCK_SECONDS),
                captured.opened(self._ids_file(), self._session.host) as ids,
            ):
                counts = {day: self._store_day(day, said, ids) for day, said in days.items()}
        except OSError as error:
            raise StoreNotWritable(str(error), hint="check the folder's permissions and the free space") from error
        return Stored(sum(counts.values()), tuple(sorted(day for day, count in counts.items() if count)))

    def _store_day(self, day: date, said: Sequence[Spoken], ids: Captured) -> int:
        path = self._workspace.raw_log(day.isoformat())
        data = daylog.present_bytes(self._workspace, path)
        entries = session_text.entries(files.decode(data).text, self._session.host, day)
        found = entries.pop(self._session.id, None)
        self._look(day, found, entries, ids)
        news = _news(said, ids.known(turn.id for turn in said), self._known_to_log(day, said))
        if found is None:
            changed, count = data, len(news.new)
        else:
            changed, count = self._continued(data, found, day, news)
        if self._dry_run:
            return count
        if found is None:
            self._begin(path, data, day, news.new)
        elif changed != data:
            if daylog.present_bytes(self._workspace, path) != data:  # another program appends without our lock
                return self._store_day(day, said, ids)
            files.write_bytes_atomic(path, changed)
        ids.add(news.digests)
        return count

    def _ids_file(self) -> Path:
        path = self._workspace.captured
        return Path(captured.NOWHERE) if self._dry_run and not path.exists() else path

    def _begin(self, path: Path, data: bytes, day: date, new: Sequence[Spoken]) -> None:
        if new:
            log = files.decode(data)
            text = daylog.joint(log.text, day) + session_text.new_entry(self._session, day, new)
            files.append(path, text.replace("\n", log.newline), log.encoding)

    def _continued(self, data: bytes, found: Found, day: date, news: _News) -> tuple[bytes, int]:
        """A log with what is new in its entry of the session, and how many turns that is."""
        count = len(news.new)
        for old, text in news.later.items():
            changed = session_text.with_text(data, found, old, text)
            if changed != data:
                data, count = changed, count + 1
                found = session_text.entries(files.decode(data).text, self._session.host, day)[self._session.id]
        return session_text.with_turns(data, found, self._session, day, news.new), count

    def _look(self, day: date, found: Found | None, others: Mapping[str, Found], ids: Captured) -> None:
        """Find out what a day's log knows that the ids do not."""
        known = ids.known([entry.last for entry in (found, *others.values()) if entry])
        if found and found.last not in known:
            if self._ids is None:
                self._ids = frozenset(self._upcoming())
            if found.last in self._ids:
                self._until[day] = found.last
            else:  # the transcript is another one than it was
                self._standing.setdefault(day, frozenset(found.turns))
        if day not in self._copies:
            self._copies[day] = [list(entry.turns) for entry in others.values() if entry.last not in known]

    def _known_to_log(self, day: date, said: Sequence[Spoken]) -> list[bool]:
        """Which turns stand in the log, whatever the ids say."""
        standing = self._standing.get(day, frozenset())
        flags = []
        for turn in said:
            # A fork begins with a copy of another session, turn by turn.
            self._copies[day] = [copy[1:] for copy in self._copies[day] if copy[:1] == [turn.text]]
            flags.append(day in self._until or turn.text in standing or bool(self._copies[day]))
            if self._until.get(day) == turn.id:
                del self._until[day]
        return flags


@dataclass(frozen=True, slots=True)
class _News:
    """What is new of some turns: whole ones, later texts by the digest of the old, and all ids to be known."""

    new: tuple[Spoken, ...]
    later: Mapping[bytes, str]
    digests: Mapping[str, bytes]


def _news(said: Sequence[Spoken], known: Mapping[str, bytes], in_log: Sequence[bool]) -> _News:
    """Of a record that comes again the later text counts, at the place of the first."""
    new: dict[str, Spoken] = {}
    later: dict[bytes, str] = {}
    digests: dict[str, bytes] = {}
    for turn, stands in zip(said, in_log, strict=True):
        digest = captured.digest(turn.text)
        before = digests.get(turn.id, known.get(turn.id))
        if turn.id in new or (before is None and not stands):
            new[turn.id] = turn
        elif before is not None and before != digest and not stands:
            later[known.get(turn.id, before)] = turn.text
        digests[turn.id] = digest
    changed = {ident: digest for ident, digest in digests.items() if known.get(ident) != digest}
    return _News(tuple(new.values()), later, changed)
