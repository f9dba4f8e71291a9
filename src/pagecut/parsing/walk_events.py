"""What the walk in Python meets, as one column of numbers, and where everything is in it.

An event is a text, the start of an element or its end, in document order. A start is the number of
the tag, with the traits of the tag in the lower bits; an end is the same with `END` added; a text
is 0.
"""

from __future__ import annotations

from array import array
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.page.nodes import Int

TEXT_EVENT: Final = 0
END: Final = 1 << 29

Long = NDArray[np.int64]


class Events:
    """The events of a page; its texts, starts, ends and nodes are positions among them."""

    def __init__(self, numbers: array[int]) -> None:
        self.numbers: Int = np.frombuffer(numbers, dtype=np.int32)
        is_end, is_text = self.numbers >= END, self.numbers == TEXT_EVENT
        self.ends: Long = is_end.nonzero()[0]
        self.texts: Long = is_text.nonzero()[0]
        self.starts: Long = (~(is_end | is_text)).nonzero()[0]

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def nodes(self) -> Long:
        """(k,) the starts and the texts."""
        return (self.numbers < END).nonzero()[0]

    def having(self, trait: int) -> Long:
        """(k,) where the elements with a trait start and end."""
        return (self.numbers & trait).nonzero()[0]

    @cached_property
    def depths(self) -> Int:
        """(e,) how many elements are open around a node, or around the element that ends."""
        steps = np.zeros(len(self) + 1, dtype=np.int8)
        steps[self.starts + 1] = 1
        steps[self.ends] -= 1
        return np.cumsum(steps[:-1], dtype=np.int32)

    @cached_property
    def deepest(self) -> int:
        """The depth of the deepest node."""
        return int(self.depths.max(initial=0))

    @property
    def _levels(self) -> NDArray[np.signedinteger]:
        """(e,) the depths, in a type that is sorted in linear time where they are not too large."""
        return self.depths.astype(np.int16) if self.deepest < 2**15 else self.depths

    @cached_property
    def _by_depth(self) -> Long:
        """(n,) the numbers of the elements, the outer ones first, equals in document order."""
        return self._levels[self.starts].argsort(kind="stable")

    @cached_property
    def matching_ends(self) -> Long:
        """(n,) where each element ends: those of one depth end in the order they start in."""
        matching = np.empty_like(self.ends)
        matching[self._by_depth] = self.ends[self._levels[self.ends].argsort(kind="stable")]
        return matching

    @cached_property
    def parents(self) -> Long:
        """(k,) the number of the element around each node, -1 for the root.

        It is the last one of one depth less that has started before.
        """
        starts, depths = self.starts[self._by_depth], self.depths
        sought = (depths[self.nodes] - 1) * np.int64(len(self)) + self.nodes
        before = np.searchsorted(depths[starts] * np.int64(len(self)) + starts, sought)
        return np.concatenate([self._by_depth, [-1]])[before - 1]

    def ordinals(self) -> Int:
        """(k,) the number of each node, from 1, among its siblings of the same tag."""
        group = self.parents << 32 | self.numbers[self.nodes]
        order = np.argsort(group, kind="stable")
        group = group[order]
        is_first = np.ones(len(group), dtype=bool)
        np.not_equal(group[1:], group[:-1], out=is_first[1:])
        first = is_first.nonzero()[0]
        ordinals = np.empty(len(group), dtype=np.int32)
        ordinals[order] = np.arange(1, len(group) + 1) - first[np.cumsum(is_first) - 1]
        return ordinals


def counted_before(mask: NDArray[np.bool_]) -> Int:
    """(e + 1,) how many are marked before each position, and in all."""
    counts = np.zeros(len(mask) + 1, dtype=np.int32)
    np.cumsum(mask, out=counts[1:])
    return counts
