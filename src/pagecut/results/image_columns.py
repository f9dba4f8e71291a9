"""Image contexts of a page as columns: the one source of their rows, tables and Arrow batches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from pagecut.page import Page
from pagecut.page.headings import heading_rows
from pagecut.results.image_context import ImageContext, Spans
from pagecut.results.page_columns import PageColumns
from pagecut.results.segmentation import Segmentation

IMAGE_FIELDS: Final = (
    "page",
    "url",
    "image",
    "tag",
    "xpath",
    "src",
    "alt",
    "caption",
    "context",
    "spans",
    "role",
    "confidence",
    "role_confidence",
    "made_by",
)
DETAIL_FIELDS: Final = (
    *IMAGE_FIELDS,
    "title",
    "heading",
    "page_title",
    "position",
    "width",
    "height",
)
_MOST_PIXELS: Final = 2**31


class ImageColumns(PageColumns):
    """Columns of the images of a page, in document order; of those without a context too.

    Args:
        segmentation: whose segments hold the images, for the column `segment`.
    """

    def __init__(
        self,
        page: Page,
        contexts: Sequence[ImageContext],
        name: str | None = None,
        segmentation: Segmentation | None = None,
    ) -> None:
        super().__init__(page, len(contexts), name)
        self.contexts = contexts
        self.images = [context.source for context in contexts]
        self.nodes = np.array([image.node for image in self.images], dtype=np.int64)
        self.segmentation = segmentation

    @property
    def _image(self) -> list[int]:
        return [image.index for image in self.images]

    @property
    def _segment(self) -> list[int | None]:
        """The segment that holds each; None where there is none."""
        if self.segmentation is None or not self.count:
            return self._same(None)
        numbers = self.segmentation.labels_at(self.page.nodes.start[self.nodes]).tolist()
        return [number if number >= 0 else None for number in numbers]

    @property
    def _tag(self) -> list[str]:
        return [image.tag for image in self.images]

    @property
    def _xpath(self) -> list[str]:
        return [self.page.xpath(image.node) for image in self.images]

    @property
    def _src(self) -> list[str | None]:
        return [image.src for image in self.images]

    @property
    def _alt(self) -> list[str | None]:
        return [image.alt for image in self.images]

    @property
    def _title(self) -> list[str | None]:
        return [image.title for image in self.images]

    @property
    def _heading(self) -> list[str | None]:
        """The text of the nearest heading before each that has any."""
        rows = heading_rows(self.page)
        above = (np.searchsorted(rows, self.nodes) - 1).tolist()
        texts = {at: self.page.node(rows[at]).text for at in set(above) if at >= 0}
        return [texts.get(at) for at in above]

    @property
    def _page_title(self) -> list[str]:
        return self._same(self.page.title)

    @property
    def _position(self) -> list[int]:
        places: list[int] = self.page.nodes.start[self.nodes].tolist()
        return places

    @property
    def _width(self) -> list[int | None]:
        return [_pixels(image.width) for image in self.images]

    @property
    def _height(self) -> list[int | None]:
        return [_pixels(image.height) for image in self.images]

    @property
    def _caption(self) -> list[str]:
        return [each.caption if each.caption_spans else "" for each in self.contexts]

    @property
    def _context(self) -> list[str]:
        return [each.text for each in self.contexts]

    @property
    def _spans(self) -> list[Spans]:
        return [each.spans for each in self.contexts]

    @property
    def _role(self) -> list[str | None]:
        return [each.role for each in self.contexts]

    @property
    def _confidence(self) -> list[float | None]:
        return [each.confidence for each in self.contexts]

    @property
    def _role_confidence(self) -> list[float | None]:
        return [each.role_confidence for each in self.contexts]

    @property
    def _made_by(self) -> list[str]:
        return [each.made_by for each in self.contexts]


def _pixels(length: int | None) -> int | None:
    """A length that a table can hold; what a page declares may be any number."""
    return length if length is not None and 0 <= length < _MOST_PIXELS else None
