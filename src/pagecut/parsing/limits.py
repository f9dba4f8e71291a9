"""What a page may cost before it is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pagecut.errors import TooLarge
from pagecut.parsing.scanner import is_harmless, scan

# lexbor is quadratic in all of these: 5,000 nested elements cost 30 ms and 50,000 4 s, 50,000 names
# of tags 0.5 s, 10,000 attributes of one tag 0.25 s. A million reopened formatting elements, of
# which a page with 5,000 tags can have that many, cost 1 s.
_DEEP: Final = 2000
_MOST_NAMES: Final = 50_000
_MOST_ATTRIBUTES: Final = 10_000
_MOST_REOPENED: Final = 300_000
# Paths have the names of all tags around a node in them. Of 1,876 real pages none has one of 60.
LONGEST_TAG_NAME: Final = 128
# Pages with fewer need no scan. What they can have of each at most costs 1 s: 20,000 attributes.
_FEW_TAGS: Final = 1000
_MANY_TAGS: Final = 5000
_MANY_FORMATTING: Final = 200
_MANY_WORDS: Final = 20_000


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
                "in Python, Limits(size=…) raises it, in `pagecut run` --max-size"
            )

    def check_nodes(self, count: int, page: object) -> None:
        """Raise `TooLarge` for a page of more nodes than allowed."""
        if count > self.nodes:
            raise TooLarge(
                f"{page}: more than the limit of {self.nodes:,} nodes; "
                "in Python, Limits(nodes=…) raises it, no option of commands does"
            )

    def check_depth(self, depth: int, page: object) -> None:
        """Raise `TooLarge` for a page nested deeper than allowed."""
        if depth > self.depth:
            raise TooLarge(
                f"{page}: nested deeper than the limit of {self.depth:,} levels; "
                "in Python, Limits(depth=…) raises it, no option of commands does"
            )

    def check_tag_name(self, name: str, page: object) -> None:
        """Raise `TooLarge` for a tag with a name that makes every path through it long."""
        if len(name) > LONGEST_TAG_NAME:
            raise TooLarge(
                f"{page}: the name of a tag has {len(name):,} characters, "
                f"more than {LONGEST_TAG_NAME}: {name[:40]}…"
            )

    def check_source(self, source: bytes, page: object) -> None:
        """Raise `TooLarge` where parsing would take too long, or build too deep or large a tree.

        Args:
            source: the page in UTF-8.
        """
        if is_harmless(source, _FEW_TAGS, _MANY_TAGS, _MANY_FORMATTING, _MANY_WORDS):
            return
        cost = scan(source, max(self.depth, _DEEP), _MOST_REOPENED, _MOST_ATTRIBUTES, _MOST_NAMES)
        if cost.names > _MOST_NAMES:
            raise TooLarge(f"{page}: its tags have more than {_MOST_NAMES:,} names")
        if cost.attributes > _MOST_ATTRIBUTES:
            raise TooLarge(f"{page}: one of its tags has more than {_MOST_ATTRIBUTES:,} attributes")
        if cost.reopened > _MOST_REOPENED:
            raise TooLarge(
                f"{page}: its unclosed formatting tags would be reopened more than "
                f"{_MOST_REOPENED:,} times"
            )
        self.check_nodes(cost.start_tags, page)
        if cost.depth > max(self.depth, _DEEP):
            self.check_depth(cost.depth, page)


DEFAULT_LIMITS: Final = Limits()
