"""The text of the item that an image belongs to: our own method, learnt, and the default.

Published methods take the nearest ancestor with text, or cut the page by distances; both fail on
items that reach further (a credit beside the image, the headline above it) and on flat lists. This
one makes `candidates` for each image, collects evidence for each (`candidate_evidence`), for groups
of images (`look_alikes`) and for the image (`about_images`, `image_evidence`), all from the
evidence table and sums over it (`page_sums`), and lets small models choose among them and say
whether the image is content at all (`choice`). Text that the markup hides is left out unless the
image is hidden too (`texts`). Boxes are not read.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from pagecut.contexts.item.texts import item_contexts
from pagecut.page import Page
from pagecut.results.image_context import ImageContext
from pagecut.spec import Configured

if TYPE_CHECKING:
    from pagecut.results.explanation import Explanation


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
        return item_contexts(page, self.skip, str(self)) if page.images else []

    def explain(self, page: Page, images: Collection[int] | None = None) -> Explanation:
        """What spoke for the role of each image, and for its text.

        Args:
            images: which of `page.images`; all if not given.
        """
        from pagecut.contexts.item.reasons import explain_contexts

        wanted = None if images is None else set(images)
        contexts = [each for each in self.extract(page) if wanted is None or each.image in wanted]
        return explain_contexts(page, contexts, str(self))
