"""VIPS: the structure that people see, from blocks and the separators between them.

Cai, Yu, Wen & Ma, "Extracting Content Structure for Web Pages based on Visual Representation",
APWeb 2003, with the rules of their technical report of the same year. Sections and figures are the
paper's; rules are numbered as in the report.

Differs from the paper: degrees of coherence are whole numbers from 1 to 10 (the report's), and a
block is divided while its degree is below `pdoc`, not while it is no higher. The degree of blocks
other than text follows from their size, depth and number of parts, where the paper's rule for low
and narrow ones does not give it; the paper gives no formula. A run of text, inline elements and
paragraphs among block children is one block. Text in several fonts has 9, and at 10 is divided
into its fonts. Elements other than tables, cells and running text end in rule 13, not 12: their
parts wait for the next round. Only what is seen counts, so that a block is as large as its text,
images, background and border. What is seen but has neither text nor images (controls of forms,
drawings, plain areas) parts other blocks and is in no segment. Blocks that overlap are taken apart
as far as that brings separators to light. Thin images, borders and thin coloured elements are
drawn lines, as <hr> is. Text that is not visible is in no segment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar, Final

import numpy as np

from pagecut.errors import PageError
from pagecut.page import Page
from pagecut.results.explanation import Explanation, Separator
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters.vips import constants
from pagecut.segmenters.vips.blocks import Block, Pool, extract_blocks, one_font_blocks
from pagecut.segmenters.vips.layout import Layout, see_page
from pagecut.segmenters.vips.separators import SeparatorFinder
from pagecut.segmenters.vips.structure import Structure, StructureNode, degree_of_coherence
from pagecut.spec import Configured

_HINT: Final = "; the paper's x between 0 and 1 is round(10 * x) here"


@dataclass(frozen=True, slots=True, kw_only=True)
class Vips(Configured):
    """Part a rendered page at its separators, again and again, until every block is coherent.

    Args:
        pdoc: the permitted degree of coherence, 1 (the whole page) to 10 (the finest blocks).
    """

    name: ClassVar[str] = "vips"
    paper: ClassVar[str] = "Cai, Yu, Wen & Ma 2003"
    separates: ClassVar[bool] = True  # its explanation has the separators
    needs: ClassVar[frozenset[str]] = frozenset(
        {"box", "visible", "font_size", "font_weight", "background", "border"}
    )

    pdoc: int = field(default=7, metadata={"hint": _HINT})

    def __post_init__(self) -> None:
        if isinstance(self.pdoc, bool) or not isinstance(self.pdoc, int):
            raise ValueError(f"pdoc must be a whole number, got {self.pdoc!r}{_HINT}")
        if not constants.LOWEST <= self.pdoc <= constants.HIGHEST:
            raise ValueError(f"pdoc must lie in [1, 10], got {self.pdoc}")

    def segment(self, page: Page) -> Segmentation:
        layout = self._see(page)
        nodes = number_nodes(content_structure(layout, self.pdoc))
        return segment_nodes(layout, nodes, made_by=self)

    def explain(self, page: Page) -> Explanation:
        """The separators, and which segments they part (the paper's δ)."""
        nodes = number_nodes(content_structure(self._see(page), self.pdoc))
        numbers = {id(node): number for number, (node, _) in enumerate(nodes)}
        separators = tuple(
            Separator(
                box=separator.box,
                weight=float(separator.weight),
                before=numbers[id(node.children[at])],
                after=numbers[id(node.children[at + 1])],
            )
            for node, _ in nodes
            for separator, at in node.separators
        )
        return Explanation(page=page, made_by=str(self), separators=separators)

    def _see(self, page: Page) -> Layout:
        page.require(self.needs, self)
        if page.kind == "pdf":
            raise PageError(
                f"{self} divides the tree of a web page, and sheets of paper have none; "
                "box-clustering needs boxes alone"
            )
        return see_page(page)


def content_structure(layout: Layout, pdoc: int) -> StructureNode | None:
    """The tree of blocks, divided until each leaf has the permitted degree of coherence.

    Each step depends on the block alone, never on `pdoc`, which only says where to stop.
    """
    if not layout.contents_before[-1]:
        return None
    root = StructureNode((Block(0, len(layout.page), layout.seen[0], is_text=False),))
    _divide(layout, root)
    if root.is_text:
        root.coherence = degree_of_coherence(layout, root, 0)
    nodes = [(root, 0)]
    while nodes:
        node, level = nodes.pop()
        if node.coherence >= pdoc:
            node.close()
            continue
        for child in node.children:
            if not child.children:
                _divide(layout, child)
            own = degree_of_coherence(layout, child, level + 1)
            child.coherence = max(own, node.coherence)
            nodes.append((child, level + 1))
    return root


def _divide(layout: Layout, node: StructureNode) -> None:
    """One round: the parts of a block and the separators between them; none in text of one font.

    Where all but one of the parts have neither text nor images, that part is divided in their
    place.
    """
    block = node.blocks[0]
    while True:
        if block.is_text:
            node.blocks = (block,)
            pool = Pool(one_font_blocks(layout, block))
            if len(pool.blocks) < 2:
                return
        else:
            pool = extract_blocks(layout, block.first)
        if len(pool.blocks) == 1:
            (block,) = pool.blocks
            continue
        structure = Structure(layout, SeparatorFinder(layout, pool.lines), partial(_parts, layout))
        found = structure.build(pool.blocks)
        _leave_out_empty(layout, found)
        if found.children:
            node.children, node.separators = found.children, found.separators
            return
        (block,) = found.blocks


def _leave_out_empty(layout: Layout, root: StructureNode) -> None:
    """Drop nodes without text and images (forms' controls, plain areas): they parted others.

    A separator between two nodes that had such a node between them is no separator of the two.
    """
    found = [root]
    for node in found:
        found.extend(node.children)
    for node in reversed(found):
        kept = [child for child in node.children if _has_content(layout, child)]
        if len(kept) < len(node.children):
            places = {id(child): place for place, child in enumerate(kept)}
            node.separators = [
                (separator, places[id(node.children[at])])
                for separator, at in node.separators
                if id(node.children[at]) in places and id(node.children[at + 1]) in places
            ]
            node.blocks = tuple(
                block for block in node.blocks if layout.has_content(block.first, block.last)
            )
            node.children = kept
        if len(kept) == 1:
            (only,) = kept
            node.blocks, node.children = only.blocks, only.children
            node.separators = only.separators


def _has_content(layout: Layout, node: StructureNode) -> bool:
    return any(layout.has_content(block.first, block.last) for block in node.blocks)


def _parts(layout: Layout, tangled: Block) -> list[Block]:
    return [] if tangled.is_text else extract_blocks(layout, tangled.first).blocks


def number_nodes(root: StructureNode | None) -> list[tuple[StructureNode, int]]:
    """Each node with the number of its parent, a node before those inside it."""
    found: list[tuple[StructureNode, int]] = []
    waiting = [] if root is None else [(root, -1)]
    while waiting:
        node, parent = waiting.pop()
        waiting.extend((child, len(found)) for child in reversed(node.children))
        found.append((node, parent))
    return found


def segment_nodes(
    layout: Layout, nodes: Sequence[tuple[StructureNode, int]], *, made_by: Vips
) -> Segmentation:
    """The nodes as ranges of text: each leaf of the page is in the innermost node around it."""
    page = layout.page
    label = np.full(len(page), -1, dtype=np.int32)
    for number, (node, _) in enumerate(nodes):
        if not node.children:
            for block in node.blocks:
                label[block.first : block.last] = number
    rows = np.flatnonzero(layout.content)
    return Segmentation.from_tree(
        page,
        np.stack([page.nodes.start[rows], page.nodes.end[rows]], axis=1),
        label[rows],
        parent=np.array([parent for _, parent in nodes], dtype=np.int32),
        score=np.array([node.coherence for node, _ in nodes], dtype=np.float64),
        made_by=made_by,
    )
