"""The text of the nearest ancestor that has any.

Tian, Huang & Gao, "Exploiting multi-context analysis in semantic image classification", J. Zhejiang
Univ. SCI 6A(11), 2005, as Alcic & Conrad (2011) describe it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pagecut.image_context import ImageContext
from pagecut.page import TEXT, Page
from pagecut.spec import Configured


@dataclass(frozen=True, slots=True, kw_only=True)
class Siblings(Configured):
    """Climb from the image to the first ancestor with text; its text is the context."""

    name: ClassVar[str] = "siblings"
    needs: ClassVar[frozenset[str]] = frozenset()

    def extract(self, page: Page) -> list[ImageContext]:
        nodes = page.nodes
        texts_before = np.concatenate([[0], np.cumsum(nodes.kind == TEXT)])
        has_text = texts_before[nodes.subtree_end] > texts_before[:-1]
        made_by = str(self)
        contexts = []
        for image in page.images:
            row = int(nodes.parent[image.node])
            while row >= 0 and not has_text[row]:
                row = int(nodes.parent[row])
            spans = ((int(nodes.start[row]), int(nodes.end[row])),) if row >= 0 else ()
            contexts.append(
                ImageContext(page=page, image=image.index, spans=spans, made_by=made_by)
            )
        return contexts
