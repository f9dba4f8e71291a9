# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""From items to contexts: what of an item is shown, and which part of it is the caption.

Compiled into `pagecut.compiled.item_contexts`; where nothing is compiled, this same source runs.
"""

from __future__ import annotations

from bisect import bisect_left

try:
    import cython
except ImportError:
    from pagecut.kernels import _cython as cython

if not cython.compiled:  # else compiled/item_contexts.pxd takes the compiled ones
    from pagecut.kernels.image_role import Evidence
    from pagecut.kernels.item_parts import Found
    from pagecut.kernels.items import FIGCAPTION, FIGURE, is_readable
    from pagecut.kernels.objects import Maker

REVISION = 6  # see `acceleration`

KEPT = 2000  # characters of a context whose text is made at once


class ShownText:
    """Cuts hidden text out of ranges; images that share a range share the work.

    Args:
        tree: an `ItemTree`.
        not_shown: the bits of `hidden` that keep a node from being shown.
    """

    def __init__(self, tree: object, not_shown: cython.int) -> None:
        row: cython.Py_ssize_t
        self.tree = tree
        self.text = self.tree.text
        self.not_shown = not_shown
        self.starts: list = []
        self.ends: list = []
        self.known: dict = {}
        hidden = self.tree.hidden
        for row in range(self.tree.rows):
            if hidden[row] & not_shown and self.tree.kind[row] == 1:
                self.starts.append(self.tree.start[row])
                self.ends.append(self.tree.end[row])

    def is_shown(self, row: cython.int) -> cython.bint:
        return not self.tree.hidden[row] & self.not_shown

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
            if is_readable(self.text, start, edge):
                parts.append((start, edge))
            start = self.ends[at]
            at += 1
        if is_readable(self.text, start, end):
            parts.append((start, end))


class Captions:
    """Finds the caption of each image; images with the same ancestors share the work.

    Args:
        tree: an `ItemTree`.
        words: a `WordFinder` of what captions are called.
        is_caption: whether a class calls what has it a caption, where `words` cannot tell.
    """

    def __init__(self, tree: object, words: object, is_caption: object) -> None:
        self.tree = tree
        self.words = words
        self.is_caption = is_caption
        self.classes: list = [False]

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
        found: cython.int
        while len(self.classes) <= number:
            self.classes.append(None)
        known = self.classes[number]
        if known is None:
            name = self.tree.attributes.classes[number]
            found = self.words.find(name, 0, len(name))
            known = found > 0 if found >= 0 else bool(self.is_caption(name))
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


def is_short(spans: tuple) -> cython.bint:
    """Whether ranges are so short that their text can be kept for each image."""
    start: cython.int
    end: cython.int
    length: cython.int = 0
    for start, end in spans:
        length += end - start
    return length <= KEPT


def item_contexts(
    page: object,
    images: tuple,
    skip: cython.bint,
    made_by: str,
    items: list,
    own_items: list,
    evidence: object,
    shown: object,
    captions: object,
    reader: object,
    maker: object,
) -> list:
    """The contexts of all images.

    Args:
        skip: leave images without a context that are no content.
        items: of the images, by which they are judged.
        own_items: the same, with what of them is each image's own.
        evidence: that judges the images' roles.
        shown: a `ShownText`.
        captions: a `Captions`.
        reader: of the page's text, or None where contexts read it themselves.
        maker: of contexts.
    """
    judge: Evidence = evidence
    cuts: ShownText = shown
    finds: Captions = captions
    contexts_of: Maker = maker
    item: Found
    contexts: list = []
    index: cython.int = 0
    spans: tuple
    caption: object
    texts: dict = {}
    text: object
    for image in images:
        node: cython.int = image.node
        role, confidence = judge.judge(image, items[index])
        spans = ()
        if role == "content" or not skip:
            item = own_items[index]
            spans = cuts.parts_of(item.spans) if cuts.is_shown(node) else item.spans
        caption = finds.find(node) if spans else None
        if not spans and role == "content":
            role = "no-text"
        text = None
        if not spans:
            text = ""
        elif reader is not None and is_short(spans):
            text = texts.get(spans)
            if text is None:
                text = texts[spans] = reader.readable_spans(spans)
        contexts.append(
            contexts_of.make(
                (
                    page,
                    index,
                    spans,
                    made_by,
                    () if caption is None else overlap(caption, spans),
                    role,
                    confidence,
                    text,
                )
            )
        )
        index += 1  # noqa: SIM113 (enumerate would make an object of each)
    return contexts
