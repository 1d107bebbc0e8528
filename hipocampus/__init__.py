"""
hipocampus: drop-in, proactive memory for coding agents. Just files, no server, no model needed.

    from hipocampus import Memory
    memory = Memory.find(Path.cwd())
    memory.compact()
"""

# Not from typing: it would cost every hook more than all of its own work.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from hipocampus.memory import Memory

__version__ = "0.1.0"
__all__ = ["Memory", "__version__"]


def __getattr__(name: str) -> object:
    """Import the façade only when somebody asks for it: the hook and `--version` do without."""
    if name == "Memory":
        from hipocampus.memory import Memory

        return Memory
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)
