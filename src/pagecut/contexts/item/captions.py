# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""Which text beside an image is its caption.

A `<figcaption>`, or what its class calls so; else the short text that stands alone with one picture
in a `<figure>`, or in an element of running text, after the picture and without a heading.
"""

from __future__ import annotations

import re

import cython
from cython.cimports.pagecut.evidence.item_tree import (
    FIGCAPTION,
    FIGURE,
    LINK,
    PARAGRAPH,
    WHOLE,
    ItemTree,
)

WORDS = ("caption", "credit", "legende", "bildunterschrift", "byline-photo")
CAPTION = re.compile("|".join(WORDS), re.IGNORECASE)
LEVELS = 4  # ancestors of an image that may hold its caption
LONGEST = 60  # tokens of a caption that nothing calls so
PROSE = 20  # tokens from which a text beside a figure is running text
BESIDE = 8  # empty elements between them


class Captions:
    """Finds the caption of each image; images with the same ancestors share the work."""

    def __init__(self, tree: ItemTree) -> None:
        self.tree = tree
        self.classes = [False]  # whether a class calls what has it a caption; None if not yet known

    def span(self, image: cython.int) -> object:
        """The range of the image's caption; None if it has none."""
        row: cython.int = self.find(image)
        return self.tree.span(row) if row >= 0 else None

    def find(self, image: cython.int) -> cython.int:
        """The row of an image's caption; -1 if it has none."""
        tree = self.tree
        row: cython.int = tree.parent[image]
        for _ in range(LEVELS):
            if row < 0:
                return -1
            if tree.captions[row] < 0:
                tree.captions[row] = self.child(row)
            if tree.captions[row]:
                return tree.captions[row]
            if tree.meaning(row) & FIGURE or tree.pictures[row] > 1:
                return -1
            row = tree.parent[row]
        return -1

    def child(self, row: cython.int) -> cython.int:
        """The first child of a node that is a caption; 0 if none is."""
        tree = self.tree
        child: cython.int = row + 1
        end: cython.int = tree.subtree_end[row]
        text: cython.int = 0
        texts: cython.int = 0
        pictured: cython.bint = False
        while child < end:
            if tree.tokens[child]:
                if tree.meaning(child) & FIGCAPTION or self.named(child):
                    return child
                texts += 1
                if pictured and not tree.pictures[child]:
                    text = child
            if tree.pictures[child]:
                pictured = True
            child = tree.subtree_end[child]
        return text if texts == 1 and text and self.stands_alone(row) else 0

    def stands_alone(self, row: cython.int) -> cython.bint:
        """Whether a node is a figure by itself: a picture, and a few words that are no heading, in
        running text."""
        tree = self.tree
        if tree.pictures[row] != 1 or tree.headings[row] or tree.tokens[row] > LONGEST:
            return False
        if tree.meaning(row) & (LINK | WHOLE):
            return False
        return tree.meaning(row) & FIGURE or self.in_running_text(row)

    def in_running_text(self, row: cython.int) -> cython.bint:
        """Whether the text right before or after a node, in the same element, is a paragraph."""
        tree = self.tree
        parent: cython.int = tree.parent[row]
        beside: cython.int
        while (
            parent >= 0
            and tree.tokens[parent] == tree.tokens[row]
            and tree.pictures[parent] == tree.pictures[row]
        ):
            row = parent
            parent = tree.parent[row]
        if parent < 0:
            return False
        beside = tree.subtree_end[row]
        for _ in range(BESIDE):
            if beside >= tree.subtree_end[parent]:
                break
            if tree.tokens[beside] or tree.pictures[beside]:
                if self.is_prose(beside):
                    return True
                break
            beside = tree.subtree_end[beside]
        beside = row
        for _ in range(BESIDE):
            beside -= 1
            while beside > parent and tree.parent[beside] != parent:
                beside = tree.parent[beside]
            if beside <= parent:
                return False
            if tree.tokens[beside] or tree.pictures[beside]:
                return self.is_prose(beside)
        return False

    def is_prose(self, row: cython.int) -> cython.bint:
        tree = self.tree
        return tree.tokens[row] >= PROSE and tree.kind[row] == 0 and tree.meaning(row) & PARAGRAPH

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
            known = self.classes[number] = calls_caption(name)
        return known


def calls_caption(name: str) -> cython.bint:
    """Whether the name of a class has a word for captions, in any case."""
    word: str
    if not name.isascii():
        return CAPTION.search(name) is not None
    name = name.lower()
    for word in WORDS:  # noqa: SIM110 (compiled)
        if word in name:
            return True
    return False
