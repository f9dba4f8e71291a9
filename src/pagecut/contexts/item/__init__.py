"""The text of the item that an image belongs to: our own method, and the default.

Published methods take the nearest ancestor with text, or cut the page by distances; both fail on
items that reach further (a credit beside the image, the headline above it) and on flat lists. This
one looks for records, regular lists, sections and figures (`items`), and says of an image
that has no context what it is instead (`image_role`). Text that the markup hides is left out unless
the image is hidden too. One pass over the page. No rendering is needed; where a page was rendered,
its boxes settle what the markup leaves open (`item_layout`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from pagecut.contexts.item.kernel_method import item_method
from pagecut.contexts.item.layout import part_shared_texts, size_seen_on
from pagecut.evidence.items import item_tree
from pagecut.page import Page
from pagecut.results.image_context import ImageContext
from pagecut.spec import Configured


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
        if not page.images:
            return []
        by_boxes = (part_shared_texts, size_seen_on(page)) if page.has_boxes else (None, None)
        contexts: list[ImageContext] = item_method().contexts(
            page, item_tree(page), self.skip, _SPECS.get(self.skip) or str(self), *by_boxes
        )
        return contexts


_SPECS: Final = {skip: str(Item(skip=skip)) for skip in (False, True)}
