"""Pages with people's marks beside what methods make of them, to look at.

    python experiments/overlays.py ../shared/data-modern --with vips --output overlays.html
    python experiments/overlays.py examples --only shop --with "vips(pdoc=7)" --svg shop.svg

A panel for each: the lines and images of the page in grey, the segments in colours, with what lies
between the parts of one segment left open. `train_mosaic.py --overlays` draws what mosaic makes of
pages that it was not learnt from.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from pagecut.errors import MissingColumn
from pagecut.evaluation.datasets import read_dataset
from pagecut.evaluation.datasets.pages import true_segmentation
from pagecut.evaluation.datasets.rendered import render_dataset
from pagecut.evaluation.measures import segmentation_measure
from pagecut.page.boxes import box_around, page_extent
from pagecut.page.nodes import IMAGE
from pagecut.pictures.drawing import number, plain
from pagecut.pictures.segments import (
    SEGMENT_COLOURS,
    blocks_in_order,
    box_outlines,
    colours_of_segments,
)
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters import segmenter

PANEL = 360.0  # px, the width of a panel
TALLEST = 1100.0  # px of a panel; what lies below is not drawn
GAP, TITLE = 16.0, 24.0
PAPER, LINES, PICTURES = "#ffffff", "#b9c0c7", "#dde2e6"

Panel = tuple[str, Segmentation]


def draw(panels: Sequence[Panel]) -> str:
    """Some segmentations of one rendered page side by side, as SVG."""
    page = panels[0][1].page
    width, height = page_extent(page)
    scale = PANEL / width
    shown = min(height, TALLEST / scale)
    whole = len(panels) * (PANEL + GAP) - GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{number(whole)}" '
        f'height="{number(shown * scale + TITLE)}" font-family="system-ui, sans-serif" '
        'font-size="13"><defs>'
        f'<g id="page"><rect width="{number(width)}" height="{number(shown)}" fill="{PAPER}" '
        f'stroke="{LINES}"/>{_placed(panels[0][1], shown)}</g></defs>'
    ]
    for at, (title, segmentation) in enumerate(panels):
        left = at * (PANEL + GAP)
        parts.append(
            f'<text x="{number(left)}" y="16">{plain(title)}</text>'
            f'<svg x="{number(left)}" y="{TITLE}" width="{PANEL}" height="{number(shown * scale)}" '
            f'viewBox="0 0 {number(width)} {number(shown)}"><use href="#page"/>'
            f"{_segments(segmentation)}</svg>"
        )
    return "".join([*parts, "</svg>"])


def _placed(segmentation: Segmentation, shown: float) -> str:
    """The lines of text and the images of a page."""
    page = segmentation.page
    lines = page.line_boxes
    boxes = np.asarray(page.nodes.box)[(page.nodes.kind == IMAGE) & np.asarray(page.nodes.visible)]
    texts = np.empty((0, 4)) if lines is None else np.asarray(lines.box)
    found = ""
    for group, colour in ((boxes, PICTURES), (texts, LINES)):
        seen = group[(group[:, 1] < shown) & (group[:, 3] > 0)]
        found += f'<path d="{box_outlines(seen.round().tolist())}" fill="{colour}"/>'
    return found


def _segments(segmentation: Segmentation) -> str:
    colours = colours_of_segments(
        blocks_in_order(segmentation), len(segmentation), len(SEGMENT_COLOURS)
    )
    drawn = []
    for segment in segmentation.leaf_segments:
        boxes = [box for span in segment.spans if (box := box_around(segmentation.page, [span]))]
        colour = SEGMENT_COLOURS[colours[segment.number]]
        drawn.append(
            f'<path d="{box_outlines(boxes)}" fill="{colour}" fill-opacity="0.3" '
            f'stroke="{colour}" stroke-width="4"/>'
        )
    return "".join(drawn)


def html(pages: Sequence[tuple[str, Sequence[Panel]]]) -> str:
    """A report: for each page its name and its panels."""
    parts = ["<!doctype html><meta charset=utf-8><title>Overlays</title>"]
    for name, panels in pages:
        parts.append(f"<h2>{plain(name)}</h2>{draw(panels)}".replace("#page", f"#{plain(name)}"))
        parts[-1] = parts[-1].replace('id="page"', f'id="{plain(name)}"')
    return "\n".join(parts)


def titled(name: str, segmentation: Segmentation, truth: Segmentation) -> Panel:
    """A panel whose title says how many segments there are, and their ARI."""
    ari = segmentation_measure("ari").score(segmentation, truth)
    return f"{name}: {len(segmentation.leaf_segments)} segments, ARI {ari:.2f}", segmentation


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--with", dest="methods", action="append", help="a segmenter")
    parser.add_argument("--only", action="append", help="pages whose id has this in it")
    parser.add_argument("--level", type=int, default=2, choices=(1, 2))
    parser.add_argument("--output", type=Path, help="a report of all pages, as HTML")
    parser.add_argument("--svg", type=Path, help="the first page alone, as SVG")
    options = parser.parse_args()
    pages = []
    for entry in render_dataset(read_dataset(options.dataset).for_task("segmentation")):
        if options.only and not any(each in entry.id for each in options.only):
            continue
        page, marks = entry.load()
        truth = true_segmentation(page, marks, options.level)
        if not len(truth):
            continue
        panels: list[Panel] = [(f"people: {len(truth)} segments", truth)]
        for spec in options.methods or ["mosaic"]:
            try:
                panels.append(titled(spec, segmenter(spec).segment(page), truth))
            except MissingColumn as error:
                parser.error(f"{entry.id}: {error}")
        pages.append((entry.id, panels))
        if options.svg:
            break
    if not pages:
        parser.error("no such page with marks")
    if options.svg:
        options.svg.write_text(draw(pages[0][1]), encoding="utf-8")
    if options.output:
        options.output.write_text(html(pages), encoding="utf-8")


if __name__ == "__main__":
    main()
