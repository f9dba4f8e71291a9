"""Algorithm 1 as it is printed, sweep by sweep: the paper's Figure 7 needs what `fuse` leaves out.

`fuse` gives the same blocks in the end, in near linear time; only it is used to segment.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pagecut.page.lines import line_density
from pagecut.page.nodes import Int
from pagecut.segmenters.block_fusion.fusion import (
    AVOIDED,
    FORCED,
    OPEN,
    SMOOTHINGS,
    Smoothing,
    dominated,
    slope,
)


@dataclass(slots=True)
class _Block:
    first: int  # line
    end: int  # line after the last
    gap: int  # what the tags before it do
    density: float


def sweeps(
    tokens_before: Int,
    block_edges: Int,
    threshold: float,
    smooth: Smoothing = "none",
    gaps: Int | None = None,
) -> Iterator[list[int]]:
    """The edges of the blocks before the first sweep and after each that fused some.

    Args:
        as for `fuse`.
    """
    before: list[int] = tokens_before.tolist()
    edges: list[int] = block_edges.tolist()
    number = SMOOTHINGS.index(smooth)
    kinds = [OPEN] * (len(edges) - 1) if gaps is None else gaps.tolist()

    def block(first: int, end: int, gap: int) -> _Block:
        return _Block(first, end, gap, line_density(before, first, end))

    def fits(left: _Block, right: _Block) -> bool:
        """Whether the slope (Eq. 7 and 8) allows two blocks to fuse."""
        if right.gap != OPEN:
            return right.gap == AVOIDED
        return bool(slope(left.density, right.density) <= threshold)

    blocks = [
        block(first, end, gap) for first, end, gap in zip(edges[:-1], edges[1:], kinds, strict=True)
    ]
    while True:
        yield [each.first for each in blocks] + [edges[-1]]
        done: list[_Block] = blocks[:1]
        position = 1
        while position < len(blocks):
            left, middle = done[-1], blocks[position]
            right = blocks[position + 1] if position + 1 < len(blocks) else None
            if (
                right is not None
                and FORCED not in (middle.gap, right.gap)
                and dominated(left.density, middle.density, right.density, number)
            ):
                done[-1] = block(left.first, right.end, left.gap)
                position += 1  # the right one is skipped
            elif fits(left, middle):
                done[-1] = block(left.first, middle.end, left.gap)
            else:
                done.append(middle)
            position += 1
        if len(done) == len(blocks):
            return
        blocks = done
