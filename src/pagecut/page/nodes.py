"""The columns of a page: one row per node in document order, and its rendered lines.

The columns that every page has also lie one after the other in two buffers (`PackedNodes`):
compiled code takes them with two arguments instead of nine.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagecut.page.tags import CODE, LETTERING

ELEMENT: Final = 0
TEXT: Final = 1
IMAGE: Final = 2
KIND_NAMES: Final = ("element", "text", "image")

# Bits of `Nodes.hidden`, inherited by the nodes below.
HIDDEN_BY_ATTRIBUTE: Final = 1
HIDDEN_BY_STYLE: Final = 2
HIDDEN_FROM_ARIA: Final = 4
NOT_SHOWN: Final = HIDDEN_BY_ATTRIBUTE | HIDDEN_BY_STYLE

OPTIONAL_COLUMNS: Final = frozenset(
    {"box", "visible", "font_size", "font_weight", "color", "background", "border", "line_boxes"}
)

Int = NDArray[np.int32]
Box = tuple[float, float, float, float]  # left, top, right, bottom in CSS px


def freeze(holder: object) -> None:
    """Make every array field of a dataclass read-only."""
    for name in _field_names(holder.__class__):  # type: ignore[arg-type]
        value = getattr(holder, name)
        if isinstance(value, np.ndarray):
            value.flags.writeable = False


class Frozen:
    """Base of dataclasses whose arrays nobody writes to."""

    __slots__ = ()

    def __post_init__(self) -> None:
        freeze(self)


@lru_cache(maxsize=64)
def _field_names(holder: Any) -> tuple[str, ...]:
    return tuple(each.name for each in fields(holder))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Nodes(Frozen):
    """The columns, one row per node in document order.

    The optional columns are None unless the page was rendered.
    """

    kind: NDArray[np.uint8]  # (n,) ELEMENT, TEXT or IMAGE
    tag: Int  # (n,) index into tag_names
    tag_names: tuple[str, ...]
    parent: Int  # (n,) row of the parent, -1 for the root
    subtree_end: Int  # (n,) first row after the node's sub-tree
    depth: Int  # (n,) 0 for the root
    ordinal: Int  # (n,) from 1, among the siblings of the same tag
    start: Int  # (n,) range of Page.text, half open
    end: Int  # (n,)
    hidden: NDArray[np.uint8]  # (n,) bits, inherited
    box: NDArray[np.float32] | None = None  # (n, 4) left, top, right, bottom in CSS px
    visible: NDArray[np.bool_] | None = None  # (n,)
    font_size: NDArray[np.float32] | None = None  # (n,) CSS px
    font_weight: NDArray[np.float32] | None = None  # (n,)
    color: NDArray[np.uint8] | None = None  # (n, 4) RGBA of the letters; of an image, its average
    background: NDArray[np.uint8] | None = None  # (n, 4) RGBA, all that lies behind blended in
    border: NDArray[np.float32] | None = None  # (n, 4) width of each drawn side, as in box

    def __len__(self) -> int:
        return len(self.kind)

    def tag_mask(self, names: frozenset[str]) -> NDArray[np.bool_]:
        """(n,) whether a node's tag is one of `names`."""
        table = np.array([name in names for name in self.tag_names], dtype=bool)
        return table[self.tag]

    def count_inside(self, mask: NDArray[np.bool_]) -> Int:
        """(n,) how many nodes of `mask` each sub-tree holds, its root included."""
        before = np.concatenate([[0], np.cumsum(mask, dtype=np.int32)])
        inside: Int = (before[self.subtree_end] - before[:-1]).astype(np.int32)
        return inside


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LineBoxes(Frozen):
    """The rendered lines of text, one row per line of a text node, in document order."""

    node: Int  # (m,) row of the text node
    start: Int  # (m,) range of Page.text, half open
    end: Int  # (m,)
    box: NDArray[np.float32]  # (m, 4) left, top, right, bottom in CSS px

    def __len__(self) -> int:
        return len(self.node)


# Which group of tags each bit of `PackedNodes.tag_marks` stands for, by name in `tag_marks.pxd`.
MARKED_TAGS: Final = (
    LETTERING,
    CODE,
    *(frozenset(tags.split()) for tags in ("a", "span", "p", "tr", "td th", "table")),
)

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

    def column(self, name: str) -> memoryview:
        """A column of numbers, from which single ones are read faster than from an array."""
        at = _NUMBERS.index(name) * self.rows
        return memoryview(self.numbers)[at : at + self.rows]

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
    """Refuse columns that point out of the page, or are of no tree: compiled code trusts them."""
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
    # Where every sub-tree is within its parent's, and as large as its children's together and
    # itself, rows from one on to its end are just what is below it.
    inner = np.flatnonzero(nodes.parent >= 0)
    above = nodes.parent[inner]
    size = nodes.subtree_end - row
    wrong = size != 1 + np.bincount(above, size[inner], len(nodes)).astype(np.int64)
    wrong[inner] |= nodes.subtree_end[inner] > nodes.subtree_end[above]
    if wrong.any():
        at = int(np.argmax(wrong))
        raise ValueError(f"row {at}: its sub-tree does not end at row {nodes.subtree_end[at]}")
