"""Monash: climb from the image until the number of texts changes, by three patterns of images.

Fauzi, Hong & Belkhatir, "Webpage Segmentation for Extracting Images and Their Surrounding
Contextual Information", ACM Multimedia 2009, as Alcic & Conrad (2011) describe it.

Differs from the paper: its exact rules were not at hand. What is built: climb from the image to the
first ancestor with a word, where the number of texts changes for the first time.

- Semi-listed: that ancestor holds several images and texts side by side, no node to each item. Its
  children are dealt out to the images: a child belongs to the image before it, or, where the list
  begins with text, to the image after it.
- Listed: an ancestor that holds only this image has a sibling of the same structure (same tag, one
  image, text): that ancestor is the item. Of several, the highest.
- Unlisted: all else; the text of the first ancestor with a word.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pagecut.page import Page
from pagecut.page.nodes import IMAGE, Int
from pagecut.page.text.tokenizer import token_spans
from pagecut.results.image_context import ImageContext, Spans
from pagecut.spec import Configured


@dataclass(frozen=True, slots=True, kw_only=True)
class Monash(Configured):
    """The item of a listed, semi-listed or unlisted image, by where the number of texts changes."""

    name: ClassVar[str] = "monash"
    paper: ClassVar[str] = "Fauzi, Hong & Belkhatir 2009"
    needs: ClassVar[frozenset[str]] = frozenset()

    def extract(self, page: Page) -> list[ImageContext]:
        items = _Items(page)
        made_by = str(self)
        return [
            ImageContext(
                page=page, image=image.index, spans=items.spans(image.node), made_by=made_by
            )
            for image in page.images
        ]


class _Items:
    """Finds the item around each image; what images share is found once."""

    def __init__(self, page: Page) -> None:
        nodes = page.nodes
        self.nodes = nodes
        self.tokens = token_spans(page.text)[:, 0].tolist()
        start, end = np.searchsorted(self.tokens, [nodes.start, nodes.end])
        has_word = end > start
        count = nodes.count_inside(nodes.kind == IMAGE)
        self.parent: list[int] = nodes.parent.tolist()
        self.has_word: list[bool] = has_word.tolist()
        self.images: list[int] = count.tolist()
        items = has_word & (count == 1)
        self.listed: list[bool] = _with_twin(nodes.parent, nodes.tag, items).tolist()
        self.parts: dict[int, dict[int, Spans]] = {}

    def spans(self, image: int) -> Spans:
        branch, first = image, self.parent[image]
        while first >= 0 and not self.has_word[first]:
            branch, first = first, self.parent[first]
        if first < 0:
            return ()
        if self.images[first] > 1:
            return self.semi_listed(first, branch)
        item, row = first, first
        while row >= 0 and self.images[row] == 1:
            if self.listed[row]:
                item = row
            row = self.parent[row]
        return ((int(self.nodes.start[item]), int(self.nodes.end[item])),)

    def semi_listed(self, row: int, branch: int) -> Spans:
        """The part of a node's children that goes with one of them; all if it is no list."""
        if row not in self.parts:
            self.parts[row] = self.deal_out(row)
        whole = ((int(self.nodes.start[row]), int(self.nodes.end[row])),)
        return self.parts[row].get(branch, whole)

    def deal_out(self, row: int) -> dict[int, Spans]:
        """The text that goes with each child that holds images only."""
        nodes = self.nodes
        children, child = [], row + 1
        end = int(nodes.subtree_end[row])
        while child < end:
            if self.has_word[child] or self.images[child]:
                children.append(child)
            child = int(nodes.subtree_end[child])
        bare = [child for child in children if self.images[child] and not self.has_word[child]]
        if len(bare) < 2:
            return {}
        leads = children[0] == bare[0]  # else each text stands before its image
        parts: dict[int, Spans] = {}
        edges = [bisect_left(children, child) for child in bare]
        for at, child in enumerate(bare):
            if leads:
                last = edges[at + 1] if at + 1 < len(bare) else len(children)
                group = children[edges[at] : last]
            else:
                group = children[edges[at - 1] + 1 if at else 0 : edges[at] + 1]
            parts[child] = self.span_of(group)
        return parts

    def span_of(self, group: list[int]) -> Spans:
        start, end = int(self.nodes.start[group[0]]), int(self.nodes.end[group[-1]])
        has_word = bisect_left(self.tokens, end) > bisect_left(self.tokens, start)
        return ((start, end),) if has_word else ()


def _with_twin(parent: Int, tag: Int, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(n,) whether a node of `mask` has a sibling of its tag in `mask`."""
    codes = parent.astype(np.int64) * (int(tag.max(initial=0)) + 1) + tag
    twins = np.zeros(len(tag), dtype=bool)
    _, which, counts = np.unique(codes[mask], return_inverse=True, return_counts=True)
    twins[mask] = counts[which] > 1
    return twins
