"""VIPS's third step: blocks become a tree, parted by the most visible separators first (§4.3).

How coherent a node of it is (§3) follows from its place, size and parts.

The paper merges blocks across the least visible separators first, until only the most visible
ones are left; seen from above, that is: part the pool at its most visible separators, then each
part at its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import floor, log2

from pagecut.page.boxes import enclosing
from pagecut.segmenters.vips import constants
from pagecut.segmenters.vips.blocks import Block, bundle
from pagecut.segmenters.vips.layout import Layout
from pagecut.segmenters.vips.separators import Cuts, Separator, SeparatorFinder


@dataclass(slots=True)
class StructureNode:
    """A node of the content structure.

    Args:
        blocks: the block that it is, or those that were merged into it.
        separators: those between a child and the next, with the first child's position; fewer
            than the children where some overlap.
        coherence: its degree of coherence, set when the tree around it is known.
    """

    blocks: tuple[Block, ...]
    children: list[StructureNode] = field(default_factory=list)
    separators: list[tuple[Separator, int]] = field(default_factory=list)
    coherence: int = constants.LOWEST

    @property
    def is_text(self) -> bool:
        return len(self.blocks) == 1 and self.blocks[0].is_text

    def close(self) -> None:
        """Forget what is inside."""
        self.children, self.separators = [], []


Divide = Callable[[Block], list[Block]]


class Structure:
    """Builds the tree of one round."""

    def __init__(self, layout: Layout, finder: SeparatorFinder, divide: Divide) -> None:
        self._layout = layout
        self._finder = finder
        self._divide = divide
        self._overlaps = constants.MOST_OVERLAPS

    def build(self, blocks: Sequence[Block], level: int = 0) -> StructureNode:
        """The tree of some blocks; its root's children are parted by one weight of separator."""
        if len(blocks) == 1:
            (block,) = blocks
            return self.build(block.parts, level + 1) if block.parts else StructureNode((block,))
        cuts = self._best_cuts(blocks)
        if not cuts.separators:
            return self._untangle(list(blocks), level)
        limit = cuts.weight if level < constants.MOST_CUTS else 0
        chosen = [separator for separator in cuts.separators if separator.weight >= limit]
        edges = [0, *(separator.position for separator in chosen), len(blocks)]
        node = StructureNode(tuple(_loose(blocks)))
        for number, end in enumerate(edges[1:]):
            part = cuts.blocks[edges[number] : end]
            node.children.append(self.build(part, level + 1) if limit else self._flat(part))
        if not cuts.horizontal and self._layout.right_to_left:
            node.children.reverse()
            chosen.reverse()
        node.separators = [(separator, number) for number, separator in enumerate(chosen)]
        return node

    def _best_cuts(self, blocks: Sequence[Block]) -> Cuts:
        """The direction with the most visible separator; rows before columns."""
        rows = self._finder.find(blocks, horizontal=True)
        columns = self._finder.find(blocks, horizontal=False)
        return columns if columns.weight > rows.weight else rows

    def _untangle(self, blocks: Sequence[Block], level: int) -> StructureNode:
        """Blocks that no separator parts, because they overlap.

        The largest one that overlaps another is divided, so that what is drawn elsewhere than
        its neighbours in the tree leaves them; if it cannot be, it is put aside. If separators
        appear among the rest, they are used; else the blocks stay as they are.
        """
        rest, aside = list(blocks), []
        while self._overlaps and 1 < len(rest) <= constants.MOST_TANGLED:
            tangled = _largest_overlapping(rest)
            if tangled is None:
                break
            self._overlaps -= 1
            rest.remove(tangled)
            parts = list(tangled.parts) or self._divide(tangled)
            if len(parts) > 1:
                rest.extend(_set_free(parts, rest))
            else:
                aside.append(StructureNode((tangled,)))
            if self._best_cuts(rest).separators:
                node = self.build(rest, level + 1)
                node.children.extend(aside)
                node.blocks += tuple(block for each in aside for block in each.blocks)
                return node
        return self._flat(blocks)

    def _flat(self, blocks: Sequence[Block]) -> StructureNode:
        """Blocks without separators as one node, each a part of it."""
        loose = _loose(blocks)
        parts = [StructureNode((block,)) for block in loose]
        return parts[0] if len(parts) == 1 else StructureNode(tuple(loose), parts)


def _loose(blocks: Sequence[Block]) -> list[Block]:
    """The blocks, bundles of them untied."""
    found: list[Block] = []
    for block in blocks:
        found.extend(_loose(block.parts) if block.parts else (block,))
    return found


def _set_free(parts: Sequence[Block], others: Sequence[Block]) -> list[Block]:
    """The parts of a block: those drawn over others by themselves, the rest in a bundle."""
    drawn_over: list[Block] = []
    staying: list[Block] = []
    for part in parts:
        is_over = any(_overlap(part, other) for other in others)
        (drawn_over if is_over else staying).append(part)
    if not drawn_over or len(staying) < 2:
        return list(parts)
    return [*drawn_over, bundle(staying)]


def _largest_overlapping(blocks: Sequence[Block]) -> Block | None:
    """The largest block that overlaps another."""
    for number, block in enumerate(sorted(blocks, key=lambda block: -block.area)):
        if any(_overlap(block, other) for other in blocks if other is not block):
            return block
        if number > constants.MOST_NEIGHBOURS:
            break
    return None


def _overlap(one: Block, other: Block) -> bool:
    """Whether two blocks share a good part of the smaller one."""
    width = min(one.box[2], other.box[2]) - max(one.box[0], other.box[0])
    height = min(one.box[3], other.box[3]) - max(one.box[1], other.box[1])
    if width <= 0 or height <= 0:
        return False
    return width * height > constants.OVERLAP * min(one.area, other.area)


def degree_of_coherence(layout: Layout, node: StructureNode, level: int) -> int:
    """Text alone has 10 in one font and 9 in several; other nodes up to 8.

    These are the more coherent, the smaller a share of the page they are, the deeper they lie in
    the structure, and the more parts they have side by side (a list); merged blocks are less so.

    Args:
        level: nodes around this one.
    """
    if node.is_text:
        return text_coherence(layout, node.blocks[0].first, node.blocks[0].last)
    if not node.children:
        return constants.HIGHEST
    if len(node.blocks) == 1 and layout.is_narrow_text(node.blocks[0].first):
        return constants.NARROW_TEXT
    share = max(layout.share(area_around(node)), 1e-6)
    degree = (
        constants.COHERENCE
        + constants.PER_HALVING * log2(1 / share)
        + constants.PER_LEVEL * level
        + constants.PER_DOUBLING * log2(1 + len(node.children))
        + (constants.MERGED if len(node.blocks) > 1 else 0)
    )
    return min(max(floor(degree), constants.LOWEST), constants.HIGHEST - 2)


def text_coherence(layout: Layout, first: int, last: int) -> int:
    """Rule 4: the highest if all text in a range of rows has one font size and weight."""
    fonts = {layout.font(row) for row in layout.texts(first, last)}
    return constants.HIGHEST if len(fonts) <= 1 else constants.HIGHEST - 1


def area_around(node: StructureNode) -> float:
    left, top, right, bottom = enclosing([block.box for block in node.blocks])
    return (right - left) * (bottom - top)
