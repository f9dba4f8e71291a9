"""The segments of a page as plain rows: one per segment, or one tree per page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from pagecut.page.nodes import Box
from pagecut.results.segment_columns import SEGMENT_FIELDS, SegmentColumns
from pagecut.results.segmentation import Segmentation
from pagecut.results.tables import Row, rows_of

if TYPE_CHECKING:
    from pagecut.results.explanation import Explanation

TREE_FIELDS: Final = ("page", "url", "size", "made_by", "blocks")
WHOLE: Final = "page"


def segment_rows(segmentation: Segmentation, name: str | None = None) -> Iterator[Row]:
    """One row per segment.

    Args:
        name: stands in for the URL of a page that has none.
    """
    return rows_of(SegmentColumns(segmentation, name).select(SEGMENT_FIELDS))


def leaf_rows(segmentation: Segmentation, name: str | None = None) -> Iterator[Row]:
    """The rows of the segments with none inside."""
    inner = set(segmentation.parent.tolist())
    return (row for row in segment_rows(segmentation, name) if row["segment"] not in inner)


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


def block_names(segmentation: Segmentation) -> list[str]:
    """A name for each segment as in Figure 1 of the VIPS paper: VB2_1 is the first part of VB2.

    The segment around all others is the page itself.
    """
    parents = segmentation.parent.tolist()
    outermost = [number for number, parent in enumerate(parents) if parent < 0]
    whole = outermost[0] if len(outermost) == 1 else -1
    parts: dict[int, int] = {}
    names: list[str] = []
    for number, parent in enumerate(parents):
        if number == whole:
            names.append(WHOLE)
            continue
        parts[parent] = parts.get(parent, 0) + 1
        above = "VB" if parent in (-1, whole) else f"{names[parent]}_"
        names.append(f"{above}{parts[parent]}")
    return names
