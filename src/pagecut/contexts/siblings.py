"""The text of the nearest ancestor that has any.

Tian, Huang & Gao, "Exploiting multi-context analysis in semantic image classification", J. Zhejiang
Univ. SCI 6A(11), 2005, as Alcic & Conrad (2011) describe it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pagecut.page import Page
from pagecut.page.text.tokenizer import token_spans
from pagecut.results.image_context import ImageContext
from pagecut.spec import Configured


@dataclass(frozen=True, slots=True, kw_only=True)
class Siblings(Configured):
    """Climb from the image to the first ancestor with a word in it; its text is the context."""

    name: ClassVar[str] = "siblings"
    paper: ClassVar[str] = "Tian, Huang & Gao 2005"
    needs: ClassVar[frozenset[str]] = frozenset()

    def extract(self, page: Page) -> list[ImageContext]:
        nodes = page.nodes
        tokens = token_spans(page.text)[:, 0]
        before_start, before_end = np.searchsorted(tokens, [nodes.start, nodes.end])
        has_text = before_end > before_start
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
