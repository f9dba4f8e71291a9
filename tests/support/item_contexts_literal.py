"""The obvious version of `item`: one image after the other, with the obvious search and roles."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from image_role_literal import RoleJudge
from item_literal import Found, ItemSearch, ItemTree, Span, build_item_tree

from pagecut.contexts.item.layout import part_shared_texts
from pagecut.page import Page
from pagecut.page.attributes import attribute_values
from pagecut.page.nodes import NOT_SHOWN, TEXT
from pagecut.results.image_context import ImageContext, Spans, overlap_of

_NAME: Final = re.compile("share|sharing|social|addthis", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W\d_]+")
_TEXT_TAGS: Final = frozenset({"a", "span", "body", "html"})  # a text, or the whole page
_MOST: Final = 20  # words of a row of buttons
_FEWEST: Final = 2


def leave_out_controls(tree: ItemTree, found: Sequence[Found]) -> list[Found]:
    """The items of all images of a page without the labels of sharing buttons.

    An image inside a control keeps its item, as does one whose item is nothing else.
    """
    controls = list(_outermost(sorted(_controls(tree), key=lambda span: (span[0], -span[1]))))
    if not controls:
        return list(found)
    starts = [start for start, _ in controls]
    known: dict[tuple[Span, ...], tuple[Span, ...]] = {}
    kept = []
    for image, item in zip(tree.page.images, found, strict=True):
        place = tree.start[image.node]
        at = bisect_right(starts, place) - 1
        if at >= 0 and place < controls[at][1]:
            kept.append(item)
            continue
        if item.spans not in known:
            parts = tuple(part for span in item.spans for part in _without(span, controls, starts))
            readable = tuple(part for part in parts if tree.page.readable(*part))
            known[item.spans] = parts if parts == item.spans else readable
        kept.append(replace(item, spans=known[item.spans] or item.spans))
    return kept


def _controls(tree: ItemTree) -> Iterator[Span]:
    """Ranges of text of the elements that are controls by their name."""
    named: dict[str, bool] = {}
    for key in ("class", "id"):
        for row, name in attribute_values(tree.page.attrs, key).items():
            if name not in named:
                named[name] = bool(_NAME.search(name))
            if named[name] and tree.tokens[row] <= _MOST and tree.tag[row] not in _TEXT_TAGS:
                start, end = tree.span(row)
                if len(_WORD.findall(tree.page.text[start:end])) >= _FEWEST:
                    yield start, end


def _outermost(spans: Sequence[Span]) -> Iterator[Span]:
    """Of sorted ranges that nest, those inside no other."""
    last = 0
    for start, end in spans:
        if start >= last:
            yield start, end
            last = end


def _without(span: Span, controls: Sequence[Span], starts: Sequence[int]) -> Iterator[Span]:
    """The parts of a range between the controls in it."""
    start, end = span
    for left, right in controls[
        max(bisect_right(starts, start) - 1, 0) : bisect_right(starts, end)
    ]:
        if left > start:
            yield start, min(left, end)
        start = max(start, right)
    if start < end:
        yield start, end


_CAPTION_CLASS = re.compile(r"caption|credit|legende|bildunterschrift|byline-photo", re.IGNORECASE)


def literal_contexts(page: Page, *, skip: bool = True) -> list[ImageContext]:
    tree = build_item_tree(page)
    search, judge = ItemSearch(tree), RoleJudge(tree)
    shown, captions = _ShownText(page), _Captions(tree)
    made_by = "item"
    contexts = []
    items = leave_out_controls(tree, [search.find(image.node) for image in page.images])
    own_texts = part_shared_texts(page, items)
    for image, found, own in zip(page.images, items, own_texts, strict=True):
        role, confidence = judge.judge(image, found)
        spans: Spans = ()
        if role == "content" or not skip:
            hidden = bool(page.nodes.hidden[image.node] & NOT_SHOWN)
            spans = own.spans if hidden else shown.parts_of(own.spans)
        caption = captions.find(image.node) if spans else None
        contexts.append(
            ImageContext(
                page=page,
                image=image.index,
                spans=spans,
                caption_spans=overlap_of((caption,), spans) if caption else (),
                role=role if spans or role != "content" else "no-text",
                confidence=confidence,
                made_by=made_by,
            )
        )
    return contexts


class _ShownText:
    """Cuts hidden text out of ranges; images that share a range share the work."""

    def __init__(self, page: Page) -> None:
        self.page = page
        rows = page.leaves
        bare = (page.nodes.kind[rows] == TEXT) & ((page.nodes.hidden[rows] & NOT_SHOWN) != 0)
        self.hidden = np.flatnonzero(bare)
        self.hidden_starts = page.leaf_starts[self.hidden]
        self.known: dict[Spans, Spans] = {}

    def parts_of(self, spans: Spans) -> Spans:
        if not len(self.hidden):
            return spans
        if spans not in self.known:
            self.known[spans] = tuple(part for span in spans for part in self._parts(span))
        return self.known[spans]

    def _parts(self, span: Span) -> list[Span]:
        page = self.page
        edges = np.array(span, dtype=np.int32)
        first, last = np.searchsorted(self.hidden_starts, edges).tolist()
        parts, start = [], span[0]
        for leaf in self.hidden[first:last].tolist():
            parts.append((start, int(page.leaf_starts[leaf])))
            start = int(page.leaf_ends[leaf])
        parts.append((start, span[1]))
        return [(start, end) for start, end in parts if page.readable(start, end)]


class _Captions:
    """Finds the caption of each image; images with the same ancestors share the work."""

    def __init__(self, tree: ItemTree) -> None:
        self.tree = tree
        self.known: dict[int, Span | None] = {}

    def find(self, image: int) -> Span | None:
        """The <figcaption> of the image's figure, or what is called a caption beside it."""
        tree = self.tree
        row = tree.parent[image]
        for _ in range(4):
            if row < 0:
                return None
            if row not in self.known:
                self.known[row] = self._child(row)
            if (caption := self.known[row]) is not None:
                return caption
            if tree.tag[row] == "figure" or tree.pictures[row] > 1:
                return None
            row = tree.parent[row]
        return None

    def _child(self, row: int) -> Span | None:
        """The first child of a node that is a caption."""
        tree = self.tree
        for child in tree.children[row]:
            if tree.tokens[child] and (
                tree.tag[child] == "figcaption" or _CAPTION_CLASS.search(tree.look[child][1])
            ):
                return tree.span(child)
        return None
