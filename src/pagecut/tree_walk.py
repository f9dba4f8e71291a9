"""One pass over lexbor's tree in document order, in Python: every node becomes a row."""

from __future__ import annotations

import re
from array import array
from collections.abc import Container, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import ClassVar, Final

import numpy as np
from selectolax.lexbor import LexborNode

from pagecut.declared_images import declare_image
from pagecut.errors import TooLarge
from pagecut.images import Attributes
from pagecut.limits import Limits
from pagecut.nodes import HIDDEN_BY_ATTRIBUTE, HIDDEN_BY_STYLE, HIDDEN_FROM_ARIA, Int, Nodes
from pagecut.noscript import holds_image, image_beside, is_lazy
from pagecut.page import Image
from pagecut.tag_traits import (
    IS_DIALOG,
    IS_FOREIGN,
    IS_MUTE,
    IS_OPAQUE,
    IS_PERHAPS_IMAGE,
    IS_PICTURE,
    RENAMED,
    TRAIT_BITS,
    TURNING,
    UNFOLDED,
    UNUSUAL,
    inside_of,
    traits_of,
)
from pagecut.tags import KEPT_ATTRIBUTES
from pagecut.walk_events import END, TEXT_EVENT, Events
from pagecut.walked_columns import WalkedColumns
from pagecut.walked_text import WalkedText
from pagecut.white_space import NEVER_IN_TEXT
from pagecut.xpath import TEXT_TAG

_HIDING_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.I)

# <source> elements of one <picture> that count, so that many images in one stay cheap.
_MOST_SOURCES: Final = 32

_NO_EVENT: Final = -1  # of a comment
_MOST_TAGS: Final = END >> TRAIT_BITS  # that fit into an event, in all frames together


class Walk:
    """One pass over the tree in document order; every node becomes a row.

    Elements and texts go by their numbers among those that were met.
    """

    _shut: ClassVar = IS_OPAQUE  # unusual traits of elements that are closed, come what may

    def __init__(self, limits: Limits, page: object) -> None:
        self.limits = limits
        self.page = page
        self._numbers = array("i")  # of the events
        self._tag_names = [TEXT_TAG]
        self._event_of: dict[int, int] = {}  # by lexbor's number of a tag
        self._event_of_name: dict[str | None, int] = {"-text": TEXT_EVENT}
        # Nothing is read of them before it is asked for, since most attributes never are.
        self._elements: list[LexborNode] = []
        self._hidden: dict[int, int] = {}  # the elements that hide what is in them: bits
        self._contents: list[str] = []  # of the texts
        self._unfolded: dict[int, str] = {}  # those texts that are not folded
        self._images: list[tuple[int, str, Attributes, list[Attributes]]] = []
        self._sources: dict[int, list[Attributes]] = {}  # by the address of the <picture>
        self._image_of_address: dict[int, int] = {}
        self._fallbacks: dict[int, Attributes] = {}  # by the address of the image to fill

    def run(self, root: LexborNode) -> None:
        """Walk without recursion, so that depth costs no stack.

        Only what cannot wait is done here, since Python is slow: the rest is done for all nodes at
        once, by what makes the text and the columns of the events.
        """
        event_of, contents = self._event_of, self._contents
        elements, most_nodes = self._elements, self.limits.nodes
        note, note_element = self._numbers.append, elements.append
        shut, hiding = self._shut, self._may_hide(root)
        # The open elements with what notes their ends, and what holds where they stand.
        around: list[tuple[LexborNode, int, int]] = []
        inside = 0  # what holds inside of the innermost of them
        node = root
        while True:
            try:
                event = event_of[node.tag_id]
            except KeyError:
                event = self._learn(node)
            if event == TEXT_EVENT:
                note(TEXT_EVENT)
                contents.append(node.text_content or "")
                if inside & UNFOLDED:
                    self._set_apart(inside)
            elif event > 0:
                note(event)
                note_element(node)
                if node.mem_id in hiding:
                    self._hide(_hidden_bits(node.attributes))
                unusual = event & UNUSUAL
                if not unusual or (unusual != shut and self._is_open(node, event, around, inside)):
                    child = node.first_child
                    if child is not None:
                        if len(elements) > most_nodes:
                            return  # `check_limits` refuses what is there
                        around.append((node, event | END, inside))
                        if inside or event & TURNING:
                            inside = inside_of(event, inside)
                        node = child
                        continue
                note(event | END)
                if not around:
                    return
            following = node.next
            while following is None:
                node, end, inside = around.pop()
                note(end)
                if not around:
                    return
                following = node.next
            node = following

    def _learn(self, node: LexborNode) -> int:
        """The event of a node whose number is met for the first time, or stands for two names."""
        tag = node.tag
        event = self._event_of_name.get(tag)
        if event is None:
            event = _NO_EVENT
            if tag is not None and tag[0] not in "-!":
                if len(self._tag_names) >= _MOST_TAGS:
                    raise TooLarge(f"{self.page}: its tags have more than {_MOST_TAGS:,} names")
                event = len(self._tag_names) << TRAIT_BITS | traits_of(tag)
                self._tag_names.append(tag)
            self._event_of_name[tag] = event
        if tag is None or tag.lower() not in RENAMED:
            self._event_of[node.tag_id] = event
        return event

    def _set_apart(self, inside: int) -> None:
        """Keep the last text as it is, or let it be none."""
        number = len(self._contents) - 1
        content = "" if inside & IS_MUTE else self._contents[number]
        self._unfolded[number] = content.translate(NEVER_IN_TEXT)
        self._contents[number] = ""

    def _may_hide(self, root: LexborNode) -> Container[int]:
        """The addresses of all elements that attributes may hide."""
        return {element.mem_id for element in root.css("[hidden], [aria-hidden], [style]")}

    def _hide(self, bits: int) -> None:
        """Hide the last element with all that is in it."""
        if bits:
            number = len(self._elements) - 1
            self._hidden[number] = self._hidden.get(number, 0) | bits

    def _is_open(
        self,
        node: LexborNode,
        event: int,
        around: list[tuple[LexborNode, int, int]],
        inside: int,
    ) -> bool:
        """Whether what is inside of an unusual element counts; it does not in an image."""
        attributes = node.attributes
        if event & IS_DIALOG and "open" not in attributes:
            self._hide(HIDDEN_BY_ATTRIBUTE)
        if event & IS_PERHAPS_IMAGE:
            picture = around[-1][0].mem_id if inside & IS_PICTURE else None
            described = self._image_of(node, attributes, picture, inside)
            if described is not None:
                self._add_image(node, described, picture)
                return False
        return not event & IS_OPAQUE or self._opens(node)

    def _opens(self, node: LexborNode) -> bool:  # noqa: ARG002
        """Whether an element that is closed as a rule has content that counts."""
        return False

    def _image_of(
        self, node: LexborNode, attributes: Attributes, picture: int | None, inside: int
    ) -> Attributes | None:
        """The attributes that describe the image, where an element is one.

        Args:
            picture: the address of the <picture> whose child it is.
        """
        match node.tag:
            case "img":
                return attributes
            case "source" if picture is not None:
                self._sources.setdefault(picture, []).append(attributes)
            case "input" if (attributes.get("type") or "").lower() == "image":
                return attributes
            case "image" if inside & IS_FOREIGN:
                return attributes
            case "amp-img" if not holds_image(node):  # else the <img> is the better witness
                return attributes
            case "video" if (poster := attributes.get("poster")) and not holds_image(node):
                return {**attributes, "src": poster}
            case "noscript":
                return self._noscript_image(node)
        return None

    def _noscript_image(self, node: LexborNode) -> Attributes | None:
        """A fallback fills the lazy image beside it; without one it is an image of its own."""
        fallback = node.css_first("img")
        if fallback is None:
            return None
        attributes: Attributes = fallback.attributes
        for beside in image_beside(node, forward=False), image_beside(node, forward=True):
            if beside is not None and is_lazy(beside.attributes, attributes):
                self._fallbacks[beside.mem_id] = attributes
                return None
        return attributes

    def _add_image(self, node: LexborNode, attributes: Attributes, picture: int | None) -> None:
        """Note that the last element is an image."""
        self._image_of_address[node.mem_id] = len(self._images)
        sources = [] if picture is None else self._sources.get(picture, [])[:_MOST_SOURCES]
        element = len(self._elements) - 1
        self._images.append((element, node.tag or "", attributes, sources))

    @cached_property
    def _events(self) -> Events:
        return Events(self._numbers)

    @cached_property
    def _image_elements(self) -> Int:
        return np.array([element for element, *_ in self._images], dtype=np.int32)

    @cached_property
    def _text(self) -> WalkedText:
        contents, self._contents = self._contents, []  # which the text repeats
        return WalkedText(self._events, contents, self._unfolded, self._image_elements)

    @cached_property
    def _columns(self) -> WalkedColumns:
        return WalkedColumns(self._events, self._text.leaves_before, self._hidden)

    @property
    def tags(self) -> frozenset[str]:
        """The names of all elements that were met."""
        return frozenset(self._tag_names)

    @property
    def text(self) -> str:
        """The text of the page."""
        return self._text.text

    def nodes(self) -> Nodes:
        """The columns."""
        return self._columns.make(tuple(self._tag_names), self._image_elements, self._text.edges)

    def check_limits(self) -> None:
        """Raise `TooLarge` for what comes first: one node too many, or one that is too deep."""
        events, limits = self._events, self.limits
        too_deep = events.starts[events.depths[events.starts] > limits.depth]
        reached = too_deep[0] if len(too_deep) else len(events)
        limits.check_nodes(self._columns.rows_before(reached), self.page)
        if len(too_deep):
            limits.check_depth(limits.depth + 1, self.page)

    def resolved_images(self, base: str | None) -> tuple[Image, ...]:
        """The images with their best sources, once every fallback is known."""
        filled = {
            self._image_of_address[address]: attributes
            for address, attributes in self._fallbacks.items()
            if address in self._image_of_address
        }
        rows = self._columns.element_rows[self._image_elements].tolist()
        return tuple(
            declare_image(
                index, row, tag, attributes, sources, filled.get(index), self._base_of(index, base)
            )
            for index, (row, (_, tag, attributes, sources)) in enumerate(
                zip(rows, self._images, strict=True)
            )
        )

    def _base_of(self, index: int, base: str | None) -> str | None:  # noqa: ARG002
        """What an image's address is relative to."""
        return base

    def kept_attributes(self) -> Mapping[int, Mapping[str, str]]:
        """The attributes that a page keeps, of the rows that have any."""
        kept = {}
        rows = self._columns.element_rows.tolist()
        for row, element in zip(rows, self._elements, strict=True):
            attributes = element.attributes
            if not KEPT_ATTRIBUTES.isdisjoint(attributes):
                kept[row] = {
                    key: value or "" for key, value in attributes.items() if key in KEPT_ATTRIBUTES
                }
        return MappingProxyType(kept)


def _hidden_bits(attributes: Attributes) -> int:
    bits = 0
    if "hidden" in attributes and attributes["hidden"] != "until-found":
        bits |= HIDDEN_BY_ATTRIBUTE
    if (attributes.get("aria-hidden") or "").lower() == "true":
        bits |= HIDDEN_FROM_ARIA
    style = attributes.get("style")
    if style and _may_hide_by(style) and _HIDING_STYLE.search(style):
        bits |= HIDDEN_BY_STYLE
    return bits


def _may_hide_by(style: str) -> bool:
    """Whether a style needs a closer look, which most do not."""
    if not style.isascii():
        return True
    style = style.lower()
    return "none" in style or "hidden" in style
