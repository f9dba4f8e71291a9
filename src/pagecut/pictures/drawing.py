"""SVG by hand: shapes and text on a canvas, written as SVG or PNG.

A drawing looks right in three places: as a file, in light and dark (`prefers-color-scheme`); inside
an HTML page, where it takes the ink of the text around it and needs no style sheet, so that a
strict content security policy may stand; and as PNG, on white.
"""

from __future__ import annotations

import math
import re
from base64 import b64encode
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Final

from pagecut.errors import FormatError, needed
from pagecut.page.text.tokenizer import columns
from pagecut.temporary import written_whole

WIDTH: Final = 640  # user units; the text is still readable where a phone shrinks it to 390 px
FONT_SIZE: Final = 14
INK: Final = "currentColor"
# Okabe and Ito's colours, which colour-blind people can tell apart, in tones that stand out on
# white and on black.
COLOURS: Final = ("#1180c4", "#d55e00", "#009e73", "#b5659c", "#bd8600", INK)
ACCENT: Final = COLOURS[1]

PICTURE_FORMATS: Final = ("svg", "png")

_STYLE = (
    "<style>svg{color:#1a2027;background:#fff}@media(prefers-color-scheme:dark)"
    "{svg{color:#e4e8ec;background:#12161a}}</style>"
)
_NOT_IN_XML = re.compile(r"[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Drawing:
    """A canvas that collects shapes; `svg` gives them all."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self.width = width
        self.height = height
        self.title = title
        self._parts: list[str] = []

    def rect(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        opacity: float,
        hint: str = "",
        link: str = "",
    ) -> None:
        """A tint of the ink; a hint appears when someone points at it, a link can be followed."""
        shape = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
        part = (
            f'<rect {shape} fill="{INK}" fill-opacity="{number(opacity)}">'
            f"<title>{plain(hint)}</title></rect>"
            if hint
            else f'<rect {shape} fill="{INK}" fill-opacity="{number(opacity)}"/>'
        )
        self._parts.append(f'<a href="{plain(link)}">{part}</a>' if link else part)

    def dot(self, x: float, y: float, radius: float, colour: str, hint: str = "") -> None:
        """A filled circle; a hint appears when someone points at it."""
        shape = f'cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"'
        title = f"<title>{plain(hint)}</title>" if hint else ""
        self._parts.append(f'<circle {shape} fill="{colour}" fill-opacity="0.7">{title}</circle>')

    def image(self, x: float, y: float, width: float, height: float, data: bytes) -> None:
        """A PNG or JPEG file, kept inside the drawing."""
        kind = "png" if data.startswith(b"\x89PNG") else "jpeg"
        shape = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
        code = b64encode(data).decode("ascii")
        self._parts.append(
            f'<image {shape} preserveAspectRatio="none" href="data:image/{kind};base64,{code}"/>'
        )

    def path(self, steps: str, name: str, *, fill: str = "none", opacity: float = 1) -> None:
        """A filled path, of a class that says what it is."""
        self._parts.append(
            f'<path class="{name}" d="{steps}" fill="{fill}" fill-opacity="{number(opacity)}"/>'
        )

    def stroke(
        self,
        steps: str,
        name: str,
        *,
        colour: str = INK,
        width: float = 1,
        opacity: float = 1,
        dashes: str = "",
    ) -> None:
        """A line along a path."""
        dash = f' stroke-dasharray="{dashes}"' if dashes else ""
        fade = f' stroke-opacity="{number(opacity)}"' if opacity < 1 else ""
        self._parts.append(
            f'<path class="{name}" d="{steps}" fill="none" stroke="{colour}" '
            f'stroke-width="{number(width)}" stroke-linejoin="round"{fade}{dash}/>'
        )

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        anchor: str = "start",
        size: float = FONT_SIZE,
        bold: bool = False,
        soft: bool = False,
        turned: bool = False,
    ) -> None:
        """A line of text; `turned` reads from the bottom to the top."""
        place = f'x="{number(x)}" y="{number(y)}"'
        marks = f' font-size="{number(size)}"' if size != FONT_SIZE else ""
        marks += ' font-weight="600"' if bold else ""
        marks += ' fill-opacity="0.72"' if soft else ""
        marks += f' text-anchor="{anchor}"' if anchor != "start" else ""
        marks += f' transform="rotate(-90 {number(x)} {number(y)})"' if turned else ""
        self._parts.append(f"<text {place}{marks}>{plain(words)}</text>")

    def svg(self, *, inline: bool = False) -> str:
        """The whole picture.

        Args:
            inline: for an HTML page: without a style sheet and a colour of its own.
        """
        size = f'width="{number(self.width)}" height="{number(self.height)}"'
        own = "" if inline else ' xmlns="http://www.w3.org/2000/svg" color="#1a2027"'
        return (
            f'<svg{own} {size} viewBox="0 0 {number(self.width)} {number(self.height)}" role="img" '
            f'aria-label="{plain(self.title)}" font-family="system-ui, sans-serif" '
            f'font-size="{FONT_SIZE}" fill="{INK}">'
            f"{'' if inline else _STYLE}\n" + "\n".join(self._parts) + "\n</svg>\n"
        )


def write_picture(path: Path, svg: str) -> None:
    """Write a picture as the file's ending says."""
    data = png(svg) if path.suffix.lower() == ".png" else svg.encode("utf-8")
    try:
        with written_whole(path) as part:
            part.write_bytes(data)
    except OSError as error:
        raise FormatError(f"{path}: cannot be written: {error.strerror}") from error


def png(svg: str, zoom: float = 2) -> bytes:
    """A picture as PNG, on white."""
    with needed("resvg-py", "plots"):
        import resvg_py
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, zoom=zoom, background="#ffffff"))


def number(value: float) -> str:
    """A coordinate, without more digits than anyone sees."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))


def plain(words: str) -> str:
    """A text for XML: escaped, and without the characters that XML does not have."""
    return escape(_NOT_IN_XML.sub("\ufffd", words))


def text_width(words: str, size: float = FONT_SIZE) -> float:
    """About how wide a text will be; the font is not known."""
    capitals = sum(map(str.isupper, words))
    return (columns(words) * 0.54 + capitals * 0.2) * size


def shortened(words: str, width: float, size: float = FONT_SIZE) -> str:
    """A text on one line that fits into a width, cut with an ellipsis if it must."""
    words = " ".join(words.split())
    if text_width(words, size) <= width:
        return words
    kept, used = 0, size
    for character in words:
        used += text_width(character, size)
        if used > width:
            break
        kept += 1
    return words[:kept].rstrip() + "…"


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round values from low to high, at most about `most`."""
    if high <= low:
        return [low]
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(index * step, 10) for index in range(first, last + 1)]


def log_ticks(low: float, high: float) -> list[float]:
    """Powers of ten from low to high, with 2 and 5 between them where there is space."""
    first, last = math.floor(math.log10(low) + 1e-9), math.ceil(math.log10(high) - 1e-9)
    factors: Sequence[int] = (1, 2, 5) if last - first <= 2 else (1,)
    values = [factor * 10.0**power for power in range(first, last + 1) for factor in factors]
    return [value for value in values if low * 0.999 <= value <= high * 1.001]
