"""The cut of a page as nested segments with roles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pagecut.evidence.content_tree import ContentTree, Float, content_tree
from pagecut.page import Page
from pagecut.page.nodes import Int
from pagecut.results.labelled_ranges import with_images_joined
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters.mosaic.cut import PageCut
from pagecut.segmenters.mosaic.features import ROLES
from pagecut.segmenters.mosaic.layout import NEEDS, layout_tables
from pagecut.segmenters.mosaic.model import learnt


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class NestedSegments:
    """Segments in document order, those around others before them, and the texts they hold."""

    parent: Int  # (s,) the segment around each; -1 = none
    roles: tuple[str, ...]
    score: Float  # (s,) how sure the roles are; NaN = an item
    spans: Int  # (l, 2) the ranges of the page's texts
    labels: Int  # (l,) the innermost segment around each
    source: Int  # (s,) what each was: a region, or the number of regions and a block; -1 = an item

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
    cut = page_cut(page)
    if not cut.cut(learnt(), coarseness, blocks):
        return Segmentation.from_spans(page, [], [], made_by=made_by)
    spans, labels = cut.ranges()
    return Segmentation(
        page=page,
        spans=spans,
        labels=labels,
        parent=np.array(cut.outer),
        made_by=made_by,
        score=np.array(cut.confidence),
        roles=_roles(cut),
    )


def nest(tree: ContentTree, coarseness: float, *, blocks: bool) -> NestedSegments:
    """The same for a page with text, before images join."""
    return nested(cut_page(tree, coarseness, blocks=blocks))


def cut_page(tree: ContentTree, coarseness: float, *, blocks: bool = True) -> PageCut:
    """A page with text, cut."""
    cut = page_cut(tree.page, tree)
    cut.cut(learnt(), coarseness, blocks)
    return cut


def nested(cut: PageCut) -> NestedSegments:
    """What was found on a page with text."""
    spans, labels = cut.text_ranges()
    return NestedSegments(
        parent=np.array(cut.outer),
        roles=_roles(cut),
        score=np.array(cut.confidence),
        spans=spans,
        labels=labels,
        source=np.array(cut.source),
    )


def page_cut(page: Page, tree: ContentTree | None = None) -> PageCut:
    """A page to be cut; with its layout where it has boxes."""
    if not page.has_columns(NEEDS):
        return PageCut(page)
    return PageCut(page, *layout_tables(content_tree(page) if tree is None else tree))


def _roles(cut: PageCut) -> tuple[str, ...]:
    return tuple([ROLES[role] for role in cut.role])
