"""Frames and web components: the one tree that people see, composed of several parsed ones.

It is the flat tree of the DOM standard (§4.2.2, CSS Scoping §3.1), read from the source alone. An
`<iframe srcdoc>` has the document in that attribute for its content, one level deep. An element
with a `<template shadowrootmode>` has that shadow tree for its content; what else is in it stands
in the slots of the shadow tree, and what has no slot is not shown.
"""

from __future__ import annotations

import re
import secrets
import sys
from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from pagecut.parsing.lexbor import Tree, read_tree
from pagecut.parsing.limits import DEFAULT_LIMITS, Limits, Spent

# What a page may hold of each; what is beyond stays closed. A parsed document takes 120 kB at
# least, and a shadow tree is parsed once for each that lies around it.
MOST_FRAMES: Final = 100
MOST_NESTED: Final = 16

_MARK: Final = "data-shadow-tree"
# No document in an attribute is in quirks mode (HTML §4.8.5).
_DOCTYPE: Final = "<!DOCTYPE html>"
# DOM §4.9: what may have a shadow tree, besides elements with a hyphen in their names.
_HOSTS: Final = frozenset(
    """
    article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span
    """.split()
)
_TEMPLATE_END = re.compile(r"</template>\s*\Z", re.IGNORECASE)


class Frame(NamedTuple):
    """The nodes of a frame's document, and what it says its addresses are relative to."""

    first: int
    last: int
    base: str


def compose(
    tree: Tree, page: object, limits: Limits = DEFAULT_LIMITS, spent: Spent | None = None
) -> tuple[Tree, tuple[Frame, ...]]:
    """The tree that people see; and the frames in it that have a base of their own.

    Args:
        page: what an error calls the page.
        limits: what all its documents may cost.
        spent: what those that have been parsed did cost.
    """
    composer = _Composer(page, limits, spent or Spent(), tree.everything)
    composer.run(composer.parsed(tree))
    return composer.composed.finish(), tuple(composer.frames)


@dataclass(frozen=True, eq=False)
class _Parsed:
    """A parsed document, and where in it content stands that is not its own."""

    tree: Tree
    slots: list[int]
    stops: list[int]  # frames and hosts
    shadows: dict[int, tuple[_Parsed, int]] = field(default_factory=dict)  # by the host


@dataclass(frozen=True, eq=False)
class _Scope:
    """What the nodes of one document or shadow tree have in common."""

    in_frame: bool = False
    assigned: dict[int, list[_Part]] = field(default_factory=dict)  # by the slot
    slots: list[int] = field(default_factory=list)  # those with something assigned, sorted


class _Part(NamedTuple):
    """Nodes of one document that follow each other."""

    parsed: _Parsed
    scope: _Scope
    first: int
    last: int


class _FrameEnd(NamedTuple):
    first: int
    base: str


class _Composer:
    def __init__(self, page: object, limits: Limits, spent: Spent, everything: bool) -> None:
        self._page = page
        self._limits = limits
        self._spent = spent
        self._entered = 0
        # Serialised content can leave the element around it: a page must not guess the mark.
        self._key = secrets.token_hex(8)
        self.composed = Tree(everything)
        self.frames: list[Frame] = []

    def run(self, page: _Parsed) -> None:
        """Copy the nodes in the order in which they are seen; without recursion."""
        rest: list[tuple[_Part, int] | _FrameEnd] = [(_Part(page, _Scope(), 0, len(page.tree)), 0)]
        while rest:
            step = rest.pop()
            if isinstance(step, _FrameEnd):
                self.frames.append(Frame(step.first, len(self.composed), step.base))
                continue
            part, deeper = step
            parsed, scope, first, last = part
            tree = parsed.tree
            stop = min(_next(parsed.stops, first), _next(scope.slots, first))
            if stop >= last:
                self.composed.add_nodes(tree, first, last, deeper)
                continue
            self.composed.add_nodes(tree, first, stop + 1, deeper)
            content = self._content(parsed, scope, stop)
            after = stop + 1 if content is None else tree.end(stop)
            rest.append((_Part(parsed, scope, after, last), deeper))
            depth = tree.depth(stop) + deeper + 1
            for inner in reversed(content or ()):
                if isinstance(inner, _FrameEnd):
                    rest.append(inner._replace(first=len(self.composed)))
                else:
                    rest.append((inner, depth - inner.parsed.tree.depth(inner.first)))

    def _content(self, parsed: _Parsed, scope: _Scope, at: int) -> list[_Part | _FrameEnd] | None:
        """What stands in a slot, a host or a frame in place of its children."""
        if at in scope.assigned:
            return [*scope.assigned[at]]
        if at in parsed.shadows:
            shadow, root = parsed.shadows[at]
            assigned = _assigned(_slots_of(shadow, root), _children(parsed, scope, at))
            inside = _Scope(scope.in_frame, assigned, sorted(assigned))
            return [*_children(shadow, inside, root)]
        html = parsed.tree.attributes_of(at).get("srcdoc")
        if not html or scope.in_frame or self._entered == MOST_FRAMES:
            return None
        self._entered += 1
        document = self.parsed(self._parse(_DOCTYPE + html))
        tree = document.tree
        bases = (tree.attributes_of(each).get("href") for each in tree.find("base"))
        base = next(filter(None, bases), "")
        whole = _Part(document, _Scope(in_frame=True), 0, len(tree))
        return [whole, _FrameEnd(0, base)] if base else [whole]

    def parsed(self, tree: Tree) -> _Parsed:
        """A document with its shadow trees, which are parsed here, all of one depth at once."""
        outermost = parsed = _document(tree)
        roots: set[int] = set()  # of shadow trees, which are no hosts
        for _ in range(MOST_NESTED):
            templates = _outside_of_fallbacks(parsed.tree, parsed.tree.find("template"))
            hosts = dict(zip(templates, parsed.tree.parents(templates), strict=True))
            templates = [
                each
                for each in templates
                if _makes_shadow_tree(parsed.tree, each, hosts[each], roots)
            ]
            if not templates:
                break
            marked = {f"{self._key}-{each}": each for each in templates}
            sources = [_opened(mark, parsed.tree.text(each + 1)) for mark, each in marked.items()]
            shadow = _document(self._parse(f"{_DOCTYPE}<html><body>{''.join(sources)}"))
            (body,) = shadow.tree.find("body")[:1]
            roots = set(shadow.tree.children(body))
            for root in shadow.tree.children(body):
                template = marked.get(shadow.tree.attributes_of(root).get(_MARK) or "")
                if template is not None:  # of several templates the first one counts
                    parsed.shadows.setdefault(hosts[template], (shadow, root))
            parsed.stops[:] = sorted({*parsed.stops, *parsed.shadows})
            parsed = shadow
        return outermost

    def _parse(self, html: str) -> Tree:
        source = html.encode("utf-8", "replace")
        everything = self.composed.everything
        return read_tree(source, self._page, self._limits, everything=everything, spent=self._spent)


def _document(tree: Tree) -> _Parsed:
    return _Parsed(tree, tree.find("slot"), _outside_of_fallbacks(tree, tree.find("iframe")))


def _outside_of_fallbacks(tree: Tree, nodes: list[int]) -> list[int]:
    """Those of some nodes that are in no <noscript>, whose content is never shown."""
    shown, fallbacks, end = [], deque(tree.find("noscript")), 0
    for node in nodes:
        while fallbacks and fallbacks[0] < node:
            end = max(end, tree.end(fallbacks.popleft()))
        if node >= end:
            shown.append(node)
    return shown


def _next(places: list[int], first: int) -> int:
    """The first of some places that is not before another; a large one if there is none."""
    at = bisect_left(places, first)
    return places[at] if at < len(places) else sys.maxsize


def _children(parsed: _Parsed, scope: _Scope, at: int) -> Iterator[_Part]:
    for child in parsed.tree.children(at):
        yield _Part(parsed, scope, child, parsed.tree.end(child))


def _slots_of(shadow: _Parsed, root: int) -> Iterator[tuple[int, str]]:
    """The slots of a shadow tree with their names."""
    last = shadow.tree.end(root)
    for slot in shadow.slots[bisect_left(shadow.slots, root) : bisect_left(shadow.slots, last)]:
        yield slot, shadow.tree.attributes_of(slot).get("name") or ""


def _assigned(slots: Iterable[tuple[int, str]], light: Iterable[_Part]) -> dict[int, list[_Part]]:
    """Each child of a host to the first slot of its name; texts have the empty one."""
    first: dict[str, int] = {}
    for slot, name in slots:
        first.setdefault(name, slot)
    assigned: dict[int, list[_Part]] = {}
    for part in light:
        tree, at = part.parsed.tree, part.first
        attributes = tree.attributes_of(at)
        if tree.tag(at) is None and not tree.is_text(at):
            continue
        if tree.tag(at) == "template" and "shadowrootmode" in attributes:
            continue
        name = attributes.get("slot") or ""
        if name in first:
            assigned.setdefault(first[name], []).append(part)
    return assigned


def _makes_shadow_tree(tree: Tree, template: int, host: int, roots: set[int]) -> bool:
    mode = (tree.attributes_of(template).get("shadowrootmode") or "").lower()
    if mode not in ("open", "closed") or host < 0 or host in roots:
        return False
    tag = tree.tag(host) or ""
    return "-" in tag or tag in _HOSTS


def _opened(mark: str, html: str) -> str:
    """A template as an element whose content is parsed as part of the document."""
    inside = _TEMPLATE_END.sub("</div>", html[len("<template") :])
    return f'<div {_MARK}="{mark}"{inside}'
