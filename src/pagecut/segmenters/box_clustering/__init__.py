"""Box Clustering Segmentation: boxes next to each other that look alike form a segment.

Zeleny, Burget & Zendulka, "Box clustering segmentation: A new method for vision-based web page
preprocessing", Information Processing and Management 53, 2017. Equation and section numbers are the
paper's.

Differs from the paper:
- §4: a background is what differs from what lies behind it. Only lines of text have one around them
  (rule 4): an image is itself the smallest box that is not transparent. Elements in which nothing
  is seen make no branch, and letters that reach out of their area belong to its box. Of two boxes
  that contain each other neither goes.
- Eq. 1: boxes overlap on an axis only where they share more than an edge; else boxes side by side
  that touch would be no neighbours.
- Two boxes are a pair if at least one is a direct neighbour of the other. What is farther than the
  other's farthest neighbour has the relative distance 1.
- Eq. 4: a relative distance of 1 counts as the others do. As printed it gives 1, and no evenly
  spaced list could ever be joined.
- Eq. 10 is undefined for two squares (here 0) and leaves [0, 1] where a box is higher than wide:
  both boxes are turned then.
- An image has its average colour.
- Eq. 16 and 17 between two clusters: the mean over all neighbouring pairs of their boxes.
- Algorithm 1 goes on while any pair is alike enough; it does not stop when fewer than two boxes are
  in no cluster. Differences are counted in steps of 1/10,000; pairs that are equally alike go by
  the sum of their areas, the smallest first, then from top to bottom and left to right.
- Of more than 32 boxes at the same smallest distance on one side, 32 are looked at where boxes
  that overlap would make more than 32 of them the mean of a page.
- A dropped pair may come again when one of the two has become larger: its cluster is another one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Final, Literal

import numpy as np

from pagecut.errors import TooLarge
from pagecut.page import Page
from pagecut.page.nodes import IMAGE, Int
from pagecut.results.explanation import BoxGraph, Explanation
from pagecut.results.labelled_ranges import number_by_appearance, own_segments
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters.box_clustering.boxes import NEEDS, ContentBoxes, content_boxes
from pagecut.segmenters.box_clustering.clusters import Clusters, cluster_boxes, smallest_threshold
from pagecut.segmenters.box_clustering.differences import (
    COLOUR_SPACES,
    ColourSpace,
    Pairs,
    box_differences,
)
from pagecut.spec import Configured

AUTO: Final = "auto"
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
    """

    name: ClassVar[str] = "box-clustering"
    paper: ClassVar[str] = "Zeleny et al. 2017"
    needs: ClassVar[frozenset[str]] = NEEDS

    threshold: float | Literal["auto"] = field(default=0.5, metadata={"words": (AUTO,)})
    colour: ColourSpace = "rgb"
    unclustered: Literal["left-out", "alone"] = "left-out"

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
        return smallest_threshold(*found.clusters.unclustered(), found.clusters.count)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ClusteredBoxes:
    """The boxes of a page, and what Algorithm 1 made of them up to some threshold."""

    page: Page
    content: ContentBoxes
    pairs: Pairs  # of the boxes that contain no others
    clusters: Clusters  # of the same

    @classmethod
    def of(cls, method: BoxClustering, page: Page) -> ClusteredBoxes:
        """Cluster a page; for the threshold "auto", up to the largest one."""
        content = content_boxes(page, method)
        kept = ~content.container
        pairs = box_differences(content.box[kept], content.colour[kept], method.colour)
        limit = 1.0 if method.threshold == AUTO else method.threshold
        try:
            clusters = cluster_boxes(content.box[kept], pairs, limit)
        except TooLarge as error:
            raise TooLarge(f"{page.url or page.id[:12]}: {error}") from error
        return cls(page=page, content=content, pairs=pairs, clusters=clusters)

    def labels(self, threshold: float) -> Int:
        """(b,) the cluster of each box of the page; -1 = in none."""
        labels = np.full(len(self.content), -1, dtype=np.int32)
        labels[~self.content.container] = self.clusters.labels(threshold)
        return labels

    def segmentation(self, labels: Int, *, made_by: object) -> Segmentation:
        """The segments that labels of the boxes make of the page's text and images."""
        page, content = self.page, self.content
        spans = np.stack([content.start, content.end], axis=1)
        # Images in no cluster are in no segment: the nearest in the tree means nothing here.
        images = np.flatnonzero(page.nodes.kind == IMAGE)
        left_out = images[~np.isin(page.nodes.start[images], content.start)]
        spans = np.concatenate(
            [spans, np.stack([page.nodes.start[left_out], page.nodes.end[left_out]], axis=1)]
        )
        labels = np.concatenate([labels, np.full(len(left_out), -1, dtype=np.int32)])
        order = np.argsort(spans[:, 0], kind="stable")
        return Segmentation.from_spans(page, spans[order], labels[order], made_by=made_by)
