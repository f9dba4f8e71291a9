"""The rows of a page with frames or web components: one walk over the composed tree."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import cast

from selectolax.lexbor import LexborHTMLParser, LexborNode

from pagecut.parsing.composed_tree import ComposedNode, ComposedTree
from pagecut.parsing.images import Attributes, base_of
from pagecut.parsing.limits import Limits
from pagecut.parsing.tree_walk import Walk


def walk_composed(parser: LexborHTMLParser, limits: Limits, page: object) -> Walk:
    """Walk the tree that people see; its XPaths and text are those of any other tree."""
    tree = ComposedTree(parser, partial(limits.check_source, page=page))
    walk = ComposedWalk(limits, page, tree)
    if tree.root is not None:
        walk.run(cast(LexborNode, tree.root))  # all that the walk asks of a node, it answers
    return walk


class ComposedWalk(Walk):
    """Enters frames, and knows what addresses in them are relative to."""

    _shut = 0

    def __init__(self, limits: Limits, page: object, tree: ComposedTree) -> None:
        super().__init__(limits, page)
        self._tree = tree
        self._bases: dict[int, str] = {}  # by the number of the image

    def _roots(self) -> Sequence[LexborNode]:
        return self._tree.roots

    def _opens(self, node: LexborNode) -> bool:
        return isinstance(node, ComposedNode) and node.opens()

    def _add_image(self, node: LexborNode, attributes: Attributes, picture: int | None) -> None:
        frame = node.scope.frame if isinstance(node, ComposedNode) else None
        if frame is not None and frame.base:
            self._bases[len(self._images)] = frame.base
        super()._add_image(node, attributes, picture)

    def _base_of(self, index: int, base: str | None) -> str | None:
        return base_of(self._bases.get(index), base)
