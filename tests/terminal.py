"""A terminal for a program that wants one: keys go in, what it shows is kept."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

ENTER, ESCAPE, CONTROL_C, CLEAR_LINE = "\r", "\x1b", "\x03", "\x15"
WHERE_IS_THE_CURSOR, TOP_LEFT = b"\x1b[6n", b"\x1b[1;1R"
"""A question of a program to its terminal, and our answer."""
_CONTROL = re.compile(r"\x1b\[[0-9;?<>=]*[a-zA-Z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|\x1b[=>78]")


def wait_until(condition: Callable[[], object], seconds: float = 30) -> bool:
    """Whether a condition came true in time; looked at twenty times a second."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


class Terminal:
    """A program in a terminal of 50 lines of 160 columns."""

    def __init__(self, argv: Sequence[str], cwd: Path, environ: Mapping[str, str]) -> None:
        self._keyboard, screen = os.openpty()
        fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
        self.process = subprocess.Popen(
            argv, cwd=cwd, env=environ, stdin=screen, stdout=screen, stderr=screen, start_new_session=True
        )
        os.close(screen)
        self._shown = bytearray()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        with contextlib.suppress(OSError):
            while seen := os.read(self._keyboard, 65536):
                self._shown += seen
                if WHERE_IS_THE_CURSOR in seen:
                    os.write(self._keyboard, TOP_LEFT)

    @property
    def text(self) -> str:
        """All that was shown so far, without colours and cursor movements."""
        return _CONTROL.sub("", bytes(self._shown).decode("utf-8", "replace"))

    def press(self, *keys: str) -> None:
        """Press keys, with the time between them that a person needs."""
        for key in keys:
            os.write(self._keyboard, key.encode())
            time.sleep(0.35)

    def type(self, line: str) -> None:
        """Type a line, then Enter."""
        self.press(line, ENTER)

    def close(self) -> None:
        """End the program, if it still runs, and give the terminal back."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(10)
        with contextlib.suppress(OSError):
            os.close(self._keyboard)
