"""One call of a host, as the hook hands it on. Made before it is known whether there is work, so it imports only `os`."""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

GUARD_VARIABLE = "HIPOCAMPUS_IN_HOOK"
"""Set for every process that a hook starts; a hook that finds it does nothing."""


class Event:
    """
    What a host says to us, and in which workspace.

    `name` is the host's own, `moment` what it means to us (`hosts.moments`); `folder` is where the session works, which
    lies outside of `root` in a git worktree.
    """

    __slots__ = ("folder", "host", "moment", "name", "payload", "root")

    def __init__(
        self, name: str, host: str, moment: str, payload: "Mapping[str, object]", folder: str, root: str
    ) -> None:
        self.name = name
        self.host = host
        self.moment = moment
        self.payload = payload
        self.folder = folder
        self.root = root

    @property
    def state(self) -> str:
        """The folder of losable files."""
        return os.path.join(self.root, "memory", ".hipocampus")

    def text(self, key: str) -> str:
        """A text of the payload; "" where there is none."""
        value = self.payload.get(key)
        return value if isinstance(value, str) else ""
