"""The walk over lexbor's tree, node by node and without any haste: the oracle of `tree_walk`."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from typing import Final

import numpy as np
from selectolax.lexbor import LexborNode

from pagecut.page import IMAGE_CHARACTER, Image
from pagecut.page.nodes import (
    ELEMENT,
    HIDDEN_BY_ATTRIBUTE,
    HIDDEN_BY_STYLE,
    HIDDEN_FROM_ARIA,
    IMAGE,
    TEXT,
    Int,
    Nodes,
)
from pagecut.page.tags import (
    FOREIGN_MUTE,
    KEPT_ATTRIBUTES,
    LINE_BREAKING,
    MUTE,
    OPAQUE,
    PRESERVING,
    WORD_BREAKING,
)
from pagecut.page.white_space import NEVER_IN_TEXT, WHITE_SPACE, fold
from pagecut.page.xpath import TEXT_TAG
from pagecut.parsing.declared_images import declare_image
from pagecut.parsing.images import Attributes
from pagecut.parsing.limits import Limits
from pagecut.parsing.noscript import holds_image, image_beside, is_lazy

_HIDING_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.I)

# What a leaf still owes before its text: nothing, a space or a newline.
_NOTHING, _SPACE, _NEWLINE = "", " ", "\n"

# <source> elements of one <picture> that count, so that many images in one stay cheap.
_MOST_SOURCES: Final = 32

# What can make an element an image, and what can hide it, so that most need no closer look.
_PERHAPS_IMAGES: Final = frozenset("img source input image amp-img video noscript".split())
_HIDING: Final = frozenset({"hidden", "aria-hidden", "style"})

# lexbor's own numbers for nodes that are no elements.
_TEXT_ID: Final = 2
_COMMENT_ID: Final = 4


class LiteralWalk:
    """One pass over the tree in document order; every node becomes a row."""

    def __init__(self, limits: Limits, page: object) -> None:
        self.limits = limits
        self.page = page
        self.fixed = array("i")  # of each row: kind, hidden, tag, parent, depth
        self.subtree_end = array("i")
        self.text_ordinals = array("i")  # of the text nodes
        self.starts = array("i")  # of the leaves
        self.ends = array("i")
        self.tag_codes: dict[str, int] = {TEXT_TAG: 0}
        self.attrs: dict[int, dict[str, str]] = {}
        self.pieces: list[str] = []
        self.length = 0
        self.owed = _NOTHING
        self.link_end = -1  # where the last link ended
        self.images: list[tuple[int, str, Attributes, list[Attributes]]] = []
        self.image_of_address: dict[int, int] = {}
        self.fallbacks: dict[int, Attributes] = {}  # by the address of the image to fill

    def run(self, root: LexborNode) -> None:
        """Walk without recursion, so that depth costs no stack."""
        open_nodes: list[Open] = []
        state = Open(root, -1, 0, False, False, False)
        node: LexborNode | None = root
        while True:
            if node is None:
                if not open_nodes:
                    return
                node = state.node
                self._close(state)
                state = open_nodes.pop()
                node = node.next
                continue
            below = self._visit(node, state, len(open_nodes))
            if below is not None:
                child = node.first_child
                if child is not None:
                    open_nodes.append(state)
                    state, node = below, child
                    continue
                self._close(below)
            node = node.next if open_nodes else None

    def _visit(self, node: LexborNode, inside: Open, depth: int) -> Open | None:
        """Add a row for a node; what its children need to know, or None where they do not count."""
        number = node.tag_id
        if number == _TEXT_ID:
            inside.texts += 1
            if not inside.mute:
                self._add_text(node.text_content or "", inside, depth)
            return None
        if number == _COMMENT_ID:
            return None
        tag = node.tag
        if tag is None or tag[0] in "-!":
            return None
        if depth > self.limits.depth:
            self.limits.check_depth(depth, self.page)
        attributes = node.attributes
        hidden = inside.hidden
        if attributes and not _HIDING.isdisjoint(attributes):
            hidden |= _hidden_bits(attributes)
        if tag == "dialog" and "open" not in attributes:
            hidden |= HIDDEN_BY_ATTRIBUTE
        if tag in LINE_BREAKING:
            self.owed = _NEWLINE
        elif tag in WORD_BREAKING or (tag == "a" and self.link_end == self.length):
            self.owed = self.owed or _SPACE
        is_image, filled = False, None
        if tag in _PERHAPS_IMAGES:
            is_image, filled = self._image_of(node, tag, attributes, inside)
        row = self._add_row(IMAGE if is_image else ELEMENT, tag, inside, depth, hidden)
        if filled is not None:
            self._add_image(row, node, tag, filled, inside)
        if attributes and not KEPT_ATTRIBUTES.isdisjoint(attributes):
            self.attrs[row] = {
                key: value or "" for key, value in attributes.items() if key in KEPT_ATTRIBUTES
            }
        if is_image or tag in OPAQUE:
            self._close_row(row, tag)
            return None
        foreign = tag in ("svg", "math") or (inside.foreign and tag != "foreignObject")
        mute = inside.mute or tag in MUTE or (inside.foreign and tag in FOREIGN_MUTE)
        return Open(node, row, hidden, mute, inside.preserve or tag in PRESERVING, foreign, tag)

    def _add_text(self, content: str, inside: Open, depth: int) -> None:
        if inside.preserve:
            text = content.translate(NEVER_IN_TEXT)
        else:
            if content[:1] in WHITE_SPACE:
                self.owed = self.owed or _SPACE
                if not content.strip(WHITE_SPACE):
                    return
            text = fold(content)
        if text:
            self._add_row(TEXT, TEXT_TAG, inside, depth, inside.hidden)
            self.text_ordinals.append(inside.texts)
            self._emit(text)
            if not inside.preserve and content[-1] in WHITE_SPACE:
                self.owed = _SPACE

    def _emit(self, text: str) -> None:
        """Append the text of a leaf, the last row, after the separator that is owed."""
        if self.owed and self.pieces and not self.pieces[-1].endswith(_NEWLINE):
            self.pieces.append(self.owed)
            self.length += 1
        self.owed = _NOTHING
        self.pieces.append(text)
        self.starts.append(self.length)
        self.length += len(text)
        self.ends.append(self.length)

    def _add_row(self, kind: int, tag: str, inside: Open, depth: int, hidden: int) -> int:
        row = len(self.subtree_end)
        if row >= self.limits.nodes:
            self.limits.check_nodes(row + 1, self.page)
        codes = self.tag_codes
        code = codes.get(tag)
        if code is None:
            code = codes[tag] = len(codes)
        self.fixed.extend((kind, hidden, code, inside.row, depth))
        self.subtree_end.append(row + 1)
        return row

    def _close(self, state: Open) -> None:
        if state.row >= 0:
            self._close_row(state.row, state.tag)

    def _close_row(self, row: int, tag: str) -> None:
        self.subtree_end[row] = len(self.subtree_end)
        if tag in LINE_BREAKING:
            self.owed = _NEWLINE
        elif tag in WORD_BREAKING:
            self.owed = self.owed or _SPACE
        elif tag == "a":
            self.link_end = self.length

    def _image_of(
        self, node: LexborNode, tag: str, attributes: Attributes, inside: Open
    ) -> tuple[bool, Attributes | None]:
        """Whether the element is an image row, and the attributes that describe the image."""
        match tag:
            case "img":
                return True, attributes
            case "source" if inside.tag == "picture":
                inside.sources.append(attributes)
            case "input" if (attributes.get("type") or "").lower() == "image":
                return True, attributes
            case "image" if inside.foreign:
                return True, attributes
            case "amp-img" if not holds_image(node):  # else the <img> is the better witness
                return True, attributes
            case "video" if (poster := attributes.get("poster")) and not holds_image(node):
                return True, {**attributes, "src": poster}
            case "noscript":
                return self._noscript_image(node)
        return False, None

    def _noscript_image(self, node: LexborNode) -> tuple[bool, Attributes | None]:
        """A fallback fills the lazy image beside it; without one it is an image of its own."""
        fallback = node.css_first("img")
        if fallback is None:
            return False, None
        attributes = fallback.attributes
        for beside in image_beside(node, forward=False), image_beside(node, forward=True):
            if beside is not None and is_lazy(beside.attributes, attributes):
                self.fallbacks[beside.mem_id] = attributes
                return False, None
        return True, attributes

    def _add_image(
        self, row: int, node: LexborNode, tag: str, attributes: Attributes, inside: Open
    ) -> None:
        self.image_of_address[node.mem_id] = len(self.images)
        sources = inside.sources[:_MOST_SOURCES] if inside.tag == "picture" else []
        self.images.append((row, tag, attributes, sources))
        self._emit(IMAGE_CHARACTER)

    def resolved_images(self, base: str | None) -> tuple[Image, ...]:
        """The images with their best sources, once every fallback is known."""
        filled = {
            self.image_of_address[address]: attributes
            for address, attributes in self.fallbacks.items()
            if address in self.image_of_address
        }
        return tuple(
            declare_image(index, row, tag, attributes, sources, filled.get(index), base)
            for index, (row, tag, attributes, sources) in enumerate(self.images)
        )

    def nodes(self) -> Nodes:
        """The columns; those that follow from others are computed here."""
        kind, hidden, tag, parent, depth = _column(self.fixed).reshape(-1, 5).T.copy()
        subtree_end = _column(self.subtree_end)
        start, end = _ranges(
            kind, subtree_end, _column(self.starts), _column(self.ends), self.length
        )
        ordinal = _ordinals(parent, tag)
        ordinal[kind == TEXT] = self.text_ordinals
        return Nodes(
            kind=kind.astype(np.uint8),
            tag=tag,
            tag_names=tuple(self.tag_codes),
            parent=parent,
            subtree_end=subtree_end,
            depth=depth,
            ordinal=ordinal,
            start=start,
            end=end,
            hidden=hidden.astype(np.uint8),
        )


class Open:
    """An element whose children are being visited."""

    __slots__ = ("foreign", "hidden", "mute", "node", "preserve", "row", "sources", "tag", "texts")

    def __init__(
        self,
        node: LexborNode,
        row: int,
        hidden: int,
        mute: bool,
        preserve: bool,
        foreign: bool,
        tag: str = "",
    ) -> None:
        self.node = node
        self.row = row
        self.hidden = hidden
        self.mute = mute
        self.preserve = preserve
        self.foreign = foreign
        self.tag = tag
        self.sources: list[Attributes] = []  # of the <source> children so far
        self.texts = 0  # text children so far, those without a row too


def _hidden_bits(attributes: Attributes) -> int:
    bits = 0
    if "hidden" in attributes and attributes["hidden"] != "until-found":
        bits |= HIDDEN_BY_ATTRIBUTE
    if (attributes.get("aria-hidden") or "").lower() == "true":
        bits |= HIDDEN_FROM_ARIA
    style = attributes.get("style")
    if style and _HIDING_STYLE.search(style):
        bits |= HIDDEN_BY_STYLE
    return bits


def _column(values: array[int]) -> Int:
    return np.array(values, dtype=np.int32)


def _ranges(kind: Int, subtree_end: Int, starts: Int, ends: Int, length: int) -> tuple[Int, Int]:
    """An element reaches from its first leaf to its last; without leaves it is an empty range."""
    leaves = np.flatnonzero(kind != ELEMENT)
    starts, ends = np.append(starts, np.int32(length)), np.append(ends, np.int32(length))
    first = np.searchsorted(leaves, np.arange(len(kind)))
    last = np.searchsorted(leaves, subtree_end) - 1
    start: Int = starts[first]
    return start, np.where(last >= first, ends[last], start)


def _ordinals(parent: Int, tag: Int) -> Int:
    """Count the siblings of each tag."""
    counts: Counter[tuple[int, int]] = Counter()
    ordinals = []
    for pair in zip(parent.tolist(), tag.tolist(), strict=True):
        counts[pair] += 1
        ordinals.append(counts[pair])
    return np.array(ordinals, dtype=np.int32)
