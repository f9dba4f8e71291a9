"""Pages, segmentations, explanations and contexts as JSON for the browser.

Columns travel as flat lists; whatever follows from them is made in the browser.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagecut.content.chunks import Chunk
from pagecut.content.metadata import metadata
from pagecut.page import Page
from pagecut.page.text.tokenizer import token_spans
from pagecut.pictures.segments import blocks_in_order, colours_of_segments
from pagecut.rendering.png import png_size
from pagecut.results.explanation import HOW_TO_READ, HOW_TO_READ_IMAGES, Explanation
from pagecut.results.image_context import ImageContext
from pagecut.results.plain_words import say_context, say_reason
from pagecut.results.segmentation import Segmentation
from pagecut.viewer.open_pages import OpenPage

MOST_TEXT = 20_000  # characters of one segment
MOST_PATHS = 5
COARSE = 0.2  # picture px per CSS px
COLOURS = 7  # classes c0 to c6 of the style sheet, as in the report

Json = dict[str, Any]


def page_json(opened: OpenPage, number: int, name: str) -> Json:
    """What the browser needs to show a page and to point at its nodes."""
    page = opened.page
    nodes, lines = page.nodes, page.line_boxes
    return {
        "number": number,
        "name": name,
        "id": page.id,
        "url": page.url,
        "title": page.title,
        "kind": page.kind,
        "language": page.attrs.get(0, {}).get("lang", ""),
        "text": page.text,
        "spaces": page.inserted_spaces.tolist(),
        "size": page.size,
        "view": _view(opened),
        "missing": opened.missing,
        "failure": opened.failure,
        "truth": {spec: len(truth) for spec, truth in opened.truth.items()},
        "columns": sorted(
            each
            for each in ("box", "visible", "color", "background", "font_size", "border")
            if page.column(each) is not None
        ),
        "nodes": {
            "kind": nodes.kind.tolist(),
            "tag": nodes.tag.tolist(),
            "tags": nodes.tag_names,
            "parent": nodes.parent.tolist(),
            "subtreeEnd": nodes.subtree_end.tolist(),
            "ordinal": nodes.ordinal.tolist(),
            "start": nodes.start.tolist(),
            "end": nodes.end.tolist(),
            "box": _flat(nodes.box),
            "visible": None if nodes.visible is None else nodes.visible.astype(int).tolist(),
        },
        "lines": None
        if lines is None
        else {
            "node": lines.node.tolist(),
            "start": lines.start.tolist(),
            "end": lines.end.tolist(),
            "box": _flat(lines.box),
        },
        "images": [
            {
                "index": image.index,
                "node": image.node,
                "tag": image.tag,
                "src": _shortened(image.src),
                "alt": image.alt,
                "title": image.title,
                "width": image.width,
                "height": image.height,
                "lazy": image.lazy,
            }
            for image in page.images
        ],
    }


def _view(opened: OpenPage) -> str:
    """How the page can be shown: its picture, its HTML, or its boxes alone.

    The picture of a very long page is so small that nothing on it can be told; its texts are drawn
    where they stand, as where there is none.
    """
    if opened.picture is not None and not _is_coarse(opened.picture, opened.page):
        return "picture"
    if opened.page.nodes.box is not None:
        return "boxes"
    return "html" if opened.source is not None else "text"


def _is_coarse(picture: bytes, page: Page) -> bool:
    return page.size is not None and png_size(picture)[0] < COARSE * page.size[0]


def segmentation_json(segmentation: Segmentation) -> Json:
    """The columns of a segmentation, with a colour for each segment."""
    score = segmentation.score
    blocks = blocks_in_order(segmentation)
    return {
        "madeBy": segmentation.made_by,
        "count": len(segmentation),
        "spans": segmentation.spans.reshape(-1).tolist(),
        "labels": segmentation.labels.tolist(),
        "parent": segmentation.parent.tolist(),
        "score": None if score is None else numbers(score),
        "roles": None if segmentation.roles is None else list(segmentation.roles),
        "words": word_counts(segmentation),
        "colours": colours_of_segments(blocks, len(segmentation), COLOURS),
    }


def word_counts(segmentation: Segmentation) -> list[int]:
    """How many words each segment has, with those of the segments inside."""
    starts = token_spans(segmentation.page.text)[:, 0]
    places = np.searchsorted(starts, segmentation.spans)
    labels = segmentation.labels
    own = labels >= 0
    counts = np.zeros(len(segmentation), dtype=np.int64)
    np.add.at(counts, labels[own], (places[:, 1] - places[:, 0])[own])
    found: list[int] = counts.tolist()
    parents = segmentation.parent.tolist()
    for number in range(len(found) - 1, -1, -1):  # what is inside has the larger number
        if parents[number] >= 0:
            found[parents[number]] += found[number]
    return found


def content_json(
    page: Page, main: Sequence[tuple[int, int]], chunks: Sequence[Chunk], types: Mapping[str, float]
) -> Json:
    """The main text, its chunks, and what the page says of itself."""
    text = page.readable_spans(main)
    return {
        "main": [edge for span in main for edge in span],
        "text": text[:200_000],
        "words": len(token_spans(text)),
        "of": len(token_spans(page.text)),
        "types": [{"name": name, "likely": _finite(likely)} for name, likely in types.items()],
        "chunks": [
            {
                "number": chunk.number,
                "spans": [edge for span in chunk.spans for edge in span],
                "size": len(chunk.text),
                "headings": list(chunk.headings),
                "text": chunk.readable[:5_000],
                "xpath": chunk.xpath,
            }
            for chunk in chunks
        ],
        "metadata": metadata(page).as_row(),
    }


def explanation_json(explanation: Explanation) -> Json:
    """The curves, cuts, separators, boxes and reasons of a method."""
    graph = explanation.graph
    return {
        "curves": {
            name: {"offsets": curve.offsets.tolist(), "values": numbers(curve.values)}
            for name, curve in explanation.curves.items()
        },
        "cuts": explanation.cuts.tolist(),
        "separators": [
            {
                "box": [round(float(edge), 1) for edge in each.box],
                "weight": float(each.weight),
                "before": int(each.before),
                "after": int(each.after),
            }
            for each in explanation.separators
        ],
        "graph": None
        if graph is None
        else {
            "boxes": _flat(graph.boxes),
            "status": list(graph.status),
            "edges": graph.edges.reshape(-1).tolist(),
            "values": numbers(graph.values),
        },
        "chosen": {name: _finite(value) for name, value in explanation.chosen.items()},
        **reasons_json(explanation, HOW_TO_READ),
    }


def reasons_json(explanation: Explanation, how_to_read: str = HOW_TO_READ_IMAGES) -> Json:
    """What spoke for each decision on a segment or an image."""
    return {
        "reasons": [
            {
                "number": each.number,
                "text": str(each),
                "plain": say_reason(each, explanation.glossary, briefly=True),
                "evidence": [name for name, _ in each.evidence],
            }
            for each in explanation.reasons
        ],
        "glossary": dict(explanation.glossary),
        "howToRead": how_to_read,
    }


def context_json(contexts: Sequence[ImageContext]) -> list[Json]:
    """One object per image."""
    return [
        {
            "image": context.image,
            "spans": [edge for span in context.spans for edge in span],
            "caption": [edge for span in context.caption_spans for edge in span],
            "text": context.text[:5_000],
            "role": context.role,
            "confidence": context.confidence,
            "plain": say_context(context),
        }
        for context in contexts
    ]


def segment_json(segmentation: Segmentation, number: int) -> Json:
    """One segment, with all that is derived."""
    segment = segmentation.segments[number]
    text, paths = segment.text, segment.xpaths
    return {
        "number": number,
        "text": text if len(text) <= MOST_TEXT else text[:MOST_TEXT] + "…",
        "spans": segment.spans,
        "xpaths": paths[:MOST_PATHS],
        "paths": len(paths),
        "box": segment.box,
        "role": segment.role,
        "score": _finite(segment.score),
        "images": [image.index for image in segment.images],
        "parent": None if segment.parent is None else segment.parent.number,
        "children": [child.number for child in segment.children],
    }


def score_json(scores: Mapping[str, Sequence[tuple[str, float]]]) -> Json:
    """Measures against each truth."""
    return {
        truth: [{"measure": name, "value": _finite(value)} for name, value in values]
        for truth, values in scores.items()
    }


def numbers(values: NDArray[np.float64]) -> list[float | None]:
    """Values for JSON: what is not finite has no place on an axis."""
    return [_finite(each) for each in values.tolist()]


def _finite(value: float | None) -> float | None:
    return float(f"{value:.6g}") if value is not None and math.isfinite(value) else None


def _flat(boxes: NDArray[np.float32] | None) -> list[float] | None:
    if boxes is None:
        return None
    flat: list[float] = np.round(boxes.astype(np.float64), 1).reshape(-1).tolist()
    return flat


def _shortened(source: str | None) -> str | None:
    return source if source is None or len(source) <= 500 else source[:500] + "…"
