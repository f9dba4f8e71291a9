"""Colours of letters, of what lies behind them, and of images; CSS colours as numbers."""

from __future__ import annotations

import math
import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.rendering.png import Picture
from pagecut.rendering.snapshot import TEXT_NODE, Bounds, Snapshot

Rgba = tuple[float, float, float, float]  # red, green, blue 0 to 255, alpha 0 to 1

Colours = NDArray[np.uint8]  # (m, 4) red, green, blue, alpha, 0 to 255

TRANSPARENT: Final[Rgba] = (0.0, 0.0, 0.0, 0.0)
WHITE: Final[Rgba] = (255.0, 255.0, 255.0, 1.0)

_FUNCTION = re.compile(r"\s*([a-z]+)\(([^()]{0,200})\)\s*\Z")
_SEPARATOR = re.compile(r"[\s,/]+")

# Boxes are looked at one by one until they cover the picture so often.
_TIMES_OVER: Final = 4
# CSS Color 4, §10 and sample code: OKLab and CIE Lab (D50) to linear sRGB.
_OKLAB_TO_LMS: Final = (
    (1.0, 0.3963377774, 0.2158037573),
    (1.0, -0.1055613458, -0.0638541728),
    (1.0, -0.0894841775, -1.2914855480),
)
_LMS_TO_RGB: Final = (
    (4.0767416621, -3.3077115913, 0.2309699292),
    (-1.2684380046, 2.6097574011, -0.3413193965),
    (-0.0041960863, -0.7034186147, 1.7076147010),
)
_D50: Final = (0.9642956764, 1.0, 0.8251046025)
_XYZ50_TO_RGB: Final = (
    (3.1341358529, -1.6173863321, -0.4906619460),
    (-0.9787954766, 1.9162543774, 0.0334427321),
    (0.0719553918, -0.2289768264, 1.4053860351),
)


def letter_colours(snapshot: Snapshot, opacity: NDArray[np.float64]) -> Colours:
    """The colour of each layout row's letters, as transparent as what is around them makes it."""
    colours = snapshot.style("color", parse_colour, TRANSPARENT, np.float64).reshape(-1, 4)
    colours[:, 3] *= opacity
    return to_bytes(colours)


def backgrounds(snapshot: Snapshot, opacity: NDArray[np.float64]) -> Colours:
    """What lies behind each layout row, all background colours from the root on blended.

    Where the browser says what is behind an element's text it is believed: it knows what lies
    below that is no ancestor. Of pictures it says nothing: there the page's own colour is taken.
    """
    own = snapshot.style("background-color", parse_colour, TRANSPARENT, np.float64).reshape(-1, 4)
    own[:, 3] *= opacity
    flat: list[Rgba] = [tuple(colour) for colour in own.tolist()]
    given = snapshot.blended_backgrounds(parse_colour, TRANSPARENT, np.float64).reshape(-1, 4)
    canvas = _canvas(snapshot, flat)
    behind: list[Rgba] = []
    for row, (node, above) in enumerate(
        zip(snapshot.laid_out, snapshot.layout_parent, strict=True)
    ):
        below = behind[above] if above >= 0 else canvas
        if snapshot.node_type[node] != TEXT_NODE and flat[row][3] > 0:
            below = over(flat[row], below)
        behind.append(below)
    blended = np.array(behind, dtype=np.float64).reshape(-1, 4)
    parents = np.array(snapshot.layout_parent)
    is_text = np.array([snapshot.node_type[node] == TEXT_NODE for node in snapshot.laid_out])
    known = given[:, 3] > 0
    opaque = given[known, 3:]
    blended[known] = opaque * given[known] + (1 - opaque) * np.array(canvas)
    blended[known, 3] = 1
    # A text has what its element has.
    blended[is_text] = blended[parents[is_text]]
    return to_bytes(blended)


def _canvas(snapshot: Snapshot, own: list[Rgba]) -> Rgba:
    """The page itself takes the colour of <html>, else that of <body>, over white."""
    for row in snapshot.page_rows:
        if own[row][3] > 0:
            return over(own[row], WHITE)
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


def parse_colour(text: str) -> Rgba:
    """A computed colour; one that cannot be read is transparent."""
    found = _FUNCTION.match(text)
    if not found:
        return TRANSPARENT
    name = found[1]
    words = [word for word in _SEPARATOR.split(found[2].strip()) if word]
    space = ""
    if name == "color" and words:
        space, words = words[0], words[1:]
    values = [_number(word) for word in words]
    if len(values) not in (3, 4):
        return TRANSPARENT
    alpha = min(1.0, max(0.0, values[3])) if len(values) == 4 else 1.0
    first, second, third = values[:3]
    match name:
        case "rgb" | "rgba":
            return (*_clamped(first, second, third), alpha)
        case "color" if space == "srgb-linear":
            return (*_from_linear((first, second, third)), alpha)
        case "color":  # wider spaces are near enough to sRGB for what is made of them here
            return (*_clamped(first * 255, second * 255, third * 255), alpha)
        case "oklab":
            return (*_from_oklab(first, second, third), alpha)
        case "oklch":
            return (*_from_oklab(first, *_polar(second, third)), alpha)
        case "lab":
            return (*_from_lab(first, second, third), alpha)
        case "lch":
            return (*_from_lab(first, *_polar(second, third)), alpha)
    return TRANSPARENT


def over(top: Rgba, bottom: Rgba) -> Rgba:
    """What is seen where `top` lies over `bottom`."""
    alpha = top[3] + bottom[3] * (1 - top[3])
    if alpha <= 0:
        return TRANSPARENT
    share = top[3] / alpha
    red, green, blue = (
        share * above + (1 - share) * below
        for above, below in zip(top[:3], bottom[:3], strict=True)
    )
    return red, green, blue, alpha


def _number(word: str) -> float:
    try:
        value = float(word[:-1]) / 100 if word.endswith("%") else float(word.removesuffix("deg"))
    except ValueError:  # "none"
        return 0.0
    return value if math.isfinite(value) else 0.0


def _clamped(red: float, green: float, blue: float) -> tuple[float, float, float]:
    return tuple(min(255.0, max(0.0, each)) for each in (red, green, blue))  # type: ignore[return-value]


def _polar(chroma: float, hue: float) -> tuple[float, float]:
    return chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))


def _times(
    matrix: tuple[tuple[float, float, float], ...], vector: tuple[float, float, float]
) -> tuple[float, float, float]:
    return tuple(sum(a * b for a, b in zip(line, vector, strict=True)) for line in matrix)  # type: ignore[return-value]


def _from_oklab(lightness: float, a: float, b: float) -> tuple[float, float, float]:
    long, medium, short = _times(_OKLAB_TO_LMS, (lightness, a, b))
    return _from_linear(_times(_LMS_TO_RGB, (long**3, medium**3, short**3)))


def _from_lab(lightness: float, a: float, b: float) -> tuple[float, float, float]:
    middle = (lightness + 16) / 116
    parts = (middle + a / 500, middle, middle - b / 200)
    x, y, z = (
        white * (part**3 if part**3 > 216 / 24389 else (116 * part - 16) * 27 / 24389)
        for white, part in zip(_D50, parts, strict=True)
    )
    return _from_linear(_times(_XYZ50_TO_RGB, (x, y, z)))


def _from_linear(linear: tuple[float, float, float]) -> tuple[float, float, float]:
    """The sRGB transfer function."""
    red, green, blue = (
        255 * (12.92 * each if each <= 0.0031308 else 1.055 * max(each, 0.0) ** (1 / 2.4) - 0.055)
        for each in linear
    )
    return _clamped(red, green, blue)
