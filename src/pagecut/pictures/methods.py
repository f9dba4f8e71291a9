"""A page as its method cut it: the curve of its distances, its structure, or its text density."""

from __future__ import annotations

from pagecut.page import Page
from pagecut.pictures.density import draw_density, explain, explain_segmentation
from pagecut.pictures.distance_curve import draw_contents_on_a_line, draw_distance_curve
from pagecut.pictures.drawing import Drawing
from pagecut.pictures.vips import draw_structure
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters import Segmenter, segmenter
from pagecut.segmenters.block_fusion import BlockFusion, BlockFusionRules
from pagecut.segmenters.dom_distance import DomDistance
from pagecut.segmenters.vips import Vips


def draw_page(method: Segmenter, page: Page, title: str = "") -> Drawing:
    """A page as a method cuts it."""
    if isinstance(method, DomDistance):
        return draw_distance_curve(method.explain(page), title)
    if isinstance(method, Vips):
        return draw_structure(method.segment(page), method.explain(page), title)
    return draw_density(explain(method, page), title)


def draw_line(method: Segmenter, page: Page, title: str = "") -> Drawing:
    """The contents of a page on a line, by their distances; of `dom-distance` alone."""
    if not isinstance(method, DomDistance):
        raise ValueError(f"{method} has no distances of contents")
    return draw_contents_on_a_line(method.explain(page), title)


def segmentation_figure(segmentation: Segmentation, key: str) -> str:
    """The picture as a part of an HTML page, without script or style; empty where the method
    has none: density means nothing to those that do not cut by it.

    Args:
        key: segment 3 is at `#key-s3`.
    """
    method = _maker(segmentation)
    if isinstance(method, Vips):
        inner = set(segmentation.parent.tolist())
        drawing = draw_structure(
            segmentation,
            method.explain(segmentation.page),
            link=lambda number: "" if number in inner else f"#{key}-s{number}",
        )
        summary = "Blocks, separators and the tree they make"
    elif isinstance(method, DomDistance):
        starts = segmentation.spans[:, 0]
        drawing = draw_distance_curve(
            method.explain(segmentation.page),
            link=lambda cut: f"#{key}-s{segmentation.labels[starts.searchsorted(cut)]}",
        )
        summary = "Distances of the contents and cuts"
    elif isinstance(method, BlockFusion | BlockFusionRules):
        drawing = draw_density(explain_segmentation(segmentation))
        summary = "Text density (words for each line of 80 characters) and boundaries"
    else:
        return ""
    return (
        f'<details class="chart" open><summary>{summary}</summary>'
        f'<div tabindex="0">{drawing.svg(inline=True)}</div></details>\n'
    )


def _maker(segmentation: Segmentation) -> Segmenter | None:
    """The method that made the segments, if it has a picture of its own."""
    name = segmentation.made_by.partition("(")[0]
    if name in (BlockFusion.name, BlockFusionRules.name, DomDistance.name, Vips.name):
        return segmenter(segmentation.made_by)
    return None
