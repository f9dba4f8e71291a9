"""Shapes in which the segments of a page are written: rows, leaves alone, a tree, Webis JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from pagecut.page import Page
from pagecut.page.nodes import Box
from pagecut.results.block_names import block_names
from pagecut.results.explanation import Explanation
from pagecut.results.rows import SEGMENT_FIELDS, Row, segment_rows
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters import Segmenter

TREE_FIELDS: Final = ("page", "url", "size", "made_by", "blocks")


def tree_row(
    segmentation: Segmentation, explanation: Explanation | None = None, name: str | None = None
) -> Row:
    """The segments of a page, each inside its parent, with the separators between its parts.

    Args:
        explanation: knows the separators.
        name: stands in for the URL of a page that has none.
    """
    page, names = segmentation.page, block_names(segmentation)
    inner = set(segmentation.parent.tolist())
    blocks: list[dict[str, Any]] = []
    for segment in segmentation.segments:
        blocks.append(
            {
                "segment": segment.number,
                "name": names[segment.number],
                "coherence": segment.score,
                "role": segment.role,
                "box": _rounded(segment.box),
                "xpaths": [] if segment.number in inner else segment.xpaths,
                "text": segment.own_text if segment.number in inner else segment.text,
                "separators": [],
                "children": [],
            }
        )
    for separator in explanation.separators if explanation is not None else ():
        parent = int(segmentation.parent[separator.before])
        blocks[parent]["separators"].append(
            {
                "between": [names[separator.before], names[separator.after]],
                "box": _rounded(separator.box),
                "weight": separator.weight,
            }
        )
    outermost: list[dict[str, Any]] = []
    for block, parent in zip(blocks, segmentation.parent.tolist(), strict=True):
        (blocks[parent]["children"] if parent >= 0 else outermost).append(block)
    for block in blocks:
        if block["children"]:
            del block["xpaths"]
            if not block["text"]:
                del block["text"]
    values = (page.id, page.url or name, page.size, segmentation.made_by, outermost)
    return dict(zip(TREE_FIELDS, values, strict=True))


def _rounded(box: Box | None) -> list[float] | None:
    return None if box is None else [round(edge, 2) for edge in box]


def leaf_rows(segmentation: Segmentation, name: str | None = None) -> Iterator[Row]:
    """The rows of the segments with none inside."""
    inner = set(segmentation.parent.tolist())
    return (row for row in segment_rows(segmentation, name) if row["segment"] not in inner)


def _rows(method: Segmenter, page: Page, name: str) -> Iterable[Row]:
    return segment_rows(method.segment(page), name)


def _leaves(method: Segmenter, page: Page, name: str) -> Iterable[Row]:
    return leaf_rows(method.segment(page), name)


def _tree(method: Segmenter, page: Page, name: str) -> Iterable[Row]:
    # Of all that a method can explain, a tree holds the separators alone.
    explain = getattr(method, "explain", None) if getattr(method, "separates", False) else None
    return [tree_row(method.segment(page), explain and explain(page), name)]


def _webis(method: Segmenter, page: Page, name: str) -> Iterable[Row]:
    from pagecut.evaluation.datasets.webis import webis_row

    return [webis_row({str(method): method.segment(page)}, page.url or name)]


Shape = Callable[[Segmenter, Page, str], Iterable[Row]]


def segment_shape(name: str) -> tuple[tuple[str, ...], Shape]:
    """The fields of a shape, and what gives its rows."""
    if name == "webis":
        from pagecut.evaluation.datasets.webis import WEBIS_FIELDS

        return WEBIS_FIELDS, _webis
    return {
        "rows": (SEGMENT_FIELDS, _rows),
        "leaves": (SEGMENT_FIELDS, _leaves),
        "tree": (TREE_FIELDS, _tree),
    }[name]
