"""Frames and web components: the one tree that people see, composed of several parsed ones.

It is the flat tree of the DOM standard (§4.2.2, CSS Scoping §3.1), read from the source alone. An
`<iframe srcdoc>` has the document in that attribute for its content, one level deep. An element
with a `<template shadowrootmode>` has that shadow tree for its content; what else is in it stands
in the slots of the shadow tree, and what has no slot is not shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

# What a page may hold of each; what is beyond stays closed. A parsed document takes 120 kB at
# least, and a shadow tree is parsed once for each that lies around it.
MOST_FRAMES: Final = 100
MOST_NESTED: Final = 16

_MARK: Final = "data-shadow-tree"
_HOST_MARK: Final = "template[shadowrootmode]"
_COMPOSED: Final = f"iframe[srcdoc], {_HOST_MARK}"
# No document in an attribute is in quirks mode (HTML §4.8.5).
_DOCTYPE: Final = "<!DOCTYPE html>"
# DOM §4.9: what may have a shadow tree, besides elements with a hyphen in their names.
_HOSTS: Final = frozenset(
    """
    article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span
    """.split()
)
_TEMPLATE_END = re.compile(r"</template>\s*\Z", re.IGNORECASE)

Check = Callable[[bytes], object]


_CARRIERS: Final = frozenset({"iframe", "template"})


def is_composed(parser: LexborHTMLParser, tags: Iterable[str] = _CARRIERS) -> bool:
    """Whether a parsed page has content in frames or shadow trees.

    Args:
        tags: names of the elements that it has, where they are known.
    """
    return not _CARRIERS.isdisjoint(tags) and parser.css_first(_COMPOSED) is not None


class ComposedTree:
    """The composed tree of one page.

    Args:
        check: raises for a source that must not be parsed.
    """

    def __init__(self, parser: LexborHTMLParser, check: Check) -> None:
        self._check = check
        # Nodes are told apart by their addresses, so nothing may be freed.
        self._parsers = [parser]
        self._frames = 0
        self._shadow_of: dict[int, LexborNode] = {}  # by the address of the host
        self._find_shadow_trees(parser)
        self._ways = _addresses_above(parser.css(_COMPOSED))
        self.root = None if parser.root is None else ComposedNode(self, parser.root, _PAGE, (), 0)

    @property
    def roots(self) -> list[LexborNode]:
        """Those of all parsed trees so far."""
        return [parser.root for parser in self._parsers if parser.root is not None]

    def is_plain(self, node: LexborNode, scope: Scope) -> bool:
        """Whether nothing below a node stands elsewhere than lexbor has it."""
        return scope is _PAGE and node.mem_id not in self._ways

    def content(self, node: LexborNode, scope: Scope) -> list[Placed] | None:
        """What stands in a frame, a host or a slot in place of its children."""
        if scope.slots and (assigned := scope.slots.get(node.mem_id)):
            return assigned
        if (shadow := self._shadow_of.get(node.mem_id)) is not None:
            slots = {slot.mem_id: slot.attributes.get("name") or "" for slot in shadow.css("slot")}
            inside = Scope(scope.frame, _assigned(slots, _placed_children(node, scope)))
            return list(_placed_children(shadow, inside))
        if node.tag == "iframe" and scope.frame is None:
            return self._document(node)
        return None

    def _document(self, frame: LexborNode) -> list[Placed] | None:
        html = frame.attributes.get("srcdoc")
        if not html or self._frames == MOST_FRAMES:
            return None
        self._frames += 1
        parser = self._parse(_DOCTYPE + html)
        self._find_shadow_trees(parser)
        base = parser.css_first("base[href]")
        inside = Scope(FrameDocument("" if base is None else base.attributes.get("href") or ""), {})
        return None if parser.root is None else [(parser.root, inside)]

    def _find_shadow_trees(self, parser: LexborHTMLParser) -> None:
        """Parse the shadow trees of a document, all of one depth at once."""
        roots: set[int] = set()  # which are no hosts
        for _ in range(MOST_NESTED):
            templates = [each for each in parser.css(_HOST_MARK) if _makes_shadow_tree(each, roots)]
            if not templates:
                return
            pieces = [_opened(number, each.html or "") for number, each in enumerate(templates)]
            parser = self._parse(f"{_DOCTYPE}<html><body>{''.join(pieces)}")
            shadow = None if parser.body is None else parser.body.first_child
            while shadow is not None:
                number = shadow.attributes.get(_MARK) if shadow.is_element_node else None
                host = templates[int(number)].parent if number is not None else None
                if host is not None:  # of several templates the first one counts
                    self._shadow_of.setdefault(host.mem_id, shadow)
                roots.add(shadow.mem_id)
                shadow = shadow.next

    def _parse(self, html: str) -> LexborHTMLParser:
        source = html.encode("utf-8", "replace")
        self._check(source)
        self._parsers.append(LexborHTMLParser(source))
        return self._parsers[-1]


@dataclass(frozen=True, slots=True)
class FrameDocument:
    """A frame's document; `base` is what it says its addresses are relative to."""

    base: str


@dataclass(frozen=True, slots=True)
class Scope:
    """What the nodes of one document or shadow tree have in common.

    Args:
        frame: None outside of frames.
        slots: what stands in each slot that has something, by the slot's address.
    """

    frame: FrameDocument | None
    slots: dict[int, list[Placed]]


Placed = tuple[LexborNode, Scope]
_PAGE: Final = Scope(None, {})


class ComposedNode:
    """A node as lexbor has it, but for the nodes below and beside it."""

    __slots__ = ("_beside", "_content", "_number", "_tree", "node", "scope")

    def __init__(
        self,
        tree: ComposedTree,
        node: LexborNode,
        scope: Scope,
        beside: Sequence[Placed],
        number: int,
    ) -> None:
        self._tree, self.node, self.scope = tree, node, scope
        self._beside, self._number = beside, number
        self._content: list[Placed] | None = None

    def opens(self) -> bool:
        """Whether something stands in it in place of its children."""
        if self._content is None and self.node.is_element_node:
            self._content = self._tree.content(self.node, self.scope)
        return self._content is not None

    @property
    def first_child(self) -> ComposedNode | LexborNode | None:
        if self.opens():
            return self._at(self._content or (), 0)
        if self._tree.is_plain(self.node, self.scope):
            return self.node.first_child
        return self._at(list(_placed_children(self.node, self.scope)), 0)

    @property
    def next(self) -> ComposedNode | None:
        return self._at(self._beside, self._number + 1)

    def _at(self, nodes: Sequence[Placed], number: int) -> ComposedNode | None:
        if number >= len(nodes):
            return None
        return ComposedNode(self._tree, *nodes[number], nodes, number)

    if not TYPE_CHECKING:  # else every name would be an attribute

        def __getattr__(self, name: str) -> Any:
            return getattr(self.node, name)


def _addresses_above(nodes: Iterable[LexborNode]) -> set[int]:
    """The addresses of nodes and of all that is around them."""
    addresses: set[int] = set()
    for node in nodes:
        above: LexborNode | None = node
        while above is not None and above.mem_id not in addresses:
            addresses.add(above.mem_id)
            above = above.parent
    return addresses


def _placed_children(node: LexborNode, scope: Scope) -> Iterator[Placed]:
    child = node.first_child
    while child is not None:
        yield child, scope
        child = child.next


def _assigned(slots: dict[int, str], light: Iterable[Placed]) -> dict[int, list[Placed]]:
    """Each child of a host to the first slot of its name; texts have the empty one."""
    first: dict[str, int] = {}
    for address, name in slots.items():
        first.setdefault(name, address)
    assigned: dict[int, list[Placed]] = {}
    for node, scope in light:
        name = ""
        if node.is_element_node:
            name = node.attributes.get("slot") or ""
        elif not node.is_text_node:
            continue
        if name in first and not (node.tag == "template" and "shadowrootmode" in node.attributes):
            assigned.setdefault(first[name], []).append((node, scope))
    return assigned


def _makes_shadow_tree(template: LexborNode, roots: set[int]) -> bool:
    mode = (template.attributes.get("shadowrootmode") or "").lower()
    host = template.parent
    if mode not in ("open", "closed") or host is None or host.tag is None:
        return False
    return ("-" in host.tag or host.tag in _HOSTS) and host.mem_id not in roots


def _opened(number: int, html: str) -> str:
    """A template as an element whose content is parsed as part of the document."""
    inside = _TEMPLATE_END.sub("</div>", html[len("<template") :])
    return f'<div {_MARK}="{number}"{inside}'
