"""The picture that fits how a page was cut: its distances, its structure, or its text density."""

from __future__ import annotations

from pagecut.page import Page
from pagecut.pictures.density_strip import draw_strip, explain, strip_figure
from pagecut.pictures.distance_curve import draw_distance_curve
from pagecut.pictures.drawing import Drawing
from pagecut.pictures.vips import draw_structure
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters import Segmenter, segmenter
from pagecut.segmenters.dom_distance import DomDistance
from pagecut.segmenters.vips import Vips


def draw_page(method: Segmenter, page: Page, title: str = "") -> Drawing:
    """A page as a method cuts it."""
    if isinstance(method, DomDistance):
        return draw_distance_curve(method.explain(page), title)
    if isinstance(method, Vips):
        return draw_structure(method.segment(page), method.explain(page), title)
    return draw_strip(explain(method, page), title)


def segmentation_figure(segmentation: Segmentation, key: str) -> str:
    """The picture as a part of an HTML page, without script or style.

    Args:
        key: segment 3 is at `#key-s3`.
    """
    method = _maker(segmentation)
    if isinstance(method, Vips):
        return _structure_figure(segmentation, method, key)
    if not isinstance(method, DomDistance):
        return strip_figure(segmentation)
    explanation = method.explain(segmentation.page)

    def link(cut: int) -> str:
        at = segmentation.spans[:, 0].searchsorted(cut)
        return f"#{key}-s{segmentation.labels[at]}"

    drawing = draw_distance_curve(explanation, link=link)
    return (
        '<details class="strip" open><summary>Distances of the contents and cuts</summary>'
        f'<div tabindex="0">{drawing.svg(inline=True)}</div></details>\n'
    )


def _structure_figure(segmentation: Segmentation, method: Vips, key: str) -> str:
    inner = set(segmentation.parent.tolist())

    def link(number: int) -> str:
        return "" if number in inner else f"#{key}-s{number}"

    explanation = method.explain(segmentation.page)
    drawing = draw_structure(segmentation, explanation, link=link)
    return (
        '<details class="strip" open><summary>Blocks, separators and the tree they make</summary>'
        f'<div tabindex="0">{drawing.svg(inline=True)}</div></details>\n'
    )


def _maker(segmentation: Segmentation) -> Segmenter | None:
    """The method that made the segments, if it has a picture of its own."""
    if segmentation.made_by.partition("(")[0] in (DomDistance.name, Vips.name):
        return segmenter(segmentation.made_by)
    return None
