"""The results of methods on the open pages, kept for a while: sliders go back and forth."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import replace
from threading import Lock
from typing import Any, Final, TypeVar

from pagecut.content.chunks import Chunk, Chunks
from pagecut.content.main_text import MainText
from pagecut.contexts import extractor
from pagecut.errors import PagecutError, SpecError, unforeseen
from pagecut.evaluation.datasets.pages import TRUTH
from pagecut.evaluation.measures import segmentation_measure
from pagecut.evaluation.tasks import USUAL_MEASURES, score_against
from pagecut.pictures.density import explain_segmentation
from pagecut.results.explanation import Explanation
from pagecut.results.image_context import ImageContext
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters import segmenter
from pagecut.viewer.open_pages import OpenPage, OpenPages

MEASURES: Final = (*USUAL_MEASURES, "bcubed-f")
ANNOTATION: Final = "annotation"  # in place of a spec; it changes all the time
_KEPT: Final = 64

Value = TypeVar("Value")


class ResultsCache:
    """Runs methods on the open pages."""

    def __init__(self, pages: OpenPages) -> None:
        self.pages = pages
        self.own_annotation: Callable[[int], Segmentation] | None = None  # of whoever annotates now
        self._kept: OrderedDict[Hashable, tuple[Any, float]] = OrderedDict()
        self._lock = Lock()

    def segmentation(self, number: int, spec: str) -> tuple[Segmentation, float]:
        """What a segmenter, or people, make of a page, and how many seconds it took."""
        opened = self.pages.page(number)
        if spec == ANNOTATION and self.own_annotation is not None:
            return self.own_annotation(number), 0.0

        def make() -> Segmentation:
            if spec.partition("(")[0] == TRUTH:
                return self._truth(opened, spec)
            return segmenter(spec).segment(opened.page)

        return self._once(number, ("segments", spec), make)

    def explanation(self, number: int, spec: str) -> Explanation:
        """What the method says of its cuts; the text's density where it says nothing."""
        opened = self.pages.page(number)
        if spec == ANNOTATION:
            return explain_segmentation(self.segmentation(number, spec)[0])

        def make() -> Explanation:
            segmentation = self.segmentation(number, spec)[0]
            if spec.partition("(")[0] == TRUTH:
                return explain_segmentation(segmentation)
            method = segmenter(spec)
            if not hasattr(method, "explain"):
                return explain_segmentation(segmentation)
            explanation: Explanation = method.explain(opened.page)
            if explanation.curves:
                return explanation
            density = explain_segmentation(segmentation)
            return replace(explanation, curves=density.curves, cuts=density.cuts)

        return self._once(number, ("explanation", spec), make)[0]

    def contexts(self, number: int, spec: str) -> tuple[list[ImageContext], float]:
        """The contexts that an extractor finds."""
        opened = self.pages.page(number)
        return self._once(
            number, ("contexts", spec), lambda: list(extractor(spec).extract(opened.page))
        )

    def context_reasons(self, number: int, spec: str, image: int) -> Explanation:
        """What the extractor says of its choice for an image, if it says anything."""
        page = self.pages.page(number).page
        method = extractor(spec)
        if not hasattr(method, "explain"):
            return Explanation(page=page, made_by=spec)

        def make() -> Explanation:
            explanation: Explanation = method.explain(page, [image])
            return explanation

        return self._once(number, ("context reasons", spec, image), make)[0]

    def content(self, number: int, chunks: Chunks) -> tuple[list[tuple[int, int]], list[Chunk]]:
        """The ranges of main text, and its chunks."""
        page = self.pages.page(number).page

        def make() -> tuple[list[tuple[int, int]], list[Chunk]]:
            main = MainText(favour=chunks.favour).spans(page)
            return main, chunks.cut(page, main)

        return self._once(number, ("content", str(chunks)), make)[0]

    def scores(self, number: int, segmentation: Segmentation) -> dict[str, list[tuple[str, float]]]:
        """Measures against whatever truth the page has."""
        opened = self.pages.page(number)
        measures = [segmentation_measure(name) for name in MEASURES]
        found = {}
        for spec, truth in opened.truth.items():
            try:
                found[spec] = score_against(segmentation, truth, measures)
            except PagecutError:  # nothing that is shown was marked
                continue
        return {spec: values for spec, values in found.items() if values}

    def _truth(self, opened: OpenPage, spec: str) -> Segmentation:
        if spec not in opened.truth:
            known = ", ".join(opened.truth) or "none"
            raise SpecError(f"the page has no {spec!r}; there is {known}")
        return opened.truth[spec]

    def _once(self, number: int, what: Hashable, make: Callable[[], Value]) -> tuple[Value, float]:
        """What is made of a page, and how many seconds it took; made only if it is not kept."""
        key = number, what
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        started = time.perf_counter()
        try:
            value = make()
        except PagecutError:
            raise
        except Exception as error:
            raise unforeseen(self.pages.listed[number].name, error) from error
        took = time.perf_counter() - started
        with self._lock:
            self._kept[key] = value, took
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return value, took
