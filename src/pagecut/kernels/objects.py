# cython: boundscheck=False, wraparound=False
"""Make frozen objects quickly, compiled into `pagecut.compiled.objects`, else as it is."""

from __future__ import annotations

try:
    import cython
except ImportError:
    from pagecut.kernels import _cython as cython

REVISION = 6  # see `acceleration`

if not cython.compiled:  # else compiled/objects.pxd has them

    def new_object(cls: type) -> object:
        return object.__new__(cls)

    def fill_slots(made: object, slots: tuple, values: tuple) -> None:
        for slot, value in zip(slots, values, strict=True):
            slot.__set__(made, value)

    def get_slot(made: object, slot: object) -> object:
        return slot.__get__(made)


class Maker:
    """Makes objects of a frozen, slotted dataclass from values that are known to be right.

    Its own constructor takes several times as long.
    """

    def __init__(self, cls: type) -> None:
        self.cls = cls
        self.slots = tuple([getattr(cls, name) for name in cls.__slots__])

    def make(self, values: tuple) -> object:
        """An object of these values, in the order of the fields; only their number is checked."""
        if len(values) != len(self.slots):
            raise TypeError(f"{len(values)} values for the {len(self.slots)} fields of {self.cls}")
        made: object = new_object(self.cls)
        fill_slots(made, self.slots, values)
        return made
