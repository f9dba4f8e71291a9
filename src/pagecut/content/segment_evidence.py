# cython: boundscheck=False, initializedcheck=False
# mypy: ignore-errors
"""What speaks for and against a segment being main text.

Shallow features after Kohlschütter, Fankhauser & Nejdl, "Boilerplate Detection using Shallow Text
Features", WSDM 2010 (length, density, links, and those of the neighbourhood), with the elements
around a segment and what their classes are called.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from pagecut.page import Page
from pagecut.page.attributes import packed_attributes
from pagecut.page.lines import wrap_blocks
from pagecut.page.nodes import NOT_SHOWN, Int, freeze
from pagecut.page.tags import HEADINGS
from pagecut.results.segmentation import Segmentation

if TYPE_CHECKING:
    import cython

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
    """(m, k) the column `around` of `SegmentMeasures`."""
    page, nodes = segmentation.page, segmentation.page.nodes
    tag_bits = np.array([_tag_bits(name) for name in nodes.tag_names], dtype=np.int64)
    bits = tag_bits[nodes.tag]
    owners, keys, ends, values, wanted = packed_attributes(page.attrs, (*_NAMING, "href"))
    naming = np.zeros(256, dtype=np.uint8)
    naming[list(wanted[:-1])] = 1
    is_link = nodes.tag_mask(_LINK_TAG).view(np.uint8)
    add_names(owners, keys, ends, values, naming, wanted[-1], is_link, bits)
    bits &= np.where(nodes.tag_mask(_WHOLE_PAGE), _NOT_NAMED, -1)
    notices = _notices(page, (bits >> _NOTICE_BIT & 1).astype(bool))
    bits &= np.where(notices, -1, ~(1 << _NOTICE_BIT))
    bits |= ((nodes.hidden & NOT_SHOWN) > 0).astype(np.int64) << _HIDDEN
    sums = np.zeros((len(segmentation), len(_AROUND) + len(_COUNTED) + 1))
    add_surroundings(
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
    return sums[:, :-1] / np.maximum(sums[:, -1:], 1)


def add_names(
    owners: cython.const[cython.int][::1],
    keys: cython.const[cython.uchar][::1],
    ends: cython.const[cython.longlong][::1],
    values: bytes,
    naming: cython.const[cython.uchar][::1],
    linking: cython.int,
    is_link: cython.const[cython.uchar][::1],
    bits: cython.longlong[::1],
) -> None:
    """Add to the bits of the rows what their attributes mean.

    Args:
        naming: by key, whether an attribute is a name.
        linking: the key of the attribute that makes a row with `is_link` a link.
    """
    at: cython.Py_ssize_t
    start: cython.longlong = 0
    for at in range(owners.shape[0]):
        if naming[keys[at]]:
            bits[owners[at]] |= _meaning(values[start : ends[at]])
        elif keys[at] == linking and is_link[owners[at]]:
            bits[owners[at]] |= 1 << _LINKED
        start = ends[at]


def add_surroundings(
    parent: cython.const[cython.int][::1],
    leaves: cython.const[cython.int][::1],
    starts: cython.const[cython.int][::1],
    ends: cython.const[cython.int][::1],
    labels: cython.const[cython.int][::1],
    first_counted: cython.Py_ssize_t,
    bits: cython.longlong[::1],
    counts: cython.int[:, ::1],
    sums: cython.double[:, ::1],
) -> None:
    """Add up, for each segment, the characters in rows with each bit, and in how many of them.

    Args:
        parent: of each row.
        leaves: rows; then where their text starts and ends, and the segment of each, or -1.
        first_counted: bit from which on the rows around are counted too.
        bits: of each row; those of the rows around are added.
        counts: a buffer for the counts of each row.
        sums: zeros, for each segment one value per bit, then one per counted bit, then all
            characters.
    """
    row: cython.Py_ssize_t
    at: cython.Py_ssize_t
    bit: cython.Py_ssize_t
    above: cython.Py_ssize_t
    segment: cython.Py_ssize_t
    counted: cython.Py_ssize_t = counts.shape[1]
    kinds: cython.Py_ssize_t = first_counted + counted
    own: cython.longlong
    length: cython.double
    for row in range(parent.shape[0]):
        own = bits[row]
        above = parent[row]
        for bit in range(counted):
            counts[row, bit] = (own >> (first_counted + bit)) & 1
            if above >= 0:
                counts[row, bit] += counts[above, bit]
        if above >= 0:
            bits[row] = own | bits[above]
    for at in range(leaves.shape[0]):
        segment = labels[at]
        if segment < 0:
            continue
        row = leaves[at]
        own = bits[row]
        length = ends[at] - starts[at]
        for bit in range(kinds):
            if (own >> bit) & 1:
                sums[segment, bit] += length
        for bit in range(counted):
            sums[segment, kinds + bit] += length * counts[row, bit]
        sums[segment, kinds + counted] += length


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


@lru_cache(maxsize=1 << 12)
def _tag_bits(name: str) -> int:
    return sum(
        1 << bit for bit, tags in enumerate(_ELEMENTS.values(), _ELEMENTS_FROM) if name in tags
    )


_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@lru_cache(maxsize=1 << 16)
def _meaning(name: bytes) -> int:
    """The bits of what a name speaks of: surroundings, text, a notice."""
    words = {part.lower() for part in _PARTS.findall(str(name, "utf-8", "replace")[:500])}
    around, inside, dialog, asking, in_front = (
        any(pattern.fullmatch(word) for word in words)
        for pattern in (_SURROUNDING, _TEXTUAL, _DIALOG, _ASKING, _IN_FRONT)
    )
    notice = dialog or (asking and in_front)
    return around << _NAMED_FROM | inside << _NAMED_FROM + 1 | notice << _NOTICE_BIT


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
