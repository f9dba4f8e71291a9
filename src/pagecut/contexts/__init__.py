"""Image-context extractors: a page in, one ImageContext for each of its images out.

An extractor is a frozen dataclass whose fields are its only configuration. A new one is a module, a
line in `EXTRACTORS`, a page in docs/ and its test.
"""

from __future__ import annotations

from typing import ClassVar, Final, Protocol

from pagecut.page import Page
from pagecut.parsing.reading import as_page
from pagecut.results.image_context import ImageContext
from pagecut.results.image_rows import ImageContexts
from pagecut.spec import MethodTable, method_of


class Extractor(Protocol):
    """What every extractor offers."""

    name: ClassVar[str]
    needs: ClassVar[frozenset[str]]  # optional columns it reads

    def extract(self, page: Page) -> list[ImageContext]: ...


EXTRACTORS: Final = MethodTable(
    {
        "full-text": ("pagecut.contexts.window", "FullText"),
        "n-terms": ("pagecut.contexts.window", "NTerms"),
        "siblings": ("pagecut.contexts.siblings", "Siblings"),
        "monash": ("pagecut.contexts.monash", "Monash"),
        "dom-distance": ("pagecut.contexts.dom_distance", "DomDistanceContexts"),
        "by-segment": ("pagecut.contexts.by_segment", "BySegment"),
        "item": ("pagecut.contexts.item", "Item"),
    },
    entry_points="pagecut.extractors",
    does="extract",
)
DEFAULT_EXTRACTOR: Final = "item"


def extractor(spec: Extractor | str) -> Extractor:
    """The extractor that a spec such as `n-terms(n=20)` describes.

    Args:
        spec: also an extractor, which is given back as it is.

    >>> import pagecut
    >>> print(pagecut.extractor("n-terms(n=20)"))
    n-terms(n=20)
    """
    return method_of(spec, EXTRACTORS, "extractor", does="extract")  # type: ignore[return-value]


def image_contexts(
    page: Page | str | bytes, extractor: Extractor | str | None = None
) -> ImageContexts:
    """The text that belongs to each image of a page, in document order.

    Args:
        page: a page, or its HTML.
        extractor: an extractor or its spec.

    >>> import pagecut
    >>> html = "<figure><img src=cup.jpg width=600><figcaption>A cup of tea</figcaption></figure>"
    >>> [context.text for context in pagecut.image_contexts(html)]
    ['A cup of tea']
    """
    return ImageContexts(_extractor(extractor or DEFAULT_EXTRACTOR).extract(as_page(page)))


_extractor = extractor
