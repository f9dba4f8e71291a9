"""Contexts cut to a length: whole words, the nearest to the image kept."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace

from pagecut.page import Page
from pagecut.page.text.ranges import intersect
from pagecut.page.text.tokenizer import token_spans
from pagecut.results.image_context import ImageContext, Spans


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
