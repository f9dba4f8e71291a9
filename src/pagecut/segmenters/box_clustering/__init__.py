"""Box Clustering Segmentation: boxes next to each other that look alike form a segment.

Zeleny, Burget & Zendulka, "Box clustering segmentation: A new method for vision-based web page
preprocessing", Information Processing and Management 53, 2017. Equation and section numbers are the
paper's.

Differs from the paper:
- §4: a background is a colour that differs from what lies behind it; pictures behind text are none.
  Only lines of text have one around them (rule 4): an image is itself the smallest box that is not
  transparent. Elements in which nothing is seen make no branch, and letters that reach out of their
  area belong to its box. Of two boxes that contain each other neither goes.
- Eq. 1: boxes overlap on an axis only where they share more than an edge; else boxes side by side
  that touch would be no neighbours.
- Two boxes are a pair if at least one is a direct neighbour of the other. What is farther than the
  other's farthest neighbour has the relative distance 1.
- Eq. 4: a relative distance of 1 counts as the others do. As printed it gives 1, and no evenly
  spaced list could ever be joined.
- Eq. 10 is undefined for two squares (here 0) and leaves [0, 1] where a box is higher than wide:
  both boxes are turned then.
- An image has its average colour, a drawing (<svg>) that of its letters. A drawing without text is
  a box, but no part of a segment, which is a range of text and images.
- Eq. 16 and 17 between two clusters: the mean over all neighbouring pairs of their boxes, the same
  from both. As printed it is undefined; by the text, a mean of means, it depends on the order.
- Algorithm 1 goes on while any pair is alike enough; it does not stop when fewer than two boxes are
  in no cluster. Differences are counted in steps of 1/10,000; pairs that are equally alike go by
  the sum of their areas, the smallest first, then from top to bottom and left to right.
- Of more than 32 boxes at the same smallest distance on one side, 32 are looked at where boxes
  that overlap would make more than 32 of them the mean of a page.
- A dropped pair may come again when one of the two has become larger: its cluster is another one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Final, Literal, get_args

import numpy as np

from pagecut.errors import TooLarge
from pagecut.page import Page
from pagecut.page.nodes import IMAGE, Int
from pagecut.results.explanation import BoxGraph, Explanation
from pagecut.results.labelled_ranges import number_by_appearance, own_segments
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters.box_clustering.boxes import NEEDS, ContentBoxes, content_boxes
from pagecut.segmenters.box_clustering.clusters import (
    Clusters,
    bisected_relations,
    cluster_boxes,
    cluster_by_relations,
    smallest_threshold,
)
from pagecut.segmenters.box_clustering.differences import (
    COLOUR_SPACES,
    EQUATION_1,
    EQUATION_4,
    EQUATION_10,
    ColourSpace,
    Pairs,
    box_differences,
)
from pagecut.spec import Configured

AUTO: Final = "auto"
RELATIONS: Final = "relations"
STOP: Final = "stop"
Reading = Literal["mended", "printed", "eq1", "eq4", "eq10", "stop", "relations"]
READINGS: Final[tuple[str, ...]] = get_args(Reading)
PRINTED: Final = frozenset({EQUATION_1, EQUATION_4, EQUATION_10, STOP})
UNCLUSTERED: Final = "unclustered"
CONTAINER: Final = "contains others"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxClustering(Configured):
    """Join neighbouring boxes of text and images that are near, of one shape and of one colour.

    Args:
        threshold: largest difference that is still joined (CT); or "auto": the smallest that leaves
            few boxes in no segment.
        colour: the space in which colours are compared: "rgb", "lab" (CIE76) or "lch" (CIE94).
        unclustered: boxes in no cluster are "left-out" of the result, or segments "alone".
        reading: "mended" is what is listed above; "printed" takes Eq. 1, 4 and 10 and the stop of
            Algorithm 1 as printed, "eq1", "eq4", "eq10" and "stop" one of them alone; "relations"
            is the other reading of §7, by which results of different thresholds are not nested.
    """

    name: ClassVar[str] = "box-clustering"
    paper: ClassVar[str] = "Zeleny et al. 2017"
    needs: ClassVar[frozenset[str]] = NEEDS

    threshold: float | Literal["auto"] = field(default=0.5, metadata={"words": (AUTO,)})
    colour: ColourSpace = "rgb"
    unclustered: Literal["left-out", "alone"] = "left-out"
    reading: Reading = "mended"

    def __post_init__(self) -> None:
        if self.threshold != AUTO and not (
            isinstance(self.threshold, int | float) and 0 <= self.threshold <= 1
        ):
            raise ValueError(f"threshold must lie in [0, 1] or be {AUTO!r}, got {self.threshold!r}")
        if self.colour not in COLOUR_SPACES:
            raise ValueError(
                f"colour must be one of {', '.join(COLOUR_SPACES)}, got {self.colour!r}"
            )
        if self.unclustered not in ("left-out", "alone"):
            raise ValueError(f"unclustered must be left-out or alone, got {self.unclustered!r}")
        if self.reading not in READINGS:
            raise ValueError(f"reading must be one of {', '.join(READINGS)}, got {self.reading!r}")

    def segment(self, page: Page) -> Segmentation:
        found = ClusteredBoxes.of(self, page)
        return found.segmentation(self._labels(found, self._value(found)), made_by=self)

    def explain(self, page: Page) -> Explanation:
        """The boxes and what became of each, the differences of neighbours, and the threshold."""
        found = ClusteredBoxes.of(self, page)
        threshold = self._value(found)
        lonely = found.labels(threshold) < 0
        # As the segments are numbered: by their first box, which is by their first character.
        numbers = number_by_appearance(self._labels(found, threshold)).tolist()
        states = [
            UNCLUSTERED if alone else f"segment {number}"
            for number, alone in zip(numbers, lonely.tolist(), strict=True)
        ]
        for at in np.flatnonzero(found.content.container).tolist():
            states[at] = CONTAINER
        kept = np.flatnonzero(~found.content.container).astype(np.int32)
        edges = np.stack([kept[found.pairs.first], kept[found.pairs.second]], axis=1)
        return Explanation(
            page=page,
            made_by=str(self),
            graph=BoxGraph(
                boxes=found.content.box.astype(np.float32),
                status=tuple(states),
                edges=edges,
                values=found.pairs.difference,
            ),
            chosen={"threshold": threshold} if self.threshold == AUTO else {},
        )

    def _labels(self, found: ClusteredBoxes, threshold: float) -> Int:
        """(b,) the segment of each box of the page; -1 = in none."""
        labels = found.labels(threshold)
        if self.unclustered == "alone":
            kept = ~found.content.container
            labels[kept] = own_segments(labels[kept])
        return labels

    def _value(self, found: ClusteredBoxes) -> float:
        if self.threshold != AUTO:
            return self.threshold
        if self.reading == RELATIONS:
            return found.limit
        return smallest_threshold(*found.clusters.unclustered(), found.clusters.count)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ClusteredBoxes:
    """The boxes of a page, and what Algorithm 1 made of them up to some threshold."""

    page: Page
    content: ContentBoxes
    pairs: Pairs  # of the boxes that contain no others
    clusters: Clusters  # of the same
    limit: float  # the threshold up to which they are made

    @classmethod
    def of(cls, method: BoxClustering, page: Page) -> ClusteredBoxes:
        """Cluster a page; for the threshold "auto", up to the largest one."""
        content = content_boxes(page, method)
        kept = ~content.container
        boxes, colours = content.box[kept], content.colour[kept]
        printed = PRINTED if method.reading == "printed" else frozenset({method.reading})
        pairs = box_differences(boxes, colours, method.colour, printed)
        limit = 1.0 if method.threshold == AUTO else method.threshold
        try:
            if method.reading == RELATIONS and method.threshold == AUTO:
                limit, clusters = bisected_relations(boxes, pairs)
            elif method.reading == RELATIONS:
                clusters = cluster_by_relations(boxes, pairs, limit)
            else:
                clusters = cluster_boxes(boxes, pairs, limit, stops_early=STOP in printed)
        except TooLarge as error:
            raise TooLarge(f"{page.url or page.id[:12]}: {error}") from error
        return cls(page=page, content=content, pairs=pairs, clusters=clusters, limit=limit)

    def labels(self, threshold: float) -> Int:
        """(b,) the cluster of each box of the page; -1 = in none, or of drawings without text."""
        labels = np.full(len(self.content), -1, dtype=np.int32)
        labels[~self.content.container] = self.clusters.labels(threshold)
        has_range = self.content.end > self.content.start
        labels[~np.isin(labels, labels[has_range])] = -1
        return labels

    def segmentation(self, labels: Int, *, made_by: object) -> Segmentation:
        """The segments that labels of the boxes make of the page's text and images."""
        page, content = self.page, self.content
        has_range = content.end > content.start
        spans = np.stack([content.start, content.end], axis=1)[has_range]
        labels = labels[has_range]
        # Images in no cluster are in no segment: the nearest in the tree means nothing here.
        images = np.flatnonzero(page.nodes.kind == IMAGE)
        left_out = images[~np.isin(page.nodes.start[images], content.start)]
        spans = np.concatenate(
            [spans, np.stack([page.nodes.start[left_out], page.nodes.end[left_out]], axis=1)]
        )
        labels = np.concatenate([labels, np.full(len(left_out), -1, dtype=np.int32)])
        order = np.argsort(spans[:, 0], kind="stable")
        return Segmentation.from_spans(page, spans[order], labels[order], made_by=made_by)
