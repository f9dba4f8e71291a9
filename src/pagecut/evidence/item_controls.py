"""The labels of sharing buttons stand inside many items, and are no part of their text.

An element counts as such a control by its class or id, if it has few words, but some: a bare number
(how often a thing was shared) says something about the item.
"""

from __future__ import annotations

import re
from typing import Final

from pagecut.evidence import item_acceleration as kernels
from pagecut.kernels.attributes import skip_table
from pagecut.kernels.item_parts import Found
from pagecut.kernels.items import ItemTree

_NAMES: Final = ("share", "sharing", "social", "addthis")
_NAME: Final = re.compile("|".join(_NAMES), re.IGNORECASE)
_BYTES: Final = tuple(name.encode() for name in _NAMES)
# As `RowAttributes.rows_named` wants it.
CONTROLS: Final = _BYTES, skip_table(_BYTES), _NAME.search


def leave_out_controls(tree: ItemTree, found: list[Found]) -> list[Found]:
    """The items of all images of a page without the labels of sharing buttons.

    An image inside a control keeps its item, as does one whose item is nothing else.
    """
    kept: list[Found] = kernels.control_kernels.leave_out(tree, found, *CONTROLS)
    return kept
