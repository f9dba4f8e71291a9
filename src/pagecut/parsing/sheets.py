"""Pages without a tree: texts and images placed on a sheet, of a PDF or of any other source.

A sheet is one element with the texts and images as its children, in the order in which they come.
It has the columns of a rendered page, so that a method that looks at boxes alone takes it as it is;
it has no XPaths.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from pagecut.page import IMAGE_CHARACTER, SHEET_KIND, Image, Page
from pagecut.page.nodes import ELEMENT, IMAGE, TEXT, Box, LineBoxes, Nodes

_TAGS: Final = ("sheet", "#text", "img")

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A line of text, or an image where `text` is None.

    Args:
        box: left, top, right, bottom in CSS px.
        colour: of the letters; of an image, its average.
        font_size: in CSS px.
    """

    text: str | None
    box: Box
    colour: Colour = (0, 0, 0)
    background: Colour = (255, 255, 255)
    font_size: float = 16.0
    font_weight: float = 400.0


def sheet_page(
    placed: Sequence[Placed],
    *,
    source: bytes,
    sheet: int,
    size: tuple[float, float],
    url: str | None = None,
    title: str = "",
) -> Page:
    """A page from what is placed on a sheet.

    Args:
        source: the bytes of the whole file.
        sheet: number of the sheet in it, from 1.
    """
    texts = [" ".join(_whole(each.text or "").split()) for each in placed]
    texts = [
        IMAGE_CHARACTER if each.text is None else text.replace(IMAGE_CHARACTER, " ")
        for each, text in zip(placed, texts, strict=True)
    ]
    kept = [number for number, text in enumerate(texts) if text]
    placed, texts = [placed[number] for number in kept], [texts[number] for number in kept]
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    ends = np.cumsum(lengths + 1) - 1
    starts = ends - lengths
    is_image = np.array([each.text is None for each in placed], dtype=np.bool_)
    count = len(placed) + 1
    text = "\n".join(texts)
    box = np.array([(0, 0, *size), *(each.box for each in placed)], dtype=np.float32)
    nodes = Nodes(
        kind=np.concatenate([[ELEMENT], np.where(is_image, IMAGE, TEXT)]).astype(np.uint8),
        tag=np.concatenate([[0], np.where(is_image, 2, 1)]).astype(np.int32),
        tag_names=_TAGS,
        parent=np.array([-1] + [0] * len(placed), dtype=np.int32),
        subtree_end=np.array([count, *range(2, count + 1)], dtype=np.int32),
        depth=np.array([0] + [1] * len(placed), dtype=np.int32),
        ordinal=np.concatenate(
            [[sheet], np.where(is_image, np.cumsum(is_image), np.cumsum(~is_image))]
        ).astype(np.int32),
        start=np.concatenate([[0], starts]).astype(np.int32),
        end=np.concatenate([[len(text)], ends]).astype(np.int32),
        hidden=np.zeros(count, dtype=np.uint8),
        box=box,
        visible=np.ones(count, dtype=np.bool_),
        font_size=np.array([16.0, *(each.font_size for each in placed)], dtype=np.float32),
        font_weight=np.array([400.0, *(each.font_weight for each in placed)], dtype=np.float32),
        color=_opaque([(0, 0, 0), *(each.colour for each in placed)]),
        background=_opaque([(255, 255, 255), *(each.background for each in placed)]),
        border=np.zeros((count, 4), dtype=np.float32),
    )
    lines = np.flatnonzero(~is_image)
    images = np.flatnonzero(is_image).tolist()
    return Page(
        id=hashlib.sha256(b"%d\n" % sheet + source).hexdigest(),
        text=text,
        nodes=nodes,
        images=tuple(
            Image(index=index, node=node + 1, tag="img") for index, node in enumerate(images)
        ),
        url=url,
        title=title,
        kind=SHEET_KIND,
        size=size,
        line_boxes=LineBoxes(
            node=(lines + 1).astype(np.int32),
            start=starts[lines].astype(np.int32),
            end=ends[lines].astype(np.int32),
            box=box[1:][lines],
        ),
    )


def _whole(text: str) -> str:
    """A text with halves of characters joined; no file can be written with one alone."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _opaque(colours: Sequence[Colour]) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    rgba = np.full((len(colours), 4), 255, dtype=np.uint8)
    rgba[:, :3] = colours
    return rgba
