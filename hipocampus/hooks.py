"""
The light entry point for agent hosts: `hipocampus-hook EVENT [--host NAME]`, the host's JSON on stdin.

Always exits 0 and never blocks. This module finds out by itself, with next to no imports, whether an event leaves
anything to do; only then `setup.session` is loaded and does it, `setup.prompting` for a prompt. Whatever goes wrong is
one line in `hook.log`.
"""

import gc
import os
import sys

from hipocampus.hosts import moments
from hipocampus.setup import hook_input, hook_log, quiet
from hipocampus.setup.hook_event import GUARD_VARIABLE, Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CONFIG_NAME = "hipocampus.config.json"


def main() -> None:
    """Run one hook; exit code 0 whatever happens."""
    name, host = _named(sys.argv[1:])
    if name and moments.EVENTS[host][name] == moments.PROMPT:
        gc.disable()  # a prompt waits, and its process ends before there is anything worth collecting
    run(sys.argv[1:])
    os._exit(0)  # a host that leaves stdin open must not keep us, and nothing of ours waits for the end of Python


def run(arguments: "Sequence[str]", folder: "str | os.PathLike[str]" = ".") -> None:
    """Do what one event asks for and print what it may carry; `folder` is for hosts that name none. Raises nothing."""
    try:
        name, host = _named(arguments)
        if not name or os.environ.get(GUARD_VARIABLE):
            return
        payload = hook_input.read(hook_input.STDIN_SECONDS)
        _print(handle(name, host, payload, os.path.abspath(folder)))
    except BaseException as error:  # noqa: BLE001  a fault of ours, or Ctrl+C, is no reason to stop somebody's agent
        _say(f"{type(error).__name__}: {error}")


def handle(name: str, host: str, payload: "Mapping[str, object]", cwd: str) -> str:
    """Do what one event asks for; returns what its host is told."""
    if payload.get("agent_id"):  # a sub-agent's: its words are not the user's
        return ""
    named = payload.get("cwd")
    folder = named if isinstance(named, str) and os.path.isdir(named) else cwd
    root = workspace_root(folder)
    if not root:
        _say(f"no hipocampus workspace in {folder} or above it")
        return ""
    return _handle(Event(name, host, payload, folder, root))


def _handle(event: Event) -> str:
    memory = os.path.dirname(event.state)
    if not os.access(memory, os.W_OK):
        _say(f"{memory} is missing or can't be written: nothing is remembered")
        return ""
    try:
        hook_log.note_run(event.state, event.host, event.name)
        if is_idle(event):
            return ""
        if event.moment == moments.PROMPT:
            from hipocampus.setup import prompting

            return prompting.answer(event)
        from hipocampus.setup import session

        return session.act(event)
    except Exception as error:  # noqa: BLE001  see run
        _say(str(error))
        hook_log.append(event.state, f"{event.host} {event.name} error: {type(error).__name__}: {error}")
    return ""


def is_idle(event: Event) -> bool:
    """Whether an event surely leaves nothing to do, as far as a few looks at files can tell."""
    if event.moment == moments.START or (event.moment == moments.COMPACT and _has_told(event.state)):
        return False
    if event.moment == moments.PROMPT:
        return not _recalls(event.root)
    return not _has_grown(event) and quiet.is_quiet(event.root)


def workspace_root(folder: str) -> str:
    """
    The workspace of a folder, as `layout.find_workspace` finds it; "" where there is none.

    Below a `.git` that is a file (a worktree, a submodule) `layout` itself is asked.
    """
    root, here = "", os.path.realpath(folder)
    while True:
        git = os.path.join(here, ".git")
        if os.path.isfile(git):
            return _root_of_worktree(folder)
        if not root and os.path.isfile(os.path.join(here, CONFIG_NAME)):
            root = here
        above = os.path.dirname(here)
        if above == here or (root and os.path.exists(git)):
            return root
        here = above


def _root_of_worktree(folder: str) -> str:
    from pathlib import Path

    from hipocampus.errors import HipocampusError
    from hipocampus.layout import find_workspace

    try:
        return str(find_workspace(Path(folder)).root)
    except HipocampusError as error:
        _say(str(error))
        return ""


def _named(arguments: "Sequence[str]") -> tuple[str, str]:
    """Event and host; ("", "") for an event that means nothing to us. Without `--host` the first host that knows it."""
    given = [argument for argument in arguments if argument]
    name = given[0] if given else ""
    wanted = given[given.index("--host") + 1 :][:1] if "--host" in given else list(moments.EVENTS)
    for host in wanted:
        if name in moments.EVENTS.get(host, ()):
            return name, host
    return "", ""


def _has_grown(event: Event) -> bool:
    """Whether the session may have more to capture than we have; true where only the host itself can tell."""
    from hipocampus.log import cursors

    path = event.text("transcript_path")
    if not path:
        return True
    return cursors.has_grown(os.path.join(event.state, "cursors"), event.host, event.text("session_id"), path)


def _has_told(state: str) -> bool:
    """Whether any session was shown something by recall, which it forgets when its host shortens its context."""
    try:
        return bool(os.listdir(os.path.join(state, "sessions")))
    except OSError:
        return False


def _recalls(root: str) -> bool:
    """Whether prompts are answered from memory: not where search is off."""
    with open(os.path.join(root, CONFIG_NAME), "rb") as file:
        search = hook_input.parse(file.read()).get("search")
    return not (isinstance(search, dict) and search.get("enabled") is False)


def _print(answer: str) -> None:
    """All of an answer on stdout, where there is one."""
    rest = answer.encode("utf-8", "backslashreplace") if sys.stdout else b""
    while rest:
        rest = rest[os.write(sys.stdout.fileno(), rest) :]


def _say(text: str) -> None:
    """One line on stderr, where there is one."""
    try:
        sys.stderr.write(f"hipocampus: {' '.join(text.split())}\n")
    except (OSError, AttributeError, ValueError):
        return


if __name__ == "__main__":
    main()
