"""The elements that a walk in Python met, found again in the tree when somebody asks about them.

Only their addresses are kept, since an object for each would take more memory than the rest of the
page, and most attributes are never asked for.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Final

import numpy as np
from selectolax.lexbor import LexborNode

from pagecut.page.attributes import AttributeTable
from pagecut.page.nodes import HIDDEN_BY_ATTRIBUTE, HIDDEN_BY_STYLE, HIDDEN_FROM_ARIA, Int
from pagecut.page.tags import KEPT_ATTRIBUTES
from pagecut.parsing.images import Attributes

_HIDING_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.I)
_PERHAPS_HIDDEN: Final = "[hidden], [aria-hidden], [style]"
_NAMES: Final = tuple(sorted(KEPT_ATTRIBUTES))
_KEYS: Final = {name: key for key, name in enumerate(_NAMES)}


class WalkedElements:
    """The elements of a walk; they go by their numbers.

    Args:
        addresses: of the elements, in the order of the walk.
        roots: of all trees that have any of them, which keep the trees alive. In the order of the
            tree, if there is only one.
    """

    def __init__(self, addresses: array[int], roots: Sequence[LexborNode]) -> None:
        self._addresses = addresses
        self._roots = roots
        self._packed: tuple[array[int], bytes, bytes, bytes] | None = None  # as in a table

    @cached_property
    def hidden(self) -> Mapping[int, int]:
        """The elements that their attributes hide, with what hides them as bits."""
        bits_at = {
            element.mem_id: bits
            for root in self._roots
            for element in root.css(_PERHAPS_HIDDEN)
            if (bits := _hidden_bits(element.attributes))
        }
        if not bits_at:
            return {}
        return {
            number: bits_at[address]
            for number, address in enumerate(self._addresses)
            if address in bits_at
        }

    def kept_attributes(self, rows: Int) -> Mapping[int, Mapping[str, str]]:
        """The attributes that a page keeps, of those that have any.

        Args:
            rows: (n,) of the elements.
        """
        if self._packed is None:
            return MappingProxyType(
                {
                    row: {name: value or "" for name, value in attributes.items() if name in _KEYS}
                    for row, attributes in zip(rows.tolist(), self._attributes(), strict=True)
                    if not KEPT_ATTRIBUTES.isdisjoint(attributes)
                }
            )
        owners, keys, ends, values = self._packed
        owner_rows = rows[np.frombuffer(owners, dtype=np.int32)]
        return AttributeTable((owner_rows.tobytes(), keys, ends, values), _NAMES)

    def let_go(self) -> None:
        """Read all that may be asked for, so that the trees are needed no more."""
        owners, ends, keys, values = array("i"), array("q"), bytearray(), bytearray()
        for number, attributes in enumerate(self._attributes()):
            for name, value in attributes.items():
                if name in _KEYS:
                    owners.append(number)
                    keys.append(_KEYS[name])
                    values += (value or "").encode()
                    ends.append(len(values))
        self._packed = owners, bytes(keys), ends.tobytes(), bytes(values)
        self.hidden  # noqa: B018
        self._roots = ()

    def _attributes(self) -> Iterator[Attributes]:
        """Those of each element."""
        if len(self._roots) > 1:
            node_at = {node.mem_id: node for root in self._roots for node in root.traverse()}
            for address in self._addresses:
                yield node_at[address].attributes
            return
        addresses = iter(self._addresses)
        sought = next(addresses, None)
        for root in self._roots:
            for node in root.traverse():
                if node.mem_id == sought:
                    yield node.attributes
                    sought = next(addresses, None)


def _hidden_bits(attributes: Attributes) -> int:
    bits = 0
    if "hidden" in attributes and attributes["hidden"] != "until-found":
        bits |= HIDDEN_BY_ATTRIBUTE
    if (attributes.get("aria-hidden") or "").lower() == "true":
        bits |= HIDDEN_FROM_ARIA
    style = attributes.get("style")
    if style and _may_hide_by(style) and _HIDING_STYLE.search(style):
        bits |= HIDDEN_BY_STYLE
    return bits


def _may_hide_by(style: str) -> bool:
    """Whether a style needs a closer look, which most do not."""
    if not style.isascii():
        return True
    style = style.lower()
    return "none" in style or "hidden" in style
