"""What of a laid-out page can be seen: not hidden, not transparent, not cut away, on the page.

A box is cut by the boxes around it whose overflow is not visible. Which those are follows its
containing blocks: what is positioned escapes the boxes between it and the positioned one around it
(CSS Position 3, §2.1). What lies in a box that scrolls and is not scrolled into view counts as cut
away, as it is in the picture; so does what is fixed beside or below the window, or lies left of it,
or right of it on a page that does not scroll there. What other boxes cover counts as seen.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.page.nodes import Box
from pagecut.rendering.snapshot import TEXT_NODE, Bounds, Snapshot

Rectangle = tuple[float, float, float, float]  # left, top, right, bottom

_ENDLESS: Final[Rectangle] = (-np.inf, -np.inf, np.inf, np.inf)
_NOTHING: Final[Rectangle] = (0.0, 0.0, 0.0, 0.0)
# CSS px: the tricks that keep text for screen readers leave one pixel of it.
_SLIVER: Final = 2.0
_KEPT: Final = ("hidden", "clip")
_FREE: Final = (False, False)
_LENGTH = re.compile(r"(auto|-?[\d.]+(?:e[-+]?\d+)?)(px|%)?")


@dataclass(frozen=True, slots=True, eq=False)
class Visibility:
    """What keeps each layout row from being visible."""

    opacity: NDArray[np.float64]  # (m,) its own and that of all around it
    hidden: NDArray[np.bool_]  # (m,) by `visibility`
    clip: Bounds  # (m, 4) what it is cut to
    painted: NDArray[np.bool_]  # (m,) a background is cut to the shape of its letters

    def shows(self, layout: NDArray[np.integer], boxes: Bounds) -> NDArray[np.bool_]:
        """(k,) whether boxes of these layout rows can be seen."""
        clip = self.clip[layout]
        left_top = np.maximum(boxes[:, :2], clip[:, :2])
        right_bottom = np.minimum(boxes[:, 2:], clip[:, 2:])
        before, after = boxes[:, 2:] - boxes[:, :2], right_bottom - left_top
        enough = (after >= np.minimum(before, _SLIVER)) & (after > 0)
        shown: NDArray[np.bool_] = (
            enough.all(axis=1) & ~self.hidden[layout] & (self.opacity[layout] > 0)
        )
        return shown


def find_visibility(snapshot: Snapshot, window: Box) -> Visibility:
    """Follow what hides and cuts from the root to each layout row.

    Args:
        window: which part of the page it shows.
    """
    bounds = snapshot.bounds.tolist()
    opacities = snapshot.numbers("opacity", 1.0).tolist()
    hidden = _differs(snapshot, "visibility", "visible")
    positions = snapshot.style("position", str, "static", object).tolist()
    contained = snapshot.style("contain", _contained, _FREE, np.bool_).reshape(-1, 2)
    cuts_x = (_differs(snapshot, "overflow-x", "visible") | contained[:, 0]).tolist()
    cuts_y = (_differs(snapshot, "overflow-y", "visible") | contained[:, 0]).tolist()
    # Containing blocks of all that is positioned in them, also of what is fixed.
    holding = (_differs(snapshot, "transform", "none") | contained[:, 1]).tolist()
    clips = snapshot.style("clip", str, "auto", object).tolist()
    paths = snapshot.style("clip-path", str, "none", object).tolist()
    boxed = _differs(snapshot, "display", "inline").tolist()
    frames = snapshot.frame_boxes
    # For what is in the flow, positioned, and fixed below each row.
    flow: list[Rectangle] = []
    positioned: list[Rectangle] = []
    fixed: list[Rectangle | None] = []  # None: at the window
    own: list[Rectangle] = []
    painted = _text_backgrounds(snapshot)
    opacity: list[float] = []
    page: Rectangle = (0.0, 0.0, window[2] if _stays(snapshot) else np.inf, np.inf)
    for row, (node, above) in enumerate(
        zip(snapshot.laid_out, snapshot.layout_parent, strict=True)
    ):
        in_flow, at_position, at_screen = (
            (flow[above], positioned[above], fixed[above]) if above >= 0 else (page, page, None)
        )
        opacity.append(opacities[row] * (opacity[above] if above >= 0 else 1.0))
        if snapshot.node_type[node] == TEXT_NODE:
            own.append(in_flow)
            flow.append(in_flow)
            positioned.append(at_position)
            fixed.append(at_screen)
            opacity[row] = opacity[above] if above >= 0 else 1.0
            continue
        position = positions[row]
        cut = in_flow
        if position == "absolute":
            cut = at_position
        elif position == "fixed":
            cut = at_screen or _at_window(bounds[row], window)
        if position in ("absolute", "fixed") and clips[row] != "auto":
            cut = _intersection(cut, _clip_rectangle(clips[row], bounds[row]))
        if paths[row] != "none":
            cut = _intersection(cut, _path_rectangle(paths[row], bounds[row]))
        own.append(cut)
        # The overflow of <html> and <body> is the window's.
        inner = cut
        if (
            above > 0
            and boxed[row]
            and (cuts_x[row] or cuts_y[row])
            and snapshot.name(node) not in ("body", "html")
        ):
            left, top, right, bottom = bounds[row]
            inner = _intersection(
                cut,
                (
                    left if cuts_x[row] else -np.inf,
                    top if cuts_y[row] else -np.inf,
                    right if cuts_x[row] else np.inf,
                    bottom if cuts_y[row] else np.inf,
                ),
            )
        if node in frames:
            # Nothing of its document leaves a frame, and nothing in it says that it is hidden.
            inner = _intersection(cut, _NOTHING if hidden[row] else frames[node])
            flow.append(inner)
            positioned.append(inner)
            fixed.append(inner)
            continue
        flow.append(inner)
        positioned.append(inner if position != "static" or holding[row] else at_position)
        fixed.append(inner if holding[row] else at_screen)
    return Visibility(
        opacity=np.array(opacity),
        hidden=hidden,
        clip=np.array(own, dtype=np.float64).reshape(-1, 4),
        painted=np.array(painted, dtype=bool),
    )


def _stays(snapshot: Snapshot) -> bool:
    """Whether the page cannot be scrolled to the right, as its root says or, for it, its body."""
    kept = snapshot.style("overflow-x", lambda value: value in _KEPT, False, np.bool_).tolist()
    return snapshot.goes_left or any(kept[row] for row in snapshot.page_rows)


def _at_window(box: list[float], window: Box) -> Rectangle:
    """What a box fixed at the window is cut to: one wholly beside or below it is parked there.

    One that only reaches out of it is not cut: pages are looked at whole.
    """
    return (
        0.0,
        0.0,
        window[2] if box[0] >= window[2] else np.inf,
        window[3] if box[1] >= window[3] else np.inf,
    )


def _contained(value: str) -> tuple[bool, bool]:
    """Whether `contain` cuts what leaves the box, and holds what is positioned in it."""
    cuts = any(word in value for word in ("paint", "content", "strict"))
    return cuts, cuts or "layout" in value


def _text_backgrounds(snapshot: Snapshot) -> list[bool]:
    """Whether letters are made of the background of their element or of one around it."""
    own: list[bool] = snapshot.style(
        "background-clip", lambda value: "text" in value, False, np.bool_
    ).tolist()
    if any(own):
        for row, above in enumerate(snapshot.layout_parent):
            own[row] = own[row] or (above >= 0 and own[above])
    return own


def _differs(snapshot: Snapshot, style: str, usual: str) -> NDArray[np.bool_]:
    return snapshot.style(style, lambda value: value != usual, False, np.bool_)


def _intersection(first: Rectangle, second: Rectangle) -> Rectangle:
    return (
        max(first[0], second[0]),
        max(first[1], second[1]),
        min(first[2], second[2]),
        min(first[3], second[3]),
    )


def _clip_rectangle(value: str, box: list[float]) -> Rectangle:
    """`rect(top, right, bottom, left)`, counted from the box's corner."""
    lengths = _lengths(value, "rect(")
    if len(lengths) != 4:
        return _ENDLESS
    (top, _), (right, _), (bottom, _), (left, _) = lengths
    return (
        box[0] + left if left is not None else box[0],
        box[1] + top if top is not None else box[1],
        box[0] + right if right is not None else box[2],
        box[1] + bottom if bottom is not None else box[3],
    )


def _path_rectangle(value: str, box: list[float]) -> Rectangle:
    """`inset(top right bottom left)` and `circle(0)`; other shapes are taken to show the box."""
    width, height = box[2] - box[0], box[3] - box[1]
    if value.startswith("circle("):
        radius = _lengths(value.partition(" at ")[0] + ")", "circle(")
        empty = len(radius) == 1 and radius[0][0] == 0
        return (box[0], box[1], box[0], box[1]) if empty else _ENDLESS
    lengths = _lengths(value.partition(" round ")[0].rstrip(")") + ")", "inset(")
    if not 1 <= len(lengths) <= 4:
        return _ENDLESS
    top = lengths[0]
    right = lengths[1] if len(lengths) > 1 else top
    bottom = lengths[2] if len(lengths) > 2 else top
    left = lengths[3] if len(lengths) > 3 else right
    return (
        box[0] + _inset(left, width),
        box[1] + _inset(top, height),
        box[2] - _inset(right, width),
        box[3] - _inset(bottom, height),
    )


def _inset(length: tuple[float | None, bool], whole: float) -> float:
    value, share = length
    return (value or 0.0) * (whole / 100 if share else 1.0)


def _lengths(value: str, function: str) -> list[tuple[float | None, bool]]:
    """The numbers in a function's brackets, and whether each is a percentage; `auto` is None."""
    if not value.startswith(function):
        return []
    return [
        (None if found[1] == "auto" else float(found[1]), found[2] == "%")
        for found in _LENGTH.finditer(value[len(function) : 200])
    ]
