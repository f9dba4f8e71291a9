"""The picture in the README: a page with its segments, and an image with its text.

python experiments/readme_picture.py examples/article.html docs/images/pagecut.png
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pagecut
from pagecut.page.boxes import box_around
from pagecut.pictures.drawing import number, plain, png
from pagecut.pictures.segments import draw_segments
from pagecut.rendering.browser import View

SHOWN = 1020.0  # px of the page's height
CARD = 520.0  # px: the width of what stands beside it
GAP = 28.0
LINE = 24.0
INK, SOFT, MARK = "#1a2027", "#5b6670", "#d55e00"


def draw(path: Path, image: int) -> str:
    """The upper part of a page with its segments, and beside it an image and its text, as SVG."""
    with pagecut.Renderer(View(screenshot=1.0)) as renderer:
        rendered = renderer.rendered(path)
    page, picture = rendered.page, rendered.capture.screenshot
    segmentation = pagecut.segment(page)
    names = {segment.number: segment.role or "" for segment in segmentation}
    cut = draw_segments(segmentation, picture, names)
    context = pagecut.image_contexts(page)[image]
    frame = page.node(context.source.node).box
    words = box_around(page, context.spans)
    width = float(page.size[0]) if page.size else 1280.0
    cut = re.sub(r'height="[^"]*" viewBox="0 0 [^"]*"', f'height="{SHOWN}"', cut, count=1)
    marks = "".join(
        f'<rect x="{number(box[0] - 3)}" y="{number(box[1] - 3)}" '
        f'width="{number(box[2] - box[0] + 6)}" height="{number(box[3] - box[1] + 6)}" rx="4" '
        f'fill="none" stroke="{MARK}" stroke-width="4"/>'
        for box in (frame, words)
        if box is not None
    )
    left = width + GAP
    top = max(60.0, frame[1] if frame is not None else 60.0)
    lines = [
        f'<text x="{left}" y="{top}" font-size="19" font-weight="700">this image</text>',
        f'<text x="{left}" y="{top + LINE}" font-size="16" fill="{SOFT}">'
        f"{plain((context.source.src or '').rpartition('/')[2])}</text>",
        f'<text x="{left}" y="{top + 3 * LINE}" font-size="19" font-weight="700">'
        "and the text that belongs to it</text>",
    ]
    for at, line in enumerate(context.text.splitlines()):
        place = top + (4 + at) * LINE
        lines.append(f'<text x="{left}" y="{place}" font-size="17">{plain(line)}</text>')
    after = top + (5 + len(context.text.splitlines())) * LINE
    lines.append(
        f'<text x="{left}" y="{after}" font-size="16" fill="{SOFT}">'
        f"confidence {context.confidence:.2f}</text>"
    )
    if frame is not None:
        start, end = frame[2] + 5, frame[1] + 12
        lines.append(
            f'<path d="M{number(start)} {number(end)}H{number(left - 8)}" stroke="{MARK}" '
            'stroke-width="3" fill="none"/>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + GAP + CARD}" height="{SHOWN}" '
        f'font-family="DejaVu Sans, system-ui, sans-serif" fill="{INK}">'
        f'<rect width="100%" height="100%" fill="#ffffff"/>{cut}{marks}{"".join(lines)}</svg>'
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("page", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--image", type=int, default=14, help="which image (default: 14)")
    options = parser.parse_args()
    options.output.write_bytes(png(draw(options.page, options.image), zoom=1))


if __name__ == "__main__":
    main()
