"""Follow a page's open elements tag by tag, without building its tree.

A rough form of HTML's tree construction (§13.2.6) that sees what makes it costly: how deep elements
nest, and how many formatting elements are reopened after a block that closed them. It is linear in
the source whatever the source holds. It leaves out implied elements (tbody, tr), of which there are
at most three for each one seen, and errs on the side of counting too much. Where an end tag may
close something further out than it looks, it gives up and calls the page endlessly deep.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from pagecut.page.tags import FORMATTING, LINE_BREAKING, VOID

# §13.2.5: comments, CDATA (one only within SVG and MathML), bogus comments, tags. A quote opens a
# value only after an equals sign.
_TAG = re.compile(
    r"""<(?:
    !--(?:-?>|.*?(?:--!?>|\Z))
    |(?P<cdata>!\[CDATA\[)
    |(?:[!?]|/(?![a-zA-Z]))[^>]*+>?
    |(?P<slash>/?)(?P<name>[a-zA-Z][^ \t\n\r\f/>]*+)
     (?P<attributes>(?:
        [ \t\n\r\f]++|/(?!>)
        |[^ \t\n\r\f/>][^ \t\n\r\f/>=]*+
         (?:[ \t\n\r\f]*+=[ \t\n\r\f]*+(?:"[^"]*"|'[^']*'|[^ \t\n\r\f>"'][^ \t\n\r\f>]*+)?+)?+
     )*+)
     (?P<closed>/?)>?
    )""",
    re.DOTALL | re.VERBOSE,
)
_SCRIPT_STATES = re.compile(r"<!--|-->|</?script(?=[ \t\n\r\f/>])", re.IGNORECASE)
RAW_TEXT: Final = frozenset(
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
# How many open blocks an end tag is looked for in; real pages nest far fewer.
_REACH: Final = 64
_ENDLESS: Final = 2**62
# §13.2.6.5: SVG and MathML, where HTML starts again inside, and the HTML tags that end them.
_FOREIGN: Final = frozenset({"svg", "math"})
INTEGRATION: Final = frozenset("foreignobject desc title mi mo mn ms mtext".split())
BREAKOUT: Final = frozenset(
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li "
    "listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul "
    "var".split()
)
_FONT_ATTRIBUTE = re.compile(r"[ \t\n\r\f/](?:color|face|size)(?=[ \t\n\r\f/=>])", re.IGNORECASE)
_ANNOTATION = re.compile(r"encoding[^>]*(?:text/html|application/xhtml\+xml)", re.IGNORECASE)
# Elements that a start tag of the same kind closes, unless a list or table lies between.
_SELF_CLOSING: Final = frozenset("p li dt dd tr thead tbody tfoot colgroup a button nobr".split())
_CELLS: Final = frozenset({"td", "th", "caption"})
_TABLE: Final = frozenset({"table", "td", "th", "caption"})
# Tags that mean nothing outside of a table.
_OF_TABLES: Final = frozenset("caption col colgroup tbody td tfoot th thead tr".split())
_NOT_CLOSING_P: Final = frozenset("br tr td th thead tbody tfoot caption col colgroup".split())
_REOPENED: Final = "#reopened"
# §13.2.6.4.7, "adoption agency": a formatting element closed over a block leaves the block open.
_BLOCKS: Final = LINE_BREAKING | {"button", "select", "noscript"}
_CLOSED: Final = "#closed"


@dataclass(slots=True)
class _Scope:
    """What is open since the last barrier."""

    barrier: str
    names: list[str] = field(default_factory=list)
    weights: list[int] = field(default_factory=list)
    open: Counter[str] = field(default_factory=Counter)
    alike: Counter[str] = field(default_factory=Counter)  # formatting elements by their whole tag
    blocks: list[int] = field(default_factory=list)  # up to and with each name
    # For each formatting element where it is in names, and its whole tag if it is to be reopened.
    formatting: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    pending: int = 0  # formatting elements to reopen


class _OpenElements:
    def __init__(self) -> None:
        self.scopes = [_Scope("html")]
        self.barriers: Counter[str] = Counter()
        self.open: Counter[str] = Counter()  # in all scopes
        self.depth = 0
        self.reopened = 0

    @property
    def foreign(self) -> bool:
        """Whether the next tag is read by the rules of SVG and MathML."""
        return self.scopes[-1].barrier in _FOREIGN

    def start_foreign(self, name: str, tag: str) -> bool:
        """Open an element of SVG or MathML; False if the tag ends them instead."""
        if name in BREAKOUT or (name == "font" and _FONT_ATTRIBUTE.search(tag)):
            while self.foreign:
                self.leave_scope()
            return False
        if name in INTEGRATION or (name == "annotation-xml" and _ANNOTATION.search(tag)):
            self.scopes.append(_Scope(name))
            self.barriers[name] += 1
            self.depth += 1
        else:
            self.push(name)
        return True

    def push(self, name: str, weight: int = 1, tag: str = "") -> None:
        scope = self.scopes[-1]
        scope.names.append(name)
        scope.weights.append(weight)
        scope.open[name] += 1
        self.open[name] += 1
        scope.blocks.append((scope.blocks[-1] if scope.blocks else 0) + (name in _BLOCKS))
        if name in FORMATTING:
            if scope.alike[tag] < 3:  # the parser reopens at most three alike
                scope.alike[tag] += 1
            else:
                tag = ""
            scope.formatting.setdefault(name, []).append((len(scope.names) - 1, tag))
        self.depth += weight

    def pop(self) -> str:
        scope = self.scopes[-1]
        name, weight = scope.names.pop(), scope.weights.pop()
        scope.open[name] -= 1
        self.open[name] -= 1
        scope.blocks.pop()
        self.depth -= weight
        if name == _REOPENED or (name in FORMATTING and scope.formatting[name].pop()[1]):
            scope.pending += weight
        return name

    def pop_through(self, name: str) -> None:
        while self.pop() != name:
            pass
        self.pop_closed()

    def pop_closed(self) -> None:
        names = self.scopes[-1].names
        while names and names[-1] == _CLOSED:
            self.pop()

    def close_formatting(self, scope: _Scope, name: str) -> None:
        """Close a formatting element, over blocks in place; else with all that is in it."""
        at, tag = scope.formatting[name][-1]
        if tag:
            scope.alike[tag] -= 1
        if scope is self.scopes[-1] and scope.blocks[-1] == scope.blocks[at]:
            pending = scope.pending
            self.pop_through(name)
            scope.pending = max(pending, scope.pending - (1 if tag else 0))
        else:
            scope.formatting[name].pop()
            scope.names[at] = _CLOSED
            scope.open[name] -= 1
            scope.open[_CLOSED] += 1
            self.open[name] -= 1
            self.open[_CLOSED] += 1

    def leave_scope(self) -> None:
        scope = self.scopes.pop()
        self.open.subtract(scope.names)
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
        self.pop_closed()

    def in_reach(self, name: str) -> bool:
        """Whether an end tag closes an outer barrier."""
        for scope in self.scopes[: -_REACH - 1 : -1]:
            if scope.barrier == name:
                return True
            if scope.barrier == "template" or (
                scope.barrier not in _SOFT_BARRIERS
                and scope.barrier not in _FOREIGN
                and (name not in _TABLE or scope.barrier == "table")
            ):
                return False
        self.give_up_beyond_reach()
        return False

    def give_up_beyond_reach(self) -> None:
        """Call the page endlessly deep if there are open blocks that were not looked at."""
        if len(self.scopes) > _REACH:
            self.depth = _ENDLESS

    def reopen(self) -> None:
        scope = self.scopes[-1]
        if scope.pending:
            count, scope.pending = scope.pending, 0
            self.push(_REOPENED, count)
            self.reopened += count

    def start(self, name: str, tag: str) -> None:
        scope = self.scopes[-1]
        if name in _OF_TABLES and not self.barriers["table"] and not self.barriers["template"]:
            return
        if name in _CELLS:
            while len(self.scopes) > 1 and self.scopes[-1].barrier in _CELLS:
                self.leave_scope()
        elif name in FORMATTING and name in _SELF_CLOSING and scope.open[name]:
            self.close_formatting(scope, name)
        elif name in _SELF_CLOSING and scope.open[name]:
            self.pop_through(name)
        elif name in ("option", "optgroup"):
            if scope.names and scope.names[-1] == "option":
                self.pop()
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
        self.push(name, tag=tag)

    def end(self, name: str) -> None:
        if self.foreign and name in ("p", "br"):
            while self.foreign:
                self.leave_scope()
        top = self.scopes[-1]
        if name in _FOREIGN or name in INTEGRATION or name == "annotation-xml":
            if top.barrier == name and (name in _FOREIGN or not top.names):
                self.leave_scope()
                return
        elif name in _BARRIERS:
            if self.barriers[name] and self.in_reach(name):
                self.leave_scopes_through(name)
            return
        if name not in _SOFT_BARRIERS and name not in FORMATTING and not self.open[name]:
            return
        reach = self.scopes[: -_REACH - 1 : -1]
        blocked = False
        for scope in reach:
            if name == "form" and scope.blocks and scope.blocks[-1]:
                return  # a form ends, but what is open in it stays open
            if name in _SOFT_BARRIERS and scope.barrier == name:
                self.leave_scopes_through(name)
                return
            if scope.open[name]:
                if name in FORMATTING and blocked:
                    self.close_formatting(scope, name)
                    return
                while self.scopes[-1] is not scope:
                    self.leave_scope()
                break
            blocked = blocked or scope.barrier in _SOFT_BARRIERS
            if scope.barrier not in _SOFT_BARRIERS and scope.barrier not in _FOREIGN:
                break
        else:
            if name not in FORMATTING and (self.open[name] or self.barriers[name]):
                self.give_up_beyond_reach()
        scope = self.scopes[-1]
        if scope.open[name] and name in FORMATTING:
            self.close_formatting(scope, name)
        elif scope.open[name]:
            self.pop_through(name)
        elif name in FORMATTING and scope.pending:
            scope.pending -= 1
        elif name in FORMATTING and scope.open[_REOPENED]:
            self.pop_through(_REOPENED)
            scope.pending -= 1


def trace_open_elements(source: str) -> Iterator[tuple[int, int]]:
    """Yield, for each tag, how deep elements nest now and how many were reopened so far."""
    elements = _OpenElements()
    position, length = 0, len(source)
    in_select = False
    while position < length:
        tag = _TAG.search(source, position)
        if tag is None:
            return
        text_between = source[position : tag.start()].strip(" \t\n\r\f")
        position = tag.end()
        if text_between:
            elements.reopen()
        if tag["cdata"]:
            closing = source.find("]]>" if elements.foreign else ">", position)
            position = closing if closing >= 0 else length
        if not tag["name"]:
            continue
        name = tag["name"].lower()
        if name == "select":
            in_select = not tag["slash"]
        if tag["slash"]:
            elements.end(name)
        elif elements.foreign and name not in BREAKOUT and tag["closed"]:
            continue
        elif elements.foreign and elements.start_foreign(name, tag[0]):
            pass
        elif name in RAW_TEXT and (not in_select or name in ("script", "textarea")):
            position = _end_of_raw_text(source, position, name)
        else:
            elements.start(name, tag[0])
        yield elements.depth, elements.reopened


def _end_of_raw_text(source: str, position: int, name: str) -> int:
    """Where the end tag of an element begins whose content is no markup (§13.2.5.4 and others)."""
    if name != "script":
        closing = re.compile(f"</{name}(?=[ \\t\\n\\r\\f/>])", re.IGNORECASE)
        found = closing.search(source, position)
        return found.start() if found else len(source)
    # Within a comment, a script inside the script hides its end tag.
    in_comment = in_inner_script = False
    while found := _SCRIPT_STATES.search(source, position):
        position = found.end()
        if found[0] == "-->":
            in_comment = in_inner_script = False
        elif found[0] == "<!--":
            in_comment = True
            position -= 2  # its dashes may end it again
        elif found[0][1] != "/":
            in_inner_script = in_comment
        elif in_inner_script:
            in_inner_script = False
        else:
            return found.start()
    return len(source)
