"""Colours of letters, of what lies behind them, and of images."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.rendering.css_colours import TRANSPARENT, WHITE, Rgba, over, parse_colour
from pagecut.rendering.png import Picture
from pagecut.rendering.snapshot import TEXT_NODE, Bounds, Snapshot

# Boxes are looked at one by one until they cover the picture so often.
_TIMES_OVER: Final = 4

Colours = NDArray[np.uint8]  # (m, 4) red, green, blue, alpha, 0 to 255


def letter_colours(snapshot: Snapshot, opacity: NDArray[np.float64]) -> Colours:
    """The colour of each layout row's letters, as transparent as what is around them makes it."""
    colours = snapshot.style("color", parse_colour, TRANSPARENT, np.float64).reshape(-1, 4)
    colours[:, 3] *= opacity
    return to_bytes(colours)


def backgrounds(snapshot: Snapshot, opacity: NDArray[np.float64]) -> Colours:
    """What lies behind each layout row, all background colours from the root on blended.

    Where the browser says what is behind an element's text it is believed: it knows what lies
    below that is no ancestor.
    """
    own = snapshot.style("background-color", parse_colour, TRANSPARENT, np.float64).reshape(-1, 4)
    own[:, 3] *= opacity
    flat: list[Rgba] = [tuple(colour) for colour in own.tolist()]
    said = snapshot.blended_backgrounds(parse_colour, TRANSPARENT, np.float64).reshape(-1, 4)
    behind: list[Rgba] = []
    for row, (node, above) in enumerate(
        zip(snapshot.laid_out, snapshot.layout_parent, strict=True)
    ):
        below = behind[above] if above >= 0 else _canvas(snapshot, flat)
        if snapshot.node_type[node] != TEXT_NODE and flat[row][3] > 0:
            below = over(flat[row], below)
        behind.append(below)
    blended = np.array(behind, dtype=np.float64).reshape(-1, 4)
    parents = np.array(snapshot.layout_parent)
    is_text = np.array([snapshot.node_type[node] == TEXT_NODE for node in snapshot.laid_out])
    known = said[:, 3] > 0
    blended[known] = said[known]
    # A text is told by its element.
    blended[is_text] = blended[parents[is_text]]
    return to_bytes(blended)


def _canvas(snapshot: Snapshot, own: list[Rgba]) -> Rgba:
    """The page itself takes the colour of <html>, else that of <body>, over white."""
    for row, node in enumerate(snapshot.laid_out):
        name = snapshot.name(node)
        if name in ("html", "body") and own[row][3] > 0:
            return over(own[row], WHITE)
        if name == "body":
            break
    return WHITE


def to_bytes(colours: NDArray[np.float64]) -> Colours:
    """Alpha from 0..1 to 0..255, everything rounded."""
    scaled = colours * np.array([1.0, 1.0, 1.0, 255.0])
    rounded: Colours = np.clip(np.rint(scaled), 0, 255).astype(np.uint8)
    return rounded


def average_colours(picture: Picture, boxes: Bounds, scale: float) -> Colours:
    """The average colour of each box on a picture of the page; nothing where it lies outside.

    Args:
        scale: pixels of the picture per CSS px.
    """
    height, width = picture.shape[:2]
    edges = np.clip(_pixels(boxes * scale), 0, [width, height, width, height])
    lefts, tops, rights, bottoms = edges.astype(np.int64).T
    areas = np.maximum(rights - lefts, 0) * np.maximum(bottoms - tops, 0)
    colours = np.zeros((len(boxes), 4), dtype=np.uint8)
    filled = np.flatnonzero(areas)
    colours[filled, 3] = 255
    if areas.sum() <= _TIMES_OVER * height * width:
        for at in filled.tolist():
            part = picture[tops[at] : bottoms[at], lefts[at] : rights[at]]
            colours[at, :3] = np.rint(part.mean(axis=(0, 1)))
        return colours
    # Many boxes that overlap: sums from the corner on give each one's at once.
    sums = np.zeros((height + 1, width + 1, 3), dtype=np.uint64)
    sums[1:, 1:] = picture.cumsum(axis=0, dtype=np.uint64).cumsum(axis=1)
    inside = sums[bottoms, rights] + sums[tops, lefts] - sums[tops, rights] - sums[bottoms, lefts]
    colours[filled, :3] = np.rint(inside[filled] / areas[filled, None])
    return colours


def _pixels(boxes: Bounds) -> Bounds:
    """The pixels that lie wholly in each box; of a box that holds none, those that it touches."""
    whole = np.concatenate([np.ceil(boxes[:, :2]), np.floor(boxes[:, 2:])], axis=1)
    touched = np.concatenate([np.floor(boxes[:, :2]), np.ceil(boxes[:, 2:])], axis=1)
    inside = np.all(whole[:, 2:] > whole[:, :2], axis=1, keepdims=True)
    return np.where(inside, whole, touched)
