"""The pages on which methods do worst, and what the methods and people make of them.

An evaluation's report lists them; a second file beside it shows them as `pagecut report` does, with
what people say as the first of the segmentations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import numpy as np

from pagecut.content.main_text import MainText
from pagecut.errors import PagecutError
from pagecut.evaluation.datasets import Dataset, DatasetPage, GroundTruth
from pagecut.evaluation.datasets.pages import TRUTH, true_segmentation
from pagecut.evaluation.datasets.rendered import render_some
from pagecut.evaluation.scoring import Evaluation
from pagecut.evaluation.tasks import task_of
from pagecut.page import Page
from pagecut.page.text.tokenizer import bare_words
from pagecut.report.html import ReportEntry, write_report
from pagecut.results.image_context import ImageContext
from pagecut.results.segmentation import Segmentation

WORST: Final = 10  # pages of each method that are listed
SHOWN_PAGES: Final = 8  # that the second file shows; of several tasks, half as many of each
SHOWN_METHODS: Final = 3
PICTURE: Final = 0.5  # scale of their screenshots: letters can be read, the file stays small

Links = dict[str, str]  # by page, where it is shown


def worst_pages(evaluation: Evaluation) -> dict[str, list[str]]:
    """For each method its worst pages by the first measure, the very worst first."""
    values = evaluation.page_values(evaluation.measures[0])
    return {
        method: sorted(pages, key=lambda page, of=pages: (of[page], page))[:WORST]  # type: ignore[misc]
        for method, pages in values.items()
    }


def write_worst_pages(
    path: Path, evaluations: Sequence[Evaluation], dataset: Dataset, *, pictures: bool
) -> list[Links]:
    """Show the worst pages of the best methods in a file; for each evaluation, where they are.

    Args:
        pictures: whether to render pages that were not; where there is no browser, none is.
    """
    by_id = {entry.id: entry for entry in dataset}
    most = SHOWN_PAGES if len(evaluations) == 1 else SHOWN_PAGES // 2
    chosen = [_worst_of_best(evaluation)[:most] for evaluation in evaluations]
    wanted = list(dict.fromkeys(page for pages in chosen for page in pages))
    seen = render_some([by_id[page] for page in wanted], PICTURE, again=pictures)
    entries: list[ReportEntry] = []
    links: list[Links] = []
    for evaluation, pages in zip(evaluations, chosen, strict=True):
        methods = evaluation.ranking()[:SHOWN_METHODS]
        level = f", level {evaluation.level}" if evaluation.level else ""
        about = f" · {evaluation.task}{level}" if len(evaluations) > 1 else ""
        links.append({})
        for page in pages:
            entry = shown_page(by_id[page], evaluation, methods, seen.get(page))
            entries.append(replace(entry, name=f"{entry.name}{about}"))
            links[-1][page] = f"{quote(path.name)}#p{len(entries)}"
    write_report(path, entries, title="The worst pages")
    return links


def _worst_of_best(evaluation: Evaluation) -> list[str]:
    """The worst pages of the best methods in turn; none where there is nothing to show."""
    if evaluation.task == "metadata":
        return []
    worst = worst_pages(evaluation)
    ranking = evaluation.ranking()[:SHOWN_METHODS]
    in_turn = [page for row in zip_longest(*(worst[each] for each in ranking)) for page in row]
    return list(dict.fromkeys(page for page in in_turn if page is not None))


def shown_page(
    entry: DatasetPage,
    evaluation: Evaluation,
    methods: Sequence[str],
    seen: tuple[Page, bytes] | None = None,
) -> ReportEntry:
    """A page with what people say and what methods make of it; image contexts by the best one.

    Args:
        seen: the page with the boxes of what is visible, and its picture, to draw on.
    """
    page, truth = entry.load()
    shown, picture = seen or (page, None)
    if evaluation.task == "image-context":
        best = _method(methods[0], evaluation)
        contexts = [replace(each, page=shown) for each in best.extract(page)]
        drawn = [context_segments(shown, contexts, methods[0])] if picture else []
        return ReportEntry(
            page=shown,
            name=f"{entry.id}, contexts by {methods[0]}",
            contexts=contexts,
            segmentations=drawn,
            picture=picture,
        )
    true = _true_result(page, truth, evaluation)
    found = [true]
    for method in methods:
        try:
            found.append(_result(page, method, evaluation))
        except PagecutError:
            continue  # the evaluation has named it
    found = [replace(each, page=shown) for each in found]
    return ReportEntry(
        page=shown, name=entry.id, segmentations=found, picture=picture, beside=found[0]
    )


def _true_result(page: Page, truth: GroundTruth, evaluation: Evaluation) -> Segmentation:
    if evaluation.task == "items" and truth.items is not None:
        return true_segmentation(page, replace(truth, blocks={2: truth.items}), 2, signs=True)
    if evaluation.task == "main-text":
        return true_text(page, truth.main_text or "")
    return true_segmentation(page, truth, evaluation.level or 2, signs=True)


def _result(page: Page, spec: str, evaluation: Evaluation) -> Segmentation:
    method = _method(spec, evaluation)
    if isinstance(method, MainText):
        return one_segment(page, method.spans(page), spec)
    result: Segmentation = method.segment(page)
    return result


def _method(spec: str, evaluation: Evaluation) -> Any:
    """One of the methods that were scored; what has no line in any table is in `methods` alone."""
    return evaluation.methods.get(spec) or task_of(evaluation.task).method(spec)


def true_text(page: Page, text: str) -> Segmentation:
    """The true main text as far as it is found: the leaves whose words stand in it in a row."""
    words = f" {' '.join(bare_words(text))} "
    spans = [
        (start, end)
        for start, end in zip(page.leaf_starts.tolist(), page.leaf_ends.tolist(), strict=True)
        if (own := " ".join(bare_words(page.text[start:end]))) and f" {own} " in words
    ]
    return one_segment(page, spans, TRUTH)


def context_segments(page: Page, contexts: Sequence[ImageContext], made_by: str) -> Segmentation:
    """The contexts of a page as segments, to draw them; text that several share is the first's."""
    spans: list[tuple[int, int]] = []
    labels: list[int] = []
    texts: set[tuple[int, int]] = set()
    for number, context in enumerate(contexts):
        for span in context.spans:
            if not any(span[0] < end and start < span[1] for start, end in texts):
                texts.add(span)
                spans.append(span)
                labels.append(number)
    order = sorted(range(len(spans)), key=spans.__getitem__)
    return Segmentation.from_spans(
        page, [spans[at] for at in order], [labels[at] for at in order], made_by=made_by
    )


def one_segment(page: Page, spans: Sequence[tuple[int, int]], made_by: str) -> Segmentation:
    """Some ranges of a page as one segment; images are not drawn into it."""
    ranges = np.array(spans, dtype=np.int32).reshape(-1, 2)
    return Segmentation(
        page=page,
        spans=ranges,
        labels=np.zeros(len(ranges), dtype=np.int32),
        parent=np.full(min(1, len(ranges)), -1, dtype=np.int32),
        made_by=made_by,
    )
