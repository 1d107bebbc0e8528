"""Where the real agent clients come from: a folder that is given, or pinned packages of npm, installed once."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from filelock import FileLock

PACKAGES = {"@anthropic-ai/claude-code": "2.1.332", "@openai/codex": "0.171.0", "opencode-ai": "1.18.33"}
PROGRAMS = ("claude", "codex", "opencode")
VARIABLE = "HIPOCAMPUS_TEST_CLIENTS"
SECONDS_TO_INSTALL = 300


class NoClientsError(Exception):
    """The clients can't be had on this machine; says why."""


def programs(environ: Mapping[str, str]) -> Path:
    """
    The folder with `claude`, `codex` and `opencode`.

    `$HIPOCAMPUS_TEST_CLIENTS` names a folder with `node_modules`; without it the pinned versions are installed once
    a machine. Raises NoClientsError.
    """
    given = environ.get(VARIABLE)
    folder = Path(given) if given else Path(tempfile.gettempdir()) / f".pytest-hosts-{os.getuid()}"
    if not given:
        _install(folder)
    missing = [name for name in PROGRAMS if not (folder / "node_modules/.bin" / name).exists()]
    if missing:
        raise NoClientsError(f"no {', '.join(missing)} in {folder}/node_modules")
    return folder / "node_modules/.bin"


def _install(folder: Path) -> None:
    """The pinned versions, once; a half-finished installation is begun again."""
    npm = shutil.which("npm")
    if npm is None:
        raise NoClientsError("npm is not on PATH")
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_uid != os.getuid():
        raise NoClientsError(f"{folder} belongs to somebody else")
    specs = [f"{name}@{version}" for name, version in PACKAGES.items()]
    finished = folder / "installed"
    with FileLock(folder / "lock", timeout=SECONDS_TO_INSTALL):
        if finished.exists() and finished.read_text(encoding="utf-8").split() == specs:
            return
        _run([npm, "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--no-save", *specs])
        finished.write_text("\n".join(specs), encoding="utf-8")


def _run(argv: list[str]) -> None:
    try:
        done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=SECONDS_TO_INSTALL)
    except subprocess.TimeoutExpired as error:
        raise NoClientsError(f"npm took more than {SECONDS_TO_INSTALL} s") from error
    if done.returncode:
        raise NoClientsError(f"npm could not install them: {(done.stderr.split() or ['no reason given'])[-20:]}")
