"""How much two boxes next to each other differ (§5 and §6.1): distance, shape and colour.

0 is alike, 1 as different as can be. The paper calls these values similarities.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from pagecut.page.boxes import Boxes, Neighbours, areas, neighbours
from pagecut.page.nodes import Frozen, Int

Values = NDArray[np.float64]
ColourSpace = Literal["rgb", "lab", "lch"]
COLOUR_SPACES: Final = get_args(ColourSpace)
EQUATION_1: Final = "eq1"
EQUATION_4: Final = "eq4"
EQUATION_10: Final = "eq10"
LARGEST: Final = 1000.0  # stands for infinity: far above every threshold


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Pairs(Frozen):
    """The pairs of boxes of which at least one is a direct neighbour of the other."""

    first: Int  # (p,) the smaller number
    second: Int  # (p,)
    difference: Values  # (p,) Eq. 4

    def __len__(self) -> int:
        return len(self.first)


def box_differences(
    boxes: Boxes, colours: Values, space: ColourSpace, printed: frozenset[str] = frozenset()
) -> Pairs:
    """The base difference of every pair of neighbours (Eq. 4).

    Args:
        printed: which of EQUATION_1, EQUATION_4 and EQUATION_10 are taken as they are printed.
    """
    near = neighbours(boxes, sharing_an_edge=EQUATION_1 in printed)
    first, second, distance = relative_distances(near, len(boxes))
    one, other = boxes[first], boxes[second]
    aspect = printed_aspect_difference if EQUATION_10 in printed else aspect_difference
    shape = (aspect(one, other) + size_difference(one, other)) / 2  # Eq. 14
    colour = colour_difference(colours[first], colours[second], space)
    mean = (distance + shape + colour) / 3
    if EQUATION_4 in printed:
        mean = np.where(distance == 1, 1.0, mean)
    return Pairs(first=first, second=second, difference=np.where(distance == 0, 0.0, mean))


def relative_distances(found: Neighbours, count: int) -> tuple[Int, Int, Values]:
    """Each pair once, with its distance by the largest in both neighbourhoods (Eq. 5 to 7)."""
    furthest = np.zeros(count)
    np.maximum.at(furthest, found.box, found.distance)
    low = np.minimum(found.box, found.other).astype(np.int64)
    high = np.maximum(found.box, found.other).astype(np.int64)
    keys, rows = np.unique(low * count + high, return_index=True)
    first, second = keys // max(count, 1), keys % max(count, 1)
    absolute = found.distance[rows]
    relative = (_share(absolute, furthest[first]) + _share(absolute, furthest[second])) / 2
    return first.astype(np.int32), second.astype(np.int32), relative


def _share(distance: Values, furthest: Values) -> Values:
    """A distance by the largest one, at most 1: it is larger where only the other box is near."""
    share = np.divide(distance, furthest, out=np.ones_like(distance), where=furthest > distance)
    return np.where(distance == 0, 0.0, share)


def aspect_difference(boxes: Boxes, others: Boxes) -> Values:
    """Eq. 10: 0 for boxes of the same proportions, 1 if one is the other turned by 90°.

    Both are turned where the more stretched one stands, so that its ratio is the larger one and
    at least 1: there the formula is defined, and its value in [0, 1].
    """
    one, other = _log_ratio(boxes), _log_ratio(others)
    stretch = np.maximum(np.abs(one), np.abs(other))
    leading = np.where(np.abs(one) >= np.abs(other), one, other)
    following = np.where(np.abs(one) >= np.abs(other), other, one) * np.sign(leading)
    # (R - r) / (R - 1 / R) by the logarithms of R and r, so that no ratio overflows.
    part = np.expm1(following - stretch) / np.expm1(np.minimum(-2 * stretch, -1e-300))
    return np.where(stretch > 0, np.clip(part, 0.0, 1.0), 0.0)


def printed_aspect_difference(boxes: Boxes, others: Boxes) -> Values:
    """Eq. 10 as printed: below 0 where both stand, above 1 where one does, LARGEST by a square."""
    one, other = np.exp(_log_ratio(boxes)), np.exp(_log_ratio(others))
    high, low = np.maximum(one, other), np.minimum(one, other)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        part = (high - low) / ((high**2 - 1) / high)
    return np.where(high == low, 0.0, np.clip(part, -LARGEST, LARGEST))


def _log_ratio(boxes: Boxes) -> Values:
    """log(width / height), Eq. 8 and 9."""
    wide = boxes.astype(np.float64)
    ratio: Values = np.log(wide[:, 2] - wide[:, 0]) - np.log(wide[:, 3] - wide[:, 1])
    return np.where(np.abs(ratio) < _SQUARE, 0.0, ratio)


_SQUARE: Final = 1e-9  # boxes whose sides differ by less than rounding are squares


def size_difference(boxes: Boxes, others: Boxes) -> Values:
    """Eq. 11 to 13: the part of the larger area that the smaller lacks."""
    one, other = areas(boxes), areas(others)
    return 1 - np.minimum(one, other) / np.maximum(one, other)


def colour_difference(colours: Values, others: Values, space: ColourSpace) -> Values:
    """Eq. 15, or its like in CIE Lab or LCh, by the largest difference of two colours there."""
    measure, largest = _COLOUR_MEASURES[space]
    difference: Values = np.minimum(measure(colours, others) / largest, 1.0)
    return difference


def _euclidean(colours: Values, others: Values) -> Values:
    distance: Values = np.sqrt(((colours - others) ** 2).sum(axis=1))
    return distance


def lab(colours: Values) -> Values:
    """(n, 3) sRGB in [0, 1] as CIE L*a*b*, white D65."""
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    xyz = linear @ _TO_XYZ.T / _TO_XYZ.sum(axis=1)
    root = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    x, y, z = root.T
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=1)


_TO_XYZ: Final = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)


def _lab_distance(colours: Values, others: Values) -> Values:
    """CIE76."""
    return _euclidean(lab(colours), lab(others))


def _lch_distance(colours: Values, others: Values) -> Values:
    """CIE94 (graphic arts), with the geometric mean of both chromas, which makes it symmetric."""
    one, other = lab(colours), lab(others)
    chroma, other_chroma = np.hypot(one[:, 1], one[:, 2]), np.hypot(other[:, 1], other[:, 2])
    lightness = (one[:, 0] - other[:, 0]) ** 2
    chromas = (chroma - other_chroma) ** 2
    planar = ((one[:, 1:] - other[:, 1:]) ** 2).sum(axis=1)
    hues = np.maximum(planar - chromas, 0.0)
    mean = np.sqrt(chroma * other_chroma)
    distance: Values = np.sqrt(
        lightness + chromas / (1 + 0.045 * mean) ** 2 + hues / (1 + 0.015 * mean) ** 2
    )
    return distance


_BLUE, _GREEN, _WHITE = np.array([[[0.0, 0.0, 1.0]], [[0.0, 1.0, 0.0]], [[1.0, 1.0, 1.0]]])
_COLOUR_MEASURES: Final[dict[str, tuple[Callable[[Values, Values], Values], float]]] = {
    "rgb": (_euclidean, float(np.sqrt(3))),
    # No two colours of sRGB are further apart than pure blue and these.
    "lab": (_lab_distance, float(_lab_distance(_BLUE, _GREEN)[0])),
    "lch": (_lch_distance, float(_lch_distance(_BLUE, _WHITE)[0])),
}
