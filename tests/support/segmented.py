"""Small pages with boxes, and segmentations of them leaf by leaf."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pagecut import Page, Segmentation, parse_html

Box = tuple[float, float, float, float]


def with_boxes(
    page: Page, boxes: list[Box], *, visible: list[bool] | None = None, size: Box | None = None
) -> Page:
    """The page as if rendered: a box for each leaf, in order."""
    column = np.zeros((len(page.nodes), 4), dtype=np.float32)
    column[page.leaves] = boxes
    seen = np.ones(len(page.nodes), dtype=np.bool_)
    if visible is not None:
        seen[page.leaves] = visible
    nodes = replace(page.nodes, box=column, visible=seen)
    return replace(page, nodes=nodes, kind="rendered", size=size[2:] if size else None)


def boxed_page(words: str) -> Page:
    """A page with a paragraph for each word, 10 px high and 100 px wide, one below the other."""
    page = parse_html("".join(f"<p>{word}</p>" for word in words.split()))
    boxes: list[Box] = [(0, 10 * row, 100, 10 * row + 10) for row in range(len(page.leaves))]
    return with_boxes(page, boxes)


def by_leaf(page: Page, *labels: int, made_by: str = "m") -> Segmentation:
    """A flat segmentation from one label for each leaf; -1 = in no segment."""
    kept = [
        ((start, end), label)
        for start, end, label in zip(
            page.leaf_starts.tolist(), page.leaf_ends.tolist(), labels, strict=True
        )
        if label >= 0
    ]
    spans, numbers = [span for span, _ in kept], [label for _, label in kept]
    return Segmentation.from_spans(page, spans, numbers, made_by=made_by)
