"""The entry point: the list of commands, each imported only when it is called, and the one error handler."""

from __future__ import annotations

import os
import sys

from hipocampus import __version__
from hipocampus.errors import ExitCode, HipocampusError

# Each command with the module that holds it and one line of help, so that `--help` imports none of them.
COMMANDS = {
    "init": ("setup", "Set up a memory in this folder."),
    "status": ("setup", "Show what there is, how fresh it is, and what is wrong."),
    "config": ("setup", "List, read or change settings."),
    "demo": ("setup", "Run everything once on sample logs; ends with ROOT.md."),
    "checkpoint": ("write", "Append an entry to today's raw log."),
    "compact": ("tree", "Roll up what changed: raw logs, daily, weekly, monthly, ROOT.md."),
    "tree": ("tree", "List the nodes from ROOT.md down, with sizes and dates."),
    "read": ("tree", "Print what a pointer, a day, a period or a file shows."),
}


def main() -> None:
    """Run the command line and exit with its code."""
    if sys.argv[1:] == ["--version"]:
        sys.stdout.write(f"hipocampus {__version__}\n")
        sys.exit(ExitCode.DONE)
    _speak_any_text()
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command; returns its exit code. Messages go to stderr."""
    import click

    from hipocampus.cli.group import hipocampus

    try:
        result = hipocampus.main(_as_utf8(arguments), prog_name="hipocampus", standalone_mode=False)
    except click.exceptions.Abort:
        sys.stderr.write("interrupted\n")
        return ExitCode.INTERRUPTED
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except HipocampusError as error:
        sys.stderr.write(f"error: {error}\n" + (f"hint: {error.hint}\n" if error.hint else ""))
        return error.exit_code
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.DONE
    except OSError as error:
        sys.stderr.write(f"error: {error.strerror or error}: {error.filename or ''}\n")
        return ExitCode.FAILED
    return result if isinstance(result, int) else ExitCode.DONE


def _speak_any_text() -> None:
    """Print what the terminal's encoding lacks as escapes instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _as_utf8(arguments: list[str]) -> list[str]:
    """Arguments as UTF-8 text, whatever the locale made of them."""
    return [os.fsencode(argument).decode("utf-8", "replace") for argument in arguments]
