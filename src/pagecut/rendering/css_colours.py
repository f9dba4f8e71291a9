"""CSS colours as the browser computes them, and what one looks like over another."""

from __future__ import annotations

import math
import re
from typing import Final

Rgba = tuple[float, float, float, float]  # red, green, blue 0 to 255, alpha 0 to 1

TRANSPARENT: Final[Rgba] = (0.0, 0.0, 0.0, 0.0)
WHITE: Final[Rgba] = (255.0, 255.0, 255.0, 1.0)

_FUNCTION = re.compile(r"\s*([a-z]+)\(([^()]{0,200})\)\s*\Z")
_SEPARATOR = re.compile(r"[\s,/]+")

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
