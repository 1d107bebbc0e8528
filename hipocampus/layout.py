"""Where every file of a workspace is, and how a workspace is found."""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

from hipocampus import config, files
from hipocampus.errors import NotFound, NoWorkspace, UsageError

CONFIG_NAME = "hipocampus.config.json"
HOT_FILES = ("SCRATCHPAD.md", "WORKING.md", "TASK-QUEUE.md")
CURATED_FOLDERS = ("knowledge", "plans")
TENANTS = "tenants"
LEVELS = ("daily", "weekly", "monthly")
# The names that no file system reads as something else.
_TENANT = r"(?!(?:con|prn|aux|nul|com\d|lpt\d)$)[a-z0-9][a-z0-9_-]{0,63}"


class Workspace:
    """The paths of one workspace; `root` is the folder that holds `hipocampus.config.json`."""

    __slots__ = ("root",)

    def __init__(self, root: Path) -> None:
        self.root = root

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Workspace) and other.root == self.root

    def __hash__(self) -> int:
        return hash(self.root)

    def __repr__(self) -> str:
        return f"Workspace({str(self.root)!r})"

    @property
    def config(self) -> Path:
        """The settings file."""
        return self.root / CONFIG_NAME

    @property
    def memory(self) -> Path:
        """The folder of raw logs, nodes and ROOT.md."""
        return self.root / "memory"

    @property
    def root_node(self) -> Path:
        """The topic index that is loaded in every session."""
        return self.memory / "ROOT.md"

    @property
    def summaries(self) -> Path:
        """Node bodies written by an agent."""
        return self.memory / "summaries"

    @property
    def imported_root(self) -> Path:
        """A ROOT.md that was not made by this program, kept as a source."""
        return self.summaries / "imported-root.md"

    @property
    def state(self) -> Path:
        """Derived or losable files."""
        return self.memory / ".hipocampus"

    @property
    def compact_state(self) -> Path:
        """What the last compaction saw."""
        return self.state / "compact.json"

    @property
    def cache(self) -> Path:
        """Tables that are slow to parse."""
        return self.state / "cache"

    @property
    def facts(self) -> Path:
        """What each node adds to ROOT.md, parsed."""
        return self.state / "facts"

    @property
    def index(self) -> Path:
        """The search index."""
        return self.state / "index"

    @property
    def sessions(self) -> Path:
        """What each session was shown."""
        return self.state / "sessions"

    @property
    def tally(self) -> Path:
        """How many prompts recall answered, and what the last one was told."""
        return self.state / "recalls.json"

    @property
    def news(self) -> Path:
        """What the session that began last could know of the newest raw logs."""
        return self.state / "news.json"

    @property
    def anchors(self) -> Path:
        """Concepts that the user wants to be known, a line each."""
        return self.memory / "anchors.txt"

    @property
    def set_aside(self) -> Path:
        """Where a node goes that can't stay in the tree and whose text may be wanted."""
        return self.state / "set-aside"

    @property
    def installed(self) -> Path:
        """What `init` added to the project, so that `uninstall` can take it out."""
        return self.state / "installed.json"

    @property
    def backups(self) -> Path:
        """Files of the project as they were before we edited them, by their sha256."""
        return self.state / "backups"

    @property
    def hook_log(self) -> Path:
        """What the hooks did, and what went wrong in them."""
        return self.state / "hook.log"

    @property
    def ledger(self) -> Path:
        """The record of every mutation and tombstone."""
        return self.memory / "ledger.jsonl"

    @property
    def ledger_lock(self) -> Path:
        """Held while the ledger is appended to."""
        return self.state / "ledger.lock"

    @property
    def cleared(self) -> Path:
        """Files in which nothing that was removed for good was found."""
        return self.state / "cleared.json"

    @property
    def chain(self) -> Path:
        """The name of this clone's chain in the ledger."""
        return self.state / "ledger.chain"

    @property
    def pending(self) -> Path:
        """Mutations under way, a file each."""
        return self.state / "pending"

    @property
    def mutation_lock(self) -> Path:
        """Held by whoever forgets or corrects."""
        return self.state / "mutation.lock"

    @property
    def captured(self) -> Path:
        """Which records of the hosts' transcripts stand in the raw logs."""
        return self.state / "captured.sqlite"

    @property
    def cursors(self) -> Path:
        """How far each session's transcript has been read."""
        return self.state / "cursors"

    @property
    def log_lock(self) -> Path:
        """Held while a raw log is appended to."""
        return self.state / "log.lock"

    @property
    def compact_lock(self) -> Path:
        """Held while the tree is rebuilt."""
        return self.state / "compact.lock"

    def tenant(self, ident: str) -> Workspace:
        """
        The workspace of a tenant, a memory of its own below `tenants/`.

        Raises UsageError for a name that could lead elsewhere.
        """
        if not re.fullmatch(_TENANT, ident, re.IGNORECASE | re.ASCII):
            message = f"{ident!r} can't be the name of a tenant"
            raise UsageError(message, hint="use 1 to 64 letters, digits, `-` and `_`, beginning with a letter or digit")
        if self.root.parent.name == TENANTS:
            message = f"{self.root.name} is a tenant itself"
            raise UsageError(message, hint="set up tenants in the folder above `tenants/`")
        return Workspace(self.root / TENANTS / ident)

    def neighbours(self) -> list[Workspace]:
        """The other memories of the same project: its tenants and what stands above them."""
        is_tenant = self.root.parent.name == TENANTS
        top = self.root.parent.parent if is_tenant else self.root
        folders = [top, *sorted((top / TENANTS).glob("*"))]
        return [Workspace(folder) for folder in folders if folder != self.root and (folder / CONFIG_NAME).is_file()]

    @property
    def background_lock(self) -> Path:
        """Held by the one process that does overdue work."""
        return self.state / "background.lock"

    def raw_log(self, day: str) -> Path:
        """The raw log of a day written YYYY-MM-DD."""
        return self.memory / f"{day}.md"

    def is_foreign(self, path: Path) -> bool:
        """Whether a file in `memory/` is a link that leads out of it: never followed, neither to read nor to write."""
        return path.is_symlink() and not path.resolve().is_relative_to(self.memory.resolve())

    def relative(self, path: Path) -> str:
        """A path as shown to people and kept in JSON: relative to the workspace, with slashes."""
        return path.relative_to(self.root).as_posix()

    def inside(self, name: str) -> Path:
        """
        The file of a name relative to the workspace.

        Raises NotFound for a name that leaves the workspace, also through a symbolic link.
        """
        try:
            path = (self.root / PurePosixPath(name)).resolve()
            path.relative_to(self.root.resolve())
            path.exists()  # raises for a name that no file can have
        except (ValueError, OSError, RuntimeError):
            message = f"{name!r} is not a file of this workspace"
            raise NotFound(message, hint="name a file below the workspace, like memory/ROOT.md") from None
        return path


def find_workspace(start: Path) -> Workspace:
    """
    The workspace of a folder: the nearest one upwards, or that of the main checkout of a git worktree.

    Memory is shared between the worktrees of a repository unless `worktree` is set to `separate`.
    Raises NoWorkspace.
    """
    start = start.resolve()
    for folder in (start, *start.parents):
        found = _workspace_at(folder)
        if found:
            return found
    message = f"no hipocampus workspace in {start} or above it"
    raise NoWorkspace(message, hint="run `hipocampus init` in the project's folder")


def worktrees(root: Path) -> list[Path]:
    """The folder that corresponds to a workspace in each linked worktree of its repository."""
    for top in (root, *root.parents):
        registered = top / ".git" / "worktrees"
        if (top / ".git").exists():
            links = sorted(registered.glob("*/gitdir")) if registered.is_dir() else []
            folders = [_folder_of_link(link) for link in links]
            return [folder / root.relative_to(top) for folder in folders if folder]
    return []


def _folder_of_link(link: Path) -> Path | None:
    """The worktree that an administrative folder of git belongs to (gitrepository-layout(5))."""
    try:
        return Path(files.read_text(link).text.strip()).parent
    except OSError:
        return None


def _workspace_at(folder: Path) -> Workspace | None:
    own = (folder / CONFIG_NAME).is_file()
    twin = _same_folder_in_main_checkout(folder)
    if twin is None or not (twin / CONFIG_NAME).is_file():
        return Workspace(folder) if own else None
    if not _is_separate(twin) and not (own and _is_separate(folder)):
        return Workspace(twin)
    if own:
        return Workspace(folder)
    message = f"this worktree keeps a memory of its own, apart from {twin}, and has none yet"
    raise NoWorkspace(message, hint=f"run `hipocampus init` in {folder}")


def _is_separate(folder: Path) -> bool:
    return bool(config.load(folder / CONFIG_NAME)["worktree"] == "separate")


def _same_folder_in_main_checkout(folder: Path) -> Path | None:
    for top in (folder, *folder.parents):
        git = top / ".git"
        if git.is_file():
            main = _main_checkout(git)
            return main / folder.relative_to(top) if main else None
        if git.exists():
            return None
    return None


def _main_checkout(git_file: Path) -> Path | None:
    """The main checkout of a linked worktree, from git's own files (gitrepository-layout(5))."""
    try:
        pointer = files.read_text(git_file).text.removeprefix("gitdir:").strip()
        own = (git_file.parent / pointer).resolve()
        common = (own / files.read_text(own / "commondir").text.strip()).resolve()
    except (OSError, ValueError):
        return None
    return common.parent if common.name == ".git" else None
