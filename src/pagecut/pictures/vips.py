"""Figure 1 of the VIPS paper, for any page: its blocks, the separators, and the tree they make.

Cai, Yu, Wen & Ma, "Extracting Content Structure for Web Pages based on Visual Representation",
2003. On the left the page with its innermost blocks, and every separator as a bar, the darker the
more visible; on the right the content structure with the degrees of coherence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from pagecut.page import Page
from pagecut.page.nodes import Box
from pagecut.pictures.drawing import ACCENT, COLOURS, INK, Drawing, number, shortened, text_width
from pagecut.results.explanation import Explanation
from pagecut.results.segment_rows import block_names
from pagecut.results.segmentation import Segment, Segmentation

PICTURE_WIDTH: Final = 1200  # user units
PAGE_WIDTH: Final = 640
TALLEST: Final = 4000
MOST_ROWS: Final = 400  # of the tree
_TOP: Final = 62
_ROW: Final = 18
_INDENT: Final = 14
_SMALL: Final = 11
_THINNEST: Final = 1.5  # of a separator, so that one without width is seen

Link = Callable[[int], str]


def draw_structure(
    segmentation: Segmentation,
    explanation: Explanation,
    title: str = "",
    *,
    screenshot: bytes | None = None,
    link: Link | None = None,
) -> Drawing:
    """Draw a nested segmentation and its separators.

    Args:
        explanation: of the same method and page.
        screenshot: PNG or JPEG of the whole page, to lie behind the blocks.
        link: where to go from a segment, by its number.
    """
    page, names = segmentation.page, block_names(segmentation)
    scale, height = _scale(page)
    rows = min(len(segmentation), MOST_ROWS)
    tree_height = (rows + (len(segmentation) > rows)) * _ROW
    drawing = Drawing(
        PICTURE_WIDTH, _TOP + max(height, tree_height) + 16, f"Content structure of {title}"
    )
    leaves = segmentation.leaf_segments
    drawing.text(14, 24, shortened(title, PICTURE_WIDTH - 28, 16), size=16, bold=True)
    facts = (
        f"{segmentation.made_by} · {len(leaves):,} blocks (blue), "
        f"{len(explanation.separators):,} separators (orange, the darker the more visible)"
    )
    drawing.text(14, 46, facts, soft=True)
    sheet = _Sheet(scale, 14, _TOP)
    _draw_page(drawing, sheet, page, height, screenshot)
    heaviest = max((each.weight for each in explanation.separators), default=1.0)
    for separator in explanation.separators:
        bar = sheet.steps(separator.box, thinnest=_THINNEST)
        share = separator.weight / max(heaviest, 1.0)
        drawing.path(bar, "separator", fill=ACCENT, opacity=0.15 + 0.5 * share)
    for segment in leaves:
        if segment.box is None:
            continue
        outline = sheet.steps(segment.box)
        drawing.stroke(outline, "block", colour=COLOURS[0], width=1.5)
        x, y = sheet.point(segment.box[0], segment.box[1])
        _label(drawing, x, y, names[segment.number])
    _draw_tree(drawing, segmentation.segments[:rows], names, link)
    if len(segmentation) > rows:
        words = f"and {len(segmentation) - rows:,} more"
        drawing.text(PAGE_WIDTH + 30, _TOP + rows * _ROW + 12, words, size=_SMALL, soft=True)
    return drawing


class _Sheet:
    """Where the page lies in the drawing."""

    def __init__(self, scale: float, left: float, top: float) -> None:
        self.scale, self.left, self.top = scale, left, top

    def point(self, x: float, y: float) -> tuple[float, float]:
        return self.left + x * self.scale, self.top + y * self.scale

    def steps(self, box: Box, thinnest: float = 0.0) -> str:
        """A box as the steps of a path."""
        left, top = self.point(box[0], box[1])
        width = max((box[2] - box[0]) * self.scale, thinnest)
        height = max((box[3] - box[1]) * self.scale, thinnest)
        return f"M{number(left)} {number(top)}h{number(width)}v{number(height)}h{number(-width)}Z"


def _scale(page: Page) -> tuple[float, float]:
    """User units per px, and the height of the page in the drawing."""
    width, height = page.size or (1.0, 1.0)
    scale = min((PAGE_WIDTH - 14) / max(width, 1.0), TALLEST / max(height, 1.0))
    return scale, height * scale


def _draw_page(
    drawing: Drawing, sheet: _Sheet, page: Page, height: float, screenshot: bytes | None
) -> None:
    """The screenshot, or the leaves as pale areas where there is none."""
    width, length = page.size or (1.0, 1.0)
    if screenshot is not None:
        drawing.image(sheet.left, sheet.top, width * sheet.scale, height, screenshot)
    elif page.nodes.box is not None and page.nodes.visible is not None:
        rows = page.leaves[page.nodes.visible[page.leaves]]
        for left, top, right, bottom in page.nodes.box[rows].tolist():
            if right > left and bottom > top:
                steps = sheet.steps((left, top, right, bottom))
                drawing.path(steps, "content", fill=INK, opacity=0.14)
    drawing.stroke(sheet.steps((0, 0, width, length)), "page", opacity=0.4)


def _label(drawing: Drawing, x: float, y: float, name: str) -> None:
    """A block's name in its corner, on a plate so that it can be read on any page."""
    width = text_width(name, _SMALL) + 4
    plate = f"M{number(x)} {number(y)}h{number(width)}v{_SMALL + 3}h{number(-width)}Z"
    drawing.path(plate, "plate", fill=COLOURS[0])
    drawing.text(x + 2, y + _SMALL, name, size=_SMALL, bold=True)


def _draw_tree(
    drawing: Drawing, segments: Sequence[Segment], names: Sequence[str], link: Link | None
) -> None:
    """A row for each segment, indented by its level, with a line from its parent."""
    lines: list[float] = []
    for row, segment in enumerate(segments):
        parent = int(segment.segmentation.parent[segment.number])
        level = segment.segmentation.levels[segment.number]
        x, y = PAGE_WIDTH + 30 + level * _INDENT, _TOP + row * _ROW + 12
        lines.append(y)
        if parent >= 0:
            steps = f"M{number(x - 9)} {number(lines[parent] + 4)}V{number(y - 4)}H{number(x - 2)}"
            drawing.stroke(steps, "branch", opacity=0.4)
        degree = "" if segment.score is None else f" {segment.score:g}"
        words = f"{names[segment.number]}{degree}: {segment.text[:200]}"
        width = PICTURE_WIDTH - x - 14
        drawing.text(x, y, shortened(words, width, _SMALL + 1), size=_SMALL + 1)
        if link is not None:
            hint = f"{names[segment.number]}{degree}"
            drawing.rect(x, y - 12, width, _ROW - 2, 0, hint=hint, link=link(segment.number))
