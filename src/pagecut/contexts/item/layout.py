"""What the boxes of a rendered page add to the search for items: seen sizes, and columns.

A text that several pictures share, by the markup, is parted among them where it is clear which part
stands nearest to which picture: in its column or row, and on the same background. An image that is
drawn tiny is a sign. Pages without boxes are left as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pagecut.evidence.items import FoundItem
from pagecut.page import Image, Page
from pagecut.page.boxes import gaps
from pagecut.page.nodes import TEXT, Int
from pagecut.results.image_context import Spans

_MOST: Final = 12  # pictures that a text is parted among; more are a gallery
_WIDTH: Final = 32  # pixels of a picture; a smaller image is a sign
_HEIGHT: Final = 24
_CLEARLY: Final = 4.0  # pixels by which a text is nearer to its picture than to any other
_SAME_COLOUR: Final = 8  # largest difference of the parts of two colours that look the same


def seen_size(page: Page, image: Image) -> tuple[int, int] | None:
    """The size that an image is drawn at; None if it is not seen, or another stands in for it."""
    nodes = page.nodes
    if nodes.box is None or nodes.visible is None or not nodes.visible[image.node] or image.lazy:
        return None
    left, top, right, bottom = nodes.box[image.node].tolist()
    width, height = round(right - left), round(bottom - top)
    return (width, height) if width > 0 and height > 0 else None


def part_shared_texts(page: Page, found: Sequence[FoundItem]) -> list[FoundItem]:
    """The items of all images of a page, those that several pictures share parted by place."""
    parted = list(found)
    if page.nodes.box is None or page.nodes.visible is None:
        return parted
    for spans, pictures in _sharing(page, found):
        texts = _seen_texts(page, spans)
        rows = np.array([page.images[picture].node for picture in pictures], dtype=np.int32)
        owners = _nearest(page, texts, rows)
        if set(owners) != set(range(len(pictures))):
            continue
        for number, picture in enumerate(pictures):
            own = tuple(_runs(page, texts[owners == number]))
            parted[picture] = FoundItem(found[picture].how, own)
    return parted


def _sharing(page: Page, found: Sequence[FoundItem]) -> Iterator[tuple[Spans, list[int]]]:
    """Each text that a few pictures share, and which."""
    groups: dict[Spans, list[int]] = {}
    for image, item in zip(page.images, found, strict=True):
        size = seen_size(page, image)
        if item.spans and size and size[0] > _WIDTH and size[1] > _HEIGHT:
            groups.setdefault(item.spans, []).append(image.index)
    for spans, pictures in groups.items():
        if 2 <= len(pictures) <= _MOST:
            yield spans, pictures


def _seen_texts(page: Page, spans: Spans) -> Int:
    """Rows of the texts in some ranges that are seen."""
    nodes = page.nodes
    rows = np.concatenate([page.leaves_in(*span) for span in spans])
    kept = nodes.kind[rows] == TEXT
    if nodes.visible is not None:
        kept &= nodes.visible[rows]
    texts: Int = rows[kept]
    return texts


def _nearest(page: Page, texts: Int, pictures: Int) -> NDArray[np.intp]:
    """(t,) the number of the picture that each text belongs to; -1 where that is not clear."""
    nodes = page.nodes
    if nodes.box is None or not len(texts):
        return np.full(len(texts), -1)
    shape = len(texts), len(pictures)
    text, picture = np.repeat(texts, shape[1]), np.tile(pictures, shape[0])
    distances = np.hypot(*gaps(nodes.box[text], nodes.box[picture]).T).reshape(shape)
    if nodes.background is not None:
        behind = nodes.background[:, :3].astype(np.int16)
        apart = np.abs(behind[text] - behind[picture]).max(axis=1).reshape(shape) > _SAME_COLOUR
        distances[apart & ~apart.all(axis=1, keepdims=True)] = np.inf
    nearest = np.sort(distances, axis=1)[:, :2]
    clear = nearest[:, 0] + _CLEARLY <= nearest[:, 1]
    return np.where(clear, distances.argmin(axis=1), -1)


def _runs(page: Page, texts: Int) -> Iterator[tuple[int, int]]:
    """Ranges of some texts; those that follow each other are one."""
    leaves = np.searchsorted(page.leaves, texts)
    for run in np.split(leaves, np.flatnonzero(np.diff(leaves) > 1) + 1):
        yield int(page.leaf_starts[run[0]]), int(page.leaf_ends[run[-1]])
