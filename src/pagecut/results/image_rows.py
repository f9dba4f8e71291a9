"""Image contexts as plain rows, also in the shapes that image-text corpora are built from.

`obelics`: one row per page, parallel lists `images` and `texts` in reading order, one of the two
None at each place, as in OBELICS (Laurençon et al. 2023). `img2dataset`: one row per image with
`url` and `caption`, which that downloader reads as it is.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any, Final

from pagecut.page import IMAGE_CHARACTER, Page
from pagecut.page.addresses import WEB, split_address
from pagecut.page.nodes import NOT_SHOWN, TEXT
from pagecut.page.notebook import contexts_html
from pagecut.page.ranges import intersect
from pagecut.page.tokenizer import token_spans
from pagecut.parsing.images import is_placeholder
from pagecut.results.image_columns import DETAIL_FIELDS, IMAGE_FIELDS, ImageColumns
from pagecut.results.image_context import ImageContext, Spans
from pagecut.results.tables import Columns, Row, Tabular, rows_of

CAPTION_LENGTH: Final = 300
THUMBNAIL: Final = 256  # px: what is less wide is too small for most corpora
SHARED: Final = 3  # pictures that make an alt text say nothing of one
Ranges = Sequence[tuple[int, int]]
_BETWEEN: Final = f" \n\t{IMAGE_CHARACTER}"
# An alt text of nothing but these says no more than that there is an image.
_EMPTY_WORDS: Final = frozenset(
    """a alt article author avatar background banner bild blank blog cover customer default feature
    featured foto gallery header hero icon illustration image imagem imagen images img logo main no
    none null object of photo photos pic picture pictures placeholder post product profile s slide
    text the thumb thumbnail title undefined untitled uploaded user""".split()
)
_WORD: Final = re.compile(r"[^\W\d_]+")
_NO_ALT: Final = ("no alternative text", "no alt text", "enter image description")
_FILE_NAME: Final = re.compile(
    r"\.(?:avif|bmp|gif|jpe?g|png|svg|tiff?|webp)\Z|\A(?:https?:|www\.|//)|\d{7}", re.IGNORECASE
)
_SLUG: Final = re.compile(r"_|\d{4}|-[^-]*-[^-]*-")
_SCRIPT: Final = re.compile(r"\.(?:aspx?|ashx|cgi|do|jsp|php|pl)\Z", re.IGNORECASE)
# What a server is told of the size of a picture, in its name or in the query.
_SIZE_IN_NAME: Final = re.compile(r"(?:[-_](\d{2,4})x\d{2,4}|-scaled)(?=\.\w{2,5}\Z)")
_SIZE_PARAMETER: Final = re.compile(
    r"(?:(?:w|width|sw|s)=(\d{2,4})|(?:h|height|sh)=\d{2,4}|(?:dpr|q|quality)=\d{1,3}(?:\.\d+)?|"
    r"(?:q|quality)=(?:auto|best|good|eco|low|high)|"
    r"fit=(?:bounds|clamp|clip|contain|cover|crop|fill|inside|max|min|outside|scale))"
)


class ImageContexts(list[ImageContext], Tabular):
    """The contexts of a page's images, also as a table."""

    _repr_html_ = contexts_html

    def columns(self) -> Columns:
        """What is known of each image, as `pagecut images --format details` writes it."""
        if not self:
            return {name: [] for name in DETAIL_FIELDS}
        return ImageColumns(self[0].page, self).select(DETAIL_FIELDS)


def capped(context: ImageContext, limit: int) -> ImageContext:
    """The context cut to `limit` characters of whole words, the nearest to the image kept."""
    spans = _nearest_part(context, limit)
    caption = tuple(intersect(context.caption_spans, spans))
    return replace(context, spans=spans, caption_spans=caption)


def _nearest_part(context: ImageContext, limit: int) -> Spans:
    position = int(context.page.nodes.start[context.source.node])
    length = sum(end - start for start, end in context.spans)
    if max(length, len(context.text)) <= limit:
        return context.spans
    page = context.page
    before = [span for span in context.spans if span[1] <= position]
    after = [span for span in context.spans if span[0] > position]
    for start, end in context.spans:
        if start <= position < end:
            before.append((start, position))
            after.insert(0, (position + 1, end))
    left = sum(len(page.readable(start, end)) for start, end in before)
    right = sum(len(page.readable(start, end)) for start, end in after)
    ahead = min(right, max(limit // 2, limit - left))
    behind = limit - ahead - 1 if ahead else limit  # one for what joins the two
    kept = [*_last(page, before, behind), *_first(page, after, ahead)]
    trimmed = [_trimmed(page, start, end) for start, end in kept]
    return tuple((start, end) for start, end in trimmed if start < end)


def _trimmed(page: Page, start: int, end: int) -> tuple[int, int]:
    """A range without the white space at its edges."""
    text = page.text[start:end]
    return end - len(text.lstrip()), start + len(text.rstrip())


def _first(page: Page, spans: list[tuple[int, int]], limit: int) -> list[tuple[int, int]]:
    kept = []
    for start, end in spans:
        length = len(page.readable(start, end))
        if length > limit:
            breaks = _breaks(page, start, end)
            found = bisect_right(breaks, limit, key=lambda cut: len(page.readable(start, cut)))
            cut = breaks[found - 1] if found else start
            kept.append((start, cut))
            break
        kept.append((start, end))
        limit -= length + 1
    return kept


def _last(page: Page, spans: list[tuple[int, int]], limit: int) -> list[tuple[int, int]]:
    kept = []
    for start, end in reversed(spans):
        length = len(page.readable(start, end))
        if length > limit:
            breaks = _breaks(page, start, end)
            found = bisect_left(breaks, -limit, key=lambda cut: -len(page.readable(cut, end)))
            kept.append((breaks[found] if found < len(breaks) else end, end))
            break
        kept.append((start, end))
        limit -= length + 1
    return kept[::-1]


def _breaks(page: Page, start: int, end: int) -> list[int]:
    """Where a range may be cut: between words, in scripts without spaces between their tokens."""
    words = token_spans(page.text[start:end])[:, 0] + start
    spaces = [space for space in page.inserted_spaces if start < space < end]
    return sorted({start, end, *words.tolist(), *spaces})


def merge_twins(contexts: Sequence[ImageContext]) -> list[ImageContext]:
    """One context for each picture of a page, in document order.

    Of several elements with the same source but for its size (a teaser shown twice, a slider's
    copies), the surest role says whether it is content; of those with it the one speaks for the
    picture that has a text, is no thumbnail and is surest. Of equals it is the widest, then the
    first.
    """
    twins: dict[str, list[ImageContext]] = {}
    for context in contexts:
        if source := usable_source(context):
            twins.setdefault(_variant_of(source)[0], []).append(context)
    best = {_best_of(same).image for same in twins.values()}
    return [each for each in contexts if each.image in best or not usable_source(each)]


def _best_of(twins: Sequence[ImageContext]) -> ImageContext:
    if len(twins) == 1:
        return twins[0]
    surest = max(twins, key=lambda each: (each.role_confidence or 0.0, each.is_content))
    return max((each for each in twins if each.is_content == surest.is_content), key=_weight)


def usable_source(context: ImageContext) -> str:
    """The source of an image; empty if it has none, or one that only holds its place."""
    source = context.source.src
    return "" if source is None or is_placeholder(source) else source


def _weight(context: ImageContext) -> tuple[bool, bool, float, float]:
    width = _variant_of(usable_source(context))[1]
    return bool(context.spans), width >= THUMBNAIL, context.confidence or 0.0, width


def _variant_of(source: str) -> tuple[str, float]:
    """What the sizes of one picture have in common, and the width that its address states.

    Where it states none, it is the whole picture, wider than any.
    """
    parts = split_address(source)
    # Broken ones have no path; what a script is told may be which picture it is to show.
    if not parts.path or _SCRIPT.search(parts.path):
        return source, math.inf
    widths = [width for width in _SIZE_IN_NAME.findall(parts.path) if width]
    others = []
    for parameter in parts.query.split("&"):
        if size := _SIZE_PARAMETER.fullmatch(parameter):
            widths += [size[1]] if size[1] else []
        elif parameter:
            others.append(parameter)
    path = _SIZE_IN_NAME.sub("", parts.path)
    key = "\n".join([parts.netloc, path, *others, parts.fragment])
    return key, max(map(int, widths), default=math.inf)


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
    main = _shown(page) if main is None else main
    images: list[str | None] = []
    texts: list[str | None] = []
    metadata: list[dict[str, Any] | None] = []
    edge = 0
    content = [each for each in contexts if each.is_content and usable_source(each)]
    for context in content:
        image = context.source
        place = int(page.nodes.start[image.node])
        if not first <= place < last:
            continue
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


def _shown(page: Page) -> Ranges:
    """The ranges of a page's text that the markup does not hide."""
    nodes = page.nodes
    parts: list[tuple[int, int]] = []
    for row in page.leaves.tolist():
        if nodes.kind[row] == TEXT and not nodes.hidden[row] & NOT_SHOWN:
            start, end = int(nodes.start[row]), int(nodes.end[row])
            if parts and not page.text[parts[-1][1] : start].strip():
                parts[-1] = parts[-1][0], end
            else:
                parts.append((start, end))
    return parts


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
    for context, caption in _captioned(contexts):
        address = usable_source(context)
        if address.startswith(WEB):
            yield {"url": address, "caption": caption}


def without_source(contexts: Sequence[ImageContext], shape: str) -> list[str]:
    """What the images have that the shape of a corpus leaves out for want of a source alone.

    No placeholder will do. For `img2dataset` it must be a web address.
    """
    if shape == "img2dataset":
        without = [
            each for each, _ in _captioned(contexts) if not usable_source(each).startswith(WEB)
        ]
    elif shape == "obelics":
        without = [each for each in contexts if each.is_content and not usable_source(each)]
    else:
        without = []
    return [each.source.src or "" for each in without]


def _captioned(contexts: Sequence[ImageContext]) -> Iterator[tuple[ImageContext, str]]:
    """Each image that is content and has a caption, with that."""
    shared = _shared_alts(contexts)
    for context in contexts:
        if context.is_content:
            alt = context.source.alt or ""
            telling = "" if alt in shared or _says_nothing(alt) else alt
            caption = context.caption or telling or _start_of(context.text) or alt
            if caption:
                yield context, " ".join(caption.split())


def _shared_alts(contexts: Sequence[ImageContext]) -> frozenset[str]:
    """The alt texts that several pictures have, with several contexts."""
    pictures: dict[str, set[str]] = {}
    texts: dict[str, set[Spans]] = {}
    for context in contexts:
        image = context.source
        if image.alt and image.src and context.is_content:
            pictures.setdefault(image.alt, set()).add(_variant_of(image.src)[0])
            texts.setdefault(image.alt, set()).add(context.spans)
    return frozenset(
        alt for alt, same in pictures.items() if len(same) >= SHARED and len(texts[alt]) > 1
    )


def _says_nothing(alt: str) -> bool:
    """Whether an alt text is only the name of a file, or a word for images."""
    if alt.lower().startswith(_NO_ALT) or _FILE_NAME.search(alt):
        return True
    if " " not in alt and alt.isascii() and _SLUG.search(alt):
        return True
    return all(word in _EMPTY_WORDS for word in _WORD.findall(alt.lower()))


def _start_of(text: str) -> str:
    if len(text) <= CAPTION_LENGTH:
        return text
    return text[: max(text.rfind(" ", 0, CAPTION_LENGTH), 0)]


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
    "img2dataset": (("url", "caption"), img2dataset_rows),
}
CORPUS_SHAPES: Final = frozenset({"obelics", "img2dataset"})
