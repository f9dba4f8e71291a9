"""The picture of a rendered page in the HTML report, with the segments of each method over it.

The picture is in the file once; each method's figure uses it. A click on a segment leads to its
text.
"""

from __future__ import annotations

from base64 import b64encode
from html import escape
from typing import Final

from pagecut.page import Page
from pagecut.page.nodes import Box
from pagecut.pictures.coloured_blocks import blocks_in_order, colours_of_segments
from pagecut.pictures.drawing import number, text_width
from pagecut.pictures.label_places import LabelPlaces
from pagecut.pictures.segments import page_extent, segment_boxes
from pagecut.results.segmentation import Segmentation

LARGEST_PICTURE: Final = 8_000_000  # bytes of one page
_COLOURS: Final = 7  # classes c0 to c6 of report.css
_FONT: Final = 14  # px, as in report.css


def picture_definition(page: Page, picture: bytes | None, key: str) -> str:
    """The picture, shown nowhere by itself; nothing if there is none or it is too large."""
    if picture is None or len(picture) > LARGEST_PICTURE or page.nodes.box is None:
        return ""
    width, height = (number(side) for side in page_extent(page))
    encoded = b64encode(picture).decode("ascii")
    return (
        '<svg class="picture-store" width="0" height="0" aria-hidden="true"><defs>'
        f'<image id="{key}-picture" width="{width}" height="{height}" '
        f'preserveAspectRatio="none" href="data:image/png;base64,{encoded}"/></defs></svg>\n'
    )


def picture_figure(segmentation: Segmentation, key: str, tab: str, *, shown: bool) -> str:
    """The page with the segments of one method; nothing where the page has no boxes.

    Args:
        key: the picture is at `#key-picture`.
        tab: segment 3 is at `#tab-s3`.
        shown: whether there is a picture.
    """
    page = segmentation.page
    if page.nodes.box is None:
        return ""
    extent = page_extent(page)
    width, height = (number(side) for side in extent)
    places = LabelPlaces(page, *extent)
    blocks = blocks_in_order(segmentation)
    colours = colours_of_segments(blocks, len(segmentation), _COLOURS)
    inner = set(segmentation.parent.tolist())
    boxes = segment_boxes(segmentation)
    parts = [f'<use href="#{key}-picture"/>'] if shown else []
    for segment in sorted(boxes, key=lambda each: each not in inner):
        steps = "".join(
            f"M{number(left)} {number(top)}H{number(right)}V{number(bottom)}H{number(left)}z"
            for left, top, right, bottom in boxes[segment]
        )
        kind = "outer" if segment in inner else "inner"
        label = "" if segment in inner else _label(places, boxes[segment][0], str(segment))
        parts.append(
            f'<a href="#{tab}-s{segment}" tabindex="-1" class="c{colours[segment]} {kind}">'
            f'<path d="{steps}"/>{label}</a>'
        )
    return (
        '<details class="shot" open><summary>The page with the segments of '
        f"{escape(segmentation.made_by)}</summary>"
        f'<div tabindex="0" role="group" aria-label="{escape(segmentation.made_by)} on the page">'
        f'<svg viewBox="0 0 {width} {height}" aria-hidden="true">{"".join(parts)}</svg>'
        "</div></details>\n"
    )


def _label(places: LabelPlaces, box: Box, words: str) -> str:
    """The number of a segment, where it hides no text; if there is no such place, text shines
    through."""
    wide, high = 1.2 * text_width(words, _FONT) + 6, _FONT + 4  # bold
    place = places.place(box, wide, high)
    shining = "" if place.clear else ' class="shining"'
    return (
        f'<rect x="{number(place.left)}" y="{number(place.top)}" width="{number(wide)}" '
        f'height="{high}"{shining}/>'
        f'<text x="{number(place.left + 3)}" y="{number(place.top + _FONT)}">{words}</text>'
    )
