"""The text of a page from the events of a walk: folded, with what is owed between the leaves.

A space or a newline is owed before a leaf where the markup parts it from the leaf before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.page.nodes import Int
from pagecut.page.white_space import Folded
from pagecut.parsing.tag_traits import BREAKS_LINE, BREAKS_WORD, IS_LINK
from pagecut.parsing.walk_events import END, TEXT_EVENT, Events, Long, counted_before

# What is owed, as a character in UTF-8.
_NOTHING: Final = 0
_SPACE: Final = ord(" ")
_NEWLINE: Final = ord("\n")
_LONG: Final = 2**20  # bytes that are too many to be added up at once, as numbers of four bytes


class WalkedText:
    """Which events are leaves, and the text that they make.

    Args:
        pieces: the texts and images among the events; they are taken out of the list.
        images: (i,) which elements are images.
    """

    def __init__(self, events: Events, pieces: list[Folded], images: Int) -> None:
        has_ink, white_before, white_after = _in_one(pieces)
        at = events.texts  # where each of them is
        if len(images):
            is_either = events.numbers == TEXT_EVENT
            is_either[events.starts[images]] = True
            at = is_either.nonzero()[0]
        is_leaf = np.zeros(len(events), dtype=bool)
        is_leaf[at[has_ink]] = True
        before = self.leaves_before = counted_before(is_leaf)
        owed = np.zeros(int(before[-1]) + 1, dtype=np.uint8)
        owed[before[at[white_before]]] = _SPACE
        owed[before[at[white_after] + 1]] = _SPACE
        owed[before[events.having(BREAKS_WORD)]] = _SPACE
        owed[_after_links(events, before)] = _SPACE
        owed[before[events.having(BREAKS_LINE)]] = _NEWLINE
        owed[0] = _NOTHING
        # Where each leaf starts and ends; then, twice, where the text does.
        self.edges: Int = np.empty(2 * len(owed), dtype=np.int32)
        self.text = "".join(self._join(pieces, owed))
        self.edges[-2:] = len(self.text)

    def _join(self, pieces: list[Folded], owed: NDArray[np.uint8]) -> Iterator[str]:
        """The text of each piece; fills in where the leaves are.

        Args:
            owed: (m + 1,) what is before each leaf, as a character; what is after the last one.
        """
        pieces.reverse()
        leaf = end = 0
        while pieces:
            joined, has_ink, *_ = pieces.pop()
            source = bytearray(joined)
            units = np.frombuffer(source, dtype=np.uint8)
            around = (units == 0).nonzero()[0]
            first, last = around[:-1][has_ink], around[1:][has_ink]
            if not len(first):
                continue
            after = leaf + len(first)
            # A text that ends with the end of a line is one that is not folded.
            owed[leaf + 1 : after + 1][units[last - 1] == _NEWLINE] = _NOTHING
            separators = units[first] = owed[leaf:after]
            lengths = np.empty((len(first), 2), dtype=np.int32)
            lengths[:, 0] = separators != _NOTHING
            lengths[:, 1] = last - first - 1
            if not joined.isascii():
                lengths[:, 1] -= _continuing(units, first, last)
            lengths[0, 0] += end
            edges = self.edges[2 * leaf : 2 * after]
            np.cumsum(lengths, out=edges)
            leaf, end = after, int(edges[-1])
            yield source.translate(None, b"\0").decode()


def _in_one(pieces: list[Folded]) -> list[NDArray[np.bool_]]:
    """What is said of the texts of all pieces."""
    if len(pieces) == 1:
        return list(pieces[0][1:])
    return [np.concatenate(column) for column in zip(*(each[1:] for each in pieces), strict=True)]


def _continuing(units: NDArray[np.uint8], first: Long, last: Long) -> Int:
    """(k,) how many bytes of each range go on with a character that began before them."""
    continues = units.view(np.int8) < -64
    if len(units) < _LONG:
        return np.add.reduceat(continues, first, dtype=np.int32)
    ranges = zip(first.tolist(), last.tolist(), strict=True)
    counts = (np.count_nonzero(continues[start:end]) for start, end in ranges)
    return np.fromiter(counts, np.int32, len(first))


def _after_links(events: Events, before: Int) -> Int:
    """The leaves before which a link starts, after another one has ended there."""
    links = events.having(IS_LINK)
    is_end = events.numbers[links] >= END
    starts, ends = links[~is_end], links[is_end]
    last_end = ends.searchsorted(starts) - 1
    starts, last_end = starts[last_end >= 0], last_end[last_end >= 0]
    leaves: Int = before[starts]
    touching: Int = leaves[before[ends[last_end]] == leaves]
    return touching
