"""Algorithm 1 of Block Fusion as it is printed, sweep by sweep, and the paper's Figure 7 of it.

`fuse` gives the same blocks in the end, in near linear time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pagecut.page.nodes import Int
from pagecut.page.text.lines import line_density
from pagecut.pictures.charts import Panel, Series, draw_chart
from pagecut.pictures.drawing import Drawing
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


def draw_sweeps(
    blocks: Mapping[str, Sequence[float]],
    errors: Mapping[str, Sequence[float]],
    subtitle: str = "",
) -> Drawing:
    """Figure 7: the blocks that are left and the error, before the first sweep and after each.

    Args:
        blocks: by strategy, the mean number of blocks.
        errors: by strategy, the mean of 1 - accuracy.
    """
    return draw_chart(
        [
            Panel(y_label="blocks per page", series=_by_step(blocks), height=190),
            Panel(y_label="1 − accuracy", series=_by_step(errors), height=190, from_zero=False),
        ],
        title="What each sweep of Block Fusion does",
        subtitle=subtitle,
        x_label="sweeps",
    )


def _by_step(values: Mapping[str, Sequence[float]]) -> list[Series]:
    return [Series(name=name, x=range(len(each)), y=each) for name, each in values.items()]
