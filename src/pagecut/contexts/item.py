"""The text of the item that an image belongs to: our own method, and the default.

Published methods take the nearest ancestor with text, or cut the page by distances; both fail on
items that reach further (a credit beside the image, the headline above it) and on flat lists. This
one looks for records, regular lists, sections and figures (`item_search`), and says of an image
that has no context what it is instead (`image_role`). Text that the markup hides is left out unless
the image is hidden too. One pass over the page; no rendering.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pagecut.contexts.image_role import RoleJudge
from pagecut.contexts.item_search import ItemSearch, Span
from pagecut.contexts.item_tree import ItemTree, build_item_tree
from pagecut.image_context import ImageContext, Spans, overlap_of
from pagecut.nodes import NOT_SHOWN, TEXT
from pagecut.page import Page
from pagecut.spec import Configured

_CAPTION_CLASS = re.compile(r"caption|credit|legende|bildunterschrift|byline-photo", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Item(Configured):
    """The text of the item around each image; images that are no content have none.

    Args:
        skip: leave images without a context where they are logos, icons, ads or decoration.
    """

    name: ClassVar[str] = "item"
    paper: ClassVar[str] = ""
    needs: ClassVar[frozenset[str]] = frozenset()

    skip: bool = True

    def extract(self, page: Page) -> list[ImageContext]:
        tree = build_item_tree(page)
        search, judge = ItemSearch(tree), RoleJudge(tree)
        shown, captions = _ShownText(page), _Captions(tree)
        made_by = str(self)
        contexts = []
        for image in page.images:
            found = search.find(image.node)
            role, confidence = judge.judge(image, found)
            spans: Spans = ()
            if role == "content" or not self.skip:
                hidden = bool(page.nodes.hidden[image.node] & NOT_SHOWN)
                spans = found.spans if hidden else shown.parts_of(found.spans)
            caption = captions.find(image.node) if spans else None
            contexts.append(
                ImageContext(
                    page=page,
                    image=image.index,
                    spans=spans,
                    caption_spans=overlap_of((caption,), spans) if caption else (),
                    role=role if spans or role != "content" else "no-text",
                    confidence=confidence,
                    made_by=made_by,
                )
            )
        return contexts


class _ShownText:
    """Cuts hidden text out of ranges; images that share a range share the work."""

    def __init__(self, page: Page) -> None:
        self.page = page
        rows = page.leaves
        bare = (page.nodes.kind[rows] == TEXT) & ((page.nodes.hidden[rows] & NOT_SHOWN) != 0)
        self.hidden = np.flatnonzero(bare)
        self.hidden_starts = page.leaf_starts[self.hidden]
        self.known: dict[Spans, Spans] = {}

    def parts_of(self, spans: Spans) -> Spans:
        if not len(self.hidden):
            return spans
        if spans not in self.known:
            self.known[spans] = tuple(part for span in spans for part in self._parts(span))
        return self.known[spans]

    def _parts(self, span: Span) -> list[Span]:
        page = self.page
        edges = np.array(span, dtype=np.int32)
        first, last = np.searchsorted(self.hidden_starts, edges).tolist()
        parts, start = [], span[0]
        for leaf in self.hidden[first:last].tolist():
            parts.append((start, int(page.leaf_starts[leaf])))
            start = int(page.leaf_ends[leaf])
        parts.append((start, span[1]))
        return [(start, end) for start, end in parts if page.readable(start, end)]


class _Captions:
    """Finds the caption of each image; images with the same ancestors share the work."""

    def __init__(self, tree: ItemTree) -> None:
        self.tree = tree
        self.known: dict[int, Span | None] = {}

    def find(self, image: int) -> Span | None:
        """The <figcaption> of the image's figure, or what is called a caption beside it."""
        tree = self.tree
        row = tree.parent[image]
        for _ in range(4):
            if row < 0:
                return None
            if row not in self.known:
                self.known[row] = self._child(row)
            if (caption := self.known[row]) is not None:
                return caption
            if tree.tag[row] == "figure" or tree.pictures[row] > 1:
                return None
            row = tree.parent[row]
        return None

    def _child(self, row: int) -> Span | None:
        """The first child of a node that is a caption."""
        tree = self.tree
        for child in tree.children[row]:
            if tree.tokens[child] and (
                tree.tag[child] == "figcaption" or _CAPTION_CLASS.search(tree.look[child][1])
            ):
                return tree.span(child)
        return None
