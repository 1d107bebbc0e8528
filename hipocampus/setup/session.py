"""What an event of a host leads to: a session begins, rests, is shortened or ends."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from hipocampus.clock import day_from_environment
from hipocampus.errors import HipocampusError
from hipocampus.hosts import answers, moments
from hipocampus.hosts.host import Host, Machine, Transcript
from hipocampus.hosts.registry import host_named
from hipocampus.log import cursors
from hipocampus.memory import Memory
from hipocampus.recall.shown import Shown
from hipocampus.setup import capturing, hook_log, quiet
from hipocampus.setup.hook_event import Event

if TYPE_CHECKING:
    from hipocampus.recall.news import News

_LATE_SECONDS = 1.0


def act(event: Event) -> str:
    """
    Do what an event asks for; returns what its host is told.

    Raises HipocampusError and OSError, after everything else that could be done was done.
    """
    memory = Memory.find(Path(event.root), today=day_from_environment())
    host = host_named(event.host)
    if event.moment == moments.START:
        return _begin(memory, host, event)
    if event.moment == moments.COMPACT:
        Shown.of(memory.workspace, event.text("session_id")).forget()
    try:
        _capture(memory, host, event)
    finally:
        _compact_if_due(memory)
    return ""


def _begin(memory: Memory, host: Host, event: Event) -> str:
    """
    What the model does not see by itself, and what is new; all other work is left to the background.

    After a compaction of the host's context its session goes on, so that there is nothing to catch up with.
    """
    from hipocampus.setup import background, session_context
    from hipocampus.setup.background import CatchUp

    if not _goes_on(event):
        capturing.watch(memory)  # now: a session may die before the background has got that far
        background.start(memory.workspace, CatchUp(event.host, event.text("session_id")))
    if not host.answer(event.name, "-"):
        return ""
    imported = session_context.is_imported(memory.workspace, host, Path(event.folder))
    room = session_context.Room(host.context_limit, answers.measure(host.name))
    told = session_context.context(memory.workspace, room, _news(memory, event), is_imported=imported)
    return host.answer(event.name, told)


def _goes_on(event: Event) -> bool:
    """Whether a session begins only because its host has shortened the context of one."""
    return event.text("source") == "compact"


def _news(memory: Memory, event: Event) -> News:
    """What is new; where that can't be told, the model is told of all else."""
    from hipocampus.recall.news import News

    try:
        return News() if _goes_on(event) else memory.news(event.text("session_id"))
    except HipocampusError as error:
        hook_log.append(event.state, f"{event.host} {event.name} error: no news: {error}")
        return News()


def _capture(memory: Memory, host: Host, event: Event) -> None:
    machine = Machine(Path.home(), os.environ, sys.platform)
    transcript = host.transcript(event.payload, machine)
    if transcript is None:
        return
    captured = capturing.capture(memory, host, transcript)
    if event.text("last_assistant_message") and captured.last_voice != "assistant" and _grows(memory, host, transcript):
        captured = capturing.capture(memory, host, transcript)
    told = f"captured {captured.turns} turns of session {captured.session}" if captured.turns else ""
    if captured.problem:
        told = f"error: {transcript.path}: {captured.problem}"
    if told:
        hook_log.append(event.state, f"{event.host} {event.name} {told}")


def _grows(memory: Memory, host: Host, transcript: Transcript) -> bool:
    """Whether more is written within a second: a busy host tells of an answer before it stands in the transcript."""
    folder, until = str(memory.workspace.cursors), time.monotonic() + _LATE_SECONDS
    while time.monotonic() < until:
        if cursors.has_grown(folder, host.name, transcript.session, str(transcript.path)):
            return True
        time.sleep(0.05)
    return False


def _compact_if_due(memory: Memory) -> None:
    """Hand a due compaction to the background, else keep for how long there is none."""
    root, log = str(memory.workspace.root), memory.workspace.raw_log(memory.clock.today().isoformat()).name
    seen = quiet.looks(root, log)
    outlook = memory.outlook()
    if outlook.due:
        from hipocampus.setup import background

        background.start(memory.workspace)
    elif memory.clock.fixed_day is None:
        quiet.note(root, outlook.quiet_until.timestamp(), log, seen)
