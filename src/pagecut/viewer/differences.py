"""Where two segmentations of a page differ, and by how much they agree."""

from __future__ import annotations

import numpy as np

from pagecut.errors import PagecutError
from pagecut.evaluation.compared_units import shown_tokens
from pagecut.evaluation.measures import segmentation_measure
from pagecut.page.nodes import Int
from pagecut.results.labelled_ranges import own_segments
from pagecut.results.segmentation import Segmentation
from pagecut.viewer.responses import Json

SAME, CUT, JOINED, OTHER = "same", "cut", "joined", "other"
AGREEMENT = ("ari", "nmi", "bcubed-f")


def compare(first: Segmentation, second: Segmentation) -> Json:
    """What became of each segment in the other result, and measures of the first by the second.

    SAME: the other has exactly it; CUT: the other cuts it; JOINED: it is part of a larger one;
    OTHER: the borders cross; None: it has no text. Only tokens that are shown count; one in no
    segment is one of its own.
    """
    offsets = shown_tokens(first.page)
    one, other = first.labels_at(offsets), second.labels_at(offsets)
    agreement = []
    for name in AGREEMENT:
        try:
            value = segmentation_measure(name).score(first, second)
        except PagecutError:  # nothing of the page is in a segment
            continue
        agreement.append({"measure": name, "value": value})
    return {
        "first": _status(one, other, len(first)),
        "second": _status(other, one, len(second)),
        "agreement": agreement,
    }


def _status(own: Int, other: Int, count: int) -> list[str | None]:
    """For each segment: is it one of the other's, cut by it, or joined to more?"""
    there = own_segments(other)
    inside = own >= 0
    own, there = own[inside], there[inside]
    sizes = np.bincount(own, minlength=count)
    whole = np.bincount(own_segments(other))
    pairs = np.unique(np.stack([own, there], axis=1), axis=0)
    parts = np.bincount(pairs[:, 0], minlength=count)
    shared = np.zeros(count, dtype=np.int64)  # size of the others that it meets, all together
    np.add.at(shared, pairs[:, 0], whole[pairs[:, 1]])
    result: list[str | None] = []
    for size, met, total in zip(sizes.tolist(), parts.tolist(), shared.tolist(), strict=True):
        if not size:
            result.append(None)
        elif met == 1:
            result.append(SAME if total == size else JOINED)
        else:
            result.append(CUT if total == size else OTHER)
    return result
