"""The text of the item that an image belongs to: our own method, and the default.

Published methods take the nearest ancestor with text, or cut the page by distances; both fail on
items that reach further (a credit beside the image, the headline above it) and on flat lists. This
one looks for records, regular lists, sections and figures (`items`), and says of an image
that has no context what it is instead (`image_role`). Text that the markup hides is left out unless
the image is hidden too. One pass over the page. No rendering is needed; where a page was rendered,
its boxes settle what the markup leaves open (`item_layout`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pagecut import item_acceleration as kernels
from pagecut.contexts.image_role import RoleJudge
from pagecut.contexts.item_layout import part_shared_texts
from pagecut.image_context import CONTEXTS, ImageContext
from pagecut.item_controls import leave_out_controls
from pagecut.items import item_search
from pagecut.kernels.item_contexts import ShownText
from pagecut.nodes import NOT_SHOWN, TEXT, Nodes
from pagecut.page import Page
from pagecut.spec import Configured

_CAPTION_CLASS = re.compile(r"caption|credit|legende|bildunterschrift|byline-photo", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Item(Configured):
    """The text of the item around each image; images that are no content have none.

    Args:
        skip: leave images without a context where they are logos, icons, ads or decoration.
    """

    name: ClassVar[str] = "item"
    paper: ClassVar[str] = ""
    needs: ClassVar[frozenset[str]] = frozenset()

    skip: bool = True

    def extract(self, page: Page) -> list[ImageContext]:
        images, nodes = page.images, page.nodes
        if not images:
            return []
        search = item_search(page)
        tree: Any = search.tree
        items = leave_out_controls(page, tree, search.find_all([each.node for each in images]))
        contexts: list[ImageContext] = kernels.context_kernels.item_contexts(
            page,
            images,
            nodes.hidden,
            NOT_SHOWN,
            self.skip,
            str(self),
            items,
            items if nodes.box is None else part_shared_texts(page, items),
            RoleJudge(page, tree).judge,
            _shown_text(page),
            kernels.context_kernels.Captions(tree, _CAPTION_CLASS.search),
            CONTEXTS.make,
        )
        return contexts


def _shown_text(page: Page) -> ShownText:
    """What cuts out the text that the markup hides."""
    nodes = page.nodes
    columns = nodes.kind, nodes.hidden, NOT_SHOWN, nodes.start, nodes.end
    if kernels.COMPILED:
        starts, ends = kernels.item_kernels.unshown_text(*columns)
    else:
        starts, ends = _unshown_text(nodes)
    shown: ShownText = kernels.context_kernels.ShownText(page.text, starts, ends)
    return shown


def _unshown_text(nodes: Nodes) -> tuple[list[int], list[int]]:
    """As `kernels.items.unshown_text`."""
    rows = np.flatnonzero(((nodes.hidden & NOT_SHOWN) != 0) & (nodes.kind == TEXT))
    return nodes.start[rows].tolist(), nodes.end[rows].tolist()
