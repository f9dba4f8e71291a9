# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""From items to contexts: what of an item is shown, and which part of it is the caption."""

from __future__ import annotations

import cython
from cython.cimports.pagecut.contexts.item.captions import Captions
from cython.cimports.pagecut.contexts.item.page_choice import PageChoice
from cython.cimports.pagecut.evidence.item_tree import ItemTree
from cython.cimports.pagecut.evidence.sharing_buttons import find_sharing_buttons
from cython.cimports.pagecut.page.construction import construct

from pagecut.page.nodes import NOT_SHOWN
from pagecut.page.text.ranges import intersect, subtract
from pagecut.results.image_context import WITH_CONTEXT, ImageContext

SHORT = 2000  # characters of a context whose text is made at once


class ShownText:
    """Cuts hidden text and the labels of sharing buttons out of ranges; images that share a range
    share the work."""

    def __init__(self, tree: ItemTree) -> None:
        row: cython.Py_ssize_t
        self.tree = tree
        self.buttons = find_sharing_buttons(tree)
        self.unseen = []
        self.known = {}
        for row in range(tree.rows):
            if tree.hidden[row] & NOT_SHOWN and tree.kind[row] == 1:
                self.unseen.append(tree.span(row))

    def parts_for(self, row: cython.int, spans: tuple) -> tuple:
        """What of some ranges belongs to the image in a row.

        A hidden image keeps hidden text, one in a sharing button the labels there; what is nothing
        but labels stays.
        """
        found: tuple | None
        parts: tuple
        shown: cython.bint = self.unseen and not self.tree.hidden[row] & NOT_SHOWN
        labelled: cython.bint = self.buttons is None or self.buttons.holds(self.tree.start[row])
        if not shown and labelled:
            return spans
        key: tuple = (spans, shown, labelled)
        found = self.known.get(key)
        if found is None:
            found = spans
            if not labelled and self.buttons.touch(spans):
                parts = self.buttons.without(spans)
                if parts:
                    found = parts
            if shown:
                found = self.shown_parts(found)
            self.known[key] = found
        return found

    def shown_parts(self, spans: tuple) -> tuple:
        parts: list = subtract(spans, self.unseen)
        return tuple([part for part in parts if self.tree.is_readable(part[0], part[1])])


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
    captions: Captions = Captions(tree)
    shown: ShownText = ShownText(tree)
    found: PageChoice = PageChoice(page, tree, captions)
    contexts: list = []
    texts: dict = {}
    index: cython.Py_ssize_t
    for index in range(len(images)):
        node: cython.int = tree.image_rows[index]
        spans: tuple = found.spans(index)
        caption: tuple = ()
        text: object = ""
        role, role_confidence, confidence = found.role(index, images[index])
        spans = shown.parts_for(node, spans) if role in WITH_CONTEXT or not skip else ()
        if spans:
            stated = captions.span(node)
            if stated is not None:
                caption = tuple(intersect([stated], spans))
            text = texts.get(spans)
            if text is None and is_short(spans):
                text = texts[spans] = page.readable_spans(spans)
        elif role in WITH_CONTEXT:
            role = "no-text"
        values: tuple = (
            page,
            index,
            spans,
            made_by,
            caption,
            role,
            confidence,
            role_confidence,
            text,
        )
        contexts.append(construct(ImageContext, values))
    return contexts
