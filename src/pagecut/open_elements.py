"""Follow a page's open elements tag by tag, without building its tree.

A rough form of HTML's tree construction (§13.2.6) that sees what makes it costly: how deep elements
nest, and how many formatting elements are reopened after a block that closed them. It is linear in
the source whatever the source holds. It leaves out implied elements (tbody, tr), of which there are
at most three for each one seen, and errs on the side of counting too much.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from pagecut.tags import FORMATTING, LINE_BREAKING, VOID

_TAG = re.compile(
    r"<(?:!--(?:-?>|.*?(?:--!?>|\Z))"
    r"|(/?)([a-zA-Z][^\s/>]*)((?:[^>\"']++|\"[^\"]*\"|'[^']*')*)>?)",
    re.DOTALL,
)
_RAW_TEXT: Final = frozenset(
    "script style textarea title xmp iframe noembed noframes plaintext".split()
)
# §13.2.4.2: an end tag does not reach over these; formatting outside stays outside.
_BARRIERS: Final = frozenset(
    "applet caption table td th marquee object template svg math foreignobject".split()
)
# §13.2.6.4.7: a list item does not close another one over these; end tags and formatting pass.
_SOFT_BARRIERS: Final = (
    LINE_BREAKING
    - _BARRIERS
    - frozenset(
        "html body address div p li dt dd br hr tr td th thead tbody tfoot caption col "
        "colgroup".split()
    )
)
_MOST_SOFT_BARRIERS: Final = 8
_FOREIGN: Final = frozenset({"svg", "math"})
# Elements that a start tag of the same kind closes, unless a list or table lies between.
_SELF_CLOSING: Final = frozenset(
    "p li dt dd tr thead tbody tfoot option optgroup colgroup a button nobr".split()
)
_CELLS: Final = frozenset({"td", "th", "caption"})
_NOT_CLOSING_P: Final = frozenset("br tr td th thead tbody tfoot caption col colgroup".split())
_REOPENED: Final = "#reopened"


@dataclass(slots=True)
class _Scope:
    """What is open since the last barrier."""

    barrier: str
    names: list[str] = field(default_factory=list)
    weights: list[int] = field(default_factory=list)
    open: Counter[str] = field(default_factory=Counter)
    alike: Counter[str] = field(default_factory=Counter)  # formatting elements by their whole tag
    pending: int = 0  # formatting elements to reopen


class _OpenElements:
    def __init__(self) -> None:
        self.scopes = [_Scope("html")]
        self.barriers: Counter[str] = Counter()
        self.depth = 0
        self.reopened = 0

    def push(self, name: str, weight: int = 1) -> None:
        scope = self.scopes[-1]
        scope.names.append(name)
        scope.weights.append(weight)
        scope.open[name] += 1
        self.depth += weight

    def pop(self) -> str:
        scope = self.scopes[-1]
        name, weight = scope.names.pop(), scope.weights.pop()
        scope.open[name] -= 1
        self.depth -= weight
        if name in FORMATTING or name == _REOPENED:
            scope.pending += weight
        return name

    def pop_through(self, name: str) -> None:
        while self.pop() != name:
            pass

    def leave_scope(self) -> None:
        scope = self.scopes.pop()
        if scope.barrier in _SOFT_BARRIERS:
            left = sum(
                weight
                for name, weight in zip(scope.names, scope.weights, strict=True)
                if name in FORMATTING or name == _REOPENED
            )
            self.scopes[-1].pending = max(self.scopes[-1].pending, scope.pending + left)
        self.depth -= sum(scope.weights) + 1
        self.barriers[scope.barrier] -= 1

    def leave_scopes_through(self, name: str) -> None:
        while self.scopes[-1].barrier != name:
            self.leave_scope()
        self.leave_scope()

    def reopen(self) -> None:
        scope = self.scopes[-1]
        if scope.pending:
            count, scope.pending = scope.pending, 0
            self.push(_REOPENED, count)
            self.reopened += count

    def start(self, name: str, tag: str) -> None:
        scope = self.scopes[-1]
        if name in _CELLS:
            while len(self.scopes) > 1 and self.scopes[-1].barrier in _CELLS:
                self.leave_scope()
        elif name in _SELF_CLOSING and scope.open[name]:
            self.pop_through(name)
        elif name in LINE_BREAKING and name not in _NOT_CLOSING_P and scope.open["p"]:
            self.pop_through("p")
        if name in VOID:
            return
        if name in _BARRIERS or name in _SOFT_BARRIERS:
            inherited = 0 if name in _BARRIERS else self.scopes[-1].pending
            self.scopes.append(_Scope(name, pending=inherited))
            self.barriers[name] += 1
            self.depth += 1
            return
        if name not in LINE_BREAKING:
            self.reopen()
        self.push(name)
        if name in FORMATTING:
            scope = self.scopes[-1]
            scope.alike[tag] += 1
            if scope.alike[tag] > 3:  # the parser keeps at most three alike
                scope.names[-1] = "span"
                scope.open[name] -= 1
                scope.open["span"] += 1

    def end(self, name: str) -> None:
        if name in _BARRIERS:
            if self.barriers[name]:
                self.leave_scopes_through(name)
            return
        reach = self.scopes[: -_MOST_SOFT_BARRIERS - 1 : -1]
        for scope in reach:
            if name in _SOFT_BARRIERS and scope.barrier == name:
                self.leave_scopes_through(name)
                return
            if scope.open[name]:
                while self.scopes[-1] is not scope:
                    self.leave_scope()
                break
            if scope.barrier not in _SOFT_BARRIERS:
                break
        scope = self.scopes[-1]
        if scope.open[name]:
            pending = scope.pending
            self.pop_through(name)
            if name in FORMATTING:
                scope.pending = max(pending, scope.pending - 1)
        elif name in FORMATTING and scope.pending:
            scope.pending -= 1
        elif name in FORMATTING and scope.open[_REOPENED]:
            self.pop_through(_REOPENED)
            scope.pending -= 1


def trace_open_elements(source: str) -> Iterator[tuple[int, int]]:
    """Yield, for each tag, how deep elements nest now and how many were reopened so far."""
    elements = _OpenElements()
    position, length = 0, len(source)
    while position < length:
        tag = _TAG.search(source, position)
        if tag is None:
            return
        text_between = source[position : tag.start()].strip(" \t\n\r\f")
        position = tag.end()
        if text_between:
            elements.reopen()
        if tag[2] is None:
            continue
        name = tag[2].lower()
        foreign = any(elements.barriers[each] for each in _FOREIGN)
        if tag[1]:
            elements.end(name)
        elif name in _RAW_TEXT and not foreign:
            closing = re.compile(f"</{name}", re.IGNORECASE).search(source, position)
            if closing is None:
                return
            position = closing.start()
        elif not (foreign and tag[3].endswith("/")):
            elements.start(name, tag[0])
        yield elements.depth, elements.reopened
