"""What a page may cost before it is refused."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pagecut.errors import TooLarge

# Paths have the names of all tags around a node in them. Of 1,876 real pages none has one of 60.
LONGEST_TAG_NAME: Final = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a page may have before it is refused with `TooLarge`.

    Args:
        size: bytes (or characters) of source.
        nodes: elements and leaves.
        depth: levels of nesting; browsers stop at 512.
        seconds: of a processor's time to parse it with its frames and shadow trees, and as much
            again for each 8 MiB of source; a megabyte of usual HTML takes 0.01.
    """

    size: int = 32 * 2**20
    nodes: int = 3_000_000
    depth: int = 512
    seconds: float = 0.5

    def __post_init__(self) -> None:
        for name in "size", "nodes", "depth":
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, got {getattr(self, name)}")
        if not self.seconds > 0:
            raise ValueError(f"seconds must be more than 0, got {self.seconds}")

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

    def check_seconds(self, seconds: float, size: int, page: object) -> None:
        """Raise `TooLarge` for a source of so many bytes that keeps the parser busy too long."""
        most = self.seconds * (1 + size / (8 * 2**20))
        if seconds > most:
            raise TooLarge(
                f"{page}: takes more than the limit of {most:.2g} s to parse, as do pages that "
                "nest tags, or leave them open, by the thousand; "
                "in Python, Limits(seconds=…) raises it, no option of commands does"
            )

    def check_values(self, copied: int, size: int, page: object) -> None:
        """Raise `TooLarge` where texts and attributes have far more bytes than the source: those of
        formatting tags that are left open, which every block after them has again."""
        if copied > max(4 * size, self.size):
            raise TooLarge(
                f"{page}: its unclosed formatting tags make {size:,} bytes of HTML "
                f"more than {copied:,}; in Python, Limits(size=…) raises the limit"
            )


DEFAULT_LIMITS: Final = Limits()


@dataclass(slots=True, eq=False)
class Spent:
    """What the documents of a page have cost so far: its own, its frames', its shadow trees'."""

    seconds: float = 0.0
    size: int = 0  # bytes of source
    copied: int = 0  # bytes of texts and attributes
