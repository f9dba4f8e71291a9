"""The columns of a page from the events of a walk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from pagecut.page.nodes import (
    HIDDEN_BY_ATTRIBUTE,
    HIDDEN_BY_STYLE,
    HIDDEN_FROM_ARIA,
    IMAGE,
    OPTIONAL_COLUMNS,
    TEXT,
    Int,
    Nodes,
)
from pagecut.parsing.tag_traits import TRAIT_BITS
from pagecut.parsing.walk_events import Events, counted_before

_OPTIONAL: Final = OPTIONAL_COLUMNS - {"line_boxes"}  # those of nodes; a walk knows none of them


class WalkedNodes(Nodes):
    """Columns of which those that few ask for are made when somebody does."""

    __slots__ = ("_late",)

    @classmethod
    def deferred(cls, late: Mapping[str, Callable[[], NDArray[Any]]], **columns: object) -> Nodes:
        """The columns.

        Args:
            late: for some of them what makes it, which gives the same whenever it is called.
        """
        nodes = object.__new__(cls)
        for name, column in columns.items():
            nodes._set(name, column)
        for name in _OPTIONAL:
            object.__setattr__(nodes, name, None)
        object.__setattr__(nodes, "_late", late)
        return nodes

    def _set(self, name: str, column: object) -> None:
        if isinstance(column, np.ndarray):
            column.flags.writeable = False
        object.__setattr__(self, name, column)

    if not TYPE_CHECKING:  # else every name would be an attribute

        def __getattr__(self, name: str) -> object:
            late = {} if name == "_late" else getattr(self, "_late", {})  # copies have none
            if name not in late:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            self._set(name, late[name]())
            return getattr(self, name)


Hidden = Callable[[], Mapping[int, int]]


class WalkedColumns:
    """Which events have rows, and the columns of those.

    Args:
        leaves_before: (e + 1,) how many leaves (images, and texts with a row) are before each
            event, and in all.
        hidden: gives, for some elements, what hides them with all that is inside, as bits.
    """

    def __init__(self, events: Events, leaves_before: Int, hidden: Hidden) -> None:
        self._events = events
        self._leaves_before = leaves_before
        self._hidden = hidden
        self._has_row = leaves_before[1:] > leaves_before[:-1]
        self._has_row[events.starts] = True
        self._rows = counted_before(self._has_row)  # of each event; at last, how many there are
        self.element_rows = self._rows[events.starts]

    def rows_before(self, event: int) -> int:
        """How many rows there are before an event; of all, if it is the number of events."""
        return int(self._rows[event])

    def make(self, tag_names: tuple[str, ...], images: Int, leaf_edges: Int) -> Nodes:
        """The columns.

        Args:
            images: (i,) which elements are images.
            leaf_edges: (2m + 2,) start and end of each leaf, then the end of the text, twice.
        """
        events, rows = self._events, self._rows
        nodes = self._has_row.nonzero()[0]
        tag = events.numbers[nodes] >> TRAIT_BITS
        kind = np.zeros(len(tag), dtype=np.uint8)
        kind[tag == 0] = TEXT
        kind[self.element_rows[images]] = IMAGE
        after = nodes + 1  # where each node ends
        after[self.element_rows] = events.matching_ends
        first, last = 2 * self._leaves_before[nodes], 2 * self._leaves_before[after]
        start = leaf_edges[first]
        return WalkedNodes.deferred(
            {"parent": self._parents, "ordinal": self._ordinals, "hidden": self._hidden_rows},
            kind=kind,
            tag=tag,
            tag_names=tag_names,
            subtree_end=rows[after],
            depth=events.depths[nodes],
            start=start,
            end=np.where(last > first, leaf_edges[last - 1], start),
        )

    def _parents(self) -> Int:
        rows = np.concatenate([self.element_rows, [np.int32(-1)]])
        parents: Int = rows[self._events.parents[self._has_row[self._events.nodes]]]
        return parents

    def _ordinals(self) -> Int:
        return self._events.ordinals()[self._has_row[self._events.nodes]]

    def _hidden_rows(self) -> NDArray[np.uint8]:
        """(n,) the bits of each row, and of all that are around it."""
        bits = np.zeros(self.rows_before(-1), dtype=np.uint8)
        hidden = self._hidden()
        if not hidden:
            return bits
        elements = list(hidden)
        first = self.element_rows[elements]
        after = self._rows[self._events.matching_ends[elements]]
        own = np.fromiter(hidden.values(), dtype=np.uint8, count=len(elements))
        for bit in HIDDEN_BY_ATTRIBUTE, HIDDEN_BY_STYLE, HIDDEN_FROM_ARIA:
            hiding = own & bit > 0
            changes = np.bincount(first[hiding], minlength=len(bits) + 1)
            changes -= np.bincount(after[hiding], minlength=len(bits) + 1)
            bits[np.cumsum(changes[:-1]) > 0] |= bit
        return bits
