"""How coherent a piece of the page is: VIPS's degree of coherence (§3), 1 to 10."""

from __future__ import annotations

from bisect import bisect_left
from math import floor, log2

from pagecut.segmenters.vips import constants
from pagecut.segmenters.vips.blocks import box_around
from pagecut.segmenters.vips.layout import Layout
from pagecut.segmenters.vips.structure import Piece


def degree_of_coherence(layout: Layout, piece: Piece, level: int) -> int:
    """Text alone has 10 in one font and 9 in several; other pieces up to 8.

    These are the more coherent, the smaller a share of the page they are, the deeper they lie in
    the structure, and the more parts they have side by side (a list); merged blocks are less so.

    Args:
        level: pieces around this one.
    """
    if piece.is_text:
        return text_coherence(layout, piece.blocks[0].first, piece.blocks[0].last)
    if not piece.children:
        return constants.HIGHEST
    share = max(layout.share(area_around(piece)), 1e-6)
    degree = (
        constants.COHERENCE
        + constants.PER_HALVING * log2(1 / share)
        + constants.PER_LEVEL * level
        + constants.PER_DOUBLING * log2(1 + len(piece.children))
        + (constants.MERGED if len(piece.blocks) > 1 else 0)
    )
    return min(max(floor(degree), constants.LOWEST), constants.HIGHEST - 2)


def text_coherence(layout: Layout, first: int, last: int) -> int:
    """Rule 4: the highest if all text in a range of rows has one font size and weight."""
    low = bisect_left(layout.text_rows, first)
    rows = layout.text_rows[low : bisect_left(layout.text_rows, last, low)]
    fonts = {(layout.font_size[row], layout.font_weight[row]) for row in rows}
    return constants.HIGHEST if len(fonts) <= 1 else constants.HIGHEST - 1


def area_around(piece: Piece) -> float:
    left, top, right, bottom = box_around([block.box for block in piece.blocks])
    return (right - left) * (bottom - top)
