"""Image contexts in the shapes that image-text corpora are built from.

`obelics`: one row per page, parallel lists `images` and `texts` in reading order, one of the two
None at each place, as in OBELICS (Laurençon et al. 2023). `img2dataset`: one row per image with
`url` and `caption`, which that downloader reads as it is.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from pagecut.contexts.item_tree import HEADINGS
from pagecut.image_context import ImageContext, Spans, overlap_of
from pagecut.page import NOT_SHOWN, TEXT, Page
from pagecut.rows import IMAGE_FIELDS, Row, image_rows

DETAIL_FIELDS: Final = (
    *IMAGE_FIELDS,
    "title",
    "heading",
    "page_title",
    "position",
    "width",
    "height",
)
CAPTION_LENGTH: Final = 300


def detailed_image_rows(
    contexts: Sequence[ImageContext], page: Page, name: str | None = None
) -> Iterator[Row]:
    """The rows of `image_rows`, with the image's title, size, place and the heading above it."""
    heading_rows = [row for row, held in enumerate(page.nodes.tag_mask(HEADINGS)) if held]
    for row, context in zip(image_rows(contexts, name), contexts, strict=True):
        image = context.source
        above = bisect_left(heading_rows, image.node) - 1
        row["title"] = image.title
        row["heading"] = page.node(heading_rows[above]).text if above >= 0 else None
        row["page_title"] = page.title
        row["position"] = int(page.nodes.start[image.node])
        row["width"] = image.width
        row["height"] = image.height
        yield row


def capped(context: ImageContext, limit: int) -> ImageContext:
    """The context cut to `limit` characters of whole words, the nearest to the image kept."""
    spans = _nearest_part(context, limit)
    return replace(context, spans=spans, caption_spans=overlap_of(context.caption_spans, spans))


def _nearest_part(context: ImageContext, limit: int) -> Spans:
    position = int(context.page.nodes.start[context.source.node])
    total = sum(end - start for start, end in context.spans)
    if total <= limit:
        return context.spans
    before = [span for span in context.spans if span[1] <= position]
    after = [span for span in context.spans if span[0] > position]
    for start, end in context.spans:
        if start <= position < end:
            before.append((start, position))
            after.insert(0, (position + 1, end))
    left = sum(end - start for start, end in before)
    right = total - left
    ahead = min(right, max(limit // 2, limit - left))
    kept = [*_last(context.page, before, limit - ahead), *_first(context.page, after, ahead)]
    return tuple((start, end) for start, end in kept if start < end)


def _first(page: Page, spans: list[tuple[int, int]], limit: int) -> list[tuple[int, int]]:
    kept = []
    for start, end in spans:
        if end - start > limit:
            cut = page.text.rfind(" ", start, start + limit + 1)
            kept.append((start, max(cut, page.text.rfind("\n", start, start + limit + 1), start)))
            break
        kept.append((start, end))
        limit -= end - start
    return kept


def _last(page: Page, spans: list[tuple[int, int]], limit: int) -> list[tuple[int, int]]:
    kept = []
    for start, end in reversed(spans):
        if end - start > limit:
            cuts = [page.text.find(mark, end - limit - 1, end) for mark in " \n"]
            kept.append((min((cut + 1 for cut in cuts if cut >= 0), default=end), end))
            break
        kept.append((start, end))
        limit -= end - start
    return kept[::-1]


def obelics_rows(
    contexts: Sequence[ImageContext], page: Page, name: str | None = None
) -> Iterator[Row]:
    """One page as interleaved images and texts; images that are no content are left out."""
    images: list[str | None] = []
    texts: list[str | None] = []
    metadata: list[dict[str, Any] | None] = []
    edge = 0
    content = [each for each in contexts if each.source.src and each.role in (None, "content")]
    for context in content:
        image = context.source
        place = int(page.nodes.start[image.node])
        _add_text(page, edge, place, images, texts, metadata)
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
    _add_text(page, edge, len(page.text), images, texts, metadata)
    yield {
        "images": images,
        "texts": texts,
        "metadata": metadata,
        "general_metadata": {"url": page.url or name, "title": page.title, "page": page.id},
    }


def _add_text(
    page: Page,
    start: int,
    end: int,
    images: list[str | None],
    texts: list[str | None],
    metadata: list[dict[str, Any] | None],
) -> None:
    """Append the shown text of a range, if there is any."""
    nodes = page.nodes
    first = bisect_left(page.leaf_starts, start)
    last = bisect_left(page.leaf_starts, end)
    parts: list[list[int]] = []
    for row in page.leaves[first:last].tolist():
        if nodes.kind[row] == TEXT and not nodes.hidden[row] & NOT_SHOWN:
            span = [int(nodes.start[row]), int(nodes.end[row])]
            if parts and not page.text[parts[-1][1] : span[0]].strip():
                parts[-1][1] = span[1]
            else:
                parts.append(span)
    text = "\n".join(shown for part in parts if (shown := page.readable(part[0], part[1])))
    if text:
        images.append(None)
        texts.append(text)
        metadata.append(None)


def img2dataset_rows(
    contexts: Sequence[ImageContext], _page: Page, _name: str | None = None
) -> Iterator[Row]:
    """One row per image that is content and has a web address; the shortest good caption."""
    for context in contexts:
        image = context.source
        if context.role not in (None, "content") or not image.src:
            continue
        if not image.src.startswith(("http://", "https://")):
            continue
        caption = context.caption or image.alt or _start_of(context.text)
        if caption:
            yield {"url": image.src, "caption": " ".join(caption.split())}


def _start_of(text: str) -> str:
    if len(text) <= CAPTION_LENGTH:
        return text
    return text[: max(text.rfind(" ", 0, CAPTION_LENGTH), 0)]


def _plain_rows(
    contexts: Sequence[ImageContext], _page: Page, name: str | None = None
) -> Iterator[Row]:
    return image_rows(contexts, name)


ToRows = Callable[[Sequence[ImageContext], Page, str | None], Iterator[Row]]

# By name: the fields of a row, and what makes the rows.
SHAPES: Final[dict[str, tuple[tuple[str, ...], ToRows]]] = {
    "rows": (IMAGE_FIELDS, _plain_rows),
    "details": (DETAIL_FIELDS, detailed_image_rows),
    "obelics": (("images", "texts", "metadata", "general_metadata"), obelics_rows),
    "img2dataset": (("url", "caption"), img2dataset_rows),
}
