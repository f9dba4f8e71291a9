"""Segments drawn over the picture of their page, as SVG or PNG."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Final

from pagecut.page import Page
from pagecut.page.nodes import Box
from pagecut.page.span_boxes import box_around
from pagecut.pictures.coloured_blocks import blocks_in_order, colours_of_segments
from pagecut.pictures.drawing import number, plain, text_width
from pagecut.pictures.label_places import LabelPlaces
from pagecut.results.segmentation import Segmentation

# Okabe and Ito's, in the order of the classes c0 to c6 of the report.
COLOURS: Final = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#ded01e")
_FONT: Final = 13
_BOX: Final = frozenset({"box"})


def segment_boxes(segmentation: Segmentation) -> dict[int, list[Box]]:
    """The boxes of each segment, one per range; of one that holds others, the one around all."""
    page = segmentation.page
    inner = set(segmentation.parent.tolist())
    boxes: dict[int, list[Box]] = {}
    for (start, end), label in zip(
        segmentation.spans.tolist(), segmentation.labels.tolist(), strict=True
    ):
        if label >= 0 and label not in inner:
            box = box_around(page, [(start, end)])
            if box is not None:
                boxes.setdefault(label, []).append(box)
    for outer in sorted(inner - {-1}):
        box = box_around(page, segmentation.segments[outer].spans)
        if box is not None:
            boxes[outer] = [box]
    return boxes


def draw_segments(
    segmentation: Segmentation,
    picture: bytes | None = None,
    names: Mapping[int, str] | None = None,
) -> str:
    """A rendered page with its segments, as SVG.

    Args:
        picture: the page as PNG; without it, only the segments are drawn.
        names: of segments, where they have any; else their numbers are written.
    """
    page = segmentation.page
    page.require(_BOX, "a picture with segments")
    width, height = page_extent(page)
    colours = colours_of_segments(blocks_in_order(segmentation), len(segmentation), len(COLOURS))
    inner = set(segmentation.parent.tolist())
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(width)}" '
        f'height="{number(height)}" viewBox="0 0 {number(width)} {number(height)}" '
        f'font-family="system-ui, sans-serif" font-size="{_FONT}" font-weight="600">'
    ]
    if picture is not None:
        encoded = b64encode(picture).decode("ascii")
        parts.append(
            f'<image width="{number(width)}" height="{number(height)}" '
            f'preserveAspectRatio="none" href="data:image/png;base64,{encoded}"/>'
        )
    labels = []
    places = LabelPlaces(page, width, height)
    for segment, boxes in sorted(segment_boxes(segmentation).items()):
        colour = COLOURS[colours[segment]]
        fill = "0" if segment in inner else "0.22"
        dashes = ' stroke-dasharray="6 4"' if segment in inner else ""
        steps = "".join(
            f"M{number(left)} {number(top)}H{number(right)}V{number(bottom)}H{number(left)}z"
            for left, top, right, bottom in boxes
        )
        parts.append(
            f'<path d="{steps}" fill="{colour}" fill-opacity="{fill}" stroke="{colour}" '
            f'stroke-width="2"{dashes}/>'
        )
        words = (names or {}).get(segment) or str(segment)
        labels.append(_label(places, boxes[0], words, colour))
    return "\n".join([*parts, *labels, "</svg>\n"])


def _label(places: LabelPlaces, box: Box, words: str, colour: str) -> str:
    """The name of a segment, where it hides no text; if there is no such place, text shines
    through."""
    wide, high = text_width(words, _FONT) + 8, _FONT + 5
    place = places.place(box, wide, high)
    left, top = place.left, place.top
    ink = "#ffffff" if place.clear and colour in ("#0072b2", "#d55e00") else "#10151a"
    opacity = "" if place.clear else ' fill-opacity="0.5"'
    return (
        f'<rect x="{number(left)}" y="{number(top)}" width="{number(wide)}" '
        f'height="{high}" fill="{colour}"{opacity}/>'
        f'<text x="{number(left + 4)}" y="{number(top + _FONT)}" fill="{ink}">{plain(words)}</text>'
    )


def page_extent(page: Page) -> tuple[float, float]:
    """Width and height of a rendered page; how far its boxes reach, if it does not say."""
    if page.size is not None:
        return page.size
    box = page.nodes.box
    if box is None or not len(box):
        return 1.0, 1.0
    return float(box[:, 2].max()), float(box[:, 3].max())
