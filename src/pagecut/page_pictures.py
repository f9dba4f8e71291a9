"""The picture that fits how a page was cut: its distances, or its text density."""

from __future__ import annotations

from pagecut.distance_curve import draw_distance_curve
from pagecut.drawing import Drawing
from pagecut.explanation import Explanation
from pagecut.page import Page
from pagecut.segmentation import Segmentation
from pagecut.segmenters import Segmenter, segmenter
from pagecut.segmenters.dom_distance import DomDistance
from pagecut.strip import draw_strip, explain, strip_figure


def draw_page(method: Segmenter, page: Page, title: str = "") -> Drawing:
    """A page as a method cuts it."""
    if isinstance(method, DomDistance):
        return draw_distance_curve(method.explain(page), title)
    return draw_strip(explain(method, page), title)


def segmentation_figure(segmentation: Segmentation, key: str) -> str:
    """The picture as a part of an HTML page, without script or style.

    Args:
        key: segment 3 is at `#key-s3`.
    """
    explanation = _distances(segmentation)
    if explanation is None:
        return strip_figure(segmentation)

    def link(cut: int) -> str:
        at = segmentation.spans[:, 0].searchsorted(cut)
        return f"#{key}-s{segmentation.labels[at]}"

    drawing = draw_distance_curve(explanation, link=link)
    return (
        '<details class="strip" open><summary>Distances of the contents and cuts</summary>'
        f'<div tabindex="0">{drawing.svg(inline=True)}</div></details>\n'
    )


def _distances(segmentation: Segmentation) -> Explanation | None:
    """What DOM distance says of a page, if it made the segments."""
    if segmentation.made_by.partition("(")[0] != DomDistance.name:
        return None
    method = segmenter(segmentation.made_by)
    return method.explain(segmentation.page) if isinstance(method, DomDistance) else None
