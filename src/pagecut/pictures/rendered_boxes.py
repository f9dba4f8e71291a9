"""What the browser placed, drawn on its own picture: text lines, images, elements' boxes."""

from __future__ import annotations

import base64
from typing import Final

import numpy as np

from pagecut.errors import FormatError
from pagecut.page.nodes import IMAGE
from pagecut.pictures.drawing import COLOURS, number, plain
from pagecut.rendering.snapshot_file import SavedPage

LINE_COLOUR: Final = COLOURS[1]
IMAGE_COLOUR: Final = COLOURS[0]


def overlay_svg(saved: SavedPage) -> str:
    """The screenshot with a frame around each visible text line (red) and image (blue)."""
    page = saved.page
    if saved.screenshot is None or page.size is None or page.line_boxes is None:
        raise FormatError(f"{page!r} has no screenshot to draw on; render it with one")
    width, height = (number(side) for side in page.size)
    picture = base64.b64encode(saved.screenshot).decode()
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}">',
        f"<title>{plain(page.title or page.url or page.id)}</title>",
        f'<image width="{width}" height="{height}" preserveAspectRatio="none" '
        f'href="data:image/png;base64,{picture}"/>',
    ]
    lines, nodes = page.line_boxes, page.nodes
    for box, start, end in zip(
        lines.box.tolist(), lines.start.tolist(), lines.end.tolist(), strict=True
    ):
        parts.append(_frame(box, LINE_COLOUR, page.text[start:end]))
    if nodes.box is not None and nodes.visible is not None:
        shown = np.flatnonzero((nodes.kind == IMAGE) & nodes.visible)
        for row in shown.tolist():
            parts.append(_frame(nodes.box[row].tolist(), IMAGE_COLOUR, page.xpath(row)))
    return "\n".join([*parts, "</svg>\n"])


def _frame(box: list[float], colour: str, hint: str) -> str:
    left, top, right, bottom = box
    return (
        f'<rect x="{number(left)}" y="{number(top)}" width="{number(max(right - left, 0))}" '
        f'height="{number(max(bottom - top, 0))}" fill="{colour}" fill-opacity="0.12" '
        f'stroke="{colour}"><title>{plain(hint)}</title></rect>'
    )
