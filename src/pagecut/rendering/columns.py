"""A captured page as a Page: the parsed rows with the columns that only a browser can fill.

What the frames of a page show is written into its source, as `srcdoc`. So the source alone says
what the page holds, and `parse_html` makes the same rows of it each time.
"""

from __future__ import annotations

import re
from dataclasses import fields, replace
from html import escape
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.errors import PageError, TooLarge
from pagecut.page import Page
from pagecut.page.nodes import ELEMENT, IMAGE, OPTIONAL_COLUMNS, TEXT, Int, LineBoxes, Nodes
from pagecut.parsing.decoding import decode
from pagecut.parsing.html import parse_html
from pagecut.parsing.limits import DEFAULT_LIMITS, Limits
from pagecut.rendering.capture import Capture
from pagecut.rendering.colours import (
    Colours,
    average_colours,
    backgrounds,
    letter_colours,
    parse_colour,
)
from pagecut.rendering.lines import ColumnBoxes, Lines, broken_inlines, text_lines
from pagecut.rendering.matching import Match, match
from pagecut.rendering.png import read_png
from pagecut.rendering.snapshot import Snapshot
from pagecut.rendering.visibility import Visibility, find_visibility

# What SVG only draws where it is used; the browser gives these boxes all the same.
DRAWING_PARTS: Final = frozenset(
    "symbol defs clipPath mask pattern marker linearGradient radialGradient filter".split()
)
_SIDES: Final = ("left", "top", "right", "bottom")
_FRAME = re.compile(r"<iframe(?=[\s/>])", re.IGNORECASE)


def parse_capture(capture: Capture, limits: Limits = DEFAULT_LIMITS) -> tuple[Capture, Page]:
    """The parsed page of a capture with what its frames show, and the capture with that source.

    Frames that would make the page larger or deeper than it may be stay closed.
    """
    whole = compose(capture, limits)
    try:
        return whole, _parse(whole, limits)
    except TooLarge:
        if whole is capture:
            raise
        return capture, _parse(capture, limits)


def _parse(capture: Capture, limits: Limits) -> Page:
    source = capture.source
    return parse_html(capture.html, source.url, source.charset, limits=limits)


def compose(capture: Capture, limits: Limits = DEFAULT_LIMITS) -> Capture:
    """The same capture, its source as text with the documents of its frames."""
    if not capture.frames:
        return capture
    text, charset = capture.html, capture.source.charset
    if isinstance(text, bytes):
        text = decode(text, charset)[0]
    # Only a parser knows which of the tags in the source are frames: it is asked by their numbers.
    tags = list(_FRAME.finditer(text))
    numbered = _insert(text, {tag.end(): f' name="{at}"' for at, tag in enumerate(tags)})
    page = parse_html(numbered, limits=limits)
    nodes = match(page, Snapshot(capture.snapshot)).node
    insertions: dict[int, str] = {}
    left = limits.size - len(text)
    for row in page.nodes.tag_mask(frozenset({"iframe"})).nonzero()[0].tolist():
        html = capture.frames.get(int(nodes[row]))
        attribute = "" if html is None else f' srcdoc="{escape(html)}"'
        if attribute and len(attribute) <= left:
            left -= len(attribute)
            insertions[tags[int(page.attrs[row]["name"])].end()] = attribute
    return replace(capture, html=_insert(text, insertions))


def _insert(text: str, insertions: dict[int, str]) -> str:
    """Text with others inserted, by their places."""
    parts, at = [], 0
    for place, inserted in sorted(insertions.items()):
        parts += [text[at:place], inserted]
        at = place
    return "".join([*parts, text[at:]])


def page_from_capture(capture: Capture, page: Page) -> Page:
    """The rendered page.

    Args:
        page: what `parse_html` makes of the bytes that were rendered.
    """
    snapshot = Snapshot(capture.snapshot)
    matched = match(page, snapshot)
    seen = find_visibility(snapshot, capture.window)
    undrawn = _undrawn(page)
    layout = _layout_rows(snapshot, matched, undrawn)
    lines = text_lines(page, snapshot, matched, capture.column_boxes)
    lines = lines.keep(~undrawn[lines.node])
    letters = letter_colours(snapshot, seen.opacity)
    inked = (letters[:, 3] > 0) | seen.painted
    line_seen = seen.shows(lines.layout, lines.box) & inked[lines.layout]
    box = _boxes(page, snapshot, matched, layout, lines, capture.column_boxes)
    visible = _visible(page, box, layout, seen, lines, line_seen)
    shown = lines.keep(line_seen & visible[lines.node])
    _cut_to_frames(page, snapshot, matched, box, shown)
    styled = _nearest_styled(page, layout)
    nodes = replace_columns(
        page.nodes,
        box=box.astype(np.float32),
        visible=visible,
        font_size=snapshot.numbers("font-size", 0.0).astype(np.float32)[styled],
        font_weight=snapshot.numbers("font-weight", 400.0).astype(np.float32)[styled],
        color=_colours(page, capture, box, visible, letters[styled]),
        background=backgrounds(snapshot, seen.opacity)[styled],
        border=_borders(snapshot, np.where(page.nodes.kind == TEXT, -1, layout)),
    )
    line_boxes = LineBoxes(
        node=shown.node, start=shown.start, end=shown.end, box=shown.box.astype(np.float32)
    )
    return replace(page, kind="rendered", nodes=nodes, line_boxes=line_boxes, size=capture.size)


def add_columns(page: Page, rendered: Page) -> Page:
    """A page with the columns of the same page rendered, which may differ in attributes only."""
    own, other = page.nodes, rendered.nodes
    if not (
        np.array_equal(own.kind, other.kind)
        and np.array_equal(own.parent, other.parent)
        and page.text == rendered.text
    ):
        raise PageError(f"{page!r} was rendered from another source: {rendered!r}")
    columns = {name: getattr(other, name) for name in OPTIONAL_COLUMNS - {"line_boxes"}}
    return replace(
        page,
        kind=rendered.kind,
        nodes=replace_columns(own, **columns),
        line_boxes=rendered.line_boxes,
        size=rendered.size,
    )


def replace_columns(nodes: Nodes, **columns: NDArray[np.generic]) -> Nodes:
    """The same rows with other columns."""
    values = {each.name: getattr(nodes, each.name) for each in fields(nodes)}
    return Nodes(**{**values, **columns})


def _colours(
    page: Page,
    capture: Capture,
    box: NDArray[np.float64],
    visible: NDArray[np.bool_],
    letters: Colours,
) -> Colours:
    """Those of the letters; of images the average of the picture, nothing where there is none."""
    images = page.nodes.kind == IMAGE
    letters[images] = 0
    shown = np.flatnonzero(images & visible)
    if capture.screenshot is not None and len(shown):
        picture = read_png(capture.screenshot)
        letters[shown] = average_colours(picture, box[shown], capture.scale)
    return letters


def _undrawn(page: Page) -> NDArray[np.bool_]:
    """(rows,) whether a row is part of what SVG only draws where it is used."""
    inside = np.zeros(len(page), dtype=bool)
    for row in np.flatnonzero(page.nodes.tag_mask(DRAWING_PARTS)).tolist():
        inside[row : page.nodes.subtree_end[row]] = True
    return inside


def _layout_rows(snapshot: Snapshot, matched: Match, undrawn: NDArray[np.bool_]) -> Int:
    """(rows,) the layout row of each row of the page, -1 where it has none."""
    layout_of = np.array([*snapshot.layout_of, -1], dtype=np.int32)
    return np.where(undrawn, -1, layout_of[matched.node]).astype(np.int32)


def _boxes(
    page: Page,
    snapshot: Snapshot,
    matched: Match,
    layout: Int,
    lines: Lines,
    columns: ColumnBoxes,
) -> NDArray[np.float64]:
    """Each row's box; a text's is around its lines, an element without one its children's."""
    nodes = page.nodes
    bounds = snapshot.bounds
    box = np.zeros((len(nodes), 4))
    laid_out = layout >= 0
    box[laid_out] = bounds[layout[laid_out]]
    broken = np.isin(matched.node, list(broken_inlines(snapshot, columns)))
    box[broken] = 0
    is_text = nodes.kind == TEXT
    box[is_text] = 0
    if len(lines):
        first = np.flatnonzero(np.diff(lines.node, prepend=-1))
        rows = lines.node[first]
        box[rows, :2] = np.minimum.reduceat(lines.box[:, :2], first)
        box[rows, 2:] = np.maximum.reduceat(lines.box[:, 2:], first)
    fallback = (nodes.kind == IMAGE) & nodes.tag_mask(frozenset({"noscript"}))
    for row in np.flatnonzero(fallback & (matched.node >= 0)).tolist():
        box[row] = _fallback_box(snapshot, int(matched.node[row]))
    return _with_unions(nodes, box, (~laid_out | broken) & (nodes.kind == ELEMENT))


def _cut_to_frames(
    page: Page, snapshot: Snapshot, matched: Match, box: NDArray[np.float64], lines: Lines
) -> None:
    """Leave of all boxes in a frame, in place, what lies in its own."""
    if not snapshot.frame_boxes:
        return
    for row, node in enumerate(matched.node.tolist()):
        if frame := snapshot.frame_boxes.get(node):
            inside = slice(row + 1, int(page.nodes.subtree_end[row]))
            first, last = np.searchsorted(lines.node, [inside.start, inside.stop])
            for boxes in box[inside], lines.box[first:last]:
                np.clip(boxes, frame[:2] * 2, frame[2:] * 2, out=boxes)


def _fallback_box(snapshot: Snapshot, node: int) -> NDArray[np.float64]:
    """The box of the first image in a <noscript>, which is laid out where scripts are off."""
    for below in range(node + 1, snapshot.subtree_end[node]):
        if snapshot.layout_of[below] >= 0 and snapshot.name(below) == "img":
            found: NDArray[np.float64] = snapshot.bounds[snapshot.layout_of[below]]
            return found
    return np.zeros(4)


def _with_unions(
    nodes: Nodes, box: NDArray[np.float64], boxless: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Give elements without a box of their own (display: contents) that of their children."""
    if not boxless.any():
        return box
    edges = box.tolist()
    parent = nodes.parent.tolist()
    open_rows = boxless.tolist()
    for row in range(len(edges) - 1, 0, -1):
        above = parent[row]
        left, top, right, bottom = edges[row]
        if open_rows[above] and right > left and bottom > top:
            a, b, c, d = edges[above]
            edges[above] = (
                [min(a, left), min(b, top), max(c, right), max(d, bottom)]
                if c > a
                else [left, top, right, bottom]
            )
    return np.array(edges, dtype=np.float64)


def _visible(
    page: Page,
    box: NDArray[np.float64],
    layout: Int,
    seen: Visibility,
    lines: Lines,
    line_seen: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """A text is seen by its lines, an image by its box, an element by its box or what is in it."""
    nodes = page.nodes
    visible = np.zeros(len(nodes), dtype=bool)
    laid_out = np.flatnonzero(layout >= 0)
    visible[laid_out] = seen.shows(layout[laid_out], box[laid_out])
    extent = box[:, 2:] - box[:, :2]
    visible &= (nodes.kind != IMAGE) | (extent > 1).any(axis=1)  # a pixel that only counts visits
    visible[nodes.kind == TEXT] = False
    visible[lines.node[line_seen]] = True
    return visible | (nodes.count_inside(visible) > 0)


def _nearest_styled(page: Page, layout: Int) -> Int:
    """(rows,) the layout row that has each row's styles: its own, else that of the row above."""
    rows = layout.tolist()
    parent = page.nodes.parent.tolist()
    for row, own in enumerate(rows):
        if own < 0:
            rows[row] = rows[parent[row]] if row else 0
    return np.array(rows, dtype=np.int32)


def _borders(snapshot: Snapshot, layout: Int) -> NDArray[np.float32]:
    """The drawn width of each side."""
    drawn = np.zeros((len(snapshot.laid_out) + 1, 4), dtype=np.float32)
    for side, name in enumerate(_SIDES):
        width = snapshot.numbers(f"border-{name}-width", 0.0)
        opaque = snapshot.style(
            f"border-{name}-color", lambda value: parse_colour(value)[3] > 0, False, np.bool_
        )
        drawn[:-1, side] = np.where(opaque, width, 0)
    return drawn[layout]
