"""The one result type of every segmenter and every human annotation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, SupportsIndex, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pagecut.errors import counted
from pagecut.page import Image, Page
from pagecut.page.boxes import box_around
from pagecut.page.nodes import Box, Int, freeze
from pagecut.page.notebook import segmentation_html
from pagecut.results.labelled_ranges import (
    Groups,
    joined_ranges,
    labels_between,
    number_by_appearance,
    with_images_joined,
)
from pagecut.results.tables import Columns, Tabular

FEW_LEVELS: Final = 2  # of segments around one

Span = tuple[int, int]


@dataclass(frozen=True, eq=False, kw_only=True)
class Segmentation(Tabular):
    """A page's text cut into segments, flat or nested.

    Args:
        spans: (k, 2) ranges of `page.text`, sorted, disjoint, none empty.
        labels: (k,) the segment each range belongs to directly; -1 = to none.
        parent: (m,) the segment around each segment, a smaller number; -1 = none.
        made_by: spec of the method.
        score: (m,) the method's own value for each segment: where there are roles, how sure each
            is, else e.g. a degree of coherence; NaN where it has none.
        roles: for each segment, what it is to the reader; None where the method does not say.
    """

    page: Page
    spans: Int
    labels: Int
    parent: Int
    made_by: str
    score: NDArray[np.float64] | None = None
    roles: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        spans, labels, parent = self.spans, self.labels, self.parent
        for name, array, shape in (
            ("spans", spans, (len(spans), 2)),
            ("labels", labels, (len(spans),)),
            ("parent", parent, (len(parent),)),
        ):
            if array.dtype != np.int32 or array.shape != shape:
                raise ValueError(
                    f"{name} must be int32 of shape {shape}, got {array.dtype} {array.shape}"
                )
        edges = spans.reshape(-1)
        if len(edges) and (edges[0] < 0 or edges[-1] > len(self.page.text)):
            raise ValueError(
                f"spans must lie in the text of {len(self.page.text)} characters, "
                f"got {edges[0]}..{edges[-1]}"
            )
        if (spans[:, 0] >= spans[:, 1]).any() or (spans[1:, 0] < spans[:-1, 1]).any():
            raise ValueError("spans must be sorted, disjoint and not empty")
        if len(labels) and not (labels.min() >= -1 and labels.max() < len(parent)):
            raise ValueError(
                f"labels must lie in -1..{len(parent) - 1}, got {labels.min()}..{labels.max()}"
            )
        if ((parent < -1) | (parent >= np.arange(len(parent)))).any():
            raise ValueError("a segment's parent must have a smaller number, or be -1")
        if self.score is not None and self.score.shape != parent.shape:
            raise ValueError(f"score must have shape {parent.shape}, got {self.score.shape}")
        if self.roles is not None and len(self.roles) != len(parent):
            raise ValueError(f"roles must be {len(parent)}, got {len(self.roles)}")
        freeze(self)

    @classmethod
    def from_spans(
        cls, page: Page, spans: ArrayLike, labels: ArrayLike, *, made_by: object
    ) -> Segmentation:
        """A flat result from ranges of text with labels.

        Segments are numbered by their first range. An image in none of the ranges joins the
        segment of the text that is nearest to it in the tree. Neighbouring ranges of one segment
        are joined.
        """
        span_array = np.asarray(spans, dtype=np.int32).reshape(-1, 2)
        label_array = number_by_appearance(np.asarray(labels, dtype=np.int32))
        span_array, label_array = with_images_joined(page, span_array, label_array)
        count = int(label_array.max(initial=-1)) + 1
        return cls(
            page=page,
            spans=span_array,
            labels=number_by_appearance(label_array),
            parent=np.full(count, -1, dtype=np.int32),
            made_by=str(made_by),
        )

    @classmethod
    def from_edges(
        cls, page: Page, spans: Int, edges: Sequence[int] | Int, *, made_by: object
    ) -> Segmentation:
        """A flat result from consecutive ranges: segment i has ranges edges[i] to edges[i+1]-1."""
        return cls.from_spans(page, spans, labels_between(edges), made_by=made_by)

    @classmethod
    def from_tree(
        cls,
        page: Page,
        spans: Int,
        labels: Int,
        *,
        parent: Int,
        score: NDArray[np.float64],
        made_by: object,
    ) -> Segmentation:
        """A nested result; neighbouring ranges of one segment are joined.

        Args:
            spans, labels: the ranges of text, and the segment that directly holds each.
        """
        spans, labels = joined_ranges(page, spans, labels)
        return cls(
            page=page,
            spans=spans,
            labels=labels,
            parent=parent,
            made_by=str(made_by),
            score=score,
        )

    def flatten(self, score: float, *, made_by: object = None) -> Segmentation:
        """The nested result without what lies inside segments of at least this score.

        Scores must not fall from a segment to those inside it. So `flatten(5)` of what
        `vips(pdoc=10)` gave is what `vips(pdoc=5)` gives.

        Args:
            made_by: spec of the result; as it is, if not given.
        """
        if self.score is None:
            raise ValueError(f"{self.made_by} gives no scores to flatten by")
        if self.roles is not None:
            raise ValueError(
                f"{self.made_by} scores how sure the roles are, which is nothing to flatten by; "
                "a parameter of the method may give larger segments"
            )
        inner = np.flatnonzero(self.parent >= 0)
        if (self.score[inner] < self.score[self.parent[inner]]).any():
            raise ValueError(f"{self.made_by}: scores fall from a segment to one inside it")
        kept = np.zeros(len(self) + 1, dtype=np.int32)  # the last entry stands for no parent
        kept[-1] = -1
        numbers: list[int] = []
        for number, parent in enumerate(self.parent.tolist()):
            if parent < 0 or (numbers[kept[parent]] == parent and self.score[parent] < score):
                kept[number] = len(numbers)
                numbers.append(number)
            else:
                kept[number] = kept[parent]
        return Segmentation.from_tree(
            self.page,
            self.spans,
            kept[self.labels],
            parent=kept[self.parent[numbers]],
            score=self.score[numbers],
            made_by=self.made_by if made_by is None else made_by,
        )

    def __len__(self) -> int:
        return len(self.parent)

    def __iter__(self) -> Iterator[Segment]:
        return iter(self.segments)

    @overload
    def __getitem__(self, index: SupportsIndex) -> Segment: ...

    @overload
    def __getitem__(self, index: slice) -> list[Segment]: ...

    def __getitem__(self, index: SupportsIndex | slice) -> Segment | list[Segment]:
        found = range(len(self))[index]
        if isinstance(found, range):
            return [Segment(self, number) for number in found]
        return Segment(self, found)

    def __repr__(self) -> str:
        return f"<Segmentation {self.made_by}: {counted(len(self), 'segment')} of {self.page!r}>"

    _repr_html_ = segmentation_html

    def columns(self) -> Columns:
        """What is known of each segment, as `pagecut segment` writes it."""
        from pagecut.results.segment_columns import SEGMENT_FIELDS, SegmentColumns

        return SegmentColumns(self).select(SEGMENT_FIELDS)

    @property
    def segments(self) -> list[Segment]:
        """Every segment, in order."""
        return [Segment(self, number) for number in range(len(self))]

    @property
    def texts(self) -> list[str]:
        """The text of every segment, in order."""
        known = self._known_texts
        return self._all_texts() if known is None else list(known)

    @property
    def leaf_segments(self) -> list[Segment]:
        """The segments with none inside."""
        inner = set(self.parent.tolist())
        return [Segment(self, number) for number in range(len(self)) if number not in inner]

    @cached_property
    def all_spans(self) -> list[list[Span]]:
        """For each segment its ranges of `page.text`, with those of the segments inside."""
        found: list[list[Span]] = [[] for _ in range(len(self))]
        parent = self.parent.tolist()
        for (start, end), label in zip(self.spans.tolist(), self.labels.tolist(), strict=True):
            while label >= 0:
                found[label].append((start, end))
                label = parent[label]
        return found

    @cached_property
    def _span_groups(self) -> Groups:
        return Groups(self.labels, len(self))

    @cached_property
    def _child_groups(self) -> Groups:
        return Groups(self.parent, len(self))

    @cached_property
    def levels(self) -> list[int]:
        """How many segments are around each segment."""
        levels: list[int] = []
        for parent in self.parent.tolist():
            levels.append(levels[parent] + 1 if parent >= 0 else 0)
        return levels

    @cached_property
    def _known_texts(self) -> list[str] | None:
        """Every segment's text, made in one go; None where segments nest so deep that a text may
        be in many of them."""
        return None if max(self.levels, default=0) > FEW_LEVELS else self._all_texts()

    def _all_texts(self) -> list[str]:
        columns = (self.spans, self.labels, self.parent)
        spans, labels, parent = map(np.ascontiguousarray, columns)
        return self.page.reader.segment_texts(spans, labels, parent, len(parent))

    def family(self, number: int) -> list[int]:
        """A segment and all those inside it."""
        found, open_numbers = [], [number]
        while open_numbers:
            member = open_numbers.pop()
            found.append(member)
            open_numbers.extend(self._child_groups[member].tolist())
        return sorted(found)

    def labels_at(self, offsets: Int) -> Int:
        """The segment that directly holds each offset of the text; -1 = none."""
        if not len(self.spans):
            return np.full(len(offsets), -1, dtype=np.int32)
        index = np.searchsorted(self.spans[:, 0], offsets, side="right") - 1
        # Before the first range, the last one's end is looked at: hence the second condition.
        inside = (offsets < self.spans[:, 1][index]) & (index >= 0)
        return np.where(inside, self.labels[index], np.int32(-1))


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """One segment of a segmentation, as an object."""

    segmentation: Segmentation
    number: int

    @property
    def page(self) -> Page:
        return self.segmentation.page

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Ranges of `page.text`, with those of the segments inside."""
        return list(self.segmentation.all_spans[self.number])

    @property
    def own_spans(self) -> list[tuple[int, int]]:
        """Ranges of `page.text` that lie in none of the segments inside."""
        members = self.segmentation._span_groups[self.number]
        return [(start, end) for start, end in self.segmentation.spans[members].tolist()]

    @property
    def own_text(self) -> str:
        """The text that lies in none of the segments inside."""
        return self.page.readable_spans(self.own_spans)

    @property
    def text(self) -> str:
        """Its readable text, a line for each range; without images."""
        texts = self.segmentation._known_texts
        return self.page.readable_spans(self.spans) if texts is None else texts[self.number]

    @property
    def xpaths(self) -> list[str]:
        """The fewest nodes that together hold the segment."""
        rows = [row for start, end in self.spans for row in self.page.cover(start, end)]
        return [self.page.xpath(row) for row in dict.fromkeys(rows)]

    @property
    def images(self) -> list[Image]:
        """The images in it."""
        page = self.page
        found: list[Image] = []
        for span in self.spans:
            first, last = np.searchsorted(page.image_starts, np.array(span, np.int32)).tolist()
            found.extend(page.images[first:last])
        return found

    @property
    def box(self) -> Box | None:
        """The smallest box around the segment's leaves; None unless the page was rendered."""
        return box_around(self.page, self.spans)

    @property
    def score(self) -> float | None:
        """The method's own value; None where it gives none."""
        scores = self.segmentation.score
        if scores is None or np.isnan(scores[self.number]):
            return None
        return float(scores[self.number])

    @property
    def role(self) -> str | None:
        """What the segment is to the reader; None where the method does not say."""
        roles = self.segmentation.roles
        return None if roles is None else roles[self.number]

    @property
    def parent(self) -> Segment | None:
        """The segment around it; None where there is none."""
        number = int(self.segmentation.parent[self.number])
        return Segment(self.segmentation, number) if number >= 0 else None

    @property
    def children(self) -> list[Segment]:
        """The segments directly inside it."""
        numbers = self.segmentation._child_groups[self.number].tolist()
        return [Segment(self.segmentation, number) for number in numbers]

    def __repr__(self) -> str:
        text = self.text
        return f"<Segment {self.number}: {text[:60]!r}{'…' if len(text) > 60 else ''}>"
