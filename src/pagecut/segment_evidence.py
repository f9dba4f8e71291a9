"""What speaks for and against a segment being main text.

Shallow features after Kohlschütter, Fankhauser & Nejdl, "Boilerplate Detection using Shallow Text
Features", WSDM 2010 (length, density, links, and those of the neighbourhood), with the elements
around a segment and what their classes are called.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.attribute_table import attribute_values
from pagecut.near_duplicates import linked_nodes
from pagecut.nodes import NOT_SHOWN, Int, freeze
from pagecut.page import Page
from pagecut.segmentation import Segmentation
from pagecut.segmenters.content_tree import count_around
from pagecut.tags import HEADINGS
from pagecut.text import wrap_blocks

Float = NDArray[np.float64]
Bool = NDArray[np.bool_]

LINE_WIDTH: Final = 80
# What web authors call the surroundings of a text, and the text, in `id`, `class` and `role`: a
# word of the name starts or ends so.
_SURROUNDING: Final = re.compile(
    r"(?:ads?|head|meta|rss|tags?)|(?:advert|banner|breadcrumb|comment|cookie|copyright|foot|legal"
    r"|links?|login|masthead|menu|modal|nav|pag(?:er|ination)|popup|promo|related|search|shar(?:e|ing)"
    r"|side|social|sponsor|subscri|tool|widget)[a-z]*|[a-z]*(?:footer|header|links|menu|nav|sidebar)"
)
_TEXTUAL: Final = re.compile(
    r"page|(?:article|blog|body|content|descri|entry|main|post|product|story|text)[a-z]*"
    r"|[a-z]*(?:article|content|story|text)"
)
_ELEMENTS: Final = {
    "main": frozenset({"main", "article"}),
    "nav": frozenset({"nav"}),
    "header": frozenset({"header"}),
    "footer": frozenset({"footer"}),
    "aside": frozenset({"aside"}),
    "paragraph": frozenset({"p"}),
    "item": frozenset({"li"}),
    "heading": HEADINGS,
    "form": frozenset({"form", "button", "label"}),
    "table": frozenset({"table"}),
}
_WINDOWS: Final = (5, 15)
FEATURES: Final = (
    "tokens",
    "density",
    "links",
    *_ELEMENTS,
    "surrounding",
    "surroundings",
    "textual",
    "textuals",
    "position",
    "centre",
    "top",
    "end",
    *(f"{what} within {width}" for width in _WINDOWS for what in ("tokens", "links")),
)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SegmentMeasures:
    """Sizes of the segments, by the text that lies directly in each."""

    tokens: Float  # (m,)
    density: Float  # (m,) tokens per wrapped line, as Block Fusion has it (Eq. 6)
    link_density: Float  # (m,) share of the characters that are linked
    hidden: Float  # (m,) share of the characters that the markup hides
    start: Int  # (m,) where the first range starts; the text's length for an empty segment
    end: Int  # (m,) where the last range ends; 0 for an empty one

    def __post_init__(self) -> None:
        freeze(self)


class _Shares:
    """Shares of each segment's characters that lie in some nodes."""

    def __init__(self, segmentation: Segmentation) -> None:
        page = segmentation.page
        labels = segmentation.labels_at(page.leaf_starts)
        inside = labels >= 0
        self.count = len(segmentation)
        self.rows = page.leaves[inside]
        self.labels = labels[inside]
        self.lengths = (page.leaf_ends - page.leaf_starts)[inside].astype(float)
        self.characters = np.bincount(self.labels, self.lengths, minlength=self.count)

    def of(self, values: NDArray[np.generic]) -> Float:
        """(m,) mean of a node's value over a segment's characters."""
        weights = self.lengths * values[self.rows]
        total = np.bincount(self.labels, weights, minlength=self.count)
        share: Float = total / np.maximum(self.characters, 1)
        return share


def measure_segments(segmentation: Segmentation) -> SegmentMeasures:
    """Tokens, densities and extent of every segment."""
    page, count = segmentation.page, len(segmentation)
    lines = wrap_blocks(page, LINE_WIDTH)
    labels = segmentation.labels_at(lines.spans[:, 0])
    tokens = np.diff(lines.tokens_before).astype(float)
    labels, tokens = labels[labels >= 0], tokens[labels >= 0]
    total = np.bincount(labels, tokens, minlength=count)
    line_count = np.bincount(labels, minlength=count)
    last = np.zeros(count)
    last[labels] = tokens  # of several lines, the last one stays
    shares = _Shares(segmentation)
    start = np.full(count, len(page.text), dtype=np.int32)
    end = np.zeros(count, dtype=np.int32)
    held = segmentation.labels >= 0
    np.minimum.at(start, segmentation.labels[held], segmentation.spans[held, 0])
    np.maximum.at(end, segmentation.labels[held], segmentation.spans[held, 1])
    return SegmentMeasures(
        tokens=total.astype(np.float64),
        density=np.where(line_count > 1, (total - last) / np.maximum(line_count - 1, 1), total),
        link_density=shares.of(linked_nodes(page)),
        hidden=shares.of((page.nodes.hidden & NOT_SHOWN) > 0),
        start=start,
        end=end,
    )


def gather_evidence(segmentation: Segmentation, measures: SegmentMeasures) -> Float:
    """(m, features) one column per entry of `FEATURES`."""
    page, nodes = segmentation.page, segmentation.page.nodes
    shares = _Shares(segmentation)
    surrounding, textual = _named_nodes(page)
    position = measures.start / max(len(page.text), 1)
    columns = [
        np.log1p(measures.tokens),
        np.minimum(measures.density, 20.0) / 10,
        measures.link_density,
        *(shares.of(count_around(nodes, nodes.tag_mask(tags)) > 0) for tags in _ELEMENTS.values()),
        *_by_names(page, shares, surrounding),
        *_by_names(page, shares, textual),
        position,
        (position - 0.5) ** 2,
        position < 0.05,
        position > 0.9,
        *_neighbourhood(measures),
    ]
    return np.stack(columns, axis=1).astype(np.float64).reshape(len(segmentation), len(FEATURES))


def _by_names(page: Page, shares: _Shares, named: Bool) -> tuple[Float, Float]:
    """Whether any element around is named so, and how many are, three at most."""
    around = count_around(page.nodes, named)
    return shares.of(around > 0), np.minimum(shares.of(around), 3.0)


def _named_nodes(page: Page) -> tuple[Bool, Bool]:
    """(n,) nodes whose names speak of surroundings, and (n,) of text."""
    nodes = page.nodes
    surrounding, textual = np.zeros(len(nodes), dtype=bool), np.zeros(len(nodes), dtype=bool)
    for attribute in "id", "class", "role":
        named = attribute_values(page.attrs, attribute).items()
        meanings = [(row, *_meaning(name)) for row, name in named]
        surrounding[[row for row, around, _ in meanings if around]] = True
        textual[[row for row, _, inside in meanings if inside]] = True
    whole = nodes.tag_mask(frozenset({"html", "body"}))
    return surrounding & ~whole, textual & ~whole


_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@lru_cache(maxsize=1 << 16)
def _meaning(name: str) -> tuple[bool, bool]:
    words = {part.lower() for part in _PARTS.findall(name[:500])}
    return (
        any(_SURROUNDING.fullmatch(word) for word in words),
        any(_TEXTUAL.fullmatch(word) for word in words),
    )


def _neighbourhood(measures: SegmentMeasures) -> list[Float]:
    """Tokens, and the linked share of them, in windows of segments in reading order."""
    order = np.argsort(measures.start, kind="stable")
    tokens = measures.tokens[order]
    before = np.concatenate([[0.0], np.cumsum(tokens)])
    linked_before = np.concatenate([[0.0], np.cumsum(tokens * measures.link_density[order])])
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.arange(len(order))
    columns = []
    for width in _WINDOWS:
        first = np.maximum(place - width, 0)
        last = np.minimum(place + width + 1, len(order))
        around = before[last] - before[first]
        linked = linked_before[last] - linked_before[first]
        columns += [np.log1p(around), linked / np.maximum(around, 1)]
    return columns
