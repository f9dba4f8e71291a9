"""Pictures of a page as boxes: its segments as tiles, its neighbours as a graph, two models in one.

The pictures of the Box Clustering paper (Zeleny, Burget & Zendulka 2017): Figure 2 (boxes and their
neighbours), Figure 4 (the flat model next to the tree of VIPS), and what its annotators looked at
(tiles over the page).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.errors import counted
from pagecut.page import Page
from pagecut.page.boxes import union
from pagecut.page.nodes import Box
from pagecut.pictures.drawing import ACCENT, COLOURS, INK, Drawing, number, shortened
from pagecut.results.explanation import BoxGraph, Explanation
from pagecut.results.segmentation import Segmentation

PICTURE_WIDTH: Final = 960  # user units
TALLEST: Final = 6000  # user units; longer pages are drawn smaller
_TILES: Final = COLOURS[:-1]
_HEAD: Final = 46
_GAP: Final = 24
_LABEL: Final = 13


def draw_tiles(
    explanation: Explanation, title: str = "", screenshot: bytes | None = None
) -> Drawing:
    """Segments as coloured tiles with their numbers; dashed, the boxes that are in none.

    Args:
        explanation: with a graph of boxes.
        screenshot: PNG or JPEG of the whole page, to lie behind the tiles.
    """
    graph = _graph(explanation)
    members = members_of_segments(graph)
    left = [at for at, status in enumerate(graph.status) if not status.startswith("segment ")]
    drawing, sheet = _start(
        explanation.page, title, f"{_counted(len(members), len(left))} · {_settings(explanation)}"
    )
    _page_behind(drawing, sheet, graph, screenshot)
    for at in left:
        outline = sheet.outline(graph.boxes[at].tolist())
        drawing.stroke(outline, "left-out", width=1.2, opacity=0.7, dashes="4 3")
    for segment, boxes in enumerate(members):
        colour = _TILES[segment % len(_TILES)]
        box = union(graph.boxes[boxes])
        outline = sheet.outline(box)
        drawing.path(outline, "tile", fill=colour, opacity=0.25)
        drawing.stroke(outline, "tile-edge", colour=colour, width=2)
        _label(drawing, *sheet.point(box[0], box[1]), str(segment), colour)
    return drawing


def draw_graph(
    explanation: Explanation, title: str = "", screenshot: bytes | None = None
) -> Drawing:
    """Boxes joined to their neighbours: the more alike two are, the thicker the line.

    Lines inside a segment are coloured.
    """
    graph = _graph(explanation)
    drawing, sheet = _start(
        explanation.page,
        title,
        f"{len(graph.boxes)} boxes, {len(graph.edges)} pairs of neighbours; thick: alike, "
        f"coloured: in one segment · {_settings(explanation)}",
    )
    _page_behind(drawing, sheet, graph, screenshot)
    joined = [
        graph.status[one] == graph.status[other] and graph.status[one].startswith("segment ")
        for one, other in graph.edges.tolist()
    ]
    starts, ends = _facing_points(graph.boxes, graph.edges)
    for inside, start, end, value in zip(
        joined, starts.tolist(), ends.tolist(), graph.values.tolist(), strict=True
    ):
        (x, y), (to_x, to_y) = sheet.point(*start), sheet.point(*end)
        drawing.stroke(
            f"M{number(x)} {number(y)}L{number(to_x)} {number(to_y)}",
            "inside" if inside else "between",
            colour=ACCENT if inside else COLOURS[0],
            width=0.75 + 3.25 * max(0.0, 1 - value),
            opacity=0.9 if inside else 0.5,
        )
    return drawing


def draw_models(flat: Segmentation, tree: Segmentation, title: str = "") -> Drawing:
    """Figure 4: a flat model beside a tree; its levels are shades, its leaves have scores."""
    if flat.page.size is None or tree.page is not flat.page:
        raise ValueError("both models must be of one rendered page")
    width = (PICTURE_WIDTH - _GAP) / 2
    height = _scaled_height(flat.page, width)
    drawing = Drawing(PICTURE_WIDTH, _HEAD + height + 20, title or "flat model and tree")
    drawing.text(0, 16, shortened(title, PICTURE_WIDTH), bold=True)
    for side, model in enumerate((flat, tree)):
        sheet = _Sheet(flat.page, side * (width + _GAP), _HEAD, width, height)
        kind = "tree" if (model.parent >= 0).any() else "flat"
        told = "" if model.score is None else " with their scores"
        words = f"{model.made_by}: {kind}, {counted(len(model), 'segment')}{told}"
        drawing.text(sheet.left, 38, shortened(words, width), soft=True)
        drawing.stroke(sheet.outline((0, 0, *flat.page.size)), "page", opacity=0.4)
        _nested(drawing, sheet, model)
    return drawing


def members_of_segments(graph: BoxGraph) -> list[list[int]]:
    """The boxes of each segment, in order."""
    members: dict[int, list[int]] = {}
    for at, status in enumerate(graph.status):
        word, _, label = status.partition(" ")
        if word == "segment":
            members.setdefault(int(label), []).append(at)
    return [members[label] for label in sorted(members)]


class _Sheet:
    """Where a page lies in a drawing."""

    def __init__(self, page: Page, left: float, top: float, width: float, height: float) -> None:
        across, down = page.size or (1.0, 1.0)
        self.left, self.top, self.width, self.height = left, top, width, height
        self._x, self._y = width / max(across, 1.0), height / max(down, 1.0)

    def point(self, x: float, y: float) -> tuple[float, float]:
        return self.left + x * self._x, self.top + y * self._y

    def outline(self, box: Box | Sequence[float]) -> str:
        """A box as the steps of a path, cut to the sheet."""
        left, top = self.point(box[0], box[1])
        right, bottom = self.point(box[2], box[3])
        left, right = (min(max(x, self.left), self.left + self.width) for x in (left, right))
        top, bottom = (min(max(y, self.top), self.top + self.height) for y in (top, bottom))
        return f"M{number(left)} {number(top)}H{number(right)}V{number(bottom)}H{number(left)}Z"


def _start(page: Page, title: str, subtitle: str) -> tuple[Drawing, _Sheet]:
    height = _scaled_height(page, PICTURE_WIDTH)
    drawing = Drawing(PICTURE_WIDTH, _HEAD + height + 4, title or "boxes of a page")
    drawing.text(0, 16, shortened(title, PICTURE_WIDTH), bold=True)
    drawing.text(0, 38, shortened(subtitle, PICTURE_WIDTH), soft=True)
    return drawing, _Sheet(page, 0, _HEAD, PICTURE_WIDTH, height)


def _scaled_height(page: Page, width: float) -> float:
    across, down = page.size or (1.0, 1.0)
    return min(width * down / max(across, 1.0), TALLEST)


def _page_behind(
    drawing: Drawing, sheet: _Sheet, graph: BoxGraph, screenshot: bytes | None
) -> None:
    """The screenshot, or the boxes as pale areas where there is none."""
    if screenshot is not None:
        drawing.image(sheet.left, sheet.top, sheet.width, sheet.height, screenshot)
        return
    for box in graph.boxes.tolist():
        drawing.path(sheet.outline(box), "box", fill=INK, opacity=0.16)


def _label(drawing: Drawing, x: float, y: float, words: str, colour: str) -> None:
    """A number on top of a tile, or inside it at the upper edge of the page."""
    width = 6 + 8 * len(words)
    y = max(y - _LABEL - 3, _HEAD)
    outline = f"M{number(x)} {number(y)}h{width}v{_LABEL + 3}h{-width}Z"
    drawing.path(outline, "label", fill=colour)
    drawing.text(x + width / 2, y + _LABEL, words, size=_LABEL, bold=True, anchor="middle")


def _facing_points(
    boxes: NDArray[np.float32], edges: NDArray[np.int32]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(e, 2) twice: where a line between two boxes starts and ends, half way along the sides that
    face each other."""
    one, other = boxes[edges[:, 0]].astype(np.float64), boxes[edges[:, 1]].astype(np.float64)
    low = np.maximum(one[:, :2], other[:, :2])
    high = np.minimum(one[:, 2:], other[:, 2:])
    meets = low < high  # on x and on y
    before = one[:, 2:] <= other[:, :2]
    start = np.where(before, one[:, 2:], one[:, :2])
    end = np.where(before, other[:, :2], other[:, 2:])
    middle = (low + high) / 2
    return np.where(meets, middle, start), np.where(meets, middle, end)


def _nested(drawing: Drawing, sheet: _Sheet, model: Segmentation) -> None:
    inner = set(model.parent.tolist())
    for segment, level in zip(model.segments, model.levels, strict=True):
        box = segment.box
        if box is None:
            continue
        outline = sheet.outline(box)
        drawing.path(outline, f"level-{level}", fill=INK, opacity=0.12)
        drawing.stroke(outline, "edge", opacity=0.6)
        if segment.number not in inner:
            x, y = sheet.point(box[0], box[1])
            score = segment.score
            words = str(segment.number) if score is None else number(score)
            drawing.text(x + 2, y + 10, words, size=10)


def _graph(explanation: Explanation) -> BoxGraph:
    if explanation.graph is None:
        raise ValueError(f"the explanation by {explanation.made_by} has no boxes")
    return explanation.graph


def _counted(segments: int, left: int) -> str:
    boxes = "1 box" if left == 1 else f"{left} boxes"
    return f"{counted(segments, 'segment')}, {boxes} in none (dashed)"


def _settings(explanation: Explanation) -> str:
    chosen = "".join(f", {name} {value:g}" for name, value in explanation.chosen.items())
    return explanation.made_by + chosen
