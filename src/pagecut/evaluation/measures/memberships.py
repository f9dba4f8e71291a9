"""Which segments hold each unit, where there may be several or none: only the pairs are kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from pagecut.page.nodes import freeze

Numbers = NDArray[np.int64]

MOST_PAIRS: Final = 1 << 21  # that are held in memory at a time


@dataclass(frozen=True, slots=True, eq=False)
class Memberships:
    """Pairs of a unit and a segment that holds it, by unit."""

    unit: Numbers  # (k,) ascending
    segment: Numbers  # (k,)
    units: int
    segments: int

    def __post_init__(self) -> None:
        freeze(self)

    @classmethod
    def from_table(cls, table: NDArray[np.bool_]) -> Self:
        """Of a (u, m) table: which of m segments hold each of u units."""
        unit, segment = np.nonzero(table)
        return cls(unit, segment, *table.shape)

    def table(self) -> NDArray[np.bool_]:
        """(u, m) the same as a table."""
        table = np.zeros((self.units, self.segments), dtype=np.bool_)
        table[self.unit, self.segment] = True
        return table

    @property
    def held(self) -> NDArray[np.bool_]:
        """(u,) whether any segment holds a unit."""
        return np.bincount(self.unit, minlength=self.units) > 0

    def only(self, kept: NDArray[np.bool_]) -> Memberships:
        """Those of the units in a mask, numbered anew."""
        number = np.cumsum(kept) - 1
        pairs = kept[self.unit]
        return Memberships(
            number[self.unit[pairs]], self.segment[pairs], int(kept.sum()), self.segments
        )

    def kinds(self) -> NDArray[np.uint64]:
        """(u,) a number that two units share if the same segments hold them; 0 = none does.

        It is the sum of a random number for each segment.
        """
        sums = np.zeros(self.units, dtype=np.uint64)
        np.add.at(sums, self.unit, random_numbers(self.segments)[self.segment])
        return sums


def random_numbers(count: int) -> NDArray[np.uint64]:
    """(count,) so large that no two of their sums are alike; the same every time."""
    random = np.random.default_rng(count)
    return random.integers(1, 1 << 64, count, dtype=np.uint64, endpoint=False)


def joined(first: Numbers, second: Numbers) -> Iterator[tuple[Numbers, Numbers]]:
    """All pairs of places, one in each of two sequences, where both have the same number; in parts.

    Pairs come by their first place, and all pairs of one first place in one part.
    """
    order = np.argsort(second, kind="stable")
    values = second[order]
    start = np.searchsorted(values, first, side="left")
    counts = np.searchsorted(values, first, side="right") - start
    sums = np.cumsum(counts)
    at = 0
    while at < len(first):
        before = int(sums[at - 1]) if at else 0
        end = max(at + 1, int(np.searchsorted(sums, before + MOST_PAIRS, side="right")))
        part = counts[at:end]
        place = np.repeat(np.arange(at, end), part)
        within = np.arange(len(place)) - np.repeat(np.cumsum(part) - part, part)
        yield place, order[start[place] + within]
        at = end
