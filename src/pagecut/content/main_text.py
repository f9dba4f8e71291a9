"""The main text of a page: the segments that evidence speaks for.

A segmenter cuts the page; a logistic regression over the evidence of `segment_evidence` says for
each segment how likely it is content. Segments at or above the threshold are the main text, the
likeliest one where there is none. Text that the markup hides is never in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, Literal

import numpy as np
from numpy.typing import NDArray

from pagecut.content.markdown import to_markdown
from pagecut.content.segment_evidence import (
    FEATURES,
    Bool,
    Float,
    SegmentMeasures,
    gather_evidence,
    measure_segments,
)
from pagecut.page import Page
from pagecut.page.nodes import NOT_SHOWN
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters import BLOCK_SEGMENTER, segment, segmenter
from pagecut.spec import Configured

TextFormat = Literal["text", "markdown"]
# As experiments/main_text.py wrote them. That of notices, which is set like those of <nav> and
# <footer>, came later: learnt anew, the others would move by at most 0.012 and choose no better.
BIAS: Final = 0.8558

WEIGHTS: Final[dict[str, float]] = {
    "tokens": 0.0000,
    "density": 0.1858,
    "links": -0.1603,
    "main": 2.0000,
    "nav": -4.0000,
    "header": -1.0000,
    "footer": -3.0000,
    "aside": -2.0000,
    "paragraph": 0.5110,
    "item": -0.4839,
    "heading": 0.3774,
    "form": -0.1822,
    "table": 0.0967,
    "notice": -4.0000,
    "surrounding": -0.2570,
    "surroundings": -0.2062,
    "textual": 0.5788,
    "textuals": 0.2817,
    "position": -1.3741,
    "centre": -2.3213,
    "top": -0.9502,
    "end": -0.3685,
    "tokens within 5": 0.0000,
    "links within 5": -0.4115,
    "tokens within 15": 0.0000,
    "links within 15": 0.0000,
}

TEXT_FORMATS: Final[tuple[TextFormat, ...]] = ("text", "markdown")

Spans = list[tuple[int, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class MainText(Configured):
    """Choose the segments of a page that are its main text.

    Args:
        segmenter: spec of the segmenter whose segments are chosen from.
        threshold: least probability of a segment that is chosen.
    """

    name: ClassVar[str] = "main-text"
    paper: ClassVar[str] = ""

    segmenter: str = BLOCK_SEGMENTER
    threshold: float = 0.35

    def __post_init__(self) -> None:
        segmenter(self.segmenter)
        if not 0 <= self.threshold <= 1:
            raise ValueError(f"threshold must lie in [0, 1], got {self.threshold}")

    def choose(self, segmentation: Segmentation, measures: SegmentMeasures | None = None) -> Bool:
        """(m,) which segments of a result, by whatever method, are main text."""
        if measures is None:
            measures = measure_segments(segmentation)
        return choose_likely(
            content_probability(gather_evidence(segmentation, measures)), measures, self.threshold
        )

    def spans(self, page: Page) -> Spans:
        """The ranges of `page.text` that are main text."""
        segmentation = segment(page, self.segmenter)
        return chosen_spans(segmentation, self.choose(segmentation))


def main_text(page: Page, format: TextFormat = "text", method: MainText | None = None) -> str:
    """The main text of a page, as plain text or as Markdown."""
    spans = (method or MainText()).spans(page)
    return render_text(page, spans, format)


def render_text(page: Page, spans: Spans, format: TextFormat) -> str:
    """Some ranges of a page as plain text or as Markdown."""
    if format not in TEXT_FORMATS:
        raise ValueError(f"format must be one of {', '.join(TEXT_FORMATS)}, got {format!r}")
    return to_markdown(page, spans) if format == "markdown" else page.readable_spans(spans)


def content_probability(evidence: Float) -> Float:
    """(m,) how likely each segment is content."""
    weights: NDArray[np.float64] = np.array([WEIGHTS[name] for name in FEATURES])
    odds = evidence @ weights + BIAS
    probability: Float = 1 / (1 + np.exp(-np.clip(odds, -50, 50)))
    return probability


def choose_likely(probability: Float, measures: SegmentMeasures, threshold: float) -> Bool:
    """(m,) the segments at or above the threshold that show any words, or else the likeliest."""
    shown = (measures.tokens > 0) & (measures.hidden < 1)
    chosen: Bool = shown & (probability >= threshold)
    if shown.any() and not chosen.any():
        chosen[np.argmax(np.where(shown, probability, -1.0))] = True
    return chosen


def chosen_spans(segmentation: Segmentation, chosen: Bool) -> Spans:
    """The ranges of the chosen segments, joined where only white space parts them.

    Hidden leaves are cut out.
    """
    page = segmentation.page
    held = (segmentation.labels >= 0) & chosen[np.maximum(segmentation.labels, 0)]
    hidden = (page.nodes.hidden[page.leaves] & NOT_SHOWN) > 0
    cut = list(zip(page.leaf_starts[hidden].tolist(), page.leaf_ends[hidden].tolist(), strict=True))
    shown = _without(segmentation.spans[held].tolist(), cut)
    joined: Spans = []
    for start, end in shown:
        if joined and not page.text[joined[-1][1] : start].strip():
            joined[-1] = joined[-1][0], end
        else:
            joined.append((start, end))
    return joined


def _without(spans: list[list[int]], cut: Spans) -> Spans:
    """Ranges less other ranges, both sorted and disjoint."""
    left: Spans = []
    at = 0
    for start, end in spans:
        while at < len(cut) and cut[at][1] <= start:
            at += 1
        here = at
        while here < len(cut) and cut[here][0] < end:
            if start < cut[here][0]:
                left.append((start, cut[here][0]))
            start = max(start, cut[here][1])
            here += 1
        if start < end:
            left.append((start, end))
    return left
