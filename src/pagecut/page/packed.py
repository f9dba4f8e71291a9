"""The columns that every page has, in one block of memory.

Compiled code takes them with two arguments instead of nine, and a page whose columns nobody has
asked for needs no arrays.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from pagecut.page.nodes import ELEMENT, Nodes
from pagecut.page.tags import CODE, LETTERING

# Which group of tags each bit of `PackedNodes.tag_marks` stands for.
MARKED_TAGS: Final = (LETTERING, CODE, frozenset({"a"}))
IS_LINK: Final = 4  # no tag is in this group and in another

_NUMBERS: Final = ("tag", "parent", "subtree_end", "depth", "ordinal", "start", "end")
_BYTES: Final = ("kind", "hidden")


class PackedNodes(NamedTuple):
    """The columns one after the other; `numbers` and `bytes` are read-only buffers."""

    numbers: Any  # (7n,) int32: the columns of _NUMBERS
    bytes: Any  # (2n,) uint8: those of _BYTES
    rows: int
    leaves: int  # how many of the rows are texts or images
    tag_names: tuple[str, ...]
    tag_marks: bytes  # for each tag, the MARKED_TAGS it is in, as bits

    @classmethod
    def of(cls, nodes: Nodes, length: int) -> PackedNodes:
        """The columns of a page that has them as arrays.

        Args:
            length: of the page's text.
        """
        _check(nodes, length)
        return cls(
            np.concatenate([getattr(nodes, name) for name in _NUMBERS], dtype=np.int32),
            np.concatenate([getattr(nodes, name) for name in _BYTES], dtype=np.uint8),
            len(nodes),
            int(np.count_nonzero(nodes.kind != ELEMENT)),
            nodes.tag_names,
            bytes(
                sum((name in tags) << bit for bit, tags in enumerate(MARKED_TAGS))
                for name in nodes.tag_names
            ),
        )

    def unpack(self) -> Nodes:
        """The columns as arrays, which read the same memory."""
        numbers = np.frombuffer(self.numbers, dtype=np.int32).reshape(len(_NUMBERS), self.rows)
        others = np.frombuffer(self.bytes, dtype=np.uint8).reshape(len(_BYTES), self.rows)
        tag, parent, subtree_end, depth, ordinal, start, end = numbers
        kind, hidden = others
        return Nodes(
            kind=kind,
            tag=tag,
            tag_names=self.tag_names,
            parent=parent,
            subtree_end=subtree_end,
            depth=depth,
            ordinal=ordinal,
            start=start,
            end=end,
            hidden=hidden,
        )


def _check(nodes: Nodes, length: int) -> None:
    """Refuse columns that point out of the page: compiled code trusts them."""
    row = np.arange(len(nodes))
    for name, wrong in (
        ("parent", (nodes.parent < -1) | (nodes.parent >= row)),
        ("subtree_end", (nodes.subtree_end <= row) | (nodes.subtree_end > len(nodes))),
        ("start", (nodes.start < 0) | (nodes.start > nodes.end)),
        ("end", nodes.end > length),
        ("tag", (nodes.tag < 0) | (nodes.tag >= len(nodes.tag_names))),
    ):
        if wrong.any():
            at = int(np.argmax(wrong))
            raise ValueError(f"row {at}: {name} {getattr(nodes, name)[at]} points out of the page")
