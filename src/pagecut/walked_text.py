"""The text of a page from the events of a walk: folded, with what is owed between the leaves.

A space or a newline is owed before a leaf where the markup parts it from the leaf before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from pagecut.nodes import Int
from pagecut.page import IMAGE_CHARACTER
from pagecut.tag_traits import BREAKS_LINE, BREAKS_WORD, IS_LINK
from pagecut.walk_events import END, Events, counted_before
from pagecut.white_space import fold_all

_SEPARATORS: Final = np.array(["", " ", "\n"], dtype=object)
_NOTHING, _SPACE, _NEWLINE = range(3)


class WalkedText:
    """Which events are leaves, and the text that they make.

    Args:
        contents: (t,) of the texts among the events.
        unfolded: texts that stay as they are, by their numbers; empty ones are no leaves.
        images: (i,) which elements are images.
    """

    def __init__(
        self, events: Events, contents: list[str], unfolded: Mapping[int, str], images: Int
    ) -> None:
        folded = fold_all(contents)
        texts, has_ink = folded.texts, folded.has_ink
        for number, text in unfolded.items():
            texts[number], has_ink[number] = text, bool(text)
            folded.white_before[number] = folded.white_after[number] = False
        is_leaf = np.zeros(len(events), dtype=bool)
        is_leaf[events.texts[has_ink]] = True
        is_leaf[events.starts[images]] = True
        before = self.leaves_before = counted_before(is_leaf)
        count = int(before[-1])
        owed = np.zeros(count + 1, dtype=np.int8)
        owed[before[events.texts[folded.white_before]]] = _SPACE
        owed[before[events.texts[folded.white_after] + 1]] = _SPACE
        owed[before[events.having(BREAKS_WORD)]] = _SPACE
        owed[_after_links(events, before)] = _SPACE
        owed[before[events.having(BREAKS_LINE)]] = _NEWLINE
        owed[0] = _NOTHING
        for number, text in unfolded.items():
            if text.endswith("\n"):
                owed[before[events.texts[number] + 1]] = _NOTHING
        pieces = [IMAGE_CHARACTER] * (2 * count)
        pieces[::2] = _SEPARATORS[owed[:-1]].tolist()
        inked = events.texts[has_ink]
        if len(inked) == count:
            pieces[1::2] = filter(None, texts)
        else:
            for leaf, text in zip(before[inked].tolist(), filter(None, texts), strict=True):
                pieces[2 * leaf + 1] = text
        self.text = "".join(pieces)
        # Where each leaf starts and ends; then, twice, where the text does.
        self.edges: Int = np.full(len(pieces) + 2, len(self.text), dtype=np.int32)
        np.cumsum(np.fromiter(map(len, pieces), np.int32, len(pieces)), out=self.edges[:-2])


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
