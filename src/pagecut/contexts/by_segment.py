"""The text of the segment that an image is in, for any segmenter.

Alcic & Conrad, "A Clustering-based Approach to Web Image Context Extraction", 2011, compare with
VIPS in this way, after He, Cai, Wen, Ma & Zhang (2007).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from pagecut.page import Page
from pagecut.page.text.tokenizer import token_spans
from pagecut.results.image_context import ImageContext, Spans
from pagecut.results.segmentation import Segment, Segmentation
from pagecut.segmenters import segmenter
from pagecut.spec import Configured

_NO_COLUMNS: Final[frozenset[str]] = frozenset()


class _OfSegmenter:
    """What the inner segmenter needs; nothing, as long as none is chosen."""

    def __get__(self, instance: BySegment | None, owner: type[BySegment]) -> frozenset[str]:
        return segmenter(instance.segmenter).needs if instance is not None else _NO_COLUMNS


@dataclass(frozen=True, slots=True, kw_only=True)
class BySegment(Configured):
    """The text of the segment that holds the image.

    Args:
        segmenter: spec of the segmenter.
    """

    name: ClassVar[str] = "by-segment"
    paper: ClassVar[str] = "Alcic & Conrad 2011"
    needs: ClassVar[_OfSegmenter] = _OfSegmenter()

    segmenter: str = "block-fusion-rules"

    def __post_init__(self) -> None:
        if not isinstance(self.segmenter, str):
            raise ValueError(f"segmenter must be a spec in quotes, got {self.segmenter!r}")
        segmenter(self.segmenter)

    def extract(self, page: Page) -> list[ImageContext]:
        return contexts_by_segment(segmenter(self.segmenter).segment(page), made_by=self)


def contexts_by_segment(segmentation: Segmentation, *, made_by: object) -> list[ImageContext]:
    """For each image, the text of the segment that directly holds it; none without a word."""
    page = segmentation.page
    known: dict[int, Spans] = {-1: ()}
    labels = segmentation.labels_at(page.image_starts).tolist()
    for label in set(labels) - {-1}:
        spans = tuple(Segment(segmentation, label).spans)
        has_word = any(len(token_spans(page.text[start:end])) for start, end in spans)
        known[label] = spans if has_word else ()
    spec = str(made_by)
    return [
        ImageContext(page=page, image=image.index, spans=known[label], made_by=spec)
        for image, label in zip(page.images, labels, strict=True)
    ]
