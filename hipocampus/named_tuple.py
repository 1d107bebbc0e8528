"""
`NamedTuple` for what a hook loads: to its reader and to type checkers that of `typing`, whose import is spared here.

That one also compiles every annotation of every class; both together took a tenth of the time that a prompt waits.
"""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    __all__ = ["NamedTuple"]
else:

    class _Fields(type):
        """Makes of a class body with annotated fields a named tuple with all else that the body holds."""

        def __new__(cls, name, bases, body):
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = body["__annotations__"]
            defaults = [body[field] for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            for key, value in body.items():
                if key not in fields:
                    setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_Fields):
        """The base of a class whose annotated names become the fields of a tuple."""
