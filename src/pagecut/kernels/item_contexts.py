# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""From items to contexts: what of an item is shown, and which part of it is the caption.

Compiled into `pagecut.compiled.item_contexts`; where nothing is compiled, this same source runs.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython

REVISION = 4  # see `acceleration`

# Bits of `kernels.items`.
FIGURE = 64
FIGCAPTION = 128

IMAGE = "\ufffc"


class ShownText:
    """Cuts hidden text out of ranges; images that share a range share the work.

    Args:
        starts: of the hidden leaves of text, ascending.
        ends: of the same.
    """

    def __init__(self, text: str, starts: list, ends: list) -> None:
        self.text = text
        self.starts = starts
        self.ends = ends
        self.known: dict = {}

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
            if self.is_readable(start, edge):
                parts.append((start, edge))
            start = self.ends[at]
            at += 1
        if self.is_readable(start, end):
            parts.append((start, end))

    def is_readable(self, start: cython.int, end: cython.int) -> cython.bint:
        """Whether a range holds more than images, spaces and line ends."""
        ch: cython.Py_UCS4
        while start < end:
            ch = self.text[start]
            if ch != " " and ch != "\n" and ch != IMAGE:
                return True
            start += 1
        return False


class Captions:
    """Finds the caption of each image; images with the same ancestors share the work.

    Args:
        tree: an `ItemTree`.
        is_caption: whether a class calls what has it a caption.
    """

    def __init__(self, tree: object, is_caption: object) -> None:
        self.tree = tree
        self.is_caption = is_caption
        self.known: dict = {}
        self.classes: dict = {}

    def find(self, image: cython.int) -> object:
        """The <figcaption> of the image's figure, or what is called a caption beside it."""
        tree = self.tree
        row: cython.int = tree.parent[image]
        caption: object
        for _ in range(4):
            if row < 0:
                return None
            if row not in self.known:
                self.known[row] = self.child(row)
            caption = self.known[row]
            if caption is not None:
                return caption
            if tree.meaning(row) & FIGURE or tree.pictures[row] > 1:
                return None
            row = tree.parent[row]
        return None

    def child(self, row: cython.int) -> object:
        """The first child of a node that is a caption."""
        tree = self.tree
        child: cython.int = row + 1
        end: cython.int = tree.subtree_end[row]
        while child < end:
            if tree.tokens[child] and (tree.meaning(child) & FIGCAPTION or self.named(child)):
                return tree.span(child)
            child = tree.subtree_end[child]
        return None

    def named(self, row: cython.int) -> cython.bint:
        """Whether a node's first class calls it a caption."""
        number: cython.int = self.tree.first_class(row)
        known: object = self.classes.get(number)
        if known is None:
            known = bool(self.is_caption(self.tree.attributes.classes[number]))
            self.classes[number] = known
        return known


def overlap(caption: object, spans: tuple) -> tuple:
    """The parts of a range that lie in others."""
    start: cython.int = caption[0]
    end: cython.int = caption[1]
    parts: list = []
    for first, last in spans:
        if max(start, first) < min(end, last):
            parts.append((max(start, first), min(end, last)))
    return tuple(parts)


def item_contexts(
    page: object,
    images: tuple,
    hidden: cython.const[cython.uchar][::1],
    not_shown: cython.int,
    skip: cython.bint,
    made_by: str,
    items: list,
    own_items: list,
    judge: object,
    shown: object,
    captions: object,
    make: object,
) -> list:
    """The contexts of all images.

    Args:
        hidden: bits that say what hides each node.
        not_shown: those of them that keep it from being shown.
        skip: leave images without a context that are no content.
        items: of the images, by which they are judged.
        own_items: the same, with what of them is each image's own.
        judge: of an image's role.
        shown: a `ShownText`.
        captions: a `Captions`.
        make: a context of its values.
    """
    contexts: list = []
    index: cython.int = 0
    spans: tuple
    caption: object
    for image in images:
        node: cython.int = image.node
        role, confidence = judge(image, items[index])
        spans = ()
        if role == "content" or not skip:
            spans = own_items[index].spans
            spans = spans if hidden[node] & not_shown else shown.parts_of(spans)
        caption = captions.find(node) if spans else None
        if not spans and role == "content":
            role = "no-text"
        contexts.append(
            make(
                (
                    page,
                    index,
                    spans,
                    made_by,
                    () if caption is None else overlap(caption, spans),
                    role,
                    confidence,
                )
            )
        )
        index += 1  # noqa: SIM113 (enumerate would make an object of each)
    return contexts
