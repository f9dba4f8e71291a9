"""Is an image content, or a logo, an icon, an ad, a decoration? By evidence with learnt weights.

Each piece of evidence is something a person could point at; a logistic model adds up their weights.
They stand in `image_role_weights`, and how each piece is found in `kernels.image_role`.
"""

from __future__ import annotations

from pagecut.contexts.item.kernel_method import EVIDENCE, item_method
from pagecut.contexts.item.layout import size_seen_on
from pagecut.kernels.item_parts import Found
from pagecut.kernels.items import ItemTree
from pagecut.page import Image, Page


class RoleJudge:
    """Judges the images of one page."""

    def __init__(self, page: Page, tree: ItemTree) -> None:
        self.kernel = item_method().judge(tree, page.images, page.url, size_seen_on(page))

    def is_open(self, image: Image, found: Found) -> bool:
        """Whether the evidence decides, since neither text, size nor tag settle the role."""
        return not self.kernel.settled(image, found.spans)

    def evidence(self, image: Image, found: Found) -> dict[str, float]:
        """What speaks for and against an image having a context, and how much of it there is."""
        return dict(zip(EVIDENCE, self.kernel.of(image, found.how, found.spans), strict=True))
