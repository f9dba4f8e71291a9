# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""From items to contexts: what of an item is shown, and which part of it is the caption."""

from __future__ import annotations

import re
from bisect import bisect_left

import cython
from cython.cimports.pagecut.contexts.item.image_role import RoleJudge
from cython.cimports.pagecut.evidence.items import (
    FIGCAPTION,
    FIGURE,
    FoundItem,
    ItemTree,
    image_items,
    is_readable,
)
from cython.cimports.pagecut.page.construction import construct

from pagecut.contexts.item.layout import part_shared_texts
from pagecut.page.nodes import NOT_SHOWN
from pagecut.results.image_context import ImageContext

CAPTION = re.compile("caption|credit|legende|bildunterschrift|byline-photo", re.IGNORECASE)
SHORT = 2000  # characters of a context whose text is made at once


class ShownText:
    """Cuts hidden text out of ranges; images that share a range share the work."""

    def __init__(self, tree: ItemTree) -> None:
        row: cython.Py_ssize_t
        self.tree = tree
        self.starts = []
        self.ends = []
        self.known = {}
        for row in range(tree.rows):
            if tree.hidden[row] & NOT_SHOWN and tree.kind[row] == 1:
                self.starts.append(tree.start[row])
                self.ends.append(tree.end[row])

    def is_shown(self, row: cython.int) -> cython.bint:
        return not self.tree.hidden[row] & NOT_SHOWN

    def parts_of(self, spans: tuple) -> tuple:
        parts: list
        found: tuple | None
        if not self.starts:
            return spans
        found = self.known.get(spans)
        if found is None:
            parts = []
            for start, end in spans:
                self.add_parts(start, end, parts)
            found = self.known[spans] = tuple(parts)
        return found

    def add_parts(self, start: cython.int, end: cython.int, parts: list) -> None:
        at: cython.Py_ssize_t = bisect_left(self.starts, start)
        edge: cython.int
        while at < len(self.starts) and self.starts[at] < end:
            edge = self.starts[at]
            if is_readable(self.tree.text, start, edge):
                parts.append((start, edge))
            start = self.ends[at]
            at += 1
        if is_readable(self.tree.text, start, end):
            parts.append((start, end))


class Captions:
    """Finds the caption of each image; images with the same ancestors share the work."""

    def __init__(self, tree: ItemTree) -> None:
        self.tree = tree
        self.classes = [False]  # whether a class calls what has it a caption; None if not yet known

    def find(self, image: cython.int) -> object:
        """The <figcaption> of the image's figure, or what is called a caption beside it."""
        tree = self.tree
        row: cython.int = tree.parent[image]
        for _ in range(4):
            if row < 0:
                return None
            if tree.captions[row] < 0:
                tree.captions[row] = self.child(row)
            if tree.captions[row]:
                return tree.span(tree.captions[row])
            if tree.meaning(row) & FIGURE or tree.pictures[row] > 1:
                return None
            row = tree.parent[row]
        return None

    def child(self, row: cython.int) -> cython.int:
        """The first child of a node that is a caption; 0 if none is."""
        tree = self.tree
        child: cython.int = row + 1
        end: cython.int = tree.subtree_end[row]
        while child < end:
            if tree.tokens[child] and (tree.meaning(child) & FIGCAPTION or self.named(child)):
                return child
            child = tree.subtree_end[child]
        return 0

    def named(self, row: cython.int) -> cython.bint:
        """Whether a node's first class calls it a caption."""
        number: cython.int = self.tree.first_class(row)
        known: object
        name: str
        while len(self.classes) <= number:
            self.classes.append(None)
        known = self.classes[number]
        if known is None:
            name = self.tree.attributes.classes[number]
            known = self.classes[number] = CAPTION.search(name) is not None
        return known


def overlap(caption: object, spans: tuple) -> tuple:
    """The parts of a caption that lie in some ranges."""
    start: cython.int
    end: cython.int
    parts: list = []
    if caption is None:
        return ()
    start, end = caption
    for first, last in spans:
        if max(start, first) < min(end, last):
            parts.append((max(start, first), min(end, last)))
    return tuple(parts)


def is_short(spans: tuple) -> cython.bint:
    """Whether ranges are so short that their text can be kept for each image."""
    start: cython.int
    end: cython.int
    length: cython.int = 0
    for start, end in spans:
        length += end - start
    return length <= SHORT


def item_contexts(page: object, skip: cython.bint, made_by: str) -> list[ImageContext]:
    """The contexts of all images of a page.

    Args:
        skip: leave images without a context that are no content.
    """
    tree: ItemTree = ItemTree(page)
    images: tuple = page.images
    items: list = image_items(tree, images)
    own_items: list = part_shared_texts(page, items) if page.has_boxes else items
    judge: RoleJudge = RoleJudge(page, tree)
    shown: ShownText = ShownText(tree)
    captions: Captions = Captions(tree)
    contexts: list = []
    texts: dict = {}
    index: cython.Py_ssize_t
    for index in range(len(images)):
        image: object = images[index]
        node: cython.int = image.node
        item: FoundItem = own_items[index]
        spans: tuple = ()
        caption: tuple = ()
        text: object = ""
        role, confidence = judge.judge(image, items[index])
        if role == "content" or not skip:
            spans = shown.parts_of(item.spans) if shown.is_shown(node) else item.spans
        if spans:
            caption = overlap(captions.find(node), spans)
            text = texts.get(spans)
            if text is None and is_short(spans):
                text = texts[spans] = page.readable_spans(spans)
        elif role == "content":
            role = "no-text"
        values: tuple = (page, index, spans, made_by, caption, role, confidence, text)
        contexts.append(construct(ImageContext, values))
    return contexts
