"""One pass over lexbor's tree in document order, in Python: every node becomes a row."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import repeat
from typing import ClassVar, Final

import numpy as np
from selectolax.lexbor import LexborNode

from pagecut.errors import TooLarge
from pagecut.page import Image
from pagecut.page.nodes import HIDDEN_BY_ATTRIBUTE, Int, Nodes
from pagecut.page.white_space import IMAGE_MARK, Folded, fold_all, keep_white_space
from pagecut.page.xpath import TEXT_TAG
from pagecut.parsing.declared_images import declare_image
from pagecut.parsing.images import Attributes
from pagecut.parsing.limits import Limits
from pagecut.parsing.noscript import holds_image, image_beside, is_lazy
from pagecut.parsing.tag_traits import (
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
from pagecut.parsing.walk_events import END, TEXT_EVENT, Events
from pagecut.parsing.walked_columns import WalkedColumns
from pagecut.parsing.walked_elements import WalkedElements
from pagecut.parsing.walked_text import WalkedText

# <source> elements of one <picture> that count, so that many images in one stay cheap.
_MOST_SOURCES: Final = 32

_NO_EVENT: Final = -1  # of a comment
_MOST_TAGS: Final = END >> TRAIT_BITS  # that fit into an event, in all frames together
# Nodes after which their texts are folded: the texts of many more, one by one, take much memory.
_PIECE: Final = 16384


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
        self._root: LexborNode | None = None
        self._addresses = array("Q")  # of the elements
        self._closed: list[int] = []  # the elements that hide what is in them for what they are
        self._contents: list[str] = []  # of the last texts; and the images among them
        self._pieces: list[Folded] = []  # the texts before them
        self._images: list[tuple[int, str, Attributes, list[Attributes]]] = []
        self._sources: dict[int, list[Attributes]] = {}  # by the address of the <picture>
        self._image_of_address: dict[int, int] = {}
        self._fallbacks: dict[int, Attributes] = {}  # by the address of the image to fill

    def run(self, root: LexborNode) -> None:
        """Walk without recursion, so that depth costs no stack.

        Only what cannot wait is done here, since Python is slow: the rest is done for all nodes at
        once, by what makes the text and the columns of the events.
        """
        self._root = root
        event_of, contents = self._event_of, self._contents
        addresses, most_nodes = self._addresses, self.limits.nodes
        note, note_text, note_element = self._numbers.append, contents.append, addresses.append
        shut = self._shut
        # The open elements with what notes their ends, and what holds where they stand.
        around: list[tuple[LexborNode, int, int]] = []
        inside = 0  # what holds inside of the innermost of them
        node = root
        while len(addresses) <= most_nodes:  # else `check_limits` refuses what is there
            for _ in repeat(None, _PIECE):
                try:
                    event = event_of[node.tag_id]
                except KeyError:
                    event = self._learn(node)
                if event == TEXT_EVENT:
                    if not inside & UNFOLDED:
                        note(TEXT_EVENT)
                        note_text(node.text_content or "")
                    elif not inside & IS_MUTE and (content := node.text_content):
                        note(TEXT_EVENT)
                        note_text(keep_white_space(content))
                elif event > 0:
                    note(event)
                    note_element(node.mem_id)
                    unusual = event & UNUSUAL
                    if not unusual or (
                        unusual != shut and self._is_open(node, event, around, inside)
                    ):
                        child = node.first_child
                        if child is not None:
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
            self._fold_texts()

    def _fold_texts(self) -> None:
        """Fold the last texts, so that what they were is needed no more."""
        self._pieces.append(fold_all(self._contents))
        self._contents.clear()

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
            self._closed.append(len(self._addresses) - 1)
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
        element = len(self._addresses) - 1
        self._contents.append(IMAGE_MARK)
        self._images.append((element, node.tag or "", attributes, sources))

    @cached_property
    def _events(self) -> Events:
        return Events(self._numbers)

    @cached_property
    def _image_elements(self) -> Int:
        return np.array([element for element, *_ in self._images], dtype=np.int32)

    @cached_property
    def _text(self) -> WalkedText:
        self._fold_texts()
        pieces, self._pieces = self._pieces, []  # which the text repeats
        return WalkedText(self._events, pieces, self._image_elements)

    @cached_property
    def _columns(self) -> WalkedColumns:
        return WalkedColumns(self._events, self._text.leaves_before, self._hidden)

    def _roots(self) -> Sequence[LexborNode]:
        """Those of all trees that were walked."""
        return [] if self._root is None else [self._root]

    @cached_property
    def _elements(self) -> WalkedElements:
        return WalkedElements(self._addresses, self._roots())

    def _hidden(self) -> Mapping[int, int]:
        """The elements that hide what is in them: bits."""
        hidden = dict(self._elements.hidden)
        for number in self._closed:
            hidden[number] = hidden.get(number, 0) | HIDDEN_BY_ATTRIBUTE
        return hidden

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
        """Raise `TooLarge` for what comes first: one node too many, or one that is too deep.

        A large page lets go of its tree, which takes most of its memory.
        """
        if _PIECE < len(self._addresses) <= self.limits.nodes:
            self._elements.let_go()
            self._root = None
        events, limits = self._events, self.limits
        too_deep = events.starts[:0]
        if events.deepest > limits.depth:  # perhaps a text
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
        return self._elements.kept_attributes(self._columns.element_rows)
