"""The cut of a page as nested segments with roles."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from pagecut.evidence.content_tree import ContentTree, Float, content_tree
from pagecut.evidence.landmarks import NAMED_OUTRIGHT
from pagecut.page import Page
from pagecut.page.nodes import Int
from pagecut.results.labelled_ranges import with_images_joined
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters.mosaic.cut import Learnt, PageCut
from pagecut.segmenters.mosaic.division import Division
from pagecut.segmenters.mosaic.layout import NEEDS, layout_tables
from pagecut.segmenters.mosaic.model import model, tree_sums


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class NestedSegments:
    """Segments in document order, those around others before them, and the texts they hold."""

    parent: Int  # (s,) the segment around each; -1 = none
    roles: tuple[str, ...]
    score: Float  # (s,) how sure the roles are; NaN = an item
    spans: Int  # (l, 2) the ranges of the page's texts
    labels: Int  # (l,) the innermost segment around each
    source: Int  # (s,) what each was: a region, or the number of regions and a block; -1 = an item
    regions: Division
    blocks: Division

    def segmentation(self, page: Page, made_by: object) -> Segmentation:
        """The result, in which every image has joined the text nearest to it in the tree."""
        spans, labels = with_images_joined(page, self.spans, self.labels)
        return Segmentation(
            page=page,
            spans=spans,
            labels=labels,
            parent=self.parent,
            made_by=str(made_by),
            score=self.score,
            roles=self.roles,
        )


def segment_page(page: Page, coarseness: float, *, blocks: bool, made_by: str) -> Segmentation:
    """The regions of a page, and the blocks in them if asked for."""
    cut, form = _cut(page, None, coarseness, blocks=blocks)
    if cut is None:
        return Segmentation.from_spans(page, [], [], made_by=made_by)
    spans, labels = cut.ranges()
    return Segmentation.from_nested_kernel(
        page,
        spans,
        labels,
        np.array(cut.outer),
        np.array(cut.confidence),
        _roles(cut, form),
        made_by,
        nested=blocks,
    )


def nest(tree: ContentTree, coarseness: float, *, blocks: bool) -> NestedSegments:
    """The same for a page with text, before images join."""
    cut, form = _cut(tree.page, tree, coarseness, blocks=blocks)
    assert cut is not None
    spans, labels = cut.text_ranges()
    return NestedSegments(
        parent=np.array(cut.outer),
        roles=_roles(cut, form),
        score=np.array(cut.confidence),
        spans=spans,
        labels=labels,
        source=np.array(cut.source),
        regions=Division(node=np.array(cut.region_nodes), segment=np.array(cut.region_segments)),
        blocks=Division(node=np.array(cut.block_nodes), segment=np.array(cut.block_segments)),
    )


def _cut(
    page: Page, tree: ContentTree | None, coarseness: float, *, blocks: bool
) -> tuple[PageCut | None, str]:
    form = "dom"
    if page.has_columns(NEEDS):
        form = "rendered"
        cut = PageCut(page, *layout_tables(content_tree(page) if tree is None else tree))
    else:
        cut = PageCut(page)
    return (cut if cut.cut(_learnt(form), coarseness, blocks) else None), form


def _roles(cut: PageCut, form: str) -> tuple[str, ...]:
    names = _role_names(form)
    return tuple([names[role] for role in cut.role])


@cache
def _role_names(form: str) -> tuple[str, ...]:
    return (*model(form).roles.of, *NAMED_OUTRIGHT)


@cache
def _learnt(form: str) -> Learnt:
    learnt = model(form)
    return Learnt(
        tree_sums(learnt.regions),
        tree_sums(*learnt.roles.of.values()),
        np.array(list(learnt.blocks.weights.values())),
        learnt.blocks.bias,
        np.array(list(learnt.joints.weights.values())),
        learnt.joints.bias,
    )
