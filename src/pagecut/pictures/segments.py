"""A page with its segments in colours: as blocks of its text, or drawn over its picture.

Also the picture with what the browser placed: text lines and images.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from pagecut.errors import FormatError
from pagecut.page import IMAGE_CHARACTER
from pagecut.page.boxes import box_around, page_extent
from pagecut.page.nodes import IMAGE, Box
from pagecut.pictures.drawing import ACCENT, COLOURS, number, plain, text_width
from pagecut.pictures.label_places import LabelPlaces
from pagecut.rendering.snapshot_file import SavedPage
from pagecut.results.segmentation import Segmentation

# Okabe and Ito's, in the order of the classes c0 to c6 of the report.
SEGMENT_COLOURS: Final = (
    "#0072b2",
    "#e69f00",
    "#009e73",
    "#d55e00",
    "#56b4e9",
    "#cc79a7",
    "#ded01e",
)
_FONT: Final = 13
_BOX: Final = frozenset({"box"})
NO_SEGMENT: Final = -1
LINE_COLOUR: Final = ACCENT
IMAGE_COLOUR: Final = COLOURS[0]


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
    colours = colours_of_segments(
        blocks_in_order(segmentation), len(segmentation), len(SEGMENT_COLOURS)
    )
    inner = set(segmentation.parent.tolist())
    style = f'font-family="system-ui, sans-serif" font-size="{_FONT}" font-weight="600"'
    parts = _svg_start(width, height, picture, style)
    labels = []
    places = LabelPlaces(page, width, height)
    for segment, boxes in sorted(segment_boxes(segmentation).items()):
        colour = SEGMENT_COLOURS[colours[segment]]
        fill = "0" if segment in inner else "0.22"
        dashes = ' stroke-dasharray="6 4"' if segment in inner else ""
        parts.append(
            f'<path d="{box_outlines(boxes)}" fill="{colour}" fill-opacity="{fill}" '
            f'stroke="{colour}" stroke-width="2"{dashes}/>'
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


def box_outlines(boxes: Sequence[Box]) -> str:
    """Boxes as the steps of an SVG path."""
    return "".join(
        f"M{number(left)} {number(top)}H{number(right)}V{number(bottom)}H{number(left)}z"
        for left, top, right, bottom in boxes
    )


def _svg_start(width: float, height: float, picture: bytes | None, style: str = "") -> list[str]:
    """An SVG element of a page's size, with the picture of the page as its background."""
    size = f'width="{number(width)}" height="{number(height)}"'
    box = f"0 0 {number(width)} {number(height)}"
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="{box}" {style}>']
    if picture is not None:
        data = b64encode(picture).decode("ascii")
        parts.append(
            f'<image {size} preserveAspectRatio="none" href="data:image/png;base64,{data}"/>'
        )
    return parts


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of text that belongs to one segment, or to none.

    Args:
        segment: the segment's number; NO_SEGMENT for text in none.
        start, end: range of the page's text.
        part: from 1, among the blocks of this segment.
    """

    segment: int
    start: int
    end: int
    part: int


def blocks_in_order(segmentation: Segmentation) -> list[Block]:
    """All text of the page; consecutive ranges of one segment are one block.

    Signs alone that are in no segment are no block of their own but stand with the one before.
    """
    text = segmentation.page.text
    ranges: list[tuple[int, int, int]] = []
    at = 0
    for (start, end), label in zip(
        segmentation.spans.tolist(), segmentation.labels.tolist(), strict=True
    ):
        ranges += (NO_SEGMENT, at, start), (label, start, end)
        at = end
    ranges.append((NO_SEGMENT, at, len(text)))
    joined: list[tuple[int, int, int]] = []
    for label, start, end in ranges:
        if not text[start:end].strip():
            continue
        if joined and (joined[-1][0] == label or _are_signs(label, text[start:end])):
            joined[-1] = joined[-1][0], joined[-1][1], end
        else:
            joined.append((label, start, end))
    seen: dict[int, int] = {}
    blocks = []
    for label, start, end in joined:
        seen[label] = seen.get(label, 0) + 1
        blocks.append(Block(label, start, end, seen[label]))
    return blocks


def _are_signs(label: int, text: str) -> bool:
    return label == NO_SEGMENT and not any(
        each.isalnum() or each == IMAGE_CHARACTER for each in text
    )


def colours_of_segments(blocks: Sequence[Block], segments: int, colours: int) -> list[int]:
    """A colour for each segment, other than its neighbours' as far as there are enough."""
    neighbours: list[set[int]] = [set() for _ in range(segments)]
    for one, other in pairwise(blocks):
        if NO_SEGMENT not in (one.segment, other.segment):
            neighbours[one.segment].add(other.segment)
            neighbours[other.segment].add(one.segment)
    chosen = [-1] * segments
    for segment in range(segments):
        taken = {chosen[other] for other in neighbours[segment]}
        wheel = [(segment + step) % colours for step in range(colours)]
        chosen[segment] = next((each for each in wheel if each not in taken), wheel[0])
    return chosen


def draw_rendered(saved: SavedPage) -> str:
    """The screenshot with a rectangle around each visible text line (red) and image (blue)."""
    page = saved.page
    if saved.screenshot is None or page.size is None or page.line_boxes is None:
        raise FormatError(f"{page!r} has no screenshot to draw on; render it with one")
    parts = [
        *_svg_start(*page.size, saved.screenshot),
        f"<title>{plain(page.title or page.url or page.id)}</title>",
    ]
    lines, nodes = page.line_boxes, page.nodes
    for box, start, end in zip(
        lines.box.tolist(), lines.start.tolist(), lines.end.tolist(), strict=True
    ):
        parts.append(_rectangle(box, LINE_COLOUR, page.text[start:end]))
    if nodes.box is not None and nodes.visible is not None:
        shown = np.flatnonzero((nodes.kind == IMAGE) & nodes.visible)
        for row in shown.tolist():
            parts.append(_rectangle(nodes.box[row].tolist(), IMAGE_COLOUR, page.xpath(row)))
    return "\n".join([*parts, "</svg>\n"])


def _rectangle(box: list[float], colour: str, hint: str) -> str:
    left, top, right, bottom = box
    return (
        f'<rect x="{number(left)}" y="{number(top)}" width="{number(max(right - left, 0))}" '
        f'height="{number(max(bottom - top, 0))}" fill="{colour}" fill-opacity="0.12" '
        f'stroke="{colour}"><title>{plain(hint)}</title></rect>'
    )
