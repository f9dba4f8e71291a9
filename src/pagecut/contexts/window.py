"""Contexts that look at the text alone: all of it, or a window around the image.

Baselines of Alcic & Conrad, "A Clustering-based Approach to Web Image Context Extraction", 2011.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pagecut.page import Page
from pagecut.page.text.tokenizer import token_spans
from pagecut.results.image_context import ImageContext
from pagecut.spec import Configured


@dataclass(frozen=True, slots=True, kw_only=True)
class FullText(Configured):
    """Every image's context is the whole text of the page."""

    name: ClassVar[str] = "full-text"
    paper: ClassVar[str] = "Alcic & Conrad 2011"
    needs: ClassVar[frozenset[str]] = frozenset()

    def extract(self, page: Page) -> list[ImageContext]:
        spans = ((0, len(page.text)),)
        return [
            ImageContext(page=page, image=image.index, spans=spans, made_by=str(self))
            for image in page.images
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class NTerms(Configured):
    """The n words before an image and the n words after it.

    Args:
        n: words on each side.
    """

    name: ClassVar[str] = "n-terms"
    paper: ClassVar[str] = "Alcic & Conrad 2011"
    needs: ClassVar[frozenset[str]] = frozenset()

    n: int = 10

    def __post_init__(self) -> None:
        if self.n < 1:
            raise ValueError(f"n must be at least 1, got {self.n}")

    def extract(self, page: Page) -> list[ImageContext]:
        tokens = token_spans(page.text)
        following = np.searchsorted(tokens[:, 0], page.image_starts).tolist()
        made_by = str(self)
        contexts = []
        for image, index in zip(page.images, following, strict=True):
            near = tokens[max(index - self.n, 0) : index + self.n]
            spans = ((int(near[0, 0]), int(near[-1, 1])),) if len(near) else ()
            contexts.append(
                ImageContext(page=page, image=image.index, spans=spans, made_by=made_by)
            )
        return contexts
