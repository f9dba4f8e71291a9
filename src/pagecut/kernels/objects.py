# cython: boundscheck=False, wraparound=False
"""Make frozen objects quickly, compiled into `pagecut.compiled.objects`, else as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython

REVISION = 4  # see `acceleration`
new = object.__new__

# Compiled, the C function of this name is called instead (see the .pxd file).
globals().setdefault("PyObject_GenericSetAttr", object.__setattr__)


class Maker:
    """Makes objects of a frozen, slotted dataclass from values that are known to be right.

    Its own constructor takes several times as long.
    """

    def __init__(self, cls: type) -> None:
        self.cls = cls
        self.names = tuple(cls.__slots__)

    def make(self, values: tuple) -> object:
        """An object of these values, in the order of the fields; nothing is checked."""
        at: cython.Py_ssize_t
        made: object = new(self.cls)
        for at in range(len(self.names)):
            PyObject_GenericSetAttr(made, self.names[at], values[at])  # noqa: F821
        return made
