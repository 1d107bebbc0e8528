"""Case 58: processes that index one folder at the same time lose nothing, and a killed one leaves no lock behind."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from project import Project

WORKER = """
import sys
from pathlib import Path
from hipocampus.cli import main
process, root = sys.argv[1], Path(sys.argv[2])
for number in range(1, 26):
    (root / "knowledge" / f"n-{process}-{number}.md").write_text(f"# n\\nLOCKTOK-{process}-{number}-END\\n")
    if number % 8 == 1 and (code := main.run(["-C", str(root), "index", "update"])):
        sys.exit(code)
"""


def test_case_58_eight_processes_that_index_at_once_lose_no_note(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.write("hipocampus.config.json", '{"search": {"vector": false}}')
    (tmp_path / "knowledge").mkdir()
    with (tmp_path / "err.log").open("wb") as log:
        workers = [
            subprocess.Popen([sys.executable, "-c", WORKER, str(number), str(tmp_path)], stdout=log, stderr=log)
            for number in range(1, 9)
        ]
        assert {worker.wait(timeout=120) for worker in workers} == {0}
    said = (tmp_path / "err.log").read_text()
    assert "Traceback" not in said
    assert "panicked" not in said
    assert "warning" not in said
    memory = project.memory()
    for name in [f"{process}-{number}" for process in range(1, 9) for number in range(1, 26)]:
        found = memory.search(f"LOCKTOK-{name}-END", limit=1, mode="bm25").items
        assert [item.source for item in found] == [f"knowledge/n-{name}.md"]
    assert project.memory().index_state().state.engine.chunks == 200
