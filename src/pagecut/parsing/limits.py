"""What a page may cost before it is refused."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np

from pagecut.acceleration import native
from pagecut.errors import TooLarge
from pagecut.page.tags import LASTING
from pagecut.parsing.open_elements import trace_open_elements

# lexbor needs 30 ms for 5,000 nested elements and 4 s for 50,000: fewer tags need no scan.
_DEEP_TAGS: Final = 5000
_FEW_TAGS: Final = 1000
# 200 unclosed formatting elements, reopened by 4,800 blocks, are a million nodes and 1 s.
_LASTING_TAGS: Final = 200
_MOST_REOPENED: Final = 300_000
# lexbor is quadratic in both: 50,000 names of tags cost 0.5 s, 10,000 attributes of one tag 0.25 s.
_MOST_NAMES: Final = 50_000
_MOST_ATTRIBUTES: Final = 10_000
# A page with fewer tags for its size may have very long ones, with room for too many attributes.
_LONG_TAGS: Final = 1000
_ROOM: Final = 3 * _MOST_ATTRIBUTES

_TOO_MANY_NAMES: Final = -1
_TOO_MANY_ATTRIBUTES: Final = -2


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a page may have before it is refused with `TooLarge`.

    Args:
        size: bytes (or characters) of source.
        nodes: elements and leaves.
        depth: levels of nesting; browsers stop at 512.
    """

    size: int = 32 * 2**20
    nodes: int = 3_000_000
    depth: int = 512

    def __post_init__(self) -> None:
        for name in "size", "nodes", "depth":
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, got {getattr(self, name)}")

    def check_size(self, size: int, page: object) -> None:
        """Raise `TooLarge` for a source of more bytes than allowed."""
        if size > self.size:
            raise TooLarge(
                f"{page}: {size:,} bytes of HTML, more than the limit of {self.size:,}; "
                "in Python, Limits(size=…) raises it"
            )

    def check_nodes(self, count: int, page: object) -> None:
        """Raise `TooLarge` for a page of more nodes than allowed."""
        if count > self.nodes:
            raise TooLarge(
                f"{page}: more than the limit of {self.nodes:,} nodes; "
                "in Python, Limits(nodes=…) raises it"
            )

    def check_depth(self, depth: int, page: object) -> None:
        """Raise `TooLarge` for a page nested deeper than allowed."""
        if depth > self.depth:
            raise TooLarge(
                f"{page}: nested deeper than the limit of {self.depth:,} levels; "
                "in Python, Limits(depth=…) raises it"
            )

    def check_source(self, source: bytes, page: object) -> int:
        """Raise `TooLarge` where parsing would take too long, or build too deep or large a tree.

        HTML5 tree building is quadratic on two kinds of hostile input: deep nesting, and
        unclosed formatting elements that every new block reopens; lexbor also on attributes of
        one tag, and on names of tags. Only a page with enough tags for either, or with far too
        few, is looked at. The number of its start tags, more or less.

        Args:
            source: the page in UTF-8.
        """
        start_tags, lasting_tags = count_tags(source)
        has_long_tags = len(source) > max(_ROOM, _LONG_TAGS * start_tags)
        if start_tags < _FEW_TAGS and not has_long_tags:
            return start_tags
        self.check_nodes(start_tags, page)
        is_harmless = start_tags < _DEEP_TAGS and lasting_tags < _LASTING_TAGS
        if is_harmless and not has_long_tags:
            return start_tags
        judgement = judge(source)
        if judgement == _TOO_MANY_NAMES:
            raise TooLarge(f"{page}: its tags have more than {_MOST_NAMES:,} names")
        if judgement == _TOO_MANY_ATTRIBUTES:
            raise TooLarge(f"{page}: one of its tags has more than {_MOST_ATTRIBUTES:,} attributes")
        if judgement > 0 or is_harmless:
            return start_tags
        for depth, reopened in trace_open_elements(source.decode()):
            if depth > max(self.depth, 2000):
                self.check_depth(depth, page)
            if reopened > _MOST_REOPENED:
                raise TooLarge(
                    f"{page}: its unclosed formatting tags would be reopened more than "
                    f"{_MOST_REOPENED:,} times"
                )
        return start_tags


_TAG = re.compile(
    rb"""<(?:!--.*?-->|/?([a-zA-Z][^\s/>]*+)((?:[^>=]++|=\s*+(?:"[^"]*+"|'[^']*+')|=)*+)>?)""",
    re.DOTALL,
)
# Which two bytes, as one number, lasting tags may start with.
_STARTS_LASTING: Final = np.zeros(2**16, dtype=bool)
for _name in b"b big code em font i s small strike strong tt u".split():
    for _second in _name[1:2] or b"\t\n\v\f\r />":
        for _first in _name[:1] + _name[:1].upper():
            _STARTS_LASTING[[_first << 8 | _second, _first << 8 | ord(chr(_second).upper())]] = True
_ATTRIBUTE = re.compile(rb"""[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s>]*+))?+""")


def judge(source: bytes) -> int:
    """Positive where a source is surely harmless, negative where it is not; 0 if nobody knows."""
    if native is not None:
        judgement: int = native.survey(source)[0]
        return judgement
    names = set()
    for tag in _TAG.finditer(source):
        if tag[1]:
            names.add(tag[1].lower())
            if len(names) > _MOST_NAMES:
                return _TOO_MANY_NAMES
            if (
                len(tag[2]) > _ROOM
                and sum(1 for _ in _ATTRIBUTE.finditer(tag[2])) > _MOST_ATTRIBUTES
            ):
                return _TOO_MANY_ATTRIBUTES
    return 0


def count_tags(source: bytes) -> tuple[int, int]:
    """How many start tags a source has at most; and lasting ones, if that can matter."""
    if native is not None:
        start_tags, lasting_tags = native.count_tags(source)
        return start_tags, lasting_tags
    units = np.frombuffer(source + b"  ", dtype=np.uint8)
    is_tag = units[:-2] == ord("<")
    end_tags = np.count_nonzero(is_tag & (units[1:-1] == ord("/")))
    start_tags = int(np.count_nonzero(is_tag) - end_tags)
    if not _FEW_TAGS <= start_tags < _DEEP_TAGS:
        return start_tags, 0
    tags = is_tag.nonzero()[0]
    second = units[tags + 1].astype(np.int32)
    candidates = tags[_STARTS_LASTING[second << 8 | units[tags + 2]]].tolist()
    return start_tags, sum(LASTING.match(source, tag) is not None for tag in candidates)


DEFAULT_LIMITS: Final = Limits()
