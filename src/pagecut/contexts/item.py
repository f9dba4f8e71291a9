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
from functools import lru_cache
from typing import Any, ClassVar, Final

from pagecut import item_acceleration as kernels
from pagecut.contexts.image_role import RoleJudge
from pagecut.contexts.item_layout import part_shared_texts
from pagecut.image_context import CONTEXTS, ImageContext
from pagecut.item_controls import leave_out_controls
from pagecut.items import item_search
from pagecut.nodes import NOT_SHOWN
from pagecut.page import Page
from pagecut.spec import Configured

_CAPTION_NAMES = ("caption", "credit", "legende", "bildunterschrift", "byline-photo")
_CAPTION_CLASS = re.compile("|".join(_CAPTION_NAMES), re.IGNORECASE)


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
        images = page.images
        if not images:
            return []
        search = item_search(page)
        tree: Any = search.tree
        items = leave_out_controls(tree, search.find_all([each.node for each in images]))
        contexts: list[ImageContext] = kernels.context_kernels.item_contexts(
            page,
            images,
            self.skip,
            _SPECS.get(self.skip) or str(self),
            items,
            part_shared_texts(page, items) if page.has_boxes else items,
            RoleJudge(page, tree).kernel,
            kernels.context_kernels.ShownText(tree, NOT_SHOWN),
            kernels.context_kernels.Captions(
                tree, _caption_words(kernels.word_kernels), _CAPTION_CLASS.search
            ),
            page.reader,
            CONTEXTS,
        )
        return contexts


@lru_cache(maxsize=2)
def _caption_words(word_kernels: Any) -> Any:
    return word_kernels.WordFinder({name: [1] for name in _CAPTION_NAMES})


_SPECS: Final = {skip: str(Item(skip=skip)) for skip in (False, True)}
