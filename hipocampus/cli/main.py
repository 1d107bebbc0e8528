"""The entry point: it imports next to nothing itself, and has the one error handler."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from hipocampus import __version__
from hipocampus.errors import ExitCode, HipocampusError


def main() -> None:
    """Run the command line and exit with its code."""
    if sys.argv[1:] == ["--version"]:
        sys.stdout.write(f"hipocampus {__version__}\n")
        sys.exit(ExitCode.DONE)
    _open_closed_streams()
    _speak_any_text()
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command; returns its exit code. Messages go to stderr."""
    import click

    from hipocampus.cli.group import hipocampus

    try:
        result = hipocampus.main(arguments, prog_name="hipocampus", standalone_mode=False)
    except click.exceptions.Abort:
        sys.stderr.write("interrupted\n")
        return ExitCode.INTERRUPTED
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except HipocampusError as error:
        sys.stderr.write(f"error: {error}\n" + (f"hint: {error.hint}\n" if error.hint else ""))
        return error.exit_code
    except OSError as error:
        sys.stderr.write(f"error: {error.strerror or error}: {error.filename or ''}\n")
        return ExitCode.FAILED
    return result if isinstance(result, int) else ExitCode.DONE


def _open_closed_streams() -> None:
    """Where the caller closed stdin, stdout or stderr, read nothing and write nowhere."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  for the whole run


def _speak_any_text() -> None:
    """Print what the terminal's encoding lacks as escapes instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
