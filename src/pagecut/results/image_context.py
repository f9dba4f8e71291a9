"""Which text belongs to an image."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from pagecut.page import Image, Page
from pagecut.page.notebook import context_html

ROLES: Final = ("content", "avatar", "logo", "icon", "decoration", "ad", "no-text")
WITH_CONTEXT: Final = frozenset({"content", "avatar"})  # of the roles

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ImageContext:
    """The text that belongs to one image of a page.

    Args:
        image: the image's position in `page.images`.
        spans: ranges of `page.text`, sorted and disjoint; with those of the caption.
        caption_spans: the ranges that label the image, within `spans`.
        role: one of `ROLES`; None where the method gives none.
        confidence: the probability that the context is right, or that there is none; None where the
            method gives none.
        role_confidence: the probability of the role; None where the method gives none.
        made_by: spec of the method.
    """

    page: Page
    image: int
    spans: Spans
    made_by: str
    caption_spans: Spans = ()
    role: str | None = None
    confidence: float | None = None
    role_confidence: float | None = None
    # Where the method knows it already; else it is read when somebody asks.
    _text: str | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        if not 0 <= self.image < len(self.page.images):
            raise ValueError(f"image {self.image} of a page with {len(self.page.images)} images")
        for spans in self.spans, self.caption_spans:
            edges = [edge for span in spans for edge in span]
            if edges != sorted(edges) or any(start >= end for start, end in spans):
                raise ValueError(f"spans must be sorted, disjoint and not empty, got {spans}")
            if edges and (edges[0] < 0 or edges[-1] > len(self.page.text)):
                raise ValueError(f"spans must lie in the page's text, got {spans}")
        if not all(
            any(s <= start and end <= e for s, e in self.spans) for start, end in self.caption_spans
        ):
            raise ValueError("the caption must be part of the context")
        if self.role is not None and self.role not in ROLES:
            raise ValueError(f"role must be one of {', '.join(ROLES)}, got {self.role!r}")
        for name in "confidence", "role_confidence":
            value = getattr(self, name)
            if value is not None and not 0 <= value <= 1:
                raise ValueError(f"{name} must lie in [0, 1], got {value}")

    _repr_html_ = context_html

    @property
    def is_content(self) -> bool:
        """Whether the image is content, an avatar included, as far as the method tells."""
        return self.role is None or self.role in WITH_CONTEXT

    @property
    def source(self) -> Image:
        """The image itself, with its URL, alt text and size."""
        return self.page.images[self.image]

    @property
    def text(self) -> str:
        """The context, caption included; empty if there is none."""
        if self._text is not None:
            return self._text
        return self.page.readable_spans(self.spans) if self.spans else ""

    @property
    def caption(self) -> str:
        """The part of the text that labels the image; empty if the method finds none."""
        return self.page.readable_spans(self.caption_spans)

    @property
    def xpath(self) -> str:
        """Where the image is."""
        return self.page.xpath(self.source.node)

    def __repr__(self) -> str:
        text = self.text
        return f"<ImageContext {self.image}: {text[:60]!r}{'…' if len(text) > 60 else ''}>"
