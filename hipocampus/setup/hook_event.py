"""One call of a host, as the hook hands it on. It is made before it is known whether there is any work to do."""

import os

from hipocampus.hosts import moments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

GUARD_VARIABLE = "HIPOCAMPUS_IN_HOOK"
"""Set for every process that a hook starts; a hook that finds it does nothing."""


class Event:
    """
    What a host says to us, and in which workspace.

    `name` is the host's own. `folder` is where the session works; it lies outside of `root` in a git worktree.
    """

    __slots__ = ("folder", "host", "name", "payload", "root")

    def __init__(self, name: str, host: str, payload: "Mapping[str, object]", folder: str, root: str) -> None:
        self.name = name
        self.host = host
        self.payload = payload
        self.folder = folder
        self.root = root

    @property
    def moment(self) -> str:
        """What it means to us, by `hosts.moments`."""
        return moments.EVENTS[self.host][self.name]

    @property
    def state(self) -> str:
        """The folder of losable files."""
        return os.path.join(self.root, "memory", ".hipocampus")

    def text(self, key: str) -> str:
        """A text of the payload; "" where there is none."""
        value = self.payload.get(key)
        return value if isinstance(value, str) else ""
