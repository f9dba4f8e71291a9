"""What speaks for and against a segment being main text.

Shallow features after Kohlschütter, Fankhauser & Nejdl, "Boilerplate Detection using Shallow Text
Features", WSDM 2010 (length, density, links, and those of the neighbourhood), with the elements
around a segment and what their classes are called.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from pagecut.acceleration import evidence_kernels
from pagecut.evidence.content_tree import count_around, linked_nodes
from pagecut.page import Page
from pagecut.page.attributes import AttributeTable, attribute_values
from pagecut.page.lines import wrap_blocks
from pagecut.page.nodes import NOT_SHOWN, Int, freeze
from pagecut.page.tags import HEADINGS
from pagecut.results.segmentation import Segmentation

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
# What stands in front of a page until somebody answers it.
_DIALOG: Final = re.compile(r"(?:alert)?dialog")
# A notice is called by what it is about and what it looks like: an article may be about cookies.
_ASKING: Final = re.compile(r"ccpa|consents?|cookies?|gdpr|paywall")
_IN_FRONT: Final = re.compile(
    r"[a-z]*(?:banner|bar|dialog|layer|message|modal|notice|overlay|popup|prompt|wall)|law|cookieconsent"
)
_LARGEST_NOTICE: Final = 0.3  # of the page's text: what is called so and larger is around it all
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
    "notice": frozenset({"dialog"}),
}
_NAMING: Final = ("id", "class", "role")
_LINK_TAG: Final = frozenset({"a"})
_WHOLE_PAGE: Final = frozenset({"html", "body"})  # whose names speak of the whole page
_COUNTED: Final = ("surrounding", "textual")
# What a character may lie in; the places are columns, and bits of a row.
_AROUND: Final = ("linked", "hidden", *_ELEMENTS, *_COUNTED)
_LINKED, _HIDDEN, _ELEMENTS_FROM = range(3)
_NAMED_FROM: Final = _AROUND.index(_COUNTED[0])
_NOTICE_BIT: Final = _AROUND.index("notice")
_NOT_NAMED: Final = ~(0b11 << _NAMED_FROM)
_MOST_NAMES: Final = 1 << 16
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
    around: Float  # (m, k) share of the characters that lie in what `_AROUND` names, then the
    # mean number of surroundings and of texts, by their names, that are around a character
    start: Int  # (m,) where the first range starts; the text's length for an empty segment
    end: Int  # (m,) where the last range ends; 0 for an empty one

    def __post_init__(self) -> None:
        freeze(self)

    @property
    def link_density(self) -> Float:
        """(m,) share of the characters that are linked."""
        return self.around[:, _LINKED]

    @property
    def hidden(self) -> Float:
        """(m,) share of the characters that the markup hides."""
        return self.around[:, _HIDDEN]


def measure_segments(segmentation: Segmentation) -> SegmentMeasures:
    """Tokens, densities, surroundings and extent of every segment."""
    page, count = segmentation.page, len(segmentation)
    lines = wrap_blocks(page, LINE_WIDTH)
    labels = segmentation.labels_at(lines.spans[:, 0])
    tokens = np.diff(lines.tokens_before).astype(float)
    labels, tokens = labels[labels >= 0], tokens[labels >= 0]
    total = np.bincount(labels, tokens, minlength=count)
    line_count = np.bincount(labels, minlength=count)
    last = np.zeros(count)
    last[labels] = tokens  # of several lines, the last one stays
    start = np.full(count, len(page.text), dtype=np.int32)
    end = np.zeros(count, dtype=np.int32)
    held = segmentation.labels >= 0
    np.minimum.at(start, segmentation.labels[held], segmentation.spans[held, 0])
    np.maximum.at(end, segmentation.labels[held], segmentation.spans[held, 1])
    return SegmentMeasures(
        tokens=total.astype(np.float64),
        density=np.where(line_count > 1, (total - last) / np.maximum(line_count - 1, 1), total),
        around=_surroundings(segmentation),
        start=start,
        end=end,
    )


def gather_evidence(segmentation: Segmentation, measures: SegmentMeasures) -> Float:
    """(m, features) one column per entry of `FEATURES`."""
    page, around = segmentation.page, measures.around
    position = measures.start / max(len(page.text), 1)
    columns = [
        np.log1p(measures.tokens),
        np.minimum(measures.density, 20.0) / 10,
        measures.link_density,
        *around[:, _ELEMENTS_FROM:_NAMED_FROM].T,
        around[:, _NAMED_FROM],
        np.minimum(around[:, -2], 3.0),
        around[:, _NAMED_FROM + 1],
        np.minimum(around[:, -1], 3.0),
        position,
        (position - 0.5) ** 2,
        position < 0.05,
        position > 0.9,
        *_neighbourhood(measures),
    ]
    return np.stack(columns, axis=1).astype(np.float64).reshape(len(segmentation), len(FEATURES))


def _surroundings(segmentation: Segmentation) -> Float:
    """As `plain_surroundings`, compiled where that is possible."""
    page = segmentation.page
    if evidence_kernels is None or not isinstance(page.attrs, AttributeTable):
        return plain_surroundings(segmentation)
    nodes = page.nodes
    tag_bits = np.array([_tag_bits(name) for name in nodes.tag_names], dtype=np.int64)
    bits = tag_bits[nodes.tag]
    owners, keys, ends, values, wanted = page.attrs.packed((*_NAMING, "href"))
    naming = np.zeros(256, dtype=np.uint8)
    naming[list(wanted[:-1])] = 1
    evidence_kernels.add_names(
        owners,
        keys,
        ends,
        values,
        naming,
        wanted[-1],
        nodes.tag_mask(_LINK_TAG).view(np.uint8),
        1 << _LINKED,
        _MEANINGS,
        _meaning_of_bytes,
        bits,
    )
    bits &= np.where(nodes.tag_mask(_WHOLE_PAGE), _NOT_NAMED, -1)
    notices = _notices(page, (bits >> _NOTICE_BIT & 1).astype(bool))
    bits &= np.where(notices, -1, ~(1 << _NOTICE_BIT))
    bits |= ((nodes.hidden & NOT_SHOWN) > 0).astype(np.int64) << _HIDDEN
    sums = np.zeros((len(segmentation), len(_AROUND) + len(_COUNTED) + 1))
    evidence_kernels.add_surroundings(
        nodes.parent,
        page.leaves,
        page.leaf_starts,
        page.leaf_ends,
        segmentation.labels_at(page.leaf_starts),
        _NAMED_FROM,
        bits,
        np.empty((len(nodes), len(_COUNTED)), dtype=np.int32),
        sums,
    )
    return _shares(sums)


def plain_surroundings(segmentation: Segmentation) -> Float:
    """(m, k) the column `around` of `SegmentMeasures`."""
    page, nodes, count = segmentation.page, segmentation.page.nodes, len(segmentation)
    labels = segmentation.labels_at(page.leaf_starts)
    inside = labels >= 0
    rows, labels = page.leaves[inside], labels[inside]
    lengths = (page.leaf_ends - page.leaf_starts)[inside].astype(float)
    surrounding, textual, notice = _named_nodes(page)
    named = [count_around(nodes, mask) for mask in (surrounding, textual)]
    elements = {name: nodes.tag_mask(tags) for name, tags in _ELEMENTS.items()}
    elements["notice"] = _notices(page, elements["notice"] | notice)
    columns: list[NDArray[Any]] = [
        linked_nodes(page),
        (nodes.hidden & NOT_SHOWN) > 0,
        *(count_around(nodes, mask) > 0 for mask in elements.values()),
        *(around > 0 for around in named),
        *named,
    ]
    columns.append(np.ones(len(nodes)))
    sums = [np.bincount(labels, lengths * each[rows], minlength=count) for each in columns]
    return _shares(np.stack(sums, axis=1).astype(np.float64))


def _shares(sums: Float) -> Float:
    """Sums as shares of the last of them."""
    shares: Float = sums[:, :-1] / np.maximum(sums[:, -1:], 1)
    return shares


def _notices(page: Page, called: Bool) -> Bool:
    """(n,) which of the nodes called so are notices: small ones, that are small together."""
    nodes, most = page.nodes, _LARGEST_NOTICE * len(page.text)
    small: Bool = called & (nodes.end - nodes.start <= most)
    if small.any():
        depth = np.bincount(nodes.start[small], minlength=len(page.text) + 1)
        depth -= np.bincount(nodes.end[small], minlength=len(page.text) + 1)
        if np.count_nonzero(np.cumsum(depth)) > most:
            small[:] = False
    return small


def _named_nodes(page: Page) -> tuple[Bool, Bool, Bool]:
    """(n,) nodes whose names speak of surroundings, (n,) of text and (n,) of notices."""
    nodes = page.nodes
    masks = np.zeros((3, len(nodes)), dtype=bool)
    for attribute in _NAMING:
        for row, name in attribute_values(page.attrs, attribute).items():
            masks[:, row] |= _meaning(name)
    whole = nodes.tag_mask(_WHOLE_PAGE)
    surrounding, textual, notice = masks
    return surrounding & ~whole, textual & ~whole, notice


@lru_cache(maxsize=1 << 12)
def _tag_bits(name: str) -> int:
    return sum(
        1 << bit for bit, tags in enumerate(_ELEMENTS.values(), _ELEMENTS_FROM) if name in tags
    )


_MEANINGS: Final[dict[bytes, int]] = {}


def _meaning_of_bytes(name: bytes) -> int:
    """The bits of what a name speaks of, remembered for later pages."""
    around, inside, notice = _meaning(str(name, "utf-8", "replace"))
    if len(_MEANINGS) >= _MOST_NAMES:
        _MEANINGS.clear()
    bits = around << _NAMED_FROM | inside << _NAMED_FROM + 1 | notice << _NOTICE_BIT
    _MEANINGS[name] = bits
    return bits


_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@lru_cache(maxsize=1 << 16)
def _meaning(name: str) -> tuple[bool, bool, bool]:
    """Whether a name speaks of surroundings, of text, and of a notice."""
    words = {part.lower() for part in _PARTS.findall(name[:500])}
    speaks = [
        any(pattern.fullmatch(word) for word in words)
        for pattern in (_SURROUNDING, _TEXTUAL, _DIALOG, _ASKING, _IN_FRONT)
    ]
    return speaks[0], speaks[1], speaks[2] or (speaks[3] and speaks[4])


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
