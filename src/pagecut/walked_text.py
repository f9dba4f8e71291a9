"""The text of a page from the events of a walk: folded, with what is owed between the leaves.

A space or a newline is owed before a leaf where the markup parts it from the leaf before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagecut.nodes import Int
from pagecut.page import IMAGE_CHARACTER
from pagecut.tag_traits import BREAKS_LINE, BREAKS_WORD, IS_LINK
from pagecut.walk_events import END, Events, counted_before
from pagecut.white_space import Folded, as_written, fold_all

_SEPARATORS: Final = np.array(["", " ", "\n"], dtype=object)
_NOTHING, _SPACE, _NEWLINE = range(3)


class TextPiece(NamedTuple):
    """Some texts in a row, folded."""

    folded: Folded
    unfolded: Mapping[int, str]  # texts that stay as they are, by their numbers in the piece

    @classmethod
    def of(cls, contents: list[str], unfolded: Mapping[int, str]) -> TextPiece:
        """A piece of texts; what stays as it is may be empty, and is no leaf then."""
        folded = fold_all(contents)
        allowed = {number: as_written(text) for number, text in unfolded.items()}
        for number, text in allowed.items():
            folded.has_ink[number] = bool(text)
            folded.white_before[number] = folded.white_after[number] = False
        return cls(folded, allowed)

    def leaves(self) -> Iterator[str]:
        """The texts that are leaves."""
        texts = self.folded.texts
        for number, text in self.unfolded.items():
            texts[number] = text
        return filter(None, texts)


class WalkedText:
    """Which events are leaves, and the text that they make.

    Args:
        pieces: the texts among the events; they are taken out of the list.
        images: (i,) which elements are images.
    """

    def __init__(self, events: Events, pieces: list[TextPiece], images: Int) -> None:
        has_ink, white_before, white_after = (
            np.concatenate(column)
            for column in zip(*(piece.folded[1:] for piece in pieces), strict=True)
        )
        is_leaf = np.zeros(len(events), dtype=bool)
        inked = events.texts[has_ink]
        is_leaf[inked] = True
        is_leaf[events.starts[images]] = True
        before = self.leaves_before = counted_before(is_leaf)
        owed = np.zeros(int(before[-1]) + 1, dtype=np.int8)
        owed[before[events.texts[white_before]]] = _SPACE
        owed[before[events.texts[white_after] + 1]] = _SPACE
        owed[before[events.having(BREAKS_WORD)]] = _SPACE
        owed[_after_links(events, before)] = _SPACE
        owed[before[events.having(BREAKS_LINE)]] = _NEWLINE
        owed[0] = _NOTHING
        first = 0
        for piece in pieces:
            for number, text in piece.unfolded.items():
                if text.endswith("\n"):
                    owed[before[events.texts[first + number] + 1]] = _NOTHING
            first += len(piece.folded.has_ink)
        # Where each leaf starts and ends; then, twice, where the text does.
        self.edges: Int = np.empty(2 * len(owed), dtype=np.int32)
        self.text = "".join(self._join(pieces, owed[:-1], before[inked]))
        self.edges[-2:] = len(self.text)

    def _join(self, pieces: list[TextPiece], owed: NDArray[np.int8], inked: Int) -> Iterator[str]:
        """The text of each piece; fills in where the leaves are.

        Args:
            owed: (m,) what is before each leaf.
            inked: (k,) the leaves that are texts.
        """
        pieces.reverse()
        leaf = text = end = 0
        while pieces:
            texts = list(pieces.pop().leaves())
            after_text = text + len(texts)
            if not pieces:
                after = len(owed)
            elif texts:
                after = int(inked[after_text - 1]) + 1
            else:
                after = leaf
            leaves = np.full(2 * (after - leaf), IMAGE_CHARACTER, dtype=object)
            leaves[::2] = _SEPARATORS[owed[leaf:after]]
            leaves[2 * (inked[text:after_text] - leaf) + 1] = texts
            strings = leaves.tolist()
            edges = self.edges[2 * leaf : 2 * after]
            np.cumsum(np.fromiter(map(len, strings), np.int32, len(strings)), out=edges)
            edges += end
            leaf, text, end = after, after_text, int(edges[-1]) if len(edges) else end
            yield "".join(strings)


def _after_links(events: Events, before: Int) -> Int:
    """The leaves before which a link starts, after another one has ended there."""
    links = events.having(IS_LINK)
    is_end = events.numbers[links] >= END
    starts, ends = links[~is_end], links[is_end]
    last_end = np.searchsorted(ends, starts) - 1
    starts, last_end = starts[last_end >= 0], last_end[last_end >= 0]
    leaves: Int = before[starts]
    touching: Int = leaves[before[ends[last_end]] == leaves]
    return touching
