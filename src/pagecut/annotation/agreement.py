"""How much two annotators agree on a page: in its areas, and in the text of its images.

Both count alike: every value is the same whoever is named first. Areas are compared by the tokens
that are shown, those outside all areas of one person being segments of their own; BCubed F is what
Kiesel et al. (2020) give for annotators among themselves. Texts of images are compared by words, as
extractors are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pagecut.annotation.marks import Annotation
from pagecut.errors import PagecutError
from pagecut.evaluation.compared_units import shown_tokens
from pagecut.evaluation.measures import segmentation_measure
from pagecut.evaluation.measures.overlap import overlap
from pagecut.page import Page
from pagecut.results.labelled_ranges import own_segments
from pagecut.results.segmentation import Segmentation

MEASURES = ("ari", "nmi", "bcubed-f")


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """What two people agree on.

    Args:
        areas: measures of the segmentations, each tokens outside all areas included.
        cuts: F of the places where a new area begins.
        images: how many both said something of.
        with_text: share of these on which both say that there is a text, or both that there is
            none.
        text: mean F of the words where both give a text; None if there is no such image.
    """

    page: str
    annotators: tuple[str, str]
    areas: dict[str, float]
    cuts: float | None
    images: int = 0
    with_text: float | None = None
    text: float | None = None

    def row(self) -> dict[str, object]:
        """As a plain row."""
        return {
            "page": self.page,
            "first": self.annotators[0],
            "second": self.annotators[1],
            **self.areas,
            "cuts-f": self.cuts,
            "images": self.images,
            "same-decision": self.with_text,
            "lcs-f": self.text,
        }


def agreement(page: Page, first: Annotation, second: Annotation) -> Agreement:
    """Compare two annotations of a page."""
    one, other = _whole(first.segmentation(page)), _whole(second.segmentation(page))
    areas = {}
    for name in MEASURES:
        try:
            forth = segmentation_measure(name).score(one, other)
            back = segmentation_measure(name).score(other, one)
        except PagecutError:  # a page without shown text
            continue
        areas[name] = (forth + back) / 2
    found = {mark.image: mark for mark in first.contexts}
    pairs = [(found[mark.image], mark) for mark in second.contexts if mark.image in found]
    texts = [(page.readable_spans(a.spans), page.readable_spans(b.spans)) for a, b in pairs]
    both = [(a, b) for a, b in texts if a.strip() and b.strip()]
    same = [bool(a.strip()) == bool(b.strip()) for a, b in texts]
    return Agreement(
        page=first.name,
        annotators=(first.annotator, second.annotator),
        areas=areas,
        cuts=_shared_cuts(page, one, other),
        images=len(pairs),
        with_text=sum(same) / len(same) if same else None,
        text=_mean([overlap(a, b).f for a, b in both]) if both else None,
    )


def _whole(segmentation: Segmentation) -> Segmentation:
    """The same with each shown token outside all segments as one of its own, so that it counts."""
    page = segmentation.page
    offsets = shown_tokens(page)
    labels = own_segments(segmentation.labels_at(offsets))
    ends = np.append(offsets[1:], len(page.text)) if len(offsets) else offsets
    spans = np.stack([offsets, np.maximum(ends, offsets + 1)], axis=1)
    return Segmentation.from_spans(page, spans, labels, made_by=segmentation.made_by)


def _shared_cuts(page: Page, one: Segmentation, other: Segmentation) -> float | None:
    """F of the tokens at which a segment begins, the page's first aside; None if nobody cuts."""
    offsets = shown_tokens(page)
    cuts = []
    for each in (one, other):
        labels = each.labels_at(offsets).tolist()
        cuts.append({at for at, (a, b) in enumerate(pairwise(labels)) if a != b})
    if not cuts[0] and not cuts[1]:
        return None
    shared = len(cuts[0] & cuts[1])
    return 2 * shared / (len(cuts[0]) + len(cuts[1]))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
