"""Image contexts as plain rows, also in the shapes that image-text corpora are built from.

`obelics`: one row per page, parallel lists `images` and `texts` in reading order, one of the two
None at each place, as in OBELICS (Laurençon et al. 2023). `img2dataset`: one row per image with
`url` and `caption`, which that downloader reads as it is, and the image's role, to choose by.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Any, Final

from pagecut.page import IMAGE_CHARACTER, Page
from pagecut.page.addresses import WEB
from pagecut.page.notebook import contexts_html
from pagecut.page.text.shown_text import shown_spans
from pagecut.results.image_captions import captioned
from pagecut.results.image_columns import DETAIL_FIELDS, IMAGE_FIELDS, ImageColumns
from pagecut.results.image_context import ImageContext
from pagecut.results.image_variants import usable_source
from pagecut.results.tables import Columns, Row, Tabular, rows_of

Ranges = Sequence[tuple[int, int]]
_BETWEEN: Final = f" \n\t{IMAGE_CHARACTER}"


class ImageContexts(list[ImageContext], Tabular):
    """The contexts of a page's images, also as a table."""

    _repr_html_ = contexts_html

    def columns(self) -> Columns:
        """What is known of each image, as `pagecut images --format details` writes it."""
        if not self:
            return {name: [] for name in DETAIL_FIELDS}
        return ImageColumns(self[0].page, self).select(DETAIL_FIELDS)


def sure(contexts: Sequence[ImageContext], least: float) -> list[ImageContext]:
    """The contexts that are right with at least this probability; without one none is left out.

    Those of images without a context, too, count by how sure that is.
    """
    return [each for each in contexts if each.confidence is None or each.confidence >= least]


def obelics_rows(
    contexts: Sequence[ImageContext],
    page: Page,
    name: str | None = None,
    main: Ranges | None = None,
) -> Iterator[Row]:
    """One page as interleaved images and texts; images that are no content are left out.

    Args:
        main: the ranges of main text; of the page are left only these, and the images between them
            and right beside them. All that is shown, if not given.
    """
    first, last = (0, len(page.text)) if main is None else _extent(page, main)
    main = shown_spans(page, images=False) if main is None else main
    images: list[str | None] = []
    texts: list[str | None] = []
    metadata: list[dict[str, Any] | None] = []
    edge = 0
    for place, context in _placed(contexts, page):
        if not first <= place < last:
            continue
        image = context.source
        _add_text(page, _within(main, edge, place), images, texts, metadata)
        edge = place + 1
        images.append(image.src)
        texts.append(None)
        metadata.append(
            {
                "alt": image.alt,
                "caption": context.caption,
                "width": image.width,
                "height": image.height,
            }
        )
    _add_text(page, _within(main, edge, len(page.text)), images, texts, metadata)
    yield {
        "images": images,
        "texts": texts,
        "metadata": metadata,
        "general_metadata": {"url": page.url or name, "page_title": page.title, "page": page.id},
    }


def outside_main_text(contexts: Sequence[ImageContext], page: Page, main: Ranges) -> int:
    """How many images `obelics_rows` leaves out since they are not among the main text."""
    first, last = _extent(page, main)
    return sum(not first <= place < last for place, _ in _placed(contexts, page))


def _placed(contexts: Sequence[ImageContext], page: Page) -> Iterator[tuple[int, ImageContext]]:
    """Content with a usable source, and where it stands in the page's text."""
    for each in contexts:
        if each.is_content and usable_source(each):
            yield int(page.nodes.start[each.source.node]), each


def _extent(page: Page, main: Ranges) -> tuple[int, int]:
    """From the first to the last range, with the images right before and after them."""
    if not main:
        return 0, 0
    first, last = main[0][0], main[-1][1]
    before, after = page.text[:first], page.text[last:]
    return (
        len(before.rstrip(_BETWEEN)),
        last + len(after) - len(after.lstrip(_BETWEEN)),
    )


def _within(main: Ranges, start: int, end: int) -> Ranges:
    """The parts of ranges that lie in a range."""
    at = bisect_left(main, start, key=itemgetter(1))
    found: list[tuple[int, int]] = []
    while at < len(main) and main[at][0] < end:
        first, last = max(main[at][0], start), min(main[at][1], end)
        if first < last:
            found.append((first, last))
        at += 1
    return found


def _add_text(
    page: Page,
    spans: Ranges,
    images: list[str | None],
    texts: list[str | None],
    metadata: list[dict[str, Any] | None],
) -> None:
    """Append the text of some ranges, if there is any."""
    text = "\n".join(shown for start, end in spans if (shown := page.readable(start, end)))
    if text:
        images.append(None)
        texts.append(text)
        metadata.append(None)


def img2dataset_rows(
    contexts: Sequence[ImageContext],
    _page: Page,
    _name: str | None = None,
    _main: Ranges | None = None,
) -> Iterator[Row]:
    """One row per image that is content and has a web address; the shortest good caption."""
    for context, caption in captioned(contexts):
        address = usable_source(context)
        if address.startswith(WEB):
            yield {
                "url": address,
                "caption": caption,
                "role": context.role,
                "role_confidence": context.role_confidence,
            }


def without_source(contexts: Sequence[ImageContext], shape: str) -> list[str]:
    """What the images have that the shape of a corpus leaves out for want of a source alone.

    No placeholder will do. For `img2dataset` it must be a web address.
    """
    if shape == "img2dataset":
        without = [
            each for each, _ in captioned(contexts) if not usable_source(each).startswith(WEB)
        ]
    elif shape == "obelics":
        without = [each for each in contexts if each.is_content and not usable_source(each)]
    else:
        without = []
    return [each.source.src or "" for each in without]


def image_rows(
    contexts: Sequence[ImageContext],
    page: Page,
    name: str | None = None,
    _main: Ranges | None = None,
) -> Iterator[Row]:
    """One row per image; those without a context too."""
    return rows_of(ImageColumns(page, contexts, name).select(IMAGE_FIELDS))


def detailed_image_rows(
    contexts: Sequence[ImageContext],
    page: Page,
    name: str | None = None,
    _main: Ranges | None = None,
) -> Iterator[Row]:
    """The rows of `image_rows`, with the image's title, size, place and the heading above it."""
    return rows_of(ImageColumns(page, contexts, name).select(DETAIL_FIELDS))


ToRows = Callable[[Sequence[ImageContext], Page, str | None, Ranges | None], Iterator[Row]]

# By name: the fields of a row, and what makes the rows.
SHAPES: Final[dict[str, tuple[tuple[str, ...], ToRows]]] = {
    "rows": (IMAGE_FIELDS, image_rows),
    "details": (DETAIL_FIELDS, detailed_image_rows),
    "obelics": (("images", "texts", "metadata", "general_metadata"), obelics_rows),
    "img2dataset": (("url", "caption", "role", "role_confidence"), img2dataset_rows),
}
CORPUS_SHAPES: Final = frozenset({"obelics", "img2dataset"})
