# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""Which element beside an image is its caption."""

from __future__ import annotations

import re

import cython
from cython.cimports.pagecut.evidence.items import FIGCAPTION, FIGURE, ItemTree

CAPTION = re.compile("caption|credit|legende|bildunterschrift|byline-photo", re.IGNORECASE)


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
        """The row of the <figcaption> of the image's figure, or of what is called a caption beside
        it; -1 if there is none."""
        tree = self.tree
        row: cython.int = tree.parent[image]
        for _ in range(4):
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
