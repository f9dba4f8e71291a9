"""The DOM distance: how far apart two nodes of a page are, by the structure around them.

Alcic & Conrad, "A Clustering-based Approach to Web Image Context Extraction", 2011, §III. A node on
level l costs w(l), so much that a step on a level above outweighs all steps among siblings below
(Eq. 2); the distance of two nodes is the sum of the costs of all nodes after the first up to and
including the second, in document order (Eq. 1). So all nodes lie on one line (Figure 2).

Weights multiply from level to level: real pages reach 1e20, hostile ones pass the largest double.
They are Python integers here, exact at any depth; those of neighbours come as `Scaled` numbers.

Differs from the paper: the "simplified DOM" is not defined there. Here the contents are the
images and the text leaves with a character that is not white space; "prune" leaves out the elements
without any, "collapse" also joins chains of elements with one child. The constant c is 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from pagecut.page import Page
from pagecut.page.nodes import Frozen, Int
from pagecut.segmenters.dom_distance.line import simplify_nodes, steps_between

Simplification = Literal["collapse", "prune"]
SIMPLIFICATIONS: Final = get_args(Simplification)

_KEPT_BITS: Final = 64  # of an integer that becomes a double


@dataclass(frozen=True, slots=True, eq=False)
class Scaled:
    """Numbers from 0 of any size: mantissa * 2 ** exponent."""

    mantissa: NDArray[np.float64]  # (k,) in [0.5, 1), or 0
    exponent: NDArray[np.int64]  # (k,)

    def __len__(self) -> int:
        return len(self.mantissa)

    def floats(self) -> NDArray[np.float64]:
        """(k,) the numbers as doubles; one too large for a double becomes 2 ** 1023."""
        large = self.exponent > 1023
        exponent = np.clip(self.exponent, -1100, 1024).astype(np.int32)
        values: NDArray[np.float64] = np.ldexp(np.where(large, 0.5, self.mantissa), exponent)
        return values


@dataclass(frozen=True, eq=False, kw_only=True)
class DomSpace(Frozen):
    """The nodes of a simplified DOM, in document order, with the distances between them.

    A position counts the nodes of the simplified tree.
    """

    page: Page
    row: Int  # (m,) of the page's nodes
    level: Int  # (m,) 0 for the root
    contents: Int  # (u,) positions of the contents, the tree's leaves
    degrees: tuple[int, ...]  # by level, the most children that a node has

    def __len__(self) -> int:
        return len(self.row)

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """w(l) by level (Eq. 2)."""
        weights: list[int] = []
        for degree in reversed(self.degrees):
            weights.append(degree * weights[-1] if degree else 1)
        return tuple(reversed(weights))

    @cached_property
    def spans(self) -> Int:
        """(u, 2) range of the text of each content."""
        nodes, rows = self.page.nodes, self.row[self.contents]
        return np.stack([nodes.start[rows], nodes.end[rows]], axis=1)

    @cached_property
    def scaled(self) -> Scaled:
        """(u - 1) the distances of neighbouring contents, to rounding."""
        table, which = self._steps
        pairs = [_frexp(value) for value in table]
        mantissa = np.array([pair[0] for pair in pairs], dtype=np.float64)
        exponent = np.array([pair[1] for pair in pairs], dtype=np.int64)
        return Scaled(mantissa[which], exponent[which])

    @cached_property
    def _steps(self) -> tuple[list[int], NDArray[np.int64]]:
        """The different distances of neighbouring contents, and which of them each is.

        Between two leaves only ancestors of the second begin: one on each level from below the
        deepest shared ancestor.
        """
        if len(self.contents) < 2:
            return [], np.zeros(0, dtype=np.int64)
        levels = len(self.degrees)
        below = [*accumulate(reversed(self.weights), initial=0)][::-1]  # weights from a level on
        which = np.empty(len(self.contents) - 1, dtype=np.int64)
        steps = steps_between(self.level, self.contents, levels, which)
        pairs = (divmod(step, levels) for step in steps)
        return [below[first] - below[last + 1] for first, last in pairs], which

    def distance(self, first: int, second: int) -> int:
        """The exact distance of the nodes at two positions (Eq. 1); one subtraction."""
        return abs(self._places[second] - self._places[first])

    @cached_property
    def _places(self) -> list[int]:
        """Where each node lies on the line."""
        weights = self.weights
        return list(accumulate(weights[level] for level in self.level.tolist()))


def dom_space(page: Page, simplify: Simplification = "collapse") -> DomSpace:
    """Simplify a page's DOM and lay it out on a line; linear in the page."""
    packed = page.packed
    children = np.zeros(packed.rows, dtype=np.int32)
    level, row, contents = np.empty((3, packed.rows), dtype=np.int32)
    degrees = np.zeros(packed.rows, dtype=np.int64)
    count, found, levels = simplify_nodes(
        packed.numbers,
        packed.bytes,
        packed.rows,
        page.character_classes,
        simplify == "collapse",
        children,
        level,
        row,
        contents,
        degrees,
    )
    return DomSpace(
        page=page,
        row=row[:count],
        level=level[:count],
        contents=contents[:found],
        degrees=tuple(degrees[:levels].tolist()),
    )


def check_simplification(simplify: str) -> None:
    """Raise ValueError for a simplification that there is not."""
    if simplify not in SIMPLIFICATIONS:
        raise ValueError(f"simplify must be one of {', '.join(SIMPLIFICATIONS)}, got {simplify!r}")


def _frexp(value: int) -> tuple[float, int]:
    """Mantissa and exponent of a positive integer, rounded as a conversion to a double is."""
    shift = max(value.bit_length() - _KEPT_BITS, 0)
    head = value >> shift
    if head << shift != value:
        head |= 1  # so that a half below the last bit is seen to be more than one
    mantissa, exponent = math.frexp(head)
    return mantissa, exponent + shift
