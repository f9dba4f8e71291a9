"""The pages on which methods do worst, and what the methods and people make of them.

An evaluation's report lists them; a second file beside it shows them as `pagecut report` does, with
what people marked as the first of the segmentations.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Final
from urllib.parse import quote

from pagecut.contexts import extractor
from pagecut.errors import PagecutError
from pagecut.evaluation.datasets import Dataset, DatasetPage
from pagecut.evaluation.datasets.pages import true_segmentation
from pagecut.evaluation.datasets.rendered import with_pictures
from pagecut.evaluation.scoring import Evaluation
from pagecut.report.html import ReportEntry, write_report
from pagecut.segmenters import segmenter

WORST: Final = 10  # pages of each method that are listed
SHOWN_PAGES: Final = 8  # that the second file shows
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


def write_worst_pages(path: Path, evaluation: Evaluation, dataset: Dataset) -> Links:
    """Show the worst pages of the best methods in a file; where each of them is."""
    ranking = evaluation.ranking()[:SHOWN_METHODS]
    worst = worst_pages(evaluation)
    in_turn = [page for row in zip_longest(*(worst[each] for each in ranking)) for page in row]
    chosen = list(dict.fromkeys(page for page in in_turn if page is not None))[:SHOWN_PAGES]
    by_id = {entry.id: entry for entry in dataset}
    pictures = with_pictures([by_id[page] for page in chosen], PICTURE)
    entries = [shown_page(by_id[page], evaluation, ranking, pictures.get(page)) for page in chosen]
    by = f": contexts by {ranking[0]}" if evaluation.level is None else ""
    write_report(path, entries, title=f"The worst pages{by}")
    return {page: f"{quote(path.name)}#p{number}" for number, page in enumerate(chosen, 1)}


def shown_page(
    entry: DatasetPage,
    evaluation: Evaluation,
    methods: Sequence[str],
    picture: bytes | None = None,
) -> ReportEntry:
    """A page with people's blocks and those of methods; or with the best method's contexts."""
    page, truth = entry.load()
    if evaluation.level is None:
        contexts = extractor(methods[0]).extract(page)
        return ReportEntry(page=page, name=entry.id, contexts=contexts)
    true = true_segmentation(page, truth, evaluation.level)
    found = [true]
    for method in methods:
        try:
            found.append(segmenter(method).segment(page))
        except PagecutError:
            continue  # the evaluation has told of it
    return ReportEntry(page=page, name=entry.id, segmentations=found, picture=picture, beside=true)
