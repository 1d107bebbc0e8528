"""Print the seconds tiktoken takes to count the given files once, its table already loaded."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from hipocampus.text import tokens

texts = [Path(name).read_text(encoding="utf-8") for name in sys.argv[1:]]
counter = tokens.load_counter(None)
counter.count("warm " * 1_000_000)  # from some amount of text on it is tiktoken that counts
started = time.perf_counter()
for text in texts:
    counter.count(text)
print(time.perf_counter() - started)
