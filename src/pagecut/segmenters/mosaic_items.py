"""The items of a block: children of one node that look alike, such as the entries of a list."""

from __future__ import annotations

from typing import Final

import numpy as np

from pagecut.nodes import Int
from pagecut.segmenters.content_tree import Float

_FEWEST: Final = 3
_ALIKE_SHARE: Final = 0.6  # of the children, and of the tokens
_MAIN_SHARE: Final = 0.6  # of a block's tokens, for its repetition to lie in one child


def find_items(tokens: Float, look: Int, children: list[list[int]], roots: list[int]) -> list[int]:
    """The nodes that are a block's items; none if nothing repeats.

    Args:
        look: (m,) equal for nodes of equal tags and classes.
        children: for each node, those right below it.
        roots: the nodes of the content tree that the block consists of.
    """
    siblings = roots
    whole = float(tokens[roots].sum())
    while siblings:
        if items := _alike(siblings, tokens, look):
            return items
        largest = max(siblings, key=lambda node: (tokens[node], -node))
        if tokens[largest] < _MAIN_SHARE * whole:
            return []
        siblings = children[largest]
    return []


def _alike(siblings: list[int], tokens: Float, look: Int) -> list[int]:
    """The siblings of the most common look, if they are most of them."""
    if len(siblings) < _FEWEST:
        return []
    looks, counts = np.unique(look[siblings], return_counts=True)
    common = looks[counts.argmax()]
    items = [node for node in siblings if look[node] == common]
    held = float(tokens[items].sum())
    if len(items) < max(_FEWEST, _ALIKE_SHARE * len(siblings)):
        return []
    return items if held >= _ALIKE_SHARE * float(tokens[siblings].sum()) else []
