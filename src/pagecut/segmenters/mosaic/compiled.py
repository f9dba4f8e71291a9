"""Mosaic in compiled loops: the same as `mosaic_found` and `mosaic_pieces` in Python, faster."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np

from pagecut.acceleration import mosaic_kernels, mosaic_learnt_kernels, tree_kernels
from pagecut.evidence.content_tree import ContentTree, Float, content_tree
from pagecut.evidence.landmarks import NAMED_OUTRIGHT
from pagecut.kernels._mosaic_marks import (
    CHUNK,
    FACTS,
    LINE_WIDTH,
    NODE_FEATURES,
    OUTRIGHT,
    PARTS,
)
from pagecut.page import Page
from pagecut.page.lines import most_lines
from pagecut.page.nodes import IS_LINK
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters.mosaic.division import Division
from pagecut.segmenters.mosaic.layout import (
    NEEDS,
    layout_features,
    layout_pair_features,
    read_layout,
)
from pagecut.segmenters.mosaic.model import model
from pagecut.segmenters.mosaic.roles import Judgement
from pagecut.segmenters.mosaic.rows import (
    LETTER_OF,
    SEED,
    automata,
    bits_of_tags,
    naming_attributes,
)
from pagecut.segmenters.mosaic.walks import MOST_WORDS, tree_sums

COMPILED: Final = None not in (mosaic_kernels, mosaic_learnt_kernels, tree_kernels)

_LOGS: Final = np.log1p(np.arange(4096.0))
_NO_LAYOUT: Final = np.empty((0, 0))
_MOST_ROLES: Final = 16

Room = tuple[Any, ...]


def cut(page: Page, tree: ContentTree | None = None) -> tuple[Any, Room, str]:
    """What cuts a page (`MosaicCut`), the room that it works in, and the form of page.

    Args:
        tree: of the page, where it is known.
    """
    form, layout, pair_layout = "dom", _NO_LAYOUT, _NO_LAYOUT
    if page.has_columns(NEEDS):
        form = "rendered"
        layout, pair_layout = _layouts(content_tree(page) if tree is None else tree)
    packed = page.packed
    room = _room(packed.rows, packed.leaves, page.text, layout.shape[1])
    cutting = mosaic_kernels.MosaicCut(
        _learnt(form, tree_kernels, mosaic_learnt_kernels),
        page.text,
        page.character_classes,
        packed,
        packed.tag_marks.find(IS_LINK),
        bits_of_tags(packed.tag_names),
        naming_attributes(page),
        layout,
        pair_layout,
        room,
    )
    return cutting, room, form


def segment_at_once(page: Page, coarseness: float, blocks: bool, made_by: str) -> Segmentation:
    """The regions of a page, and the blocks in them if asked for, by one call."""
    leaves = page.packed.leaves
    cutting, room, form = cut(page)
    ranges, count = cutting.segment(coarseness, blocks)
    if not count:
        return Segmentation.from_spans(page, [], [], made_by=made_by)
    ints, spans, _, _, doubles, *_ = room
    names = _role_names(form)
    roles = ints[3 * leaves : 3 * leaves + count].tolist()
    return Segmentation.from_nested_kernel(
        page,
        spans[:ranges].copy(),
        ints[:ranges].copy(),
        ints[leaves : leaves + count].copy(),
        doubles[:count].copy(),
        tuple([names[role] for role in roles]),
        made_by,
        nested=blocks,
    )


def divide_at_once(tree: ContentTree, coarseness: float) -> tuple[Division, Division, Judgement]:
    """The regions and blocks of a page with text, and their roles."""
    cutting, _, form = cut(tree.page, tree)
    found = [np.array(each) for each in cutting.found(coarseness)]
    regions, blocks = (Division(node=found[at], segment=found[at + 1]) for at in (0, 2))
    return regions, blocks, Judgement(_role_names(form), found[4], found[5])


@cache
def _role_names(form: str) -> tuple[str, ...]:
    return (*model(form).roles.of, *NAMED_OUTRIGHT)


@cache
def _learnt(form: str, trees: Any, kernels: Any) -> Any:
    learnt = model(form)
    if len(learnt.roles.of) > _MOST_ROLES:
        raise ValueError(f"at most {_MOST_ROLES} roles, got {len(learnt.roles.of)}")
    return kernels.Learnt(
        tree_sums(trees, learnt.regions),
        tree_sums(trees, *learnt.roles.of.values()),
        np.array(list(learnt.blocks.weights.values())),
        learnt.blocks.bias,
        np.array(list(learnt.joints.weights.values())),
        learnt.joints.bias,
        _LOGS,
        LETTER_OF,
        *automata(),
        SEED,
    )


def _layouts(tree: ContentTree) -> tuple[Float, Float]:
    """(m, f), (m, g) how each node looks, and how it lies to the sibling before it."""
    seen = read_layout(tree)
    second = np.flatnonzero(tree.previous >= 0).astype(np.int32)
    pairs = np.stack(list(layout_pair_features(tree, seen, second).values()), axis=1)
    by_node = np.zeros((len(tree), pairs.shape[1]))
    by_node[second] = pairs
    return np.stack(list(layout_features(tree, seen).values()), axis=1), by_node


def _room(rows: int, leaves: int, text: str, looks: int) -> Room:
    """What `MosaicPage` and `MosaicCut` take their room from; only what they fill is touched.

    Args:
        looks: features of layout.
    """
    length, lines = len(text), most_lines(text, leaves, LINE_WIDTH)
    most = 2 * leaves  # nodes
    pairs = np.empty((2 * leaves + lines, 2), dtype=np.int32)
    return (
        np.empty(5 * rows + 19 * leaves + 15 * most + 2 * length + lines + 4, dtype=np.int32),
        pairs,
        pairs.reshape(-1),
        np.empty(rows + 2 * most + MOST_WORDS, dtype=np.int64),
        np.empty(2 * leaves + 9 * most + _MOST_ROLES),
        np.empty(3 * most, dtype=np.uint8),
        np.empty((most, FACTS)),
        np.empty((CHUNK + 1, NODE_FEATURES + looks + PARTS + OUTRIGHT)),
    )
